import type { CalendarBlock, VehicleBlock } from '@tour-ops/contract/field-staff/staff-planner'
import { useOpenDeparture } from '../../records/departure-link.tsx'
import { m } from '../../paraglide/messages.js'
import { formatDayTimeThere, formatTime, formatTimeRange, localDateOf } from '../../ui/format.ts'
import { Ltr } from '../../ui/ltr.tsx'
import { ZoneNote } from '../../ui/zone-note.tsx'

interface Spanned {
  startsAt: string
  endsAt: string
}

/** Whether something takes place on a day of a zone. */
export const touches = ({ startsAt, endsAt }: Spanned, date: string, timeZone: string): boolean =>
  localDateOf(startsAt, timeZone) <= date && date <= localDateOf(endsAt, timeZone)

const leaveLabels: Partial<Record<(CalendarBlock | VehicleBlock)['kind'], () => string>> = {
  time_off: m.field_staff_leave,
  training: m.field_staff_training,
  rest: m.field_staff_rest,
  maintenance: m.field_staff_maintenance,
  hire: m.vehicles_kind_hire,
}

const dayMs = 86_400_000

/** Which day of how many a date is; null for what lasts a day or goes over one midnight. */
function dayOf({ startsAt, endsAt }: Spanned, date: string, timeZone: string): { day: number; count: number } | null {
  if (Date.parse(endsAt) - Date.parse(startsAt) <= dayMs) return null
  const dayNumber = (day: string) => Date.parse(day) / dayMs
  const first = dayNumber(localDateOf(startsAt, timeZone))
  return { day: dayNumber(date) - first + 1, count: dayNumber(localDateOf(endsAt, timeZone)) - first + 1 }
}

/** `09:00–17:00` as `09–17`: a block has no room for what says nothing. */
const shortTimes = (times: string): string => times.replaceAll(/(\d{2}):00/g, '$1')

interface PlannerBlockProps {
  block: CalendarBlock | VehicleBlock
  /** The day of this part. */
  date: string
  timeZone: string
}

/** One day of a duty or an absence. What lasts several days is joined to its other days and says which one this is. */
export function PlannerBlock({ block, date, timeZone }: PlannerBlockProps) {
  const open = useOpenDeparture()
  const shown = shownOf(block)
  const isFirst = localDateOf(block.startsAt, timeZone) === date
  const isLast = localDateOf(block.endsAt, timeZone) === date
  const part = isFirst ? (isLast ? undefined : 'first') : isLast ? 'last' : 'middle'
  if (!shown) {
    return (
      <span className="planner-block hatch" data-look="leave" data-part={part}>
        {(leaveLabels[block.kind] ?? m.field_staff_busy)()}
      </span>
    )
  }
  const day = dayOf(block, date, timeZone)
  return (
    <button
      type="button"
      className="planner-block"
      data-look={shown.look}
      data-part={part}
      title={`${shown.tourName} · ${formatDayTimeThere(block.startsAt, shown.timeZone)}`}
      onClick={() => open(shown.departureId)}
    >
      <b>{shown.tourCode}</b>
      {day ? (
        <span>{m.field_staff_day_of(day)}</span>
      ) : (
        <>
          <Ltr>
            {shortTimes(
              isFirst
                ? formatTimeRange(block.startsAt, block.endsAt, shown.timeZone)
                : `–${formatTime(block.endsAt, shown.timeZone)}`,
            )}
          </Ltr>
          <ZoneNote moment={block.startsAt} zone={shown.timeZone} />
        </>
      )}
    </button>
  )
}

/** What a block says of its departure; null for an absence. */
function shownOf(block: CalendarBlock | VehicleBlock) {
  if ('vehicleId' in block) {
    return block.departure && { ...block.departure, departureId: block.departure.id, look: 'accepted' }
  }
  const { assignment } = block
  const isOpen = assignment?.status === 'offered' || assignment?.status === 'draft'
  return (
    assignment && { ...assignment, look: isOpen ? 'offered' : assignment.status === 'accepted' ? 'accepted' : 'done' }
  )
}
