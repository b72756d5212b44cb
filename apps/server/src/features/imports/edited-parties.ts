import { sql } from 'kysely'
import type { Tx } from '../../platform/db/database.ts'
import { selectSpans } from './apply-store.ts'
import type { BatchKey } from './plan-types.ts'
import { textAt, targets, within, type Lines, type Target, writes } from './write-plans.ts'

/** A row that the import wrote, with the version it left behind. */
interface Written {
  readonly party: number
  readonly id: string
  readonly version: number
  readonly isNew: boolean
}

/**
 * Parties that somebody has worked on since the import: a row that it wrote has another version, is gone, or belongs to something new. They
 * are kept whole.
 */
export async function selectEditedParties(tx: Tx, key: BatchKey): Promise<number[]> {
  const parties = new Set<number>()
  for (const span of await selectSpans(tx, key)) {
    for (const target of Object.values(targets)) {
      for (const { party } of await selectEdited(tx, target, { ...key, ...span })) parties.add(party)
    }
  }
  return [...parties].toSorted((a, b) => a - b)
}

/** Rows are found by their keys alone, for the reason that `write-plans.ts` gives. */
async function selectEdited(tx: Tx, target: Target, lines: Lines): Promise<Written[]> {
  const { rows: written } = await sql<Written>`
    select r.party, ${textAt(target, 'id')} as id, (${textAt(target, 'version')})::int + 1 as version,
      (${textAt(target, 'isNew')})::boolean as "isNew"
    from ${writes} where ${within(lines)} and w.write ? ${sql.lit(target.plan)}`.execute(tx)
  if (written.length === 0) return []
  const { rows: present } = await sql<{ id: string; version: number }>`
    select ${sql.ref(target.key)} as id, version from ${sql.table(target.table)}
    where org_id = ${lines.orgId} and ${sql.ref(target.key)} = any (${idsOf(written)}::uuid[])`.execute(tx)
  const versions = new Map(present.map(({ id, version }) => [id, version]))
  const used = await selectUsed(tx, target, lines, idsOf(written.filter(({ isNew }) => isNew)))
  return written.filter(({ id, version }) => versions.get(id) !== version || used.has(id))
}

const idsOf = (written: readonly Written[]): string[] => written.map(({ id }) => id)

/** Rows of the import that other records refer to by now. */
async function selectUsed(tx: Tx, { plan }: Target, { orgId, batchId }: Lines, ids: string[]): Promise<Set<string>> {
  if (ids.length === 0 || (plan !== 'booking' && plan !== 'entry')) return new Set()
  const users = {
    booking: sql<{ id: string }>`
      select booking_id as id from feedback where org_id = ${orgId} and booking_id = any (${ids}::uuid[])
      union select booking_id from billing_documents where org_id = ${orgId} and booking_id = any (${ids}::uuid[])
      union select booking_id from manifest_entries where org_id = ${orgId} and booking_id = any (${ids}::uuid[])
        and import_batch_id is distinct from ${batchId}::uuid`,
    entry: sql<{ id: string }>`
      select distinct manifest_entry_id as id from check_ins
      where org_id = ${orgId} and manifest_entry_id = any (${ids}::uuid[])`,
  }
  const { rows } = await users[plan].execute(tx)
  return new Set(rows.map(({ id }) => id))
}
