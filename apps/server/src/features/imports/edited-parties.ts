import type { EditedGuest } from '@tour-ops/contract/imports/import-batch'
import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../platform/db/database.ts'
import { isoOrNull } from '../../platform/list-query.ts'
import type { SealedColumn } from '../../platform/sealed-text.ts'
import { selectSpans } from './apply-store.ts'
import {
  actor,
  byName,
  type Edit,
  type EditedRow,
  selectChangedColumns,
  selectEnd,
  selectLastEdits,
} from './edits-since.ts'
import type { ImportSeal } from './import-seal.ts'
import type { BatchKey } from './plan-types.ts'
import { at, isPlanned, textAt, targets, within, type Span, type Target, writes } from './write-plans.ts'

/** A row that the import wrote. */
interface Written {
  readonly party: number
  readonly id: string
  readonly isNew: boolean
  /** What the import wrote, by column; of a row that it made only what the audit log hides. */
  readonly set: Readonly<Record<string, unknown>>
}

interface Comparison {
  readonly tx: Tx
  readonly seal: ImportSeal
  readonly lines: Span
  /** The entry of the audit log with which the import was over. */
  readonly since: string
}

/** Columns that follow from others. */
const derived: Readonly<Partial<Record<Target['plan'], readonly string[]>>> = {
  traveler: ['lifetime_tours', 'lifetime_last_at'],
  booking: ['confirmed_at'],
}

/** Columns of which the audit log does not have the values. */
const hidden: Readonly<Partial<Record<Target['plan'], readonly string[]>>> = {
  traveler: ['emergency_name', 'emergency_phone', 'dietary_note', 'mobility_note'],
  private: ['date_of_birth', 'medical_sealed'],
  passport: ['number_encrypted'],
}

const sealedColumns: Readonly<Record<string, SealedColumn>> = {
  medical_sealed: 'traveler_private.medical_sealed',
  number_encrypted: 'traveler_documents.number_encrypted',
}

/**
 * Parties that somebody has worked on since the import, with the last who did. They are kept whole. What counts is what is there now: of a row
 * that the import made every value, of one that it changed the values that it wrote, and whether it is gone or belongs to something new. What
 * a later import changed and its undo restored is no difference.
 */
export async function selectEditedParties(tx: Tx, key: BatchKey, seal: ImportSeal): Promise<ReadonlyMap<number, Edit>> {
  const parties = new Map<number, Edit>()
  const since = await selectEnd(tx, key)
  for (const span of await selectSpans(tx, key)) {
    const lines = { ...key, ...span }
    for (const target of Object.values(targets)) {
      for (const [party, edit] of await selectEdited({ tx, seal, lines, since }, target)) {
        parties.set(party, later(parties.get(party), edit))
      }
    }
  }
  return parties
}

/** Guests of edited parties, as a list shows them. */
export async function selectEditedGuests(
  tx: Tx,
  { orgId, batchId }: BatchKey,
  parties: ReadonlyMap<number, Edit>,
  limit: number,
): Promise<EditedGuest[]> {
  if (parties.size === 0) return []
  const { rows } = await sql<{ party: number; name: string; departureCode: string | null }>`
    select party, after ->> 'name' as name, after ->> 'departureCode' as "departureCode" from import_rows
    where org_id = ${orgId} and batch_id = ${batchId} and party = any (${[...parties.keys()]}::int[]) and status in ('add', 'change')
    order by line limit ${limit}`.execute(tx)
  return rows.map(({ party, ...guest }) => {
    const edit = parties.get(party)
    return { ...guest, editedByName: edit?.byName ?? null, editedAt: isoOrNull(edit?.at ?? null) }
  })
}

const later = (known: Edit | undefined, edit: Edit): Edit =>
  known && (known.at?.getTime() ?? 0) >= (edit.at?.getTime() ?? 0) ? known : edit

/** Rows are found by their keys alone, for the reason that `write-plans.ts` gives. */
async function selectEdited(comparison: Comparison, target: Target): Promise<[number, Edit][]> {
  const { tx, lines } = comparison
  const { rows: written } = await sql<Written>`
    select r.party, ${textAt(target, 'id')} as id, (${textAt(target, 'isNew')})::boolean as "isNew",
      case when ${isPlanned(target, true)} then ${hiddenIn(target)} else ${at(target, 'set')} end as set
    from ${writes} where ${within(lines)} and w.write ? ${sql.lit(target.plan)}`.execute(tx)
  if (written.length === 0) return []
  const edits = new Map<string, Edit>()
  const found = [
    ...(await selectGone(comparison, target, written)),
    ...(await selectChanged(comparison, target, written)),
    ...(await selectHiddenChanges(comparison, target, written)),
    ...(await selectUsed(comparison, target, written)),
  ]
  for (const { id, byName, at } of found) edits.set(id, later(edits.get(id), { byName, at }))
  return written.flatMap(({ party, id }): [number, Edit][] => {
    const edit = edits.get(id)
    return edit ? [[party, edit]] : []
  })
}

