import { useQuery } from '@tanstack/react-query'
import { suggestStaff } from '@tour-ops/contract/field-staff/assignments'
import { type OpenRole, type OpenVehicle } from '@tour-ops/contract/field-staff/staff-planner'
import { BusFront, Clock, Languages, UserX } from 'lucide-react'
import { useState } from 'react'
import { obstacleText } from './fit-labels.ts'
import { FitReasons } from './fit-reasons.tsx'
import { useAssigning } from './use-assigning.tsx'
import { refusalText } from '../../errors/refusal-text.ts'
import { callQuery } from '../../backend/queries.ts'
import { m } from '../../paraglide/messages.js'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Chip } from '../../ui/chip.tsx'
import { Box } from '../../ui/choice.tsx'
import { classNames } from '../../ui/class-names.ts'
import { formatLanguage, formatList } from '../../ui/format.ts'
import { formatSpan } from '../../ui/format-span.ts'
import { Ltr } from '../../ui/ltr.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { toast } from '../../ui/toast.tsx'
import { ZoneNote } from '../../ui/zone-note.tsx'
import { LongList } from './long-list.tsx'
import { employmentLabels, roleLabels } from './staff-labels.ts'
import { type Wanted, wantedKey } from './wanted.ts'

interface OpenWorkProps {
  open: readonly Wanted[]
  selected: Wanted | null
  onSelect: (wanted: Wanted | null) => void
  /** What is dragged toward the rows; null when that has ended. */
  onDrag: (wanted: Wanted | null) => void
}

/** Roles that nobody has accepted and departures without a vehicle, soonest first; the selected one shows who fits and why. */
export function OpenWork({ open, selected, onSelect, onDrag }: OpenWorkProps) {
  return (
    <Card
      title={m.field_staff_unassigned()}
      context={open.length > 0 ? m.field_staff_soonest_first() : undefined}
      className="min-h-0 overflow-auto"
    >
      {open.length === 0 && <p className="px-4 pb-4 text-ink-2">{m.field_staff_all_assigned()}</p>}
      <ul className="divide-y divide-line">
        {open.map((wanted) => {
          const isSelected = wanted === selected
          return (
            <li key={wantedKey(wanted)} className={classNames(isSelected && 'selected')}>
              <button
                type="button"
                draggable
                className="block w-full cursor-grab px-4 py-3 text-start hover:bg-surface-2"
                aria-expanded={isSelected}
                onClick={() => onSelect(isSelected ? null : wanted)}
                onDragStart={(event) => {
                  event.dataTransfer.effectAllowed = 'link'
                  event.dataTransfer.setData('text/plain', wanted.of.departureCode)
                  onDrag(wanted)
                }}
                onDragEnd={() => onDrag(null)}
              >
                <span className="flex items-start justify-between gap-2">
                  <b className="font-semibold text-ink-strong">
                    <Ltr>{formatSpan(wanted.of.startsAt, wanted.of.endsAt, wanted.of.timeZone)}</Ltr>{' '}
                    <ZoneNote moment={wanted.of.startsAt} zone={wanted.of.timeZone} />
                  </b>
                  {wanted.kind === 'role' ? (
                    <Chip tone="gap" icon={UserX}>
                      {roleLabels[wanted.of.role]()}
                    </Chip>
                  ) : (
                    <Chip tone="gap" icon={BusFront}>
                      {m.field_staff_vehicle_wanted()}
                    </Chip>
                  )}
                </span>
                {wanted.kind === 'role' ? <RoleText role={wanted.of} /> : <VehicleText vehicle={wanted.of} />}
              </button>
              {isSelected &&
                (wanted.kind === 'role' ? (
                  <Suggestions role={wanted.of} onDone={() => onSelect(null)} />
                ) : (
                  <p className="bg-surface px-4 py-2.5 text-ink-2">{m.field_staff_vehicle_how()}</p>
                ))}
            </li>
          )
        })}
      </ul>
    </Card>
  )
}

