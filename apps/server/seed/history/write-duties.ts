import { longestDutyHours } from '@tour-ops/contract/tracking/duty-terms'
import { sql } from 'kysely'
import { newId } from '../../src/platform/ids.ts'
import { asRows, iso, type PastWrites } from './as-they-ended.ts'
import type { PastLife } from './lives.ts'
import { hourMs, minuteMs } from '../spans.ts'

/** Who is on duty for longer has a break in the middle. */
const breakAfterMs = 6 * hourMs
const breakMs = 40 * minuteMs

interface Duty {
  readonly staff: string
  readonly departure: string
  readonly from: number
  readonly to: number
  readonly endedBy: 'departure' | 'person'
}

/** When the crew was on duty, day by day, and nobody twice at once. */
export async function writeDuties({ tx, orgId }: PastWrites, lives: readonly PastLife[]): Promise<void> {
  const run = lives.filter(({ cancelReason }) => cancelReason === null)
  const ofStaff = Map.groupBy(run.flatMap(dutiesOf), ({ staff }) => staff)
  const rows = [...ofStaff.values()].flatMap(oneAfterTheOther).map(({ from, to, ...duty }) => {
    const middle = (from + to) / 2
    const hasBreak = to - from > breakAfterMs
    return {
      ...duty,
      id: newId(),
      from: iso(from),
      to: iso(to),
      breakFrom: hasBreak ? iso(middle) : null,
      breakTo: hasBreak ? iso(middle + breakMs) : null,
    }
  })
  await sql`
    insert into duty_sessions (org_id, id, staff_id, departure_id, started_at, source, status, ended_at, ended_by, breaks, created_at)
    select ${orgId}, d.id, d.staff, d.departure, d."from", 'auto', 'closed', d."to", d."endedBy",
      case when d."breakFrom" is null then '{}'::tstzmultirange else tstzmultirange(tstzrange(d."breakFrom", d."breakTo")) end, d."from"
    from jsonb_to_recordset(${asRows(rows)}::jsonb) as d (id uuid, staff uuid, departure uuid, "from" timestamptz, "to" timestamptz,
      "endedBy" text, "breakFrom" timestamptz, "breakTo" timestamptz)`.execute(tx)
}

/** The duties of one person; one that would begin before another has ended begins with its end. */
function oneAfterTheOther(duties: readonly Duty[]): Duty[] {
  let free = 0
  return duties
    .toSorted((a, b) => a.from - b.from)
    .flatMap((duty) => {
      const from = Math.max(duty.from, free)
      if (from >= duty.to) return []
      free = duty.to
      return [{ ...duty, from }]
    })
}

function dutiesOf({ departure, crew, stops, startedAt, endedAt }: PastLife): Duty[] {
  const days = [...Map.groupBy(stops, ({ dayIndex }) => dayIndex).values()]
  return (crew.duties ?? []).flatMap(({ staffId }) =>
    days.map((day, place): Duty => {
      const isLast = place === days.length - 1
      const from = place === 0 ? departure.startsAt - hourMs : (day[0]?.arriveAt ?? startedAt) - 30 * minuteMs
      const to = isLast ? endedAt : Math.max(day.at(-1)?.arrivedAt ?? startedAt, from + hourMs)
      return {
        staff: staffId,
        departure: departure.id,
        from,
        to: Math.min(to, from + longestDutyHours * hourMs),
        endedBy: isLast ? 'departure' : 'person',
      }
    }),
  )
}
