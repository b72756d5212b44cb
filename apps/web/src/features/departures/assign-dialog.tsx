import { useQuery } from '@tanstack/react-query'
import type { Out } from '@tour-ops/contract/callable'
import type { Departure } from '@tour-ops/contract/departures/departures'
import { suggestStaff } from '@tour-ops/contract/field-staff/assignments'
import { listFieldStaff } from '@tour-ops/contract/field-staff/field-staff'
import { staffRoles } from '@tour-ops/contract/tours/tour-terms'
import { useState } from 'react'
import { callQuery } from '../../backend/queries.ts'
import { m } from '../../paraglide/messages.js'
import { Button } from '../../ui/button.tsx'
import { Box } from '../../ui/choice.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { DateTimeInput } from '../../ui/date-field.tsx'
import { Field, Select } from '../../ui/field.tsx'
import { formatZone } from '../../ui/format.ts'
import { momentOfWall, wallTimeOf } from '../../ui/wall-time.ts'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { toast } from '../../ui/toast.tsx'
import { FitReasons, obstacleText, roleLabel, type StaffRole, useAssigning } from '../field-staff/index.ts'
import { FirstStep } from '../../records/first-step.tsx'
import { refusalText } from '../../errors/refusal-text.ts'

export interface CrewDialogProps {
  departure: Departure
  onClose: () => void
}

type Fits = Out<typeof suggestStaff>

/** Who answers an offer has this long, or until a day before the start. */
const answerMs = 24 * 60 * 60 * 1000

/** Puts somebody on the departure at once, or offers the role to several: the first acceptance wins. */
export function AssignDialog({ departure, onClose }: CrewDialogProps) {
  const [role, setRole] = useState<StaffRole>(departure.leadGuide ? 'guide' : 'lead_guide')
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [respondBy, setRespondBy] = useState(() => defaultAnswerTime(departure))
  const { data, error, refetch } = useQuery(callQuery(suggestStaff, { departureId: departure.id, role }))
  const assigning = useAssigning({
    fits: data?.fits ?? [],
    onAssigned: (staffId) => {
      toast(m.departures_assigned({ name: data?.fits.find((one) => one.staffId === staffId)?.name ?? '' }))
      onClose()
    },
    onOffered: (count) => {
      toast(m.departures_offered({ count }))
      onClose()
    },
  })
  const duty = { departureId: departure.id, role }
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
      locked={assigning.assigningId !== null || assigning.isOffering}
      actions={
        chosen.size > 0 ? (
          <div className="flex w-full flex-wrap items-end justify-end gap-3">
            <Field label={m.departures_respond_by_label({ zone: formatZone(departure.timeZone) })} className="me-auto">
              <DateTimeInput value={respondBy} onChange={setRespondBy} />
            </Field>
            <Button
              variant="primary"
              pending={assigning.isOffering}
              disabled={respondBy === ''}
              onClick={() => {
                const until = momentOfWall(respondBy, departure.timeZone)
                if (until) assigning.offer(duty, [...chosen], until)
              }}
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
            options={staffRoles.map((value) => ({ value, label: roleLabel(value) }))}
          />
        </Field>
        {assigning.error && (
          <p role="alert" className="note tone-bad font-medium">
            {refusalText(assigning.error)}
          </p>
        )}
        {error && (
          <ErrorPanel message={refusalText(error)} requestId={error.details.requestId} onRetry={() => void refetch()} />
        )}
        {!data && !error && <SkeletonRows rows={5} />}
        {data && (
          <Suggestions
            fits={data}
            chosen={chosen}
            pendingId={assigning.assigningId}
            onToggle={toggle}
            onAssign={(staffId) => assigning.assign(duty, staffId)}
          />
        )}
        {assigning.question}
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
        <NobodyFree hasOthers={fits.notPossible.length > 0} />
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
              <div className="min-w-0 flex-1">
                <b className="block truncate font-medium text-ink-strong">{one.name}</b>
                <div className="text-xs">
                  <FitReasons reasons={one.reasons} />
                </div>
              </div>
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
                <span className="text-ink-strong">{one.name}</span> {obstacleText(one)}
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  )
}

/** Nobody fits, or there is nobody yet: then the first step is to add somebody. */
function NobodyFree({ hasOthers }: { hasOthers: boolean }) {
  const { data } = useQuery({ ...callQuery(listFieldStaff, { size: 1 }), enabled: !hasOthers })
  if (data?.total !== 0) return <p className="text-ink-2">{m.departures_nobody_free()}</p>
  return (
    <div className="grid justify-items-start gap-2">
      <p className="text-ink-2">{m.departures_no_staff()}</p>
      <FirstStep permission="staff:manage" link={{ to: '/field-staff/create' }}>
        {m.field_staff_first()}
      </FirstStep>
    </div>
  )
}

function defaultAnswerTime({ startsAt, timeZone }: Departure): string {
  const start = Date.parse(startsAt)
  const now = Date.now()
  const wanted = Math.min(now + answerMs, Math.max(start - answerMs, now + (start - now) / 2))
  return wallTimeOf(wanted, timeZone)
}