const RoleText = ({ role }: { role: OpenRole }) => (
  <>
    <span className="block">
      {role.tourName}{' '}
      <span className="text-ink-2">{m.field_staff_open_role({ role: roleLabels[role.role](), count: role.pax })}</span>
    </span>
    {role.languages.length > 0 && (
      <span className="flex items-center gap-1.5 text-ink-2">
        <Languages size={14} aria-hidden />
        {m.field_staff_wanted_languages({ languages: formatList(role.languages.map((tag) => formatLanguage(tag))) })}
      </span>
    )}
    {role.offers.length > 0 && (
      <span className="flex items-center gap-1.5 text-info">
        <Clock size={14} aria-hidden />
        {m.field_staff_offered_to({ names: formatList(role.offers.map((offer) => offer.staffName)) })}
      </span>
    )}
  </>
)

const VehicleText = ({ vehicle }: { vehicle: OpenVehicle }) => (
  <span className="block">
    {vehicle.tourName} <span className="text-ink-2">{m.field_staff_open_vehicle({ count: vehicle.pax })}</span>
  </span>
)

/** Offers wait until the evening before, or an hour when it is closer than that. */
function respondBy({ startsAt }: OpenRole): string {
  const now = Date.now()
  const dayBefore = Date.parse(startsAt) - 24 * 3_600_000
  return new Date(Math.max(dayBefore, now + 3_600_000)).toISOString()
}

function Suggestions({ role, onDone }: { role: OpenRole; onDone: () => void }) {
  const [chosen, setChosen] = useState<readonly string[]>([])
  const { data } = useQuery(callQuery(suggestStaff, { departureId: role.departureId, role: role.role }))
  const assigning = useAssigning({
    fits: data?.fits ?? [],
    onAssigned: (staffId) => {
      const name = data?.fits.find((fit) => fit.staffId === staffId)?.name ?? ''
      toast(m.field_staff_assigned({ name, code: role.departureCode }))
      onDone()
    },
    onOffered: (count) => {
      toast(m.field_staff_offered({ count }))
      onDone()
    },
  })
  if (!data) return <SkeletonRows rows={3} />
  const toggle = (id: string) => setChosen(chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id])
  const only = chosen.length === 1 ? chosen[0] : undefined
  return (
    <div className="bg-surface">
      {data.fits.length === 0 && <p className="px-4 py-3 text-ink-2">{m.field_staff_nobody_fits()}</p>}
      <LongList
        items={data.fits}
        keyOf={(fit) => fit.staffId}
        className="divide-y divide-line"
        itemClassName="flex gap-3 px-4 py-2.5"
        moreClassName="border-t border-line px-4 py-2"
      >
        {(fit) => (
          <>
            <Box label={fit.name} checked={chosen.includes(fit.staffId)} onChange={() => toggle(fit.staffId)} />
            <div className="min-w-0">
              <b className="font-medium text-ink-strong">
                <bdi>{fit.name}</bdi>
              </b>{' '}
              <span className="text-ink-2">{employmentLabels[fit.employment]()}</span>
              <FitReasons reasons={fit.reasons} />
            </div>
          </>
        )}
      </LongList>
      {data.notPossible.length > 0 && (
        <div className="border-t border-line px-4 py-2.5 text-ink-2">
          <p className="text-xs font-medium">{m.field_staff_not_possible()}</p>
          <LongList items={data.notPossible} keyOf={(person) => person.staffId}>
            {(person) => (
              <>
                <bdi className="text-ink">{person.name}</bdi> {obstacleText(person)}
              </>
            )}
          </LongList>
        </div>
      )}
      {assigning.error && (
        <p role="alert" className="px-4 py-2 font-medium text-bad">
          {m.field_staff_refused({ reason: refusalText(assigning.error) })}
        </p>
      )}
      <div className="flex gap-2 border-t border-line px-4 py-3">
        <Button
          disabled={!only}
          pending={assigning.assigningId !== null}
          onClick={() => only && assigning.assign(role, only)}
        >
          {m.field_staff_assign()}
        </Button>
        <Button
          variant="primary"
          className="flex-1"
          disabled={chosen.length === 0}
          pending={assigning.isOffering}
          onClick={() => assigning.offer(role, chosen, respondBy(role))}
        >
          {m.field_staff_offer_to({ count: Math.max(chosen.length, 1) })}
        </Button>
      </div>
      {assigning.question}
    </div>
  )
}
