import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../platform/db/database.ts'
import type { BatchKey } from './plan-types.ts'

/** Somebody's work on what an import wrote. */
export interface Edit {
  /** Null for guests on their link, and for the system. */
  readonly byName: string | null
  /** Null where the audit log does not say. */
  readonly at: Date | null
}

/** A row, and what was done with it. */
export interface EditedRow extends Edit {
  readonly id: string
}

/** Who did what an entry `e` of the audit log says. */
export const byName = sql`coalesce(m.name, m.email)`
export const actor = sql`left join members m on m.org_id = e.org_id and m.user_id = e.actor_id`

/** What is behind it in the audit log was done after the import: rows that it wrote are locked until its end. */
export async function selectEnd(tx: Tx, { orgId, batchId }: BatchKey): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    select coalesce(max(id), 0)::text as id from audit_entries where org_id = ${orgId} and entity_type = 'import_batches'
      and entity_id = ${batchId} and diff #>> '{status,1}' = 'applied'`.execute(tx)
  return rows[0]?.id ?? '0'
}

interface Sought {
  readonly orgId: string
  readonly table: string
  readonly ids: readonly string[]
  /** Which entries `e` count. */
  readonly where: RawBuilder<boolean>
}

/** Who did the last of these things with rows, and when; a row of which the log says nothing is named without. */
export async function selectLastEdits(tx: Tx, { orgId, table, ids, where }: Sought): Promise<EditedRow[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<EditedRow>`
    select l.id, ${byName} as "byName", e.at
    from (
      select e.entity_id as id, max(e.id) as last from audit_entries e
      where e.org_id = ${orgId} and e.entity_type = ${table} and e.entity_id = any (${[...ids]}::text[]) and ${where}
      group by e.entity_id
    ) l
    join audit_entries e on e.org_id = ${orgId} and e.id = l.last ${actor}`.execute(tx)
  const told = new Map(rows.map((row) => [row.id, row]))
  return ids.map((id) => told.get(id) ?? { id, byName: null, at: null })
}

interface Compared {
  readonly orgId: string
  readonly table: string
  readonly ids: readonly string[]
  /** The entry of the audit log with which the import was over. */
  readonly since: string
  /** Columns that follow from others, or that the log hides. */
  readonly except: readonly string[]
}

/** Columns whose value is another than at the end of the import, by the audit log; what was changed and changed back is none. */
export async function selectChangedColumns(
  tx: Tx,
  { orgId, table, ids, since, except }: Compared,
): Promise<(EditedRow & { column: string })[]> {
  const { rows } = await sql<EditedRow & { column: string }>`
    select c.id, c.column, ${byName} as "byName", e.at
    from (
      select e.entity_id as id, d.key as column, max(e.id) as last,
        (array_agg(d.value -> 0 order by e.id))[1] as before, (array_agg(d.value -> 1 order by e.id desc))[1] as after
      from audit_entries e cross join lateral jsonb_each(e.diff) d
      where e.org_id = ${orgId} and e.entity_type = ${table} and e.entity_id = any (${[...ids]}::text[])
        and e.op = 'update' and e.id > ${since}::bigint and d.key <> all (${[...except]}::text[])
      group by e.entity_id, d.key
    ) c
    join audit_entries e on e.org_id = ${orgId} and e.id = c.last ${actor}
    where c.before is distinct from c.after`.execute(tx)
  return rows
}
