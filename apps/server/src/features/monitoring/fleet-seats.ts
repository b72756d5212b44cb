import { type RawBuilder, sql } from 'kysely'
import { statuses } from '../../platform/operations/status-sets.ts'

/**
 * One row for the departure of a row `d`: how many vehicles it has, their labels, and the seats in them without the crew's.
 *
 * @see docs/domain.md, "Invariants", I20
 */
export const fleetSeats: RawBuilder<unknown> = sql`
  select count(*)::int as vehicles, string_agg(v.label, ', ' order by v.label) as label,
    greatest(0, sum(v.seats)::int - (select count(distinct a.staff_id)::int from assignments a where a.org_id = d.org_id and a.departure_id = d.id
      and a.status in ${statuses.binding} and a.role <> 'backup')) as free
  from vehicle_assignments va
    join vehicle_calendar_entries e on e.org_id = va.org_id and e.id = va.calendar_entry_id and e.status <> 'cancelled'
    join vehicles v on v.org_id = e.org_id and v.id = e.vehicle_id
  where va.org_id = d.org_id and va.departure_id = d.id`
