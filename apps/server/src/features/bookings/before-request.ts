import { takeBackMinutes } from '@tour-ops/contract/bookings/bookings'
import { type RawBuilder, sql } from 'kysely'
import type { MemberCall } from '../../context.ts'

/** What a booking was before the request of an audit entry `e` of it, as an object: the first value of each column that the request wrote. */
export const valuesBefore = (orgId: string): RawBuilder<unknown> => sql`
  (select jsonb_object_agg(was.key, was.value) from (
    select distinct on (d.key) d.key, d.value -> 0 as value from audit_entries a cross join jsonb_each(a.diff) d
    where a.org_id = ${orgId} and a.entity_type = 'bookings' and a.entity_id = e.entity_id and a.request_id = e.request_id
    order by d.key, a.id) was)`

/**
 * The request in which something was done to a booking.
 *
 * @param action Name of its callable.
 * @returns undefined where it is not the last that happened to the booking and its guests, or too long ago.
 */
export const selectLastRequest = async (call: MemberCall, id: string, action: string): Promise<string | undefined> =>
  (await selectLastOf(call, id, [action]))?.requestId

interface LastRequest {
  readonly requestId: string
  readonly action: string
}

/** The same for one of several actions, and which it was. */
export async function selectLastOf(
  { tx, orgId }: MemberCall,
  id: string,
  actions: readonly string[],
): Promise<LastRequest | undefined> {
  const { rows } = await sql<LastRequest>`
    select last.request_id as "requestId", last.action
    from (select e.request_id, e.action, e.at from audit_entries e where e.org_id = ${orgId}
      and (e.entity_type = 'bookings' and e.entity_id = ${id} or e.entity_type = 'manifest_entries'
        and e.entity_id in (select m.id::text from manifest_entries m where m.org_id = ${orgId} and m.booking_id = ${id}))
      order by e.id desc limit 1) last
    where last.action = any (${[...actions]}::text[]) and last.request_id is not null
      and last.at > app_now() - make_interval(mins => ${takeBackMinutes})`.execute(tx)
  return rows[0]
}

/** What a booking was before a request that changed it. */
export async function selectValuesBefore(
  { tx, orgId }: MemberCall,
  id: string,
  requestId: string,
): Promise<Readonly<Record<string, unknown>>> {
  const { rows } = await sql<{ values: Readonly<Record<string, unknown>> | null }>`
    select ${valuesBefore(orgId)} as values from audit_entries e where e.org_id = ${orgId} and e.entity_type = 'bookings'
      and e.entity_id = ${id} and e.request_id = ${requestId} limit 1`.execute(tx)
  return rows[0]?.values ?? {}
}

interface ColumnsBefore {
  readonly id: string
  readonly values: Readonly<Record<string, unknown>>
}

/** Gives columns of a booking the values that they had; all of them have to be among the values. */
export async function restoreColumns(
  { tx, orgId }: MemberCall,
  { id, values }: ColumnsBefore,
  columns: readonly string[],
): Promise<void> {
  await sql`update bookings b set (${sql.join(columns.map((column) => sql.ref(column)))}) =
      (select ${sql.join(columns.map((column) => sql.ref(`x.${column}`)))} from jsonb_populate_record(b, ${JSON.stringify(values)}::jsonb) x)
    where b.org_id = ${orgId} and b.id = ${id}`.execute(tx)
}