const hiddenIn = (target: Target): RawBuilder<unknown> =>
  sql`jsonb_build_object(${sql.join((hidden[target.plan] ?? []).flatMap((column) => [sql.lit(column), at(target, 'set', column)]))})`

const idsOf = (written: readonly Written[]): string[] => written.map(({ id }) => id)

async function selectGone({ tx, lines, since }: Comparison, target: Target, written: readonly Written[]) {
  const ids = idsOf(written)
  const { rows: present } = await sql<{ id: string }>`
    select ${sql.ref(target.key)} as id from ${sql.table(target.table)}
    where org_id = ${lines.orgId} and ${sql.ref(target.key)} = any (${ids}::uuid[])`.execute(tx)
  const isThere = new Set(present.map(({ id }) => id))
  return selectLastEdits(tx, {
    orgId: lines.orgId,
    table: target.table,
    ids: ids.filter((id) => !isThere.has(id)),
    where: sql<boolean>`e.op = 'delete' and e.id > ${since}::bigint`,
  })
}

async function selectChanged({ tx, lines, since }: Comparison, target: Target, written: readonly Written[]) {
  const except = [...(derived[target.plan] ?? []), ...(hidden[target.plan] ?? [])]
  const rows = await selectChangedColumns(tx, {
    orgId: lines.orgId,
    table: target.table,
    ids: idsOf(written),
    since,
    except,
  })
  const isOurs = new Map(written.map(({ id, isNew, set }) => [id, (column: string) => isNew || column in set]))
  return rows.filter(({ id, column }) => isOurs.get(id)?.(column))
}

type HiddenValues = Readonly<Record<string, string | null>>

/** The same for columns that the audit log hides, by what the import wrote. */
async function selectHiddenChanges(comparison: Comparison, target: Target, written: readonly Written[]) {
  const columns = hidden[target.plan]
  if (!columns) return []
  const { tx, lines, since } = comparison
  const { rows: present } = await sql<{ id: string; values: HiddenValues }>`
    select ${sql.ref(target.key)} as id, jsonb_build_object(${sql.join(columns.flatMap((column) => [sql.lit(column), sql.ref(column)]))}) as values
    from ${sql.table(target.table)} where org_id = ${lines.orgId} and ${sql.ref(target.key)} = any (${idsOf(written)}::uuid[])`.execute(
    tx,
  )
  const now = new Map(present.map(({ id, values }) => [id, values]))
  const changed = written.filter(({ id, isNew, set }) => {
    const values = now.get(id)
    const compared = columns.filter((column) => isNew || column in set)
    return values && compared.some((column) => !isSame(comparison.seal, column, id, [set[column], values[column]]))
  })
  return selectLastEdits(tx, {
    orgId: lines.orgId,
    table: target.table,
    ids: idsOf(changed),
    where: sql<boolean>`e.id > ${since}::bigint and e.diff ?| ${[...columns]}::text[]`,
  })
}

/** Whether a value is what was written. The same text may be encrypted in two ways, since keys are replaced. */
function isSame(seal: ImportSeal, column: string, id: string, [set = null, now = null]: readonly unknown[]): boolean {
  const place = sealedColumns[column]
  if (set === now || !place || typeof set !== 'string' || typeof now !== 'string') return set === now
  const text = seal.openStored(place, id, set.slice(2))
  return text !== undefined && text === seal.openStored(place, id, now.slice(2))
}

/** Rows of the import that other records refer to by now. */
async function selectUsed({ tx, lines }: Comparison, { plan }: Target, written: readonly Written[]) {
  const ids = idsOf(written.filter(({ isNew }) => isNew))
  if (ids.length === 0 || (plan !== 'booking' && plan !== 'entry')) return []
  const { orgId, batchId } = lines
  const users = {
    booking: sql`
      select booking_id as id, 'feedback' as entity, id::text as user from feedback where org_id = ${orgId} and booking_id = any (${ids}::uuid[])
      union all select booking_id, 'billing_documents', id::text from billing_documents
        where org_id = ${orgId} and booking_id = any (${ids}::uuid[])
      union all select booking_id, 'manifest_entries', id::text from manifest_entries
        where org_id = ${orgId} and booking_id = any (${ids}::uuid[]) and import_batch_id is distinct from ${batchId}::uuid`,
    entry: sql`
      select manifest_entry_id as id, 'check_ins' as entity, id::text as user from check_ins
        where org_id = ${orgId} and manifest_entry_id = any (${ids}::uuid[])`,
  }
  const { rows } = await sql<EditedRow>`
    select u.id::text as id, ${byName} as "byName", e.at from (${users[plan]}) u
    left join lateral (select * from audit_entries e where e.org_id = ${orgId} and e.entity_type = u.entity and e.entity_id = u.user
      order by e.id desc limit 1) e on true
    ${actor}`.execute(tx)
  return rows
}
