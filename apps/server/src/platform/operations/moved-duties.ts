import { refuse } from '@tour-ops/contract/refusals'
import { sql } from 'kysely'
import type { MemberCall } from '../../context.ts'
import { requireDriver } from './named-drivers.ts'

/** A departure and its new end. */
export interface Move {
  readonly departureId: string
  readonly endsAt: Date
}

/**
 * Judges the people and vehicles of departures whose end is about to move, as when they were assigned. Their calendars follow by
 * `move_duties()`, which would refuse the same without naming anybody. Rest that becomes too short is an alert (`rest_violation`).
 *
 * @throws AppError `staff_busy`, `vehicle_busy`, `staff_not_active`, `licence_expired`: who, and what blocks it.
 */
export async function requireFreeUntil(call: MemberCall, moves: readonly Move[]): Promise<void> {
  await requireFreeStaff(call, moves)
  await requireFreeVehicles(call, moves)
  for (const driver of await selectDrivers(call, moves)) await requireDriver(call, driver)
}

/** Departures `d` whose end moves, and by how much. */
const moved = (call: MemberCall, moves: readonly Move[]) => sql`
  (select d.org_id, d.id, d.local_date, move.ends_at - d.ends_at as later
    from unnest(${moves.map(({ departureId }) => departureId)}::uuid[], ${moves.map(({ endsAt }) => endsAt)}::timestamptz[]) as move (id, ends_at)
    join departures d on d.org_id = ${call.orgId} and d.id = move.id and d.ends_at <> move.ends_at) moved`

interface Taken {
  name: string
  departureId: string | null
  code: string | null
  kind: string
  from: Date
  to: Date
}

async function requireFreeStaff(call: MemberCall, moves: readonly Move[]): Promise<void> {
  const { rows } = await sql<Taken>`
    select s.first_name as name, d.id as "departureId", d.code, other.kind, lower(other.during) as "from", upper(other.during) as "to"
    from ${moved(call, moves)}
      join assignments a on a.org_id = moved.org_id and a.departure_id = moved.id
      join staff_calendar_entries e on e.org_id = a.org_id and e.id = a.calendar_entry_id and e.blocking
      join staff_calendar_entries other on other.org_id = e.org_id and other.staff_id = e.staff_id and other.id <> e.id and other.blocking
        and other.during && tstzrange(lower(e.during), upper(e.during) + moved.later)
      join field_staff s on s.org_id = e.org_id and s.id = e.staff_id
      left join assignments o on o.org_id = other.org_id and o.calendar_entry_id = other.id
      left join departures d on d.org_id = o.org_id and d.id = o.departure_id
    order by lower(other.during), s.id limit 1`.execute(call.tx)
  const taken = rows[0]
  if (taken) throw refuse('staff_busy', { ...taken, from: taken.from.toISOString(), to: taken.to.toISOString() })
}

async function requireFreeVehicles(call: MemberCall, moves: readonly Move[]): Promise<void> {
  const { rows } = await sql<Pick<Taken, 'name' | 'departureId' | 'code' | 'kind'>>`
    select v.label as name, d.id as "departureId", d.code, other.kind
    from ${moved(call, moves)}
      join vehicle_assignments va on va.org_id = moved.org_id and va.departure_id = moved.id
      join vehicle_calendar_entries e on e.org_id = va.org_id and e.id = va.calendar_entry_id and e.blocking
      join vehicle_calendar_entries other on other.org_id = e.org_id and other.vehicle_id = e.vehicle_id and other.id <> e.id and other.blocking
        and other.during && tstzrange(lower(e.during), upper(e.during) + moved.later)
      join vehicles v on v.org_id = e.org_id and v.id = e.vehicle_id
      left join vehicle_assignments o on o.org_id = other.org_id and o.calendar_entry_id = other.id
      left join departures d on d.org_id = o.org_id and d.id = o.departure_id
    order by lower(other.during), v.id limit 1`.execute(call.tx)
  if (rows[0]) throw refuse('vehicle_busy', rows[0])
}

async function selectDrivers(call: MemberCall, moves: readonly Move[]) {
  const { rows } = await sql<{ staffId: string; departureId: string; localDate: string; from: Date; to: Date }>`
    select e.driver_staff_id as "staffId", moved.id as "departureId", moved.local_date as "localDate", lower(e.during) as "from",
      upper(e.during) + moved.later as "to"
    from ${moved(call, moves)}
      join vehicle_assignments va on va.org_id = moved.org_id and va.departure_id = moved.id
      join vehicle_calendar_entries e on e.org_id = va.org_id and e.id = va.calendar_entry_id and e.blocking
    where e.driver_staff_id is not null order by e.id`.execute(call.tx)
  return rows
}
