import { importUndoDays } from '@tour-ops/contract/imports/import-batch'
import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../platform/db/database.ts'
import { deleteUnused } from '../../platform/files/files-store.ts'
import type { OrganizationSweep } from '../../platform/jobs/housekeeping.ts'
import { deleteRows } from './staging-store.ts'
import type { BatchKey } from './plan-types.ts'

/** Deletes uploaded files with their first values and corrected cells. A content cannot be opened from then on: its key was in the row. */
async function forgetFiles(tx: Tx, orgId: string, batches: RawBuilder<unknown>): Promise<void> {
  await sql`delete from import_corrections where org_id = ${orgId} and batch_id in (${batches})`.execute(tx)
  await sql`update import_work set samples = null
    where org_id = ${orgId} and batch_id in (${batches}) and samples is not null`.execute(tx)
  const { rows } = await sql<{ id: string }>`select distinct file_id as id from import_batches
    where org_id = ${orgId} and file_id is not null and id in (${batches})`.execute(tx)
  if (rows.length === 0) return
  await sql`update import_batches set file_id = null
    where org_id = ${orgId} and file_id is not null and id in (${batches})`.execute(tx)
  // the same file may have been given to two imports
  await sql`delete from files f where f.org_id = ${orgId} and f.id = any (${rows.map(({ id }) => id)}::uuid[])
    and not exists (select from import_batches r where r.org_id = f.org_id and r.file_id = f.id)`.execute(tx)
}

const only = ({ batchId }: BatchKey): RawBuilder<unknown> => sql`select ${batchId}::uuid`

/** What was applied needs its file no more, but for the rejected lines, which are stored apart. Of its lines stays whom they are about, and what an undo needs. */
export async function forgetApplied(tx: Tx, key: BatchKey): Promise<void> {
  const { orgId, batchId } = key
  await forgetFiles(tx, orgId, only(key))
  await sql`update import_rows set before = null, after = after - 'warnings' || '{"problems": []}',
      reason = case when status = 'rejected' then status end
    where org_id = ${orgId} and batch_id = ${batchId}
      and (status = 'rejected' or before <> '[]' or after ? 'warnings')`.execute(tx)
}

/** Gives an applied import the file with its rejected lines, in the place of the one that is gone. */
export async function keepFile(tx: Tx, { orgId, batchId }: BatchKey, fileId: string): Promise<void> {
  await sql`update import_batches set file_id = ${fileId}, options = options || '{"keepsRejected": true}'
    where org_id = ${orgId} and id = ${batchId}`.execute(tx)
}

/** Deletes the rejected lines that an applied import has kept. */
export const forgetRejected = (tx: Tx, key: BatchKey): Promise<void> => forgetFiles(tx, key.orgId, only(key))

/** Nobody needs anything of an import that was undone. */
export async function forgetUndone(tx: Tx, key: BatchKey): Promise<void> {
  await forgetFiles(tx, key.orgId, only(key))
  await deleteRows(tx, key)
}

/** Removes an import that was given up before it was applied, with everything that it holds. */
export async function deleteBatch(tx: Tx, key: BatchKey): Promise<void> {
  await forgetFiles(tx, key.orgId, only(key))
  await sql`delete from import_batches where org_id = ${key.orgId} and id = ${key.batchId}`.execute(tx)
}

/**
 * Deletes files of imports that are over, and files and rejected lines that are 30 days old, and their lines once they can no longer be undone; counts and dates
 * stay. Also files that became no import.
 */
export const oldImportRows: OrganizationSweep = {
  action: 'imports-purge',
  async run(tx, orgId) {
    const days = (count: number): RawBuilder<unknown> => sql`app_now() - make_interval(days => ${count})`
    // the last day of an undo is a whole one
    const old = sql`select b.id from import_batches b where b.org_id = ${orgId}
      and coalesce(b.applied_at, b.created_at) < ${days(importUndoDays)} - case when b.applied_at is null then interval '0' else interval '1 day' end`
    await forgetFiles(
      tx,
      orgId,
      sql`select b.id from import_batches b where b.org_id = ${orgId} and (b.status in ('undone', 'failed')
        or b.status = 'applied' and not b.options ? 'keepsRejected' or b.id in (${old}))`,
    )
    await sql`delete from import_rows where org_id = ${orgId} and batch_id in (${old})`.execute(tx)
    await sql`update import_work set analysis = jsonb_build_object('encoding', analysis -> 'encoding', 'delimiter', analysis -> 'delimiter',
        'headers', '[]'::jsonb, 'rows', analysis -> 'rows', 'columns', '[]'::jsonb, 'preset', analysis -> 'preset'), kept = '[]'
      where org_id = ${orgId} and batch_id in (${old}) and analysis -> 'headers' <> '[]'`.execute(tx)
    await deleteUnused(tx, orgId, 'import', 'import_batches')
  },
}
