import { createHash, randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import fs from 'node:fs/promises'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/** Contents by hash, separate per organization. Callers do not depend on the storage behind it (a disk, a bucket). */
export interface Blobs {
  /** Moves a finished file into the store. The same content twice is stored once. */
  take(orgId: string, file: string): Promise<Blob>
  put(orgId: string, content: Buffer): Promise<Blob>
  /** @throws BlobMissing */
  open(orgId: string, sha256: string, range?: { start: number; end: number }): Promise<Readable>
  remove(orgId: string, sha256: string): Promise<void>
  /** Contents that are there since before a moment. */
  listOlder(orgId: string, before: Date): Promise<string[]>
}

export interface Blob {
  readonly sha256: string
  readonly size: number
}

export class BlobMissing extends Error {
  override readonly name = 'BlobMissing'
}

/** Taken by a backup while it reads contents, so that the nightly sweep removes none of them meanwhile. The number is arbitrary. */
export const filesLockKey = 7_263_548_119

/** Contents on disk: written under a temporary name, synced, renamed, so that a name never leads to half a content. */
export function diskBlobs(root: string): Blobs {
  const folderOf = (orgId: string) => path.join(root, organizationFolder(orgId))
  const fileOf = (orgId: string, sha256: string) => path.join(folderOf(orgId), sha256.slice(0, 2), sha256)
  const take = async (orgId: string, file: string): Promise<Blob> => {
    const { sha256, size } = await digestOf(file)
    const target = fileOf(orgId, sha256)
    await fs.mkdir(path.dirname(target), { recursive: true })
    await syncFile(file)
    await fs.rename(file, target)
    return { sha256, size }
  }
  return {
    take,
    async put(orgId, content) {
      const file = path.join(root, `.${randomUUID()}`)
      await fs.mkdir(root, { recursive: true })
      await fs.writeFile(file, content, { mode: 0o600 })
      return take(orgId, file)
    },
    async open(orgId, sha256, range) {
      const file = fileOf(orgId, sha256)
      try {
        await fs.access(file)
      } catch (cause) {
        throw new BlobMissing(`The content ${sha256} is not on the disk.`, { cause })
      }
      return createReadStream(file, range)
    },
    remove: (orgId, sha256) => fs.rm(fileOf(orgId, sha256), { force: true }),
    async listOlder(orgId, before) {
      const entries = await fs.readdir(folderOf(orgId), { recursive: true, withFileTypes: true }).catch(() => [])
      const found: string[] = []
      for (const entry of entries) {
        if (!entry.isFile()) continue
        const { mtimeMs } = await fs.stat(path.join(entry.parentPath, entry.name))
        if (mtimeMs < before.getTime()) found.push(entry.name)
      }
      return found
    },
  }
}

/** Ids of identity services are opaque and no file names: a folder is named after a hash of its organization's. */
export const organizationFolder = (orgId: string): string =>
  createHash('sha256').update(orgId).digest('hex').slice(0, 32)

/** Hash and size of a file of this machine. */
export async function digestOf(file: string): Promise<Blob> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  return { sha256: hash.digest('hex'), size: (await fs.stat(file)).size }
}

async function syncFile(file: string): Promise<void> {
  const handle = await fs.open(file, 'r+')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
