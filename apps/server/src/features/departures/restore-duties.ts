import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../platform/db/database.ts'

/** A request that took crew, vehicles and equipment from a departure, whose previous values the audit log has. */
export interface Freed {
  readonly tx: Tx
  readonly orgId: string
  readonly departureId: string
  readonly requestId: string
}

/** The status that each row of a table had before the request, by id. */
const statusBefore = ({ orgId, requestId }: Freed, table: string): RawBuilder<unknown> => sql`(
  select distinct on (e.entity_id) e.entity_id::uuid as id, e.diff #>> '{status,0}' as was from audit_entries e
  where e.org_id = ${orgId} and e.entity_type = ${table}::text and e.request_id = ${requestId} and e.op = 'update' and e.diff ? 'status'
  order by e.entity_id, e.id)`

/** Whether a calendar has something else at the time of an entry. */
const isBusy = (calendar: 'staff' | 'vehicle'): RawBuilder<boolean> => {
  const whose = sql.ref(`${calendar}_id`)
  return sql`exists (select from ${sql.table(`${calendar}_calendar_entries`)} o where o.org_id = e.org_id and o.${whose} = e.${whose}
    and o.blocking and o.during && e.during and o.id <> e.id)`
}

/** Who had accepted is on the departure again, and who was asked is asked again while there is time to answer. @returns How many are not free. */
export async function restoreCrew(freed: Freed): Promise<number> {
  const { tx, orgId, departureId } = freed
  const { rows } = await sql<{ isBusy: boolean; id: string; was: string }>`
    select a.id, before.was, ${isBusy('staff')} as "isBusy" from ${statusBefore(freed, 'assignments')} before
    join assignments a on a.org_id = ${orgId} and a.id = before.id and a.departure_id = ${departureId} and a.status in ('released', 'withdrawn')
    join staff_calendar_entries e on e.org_id = a.org_id and e.id = a.calendar_entry_id
    where before.was = 'accepted' or a.respond_by is null or a.respond_by > app_now()`.execute(tx)
  const free = rows.filter((row) => !row.isBusy)
  await sql`update assignments a set status = before.was, release_reason = null
    from jsonb_to_recordset(${JSON.stringify(free)}::jsonb) as before (id uuid, was text)
    where a.org_id = ${orgId} and a.id = before.id`.execute(tx)
  return rows.length - free.length
}

/** @returns How many vehicles are not free. */
export async function restoreVehicles(freed: Freed): Promise<number> {
  const { tx, orgId } = freed
  const { rows } = await sql<{ isBusy: boolean; id: string; was: string }>`
    select e.id, before.was, ${isBusy('vehicle')} as "isBusy" from ${statusBefore(freed, 'vehicle_calendar_entries')} before
    join vehicle_calendar_entries e on e.org_id = ${orgId} and e.id = before.id and e.status = 'cancelled'`.execute(tx)
  const free = rows.filter((row) => !row.isBusy)
  await sql`update vehicle_calendar_entries e set status = before.was
    from jsonb_to_recordset(${JSON.stringify(free)}::jsonb) as before (id uuid, was text)
    where e.org_id = ${orgId} and e.id = before.id`.execute(tx)
  return rows.length - free.length
}

/** The schema refuses equipment that others have by now. */
export async function restoreEquipment({ tx, orgId, departureId, requestId }: Freed): Promise<void> {
  await sql`insert into equipment_issues (org_id, departure_id, equipment_id, quantity)
    select ${orgId}, ${departureId}::uuid, (e.diff ->> 'equipment_id')::uuid, (e.diff ->> 'quantity')::int from audit_entries e
    where e.org_id = ${orgId} and e.entity_type = 'equipment_issues' and e.request_id = ${requestId} and e.op = 'delete'`.execute(
    tx,
  )
}

export async function restoreServices(freed: Freed): Promise<void> {
  const { tx, orgId, departureId } = freed
  await sql`update departure_services s set status = before.was from ${statusBefore(freed, 'departure_services')} before
    where s.org_id = ${orgId} and s.id = before.id and s.departure_id = ${departureId} and s.status = 'cancelled'`.execute(
    tx,
  )
}
