import { sql } from 'kysely'
import type { Services } from '../../context.ts'
import type { Tx } from '../db/database.ts'
import { newId } from '../ids.ts'
import { filesLockKey } from './blobs.ts'
import { deleteAbandoned, isContentUsed } from './files-store.ts'
import { sealOlderContents } from './seal-older-contents.ts'
import { workFolder, type StoredFiles } from './stored-files.ts'
import { DiskIncoming, uploadLifetimeMs } from './uploads.ts'

/**
 * Encrypts sensitive contents from before they were, and clears what nobody refers to: uploads that were never finished, and contents whose file was removed or never came to be.
 * Contents younger than a day stay, since their row may be on its way. For a daily job; twice at once does no harm.
 *
 * @returns how many uploads and contents went or were encrypted.
 */
export async function sweepFiles(services: Services, files: StoredFiles): Promise<number> {
  const before = new Date(services.clock.now().getTime() - uploadLifetimeMs)
  const now = services.clock.now()
  // what a crashed process left behind is on this machine, wherever contents are stored
  const { config } = services
  let removed =
    (await files.incoming.removeOld(now)) + (await new DiskIncoming(workFolder(config), config.secret).removeOld(now))
  for (const orgId of await organizationIds(services)) {
    const old = await files.blobs.listOlder(orgId, before)
    removed += await services.db.transaction(
      { orgId, actor: { kind: 'system', id: null }, action: 'files-sweep', requestId: newId(), clock: services.clock },
      async (tx) => {
        let count = await deleteAbandoned(tx, orgId, before)
        // a backup is reading them: the next night will do
        if (!(await mayRemoveContents(tx))) return count
        for (const sha256 of old) {
          if (await isContentUsed(tx, orgId, sha256)) continue
          await files.blobs.remove(orgId, sha256)
          count += 1
        }
        return count
      },
    )
    // afterwards: unencrypted contents are removed next time, since somebody may be reading it now
    removed += await sealOlderContents(services, files, orgId)
  }
  return removed
}

async function mayRemoveContents(tx: Tx): Promise<boolean> {
  const { rows } = await sql<{
    free: boolean
  }>`select pg_try_advisory_xact_lock_shared(${filesLockKey}::bigint) as free`.execute(tx)
  return rows[0]?.free ?? false
}

async function organizationIds({ db }: Services): Promise<string[]> {
  return db.transaction(
    { orgId: null, actor: { kind: 'system', id: null }, action: 'files-sweep', requestId: newId() },
    async (tx) => {
      const { rows } = await sql<{ id: string }>`select org_id as id from organization_ids()`.execute(tx)
      return rows.map((row) => row.id)
    },
  )
}
