import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import fs from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { fileUseNames, fileUses, type FileUse } from '@tour-ops/contract/files'
import { sql } from 'kysely'
import type { Services } from '../../context.ts'
import type { Tx } from '../db/database.ts'
import { newId } from '../ids.ts'
import { BlobMissing } from './blobs.ts'
import { updateSealed } from './files-store.ts'
import { takeSealed, workFolder, type StoredFiles } from './stored-files.ts'

const sensitiveUses = fileUseNames.filter((name) => (fileUses[name] as FileUse).isSensitive)

/**
 * Encrypts sensitive contents from before they were encrypted; what is in clear goes with the next sweep. Nothing of it shows: no version, audit
 * entry or event.
 *
 * @returns how many contents were encrypted.
 */
export async function sealOlderContents(services: Services, files: StoredFiles, orgId: string): Promise<number> {
  const inside = <T>(run: (tx: Tx) => Promise<T>): Promise<T> =>
    services.db.transaction(
      { orgId, actor: { kind: 'system', id: null }, action: 'files-seal', requestId: newId() },
      run,
    )
  const { rows } = await inside((tx) =>
    sql<{ id: string; sha256: string }>`select id, encode(sha256, 'hex') as sha256 from files where org_id = ${orgId}
      and status = 'stored' and content_key_sealed is null and purpose = any(${sensitiveUses}::text[])`.execute(tx),
  )
  let count = 0
  for (const { id, sha256 } of rows) {
    const file = path.join(workFolder(services.config), `${randomUUID()}.clear`)
    await fs.mkdir(path.dirname(file), { recursive: true, mode: 0o700 })
    try {
      await pipeline(await files.blobs.open(orgId, sha256), createWriteStream(file, { mode: 0o600 }))
      const { sealed } = await takeSealed({ blobs: files.blobs, box: services.sealed }, { orgId, id }, file)
      await inside((tx) => updateSealed(tx, orgId, id, sealed))
      count += 1
    } catch (error) {
      // its reader gets an error; the other contents are encrypted all the same
      if (!(error instanceof BlobMissing)) throw error
    } finally {
      await fs.rm(file, { force: true })
    }
  }
  return count
}
