import { type RawBuilder, sql } from 'kysely'
import type { MemberCall } from '../../context.ts'

/** What a booking was before the request of an audit entry `e` of it, as an object: the first value of each column that the request wrote. */
export const valuesBefore = (orgId: string): RawBuilder<unknown> => sql`
  (select jsonb_object_agg(was.key, was.value) from (
    select distinct on (d.key) d.key, d.value -> 0 as value from audit_entries a cross join jsonb_each(a.diff) d
    where a.org_id = ${orgId} and a.entity_type = 'bookings' and a.entity_id = e.entity_id and a.request_id = e.request_id
    order by d.key, a.id) was)`

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
