import { sql } from 'kysely'
import { sensitiveData } from '@tour-ops/contract/sensitive-data'
import type { Tx } from './db/database.ts'
import { keyIdOf, type SealedColumn, type SealedText } from './sealed-text.ts'

/** An encrypted value inside of what a staged line of an import keeps. */
interface StagedValue {
  readonly path: readonly string[]
  readonly column: SealedColumn
  /** Where the line has the id that the value is bound to; without it that is the id of the batch. */
  readonly idPath?: readonly string[]
}

interface PlannedColumn {
  /** The column within its table. */
  readonly name: string
  readonly column: SealedColumn
}

const planned = (column: SealedColumn): PlannedColumn => ({ name: column.slice(column.indexOf('.') + 1), column })

/** Parts of what a line writes, and the column of each that is encrypted for the row that it goes to. */
export const sealedInPlans: ReadonlyMap<string, PlannedColumn> = new Map([
  ['passport', planned(sensitiveData.passportNumber.sealed)],
  ['private', planned(sensitiveData.medicalNote.sealed)],
])

/** Source: `ImportSeal`, which encrypts them. */
const stagedValues: readonly StagedValue[] = [
  { path: ['values', 'passport', 'sealed'], column: 'import_rows.after' },
  { path: ['values', 'medicalNote', 'sealed'], column: 'import_rows.after' },
  ...[...sealedInPlans].flatMap(([part, { name, column }]) =>
    ['set', 'was'].map((side) => ({ path: ['write', part, side, name], column, idPath: ['write', part, 'id'] })),
  ),
]

/** A line within its organization. */
export interface LineKey {
  readonly batchId: string
  readonly line: number
}

interface ResealedLines {
  readonly sealed: number
  readonly unreadable: number
  /** The last line that was checked; null when there are no more. */
  readonly last: LineKey | null
}

/** Lines of one transaction. */
const batchRows = 200

const holdsSealed = sql.join(
  stagedValues.map(({ path }) => sql`after #>> ${sql.lit(`{${path.join(',')}}`)} is not null`),
  sql` or `,
)

/** Encrypts values in staged lines of imports, after the line `from`, with the key that seals now. */
export async function resealLines(
  box: SealedText,
  tx: Tx,
  { orgId, from }: { orgId: string; from: LineKey },
): Promise<ResealedLines> {
  const { rows } = await sql<LineKey & { after: unknown }>`
    select batch_id as "batchId", line, after from import_rows
    where org_id = ${orgId} and (batch_id, line) > (${from.batchId}::uuid, ${from.line}::int) and (${holdsSealed})
    order by batch_id, line limit ${batchRows} for update`.execute(tx)
  const total = { sealed: 0, unreadable: 0 }
  const written: { batch_id: string; line: number; after: unknown }[] = []
  for (const { batchId, line, after } of rows) {
    const done = resealLine(box, { orgId, batchId, after })
    total.sealed += done.sealed
    total.unreadable += done.unreadable
    if (done.sealed > 0) written.push({ batch_id: batchId, line, after })
  }
  if (written.length > 0) {
    await sql`
      update import_rows t set after = v.after
      from jsonb_to_recordset(${JSON.stringify(written)}::jsonb) as v (batch_id uuid, line int, after jsonb)
      where t.org_id = ${orgId} and t.batch_id = v.batch_id and t.line = v.line`.execute(tx)
  }
  return { ...total, last: rows.length < batchRows ? null : (rows.at(-1) ?? null) }
}

/** Replaces values in `after`. */
function resealLine(
  box: SealedText,
  { orgId, batchId, after }: { orgId: string; batchId: string; after: unknown },
): { sealed: number; unreadable: number } {
  const newest = box.keys.all()[0]?.id
  const done = { sealed: 0, unreadable: 0 }
  for (const { path, column, idPath } of stagedValues) {
    const holder = at(after, path.slice(0, -1))
    const name = path.at(-1) ?? ''
    const id = idPath ? at(after, idPath) : batchId
    const value = isObject(holder) ? holder[name] : undefined
    if (!isObject(holder) || typeof value !== 'string' || typeof id !== 'string') continue
    // plans hold byte strings as PostgreSQL reads them
    const prefix = value.startsWith(String.raw`\x`) ? String.raw`\x` : ''
    const before = Buffer.from(value.slice(prefix.length), 'hex')
    if (keyIdOf(before) === newest) continue
    const place = { orgId, column, id }
    const text = box.openIfPossible(before, place)
    if (text === null) done.unreadable += 1
    else {
      holder[name] = prefix + box.seal(text, place).toString('hex')
      done.sealed += 1
    }
  }
  return done
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

const at = (value: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((inner, key) => (isObject(inner) ? inner[key] : undefined), value)
