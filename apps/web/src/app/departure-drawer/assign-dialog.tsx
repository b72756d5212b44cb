import { useQuery } from '@tanstack/react-query'
import type { Callable, Out } from '@tour-ops/contract/callable'
import type { Departure } from '@tour-ops/contract/departures'
import { createAssignment, offerAssignment, suggestStaff } from '@tour-ops/contract/field-staff'
import { staffRoles } from '@tour-ops/contract/tours'
import { Check, TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { callQuery, useCall } from '../../backend/queries.ts'
import { m } from '../../paraglide/messages.js'
import { Button } from '../../ui/button.tsx'
import { Box } from '../../ui/choice.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { DateTimeInput, Field, Select } from '../../ui/field.tsx'
import { formatZone, localDateOf, localTimeOf, utcOffsetMinutes } from '../../ui/format.ts'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { toast } from '../../ui/toast.tsx'
import { becauseWord, fitWord, roleWord, type StaffRole, warningWord } from './crew-words.ts'
import { refusalWords } from './use-departure-write.ts'

export interface CrewDialogProps {
  departure: Departure
  stale: readonly Pick<Callable, 'name'>[]
  onClose: () => void
}

type Fits = Out<typeof suggestStaff>

/** Who answers an offer has this long, or until a day before the start. */
const answerMs = 24 * 60 * 60 * 1000

/** Puts somebody on the departure at once, or offers the role to several: the first yes wins. */
export function AssignDialog({ departure, stale, onClose }: CrewDialogProps) {
  const [role, setRole] = useState<StaffRole>(departure.leadGuide ? 'guide' : 'lead_guide')
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [respondBy, setRespondBy] = useState(() => defaultAnswerTime(departure))
  const { data, error, refetch } = useQuery(callQuery(suggestStaff, { departureId: departure.id, role }))
  const assign = useCall(createAssignment, {
    invalidates: stale,
    onSuccess: ({ warnings }, { staffId }) => {
      const name = data?.fits.find((one) => one.staffId === staffId)?.name ?? ''
      toast(
        warnings.length > 0
          ? m.departures_assigned_warning({ name, warning: warnings.map(warningWord).join(' ') })
          : m.departures_assigned({ name }),
      )
      onClose()
    },
  })
  const offer = useCall(offerAssignment, {
    invalidates: stale,
    onSuccess: ({ ids }) => {
      toast(m.departures_offered({ count: ids.length }))
      onClose()
    },
  })
  const refused = assign.error ?? offer.error
  const toggle = (id: string, isChosen: boolean) => {
    const next = new Set(chosen)
    if (isChosen) next.add(id)
    else next.delete(id)
    setChosen(next)
  }
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title={m.departures_assign_title()}
      description={`${departure.tourName} · ${departure.code}`}
      locked={assign.isPending || offer.isPending}
      actions={
        chosen.size > 0 ? (
          <div className="flex w-full flex-wrap items-end justify-end gap-3">
            <Field label={m.departures_respond_by_label({ zone: formatZone(departure.timeZone) })} className="me-auto">
              <DateTimeInput value={respondBy} onChange={(event) => setRespondBy(event.target.value)} />
            </Field>
            <Button
              variant="primary"
              pending={offer.isPending}
              onClick={() =>
                offer.mutate({
                  departureId: departure.id,
                  role,
                  staffIds: [...chosen],
                  respondBy: momentIn(respondBy, departure.timeZone),
                })
              }
            >
              {m.departures_offer_to({ count: chosen.size })}
            </Button>
          </div>
        ) : undefined
      }
    >
      <div className="grid gap-3">
        <Field label={m.departures_role()} className="max-w-[240px]">
          <Select
            value={role}
            onChange={(event) => {
              setRole(event.target.value as StaffRole)
              setChosen(new Set())
            }}
            options={staffRoles.map((value) => ({ value, label: roleWord(value) }))}
          />
        </Field>
        {refused && (
          <p role="alert" className="note tone-bad font-medium">
            {refusalWords(refused)}
          </p>
        )}
        {error && (
          <ErrorPanel message={error.message} requestId={error.details.requestId} onRetry={() => void refetch()} />
        )}
        {!data && !error && <SkeletonRows rows={5} />}
        {data && (
          <Suggestions
            fits={data}
            chosen={chosen}
            pendingId={assign.isPending ? assign.variables.staffId : null}
            onToggle={toggle}
            onAssign={(staffId) => assign.mutate({ departureId: departure.id, staffId, role })}
          />
        )}
      </div>
    </Dialog>
  )
}

interface SuggestionsProps {
  fits: Fits
  chosen: ReadonlySet<string>
  pendingId: string | null
  onToggle: (staffId: string, isChosen: boolean) => void
  onAssign: (staffId: string) => void
}

function Suggestions({ fits, chosen, pendingId, onToggle, onAssign }: SuggestionsProps) {
  return (
    <>
      {fits.fits.length === 0 ? (
        <p className="text-ink-2">{m.departures_nobody_free()}</p>
      ) : (
        <ul className="rounded-lg border border-line">
          {fits.fits.map((one) => (
            <li
              key={one.staffId}
              className="flex min-h-12 items-center gap-3 border-t border-line px-3 py-1.5 first:border-t-0"
            >
              <Box
                label={m.departures_offer_choose({ name: one.name })}
                checked={chosen.has(one.staffId)}
                onChange={(isChosen) => onToggle(one.staffId, isChosen)}
              />
              <span className="min-w-0 flex-1">
                <b className="block truncate font-medium text-ink-strong">{one.name}</b>
                <span className="flex flex-wrap gap-x-3 text-xs">
                  {one.reasons.map(({ reason, ok, detail }) => (
                    <span
                      key={reason}
                      className={
                        ok ? 'inline-flex items-center gap-1 text-ink-2' : 'inline-flex items-center gap-1 text-warn'
                      }
                    >
                      {ok ? <Check size={13} aria-hidden /> : <TriangleAlert size={13} aria-hidden />}
                      {fitWord(reason)} {detail}
                    </span>
                  ))}
                </span>
              </span>
              <Button
                size="sm"
                pending={pendingId === one.staffId}
                aria-label={m.departures_assign_named({ name: one.name })}
                onClick={() => onAssign(one.staffId)}
              >
                {m.departures_assign()}
              </Button>
            </li>
          ))}
        </ul>
      )}
      {fits.notPossible.length > 0 && (
        <details>
          <summary className="cursor-pointer py-1 text-ink-2">
            {m.departures_not_possible({ count: fits.notPossible.length })}
          </summary>
          <ul className="grid gap-1 py-1">
            {fits.notPossible.map((one) => (
              <li key={one.staffId} className="flex flex-wrap gap-x-2 text-ink-2">
                <span className="text-ink-strong">{one.name}</span> {becauseWord(one.because)} {one.detail}
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  )
}

function defaultAnswerTime({ startsAt, timeZone }: Departure): string {
  const start = Date.parse(startsAt)
  const now = Date.now()
  const wanted = Math.min(now + answerMs, Math.max(start - answerMs, now + (start - now) / 2))
  return `${localDateOf(wanted, timeZone)}T${localTimeOf(wanted, timeZone)}`
}

/** A civil date and time of a zone as a moment. */
const momentIn = (local: string, zone: string): string => {
  const wall = Date.parse(`${local}:00Z`)
  return new Date(wall - utcOffsetMinutes(wall, zone) * 60_000).toISOString()
}
