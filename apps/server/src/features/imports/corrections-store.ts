import { sql } from 'kysely'
import type { Tx } from '../../platform/db/database.ts'
import { newId } from '../../platform/ids.ts'
import type { SealedPlace, SealedText } from '../../platform/sealed-text.ts'
import type { Correction } from './cell-corrections.ts'
import type { BatchKey } from './plan-types.ts'

/** A corrected cell with who did it and when. */
export interface CorrectionRecord extends Correction {
  readonly correctedByName: string | null
  readonly correctedAt: Date
}

interface SealedCorrection extends Omit<CorrectionRecord, 'was' | 'now'> {
  readonly id: string
  readonly cell: Buffer
}

const placeOf = (orgId: string, id: string): SealedPlace => ({ orgId, column: 'import_corrections.cell', id })

/** All corrections of a file, in its order. */
export async function selectCorrections(
  tx: Tx,
  sealed: SealedText,
  { orgId, batchId }: BatchKey,
): Promise<CorrectionRecord[]> {
  const { rows } = await sql<SealedCorrection>`
    select c.id, c.line, c.place, c.everywhere, c.cell, coalesce(m.name, m.email) as "correctedByName", c.corrected_at as "correctedAt"
    from import_corrections c left join members m on m.org_id = c.org_id and m.user_id = c.corrected_by
    where c.org_id = ${orgId} and c.batch_id = ${batchId} order by c.line, c.place`.execute(tx)
  return rows.map(({ id, cell, ...rest }) => ({
    ...rest,
    ...(JSON.parse(sealed.open(cell, placeOf(orgId, id))) as Pick<Correction, 'was' | 'now'>),
  }))
}

/** Names a correction of a file. */
export type CorrectionKey = Pick<Correction, 'line' | 'place' | 'everywhere'>

/** Cells without a correction are left alone. */
export async function deleteCorrections(
  tx: Tx,
  { orgId, batchId }: BatchKey,
  corrections: readonly CorrectionKey[],
): Promise<void> {
  if (corrections.length === 0) return
  const keys = corrections.map(({ line, place, everywhere }) => ({ line, place, everywhere }))
  await sql`delete from import_corrections c
    using jsonb_to_recordset(${JSON.stringify(keys)}::jsonb) as k (line int, place int, everywhere boolean)
    where c.org_id = ${orgId} and c.batch_id = ${batchId} and c.line = k.line and c.place = k.place and c.everywhere = k.everywhere`.execute(
    tx,
  )
}

export async function deleteAllCorrections(tx: Tx, { orgId, batchId }: BatchKey): Promise<void> {
  await sql`delete from import_corrections where org_id = ${orgId} and batch_id = ${batchId}`.execute(tx)
}

export async function insertCorrections(
  tx: Tx,
  sealed: SealedText,
  { orgId, batchId }: BatchKey,
  { userId, corrections }: { userId: string; corrections: readonly Correction[] },
): Promise<void> {
  if (corrections.length === 0) return
  const rows = corrections.map(({ was, now, ...rest }) => {
    const id = newId()
    return { ...rest, id, cell: sealed.seal(JSON.stringify({ was, now }), placeOf(orgId, id)).toString('hex') }
  })
  await sql`
    insert into import_corrections (org_id, id, batch_id, line, place, everywhere, cell, corrected_by)
    select ${orgId}, id, ${batchId}, line, place, everywhere, decode(cell, 'hex'), ${userId}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (id uuid, line int, place int, everywhere boolean, cell text)`.execute(
    tx,
  )
}
