import { createHash, randomUUID } from 'node:crypto'
import { createWriteStream, openAsBlob } from 'node:fs'
import fs from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { StorageError } from '@tour-ops/contract/files'
import { BlobMissing, digestOf, organizationFolder, type Blobs } from '../files/blobs.ts'
import type { FilePlaces } from '../files/stored-files.ts'
import { uploadLifetimeMs, type Incoming, type UploadPlace } from '../files/uploads.ts'
import type { Bucket } from './storage-bucket.ts'

/**
 * Files in a bucket: browsers send contents to `incoming/` by themselves, as the rules allow; checked files are under
 * `contents/`, where no rule lets anybody in, and are read through links of our server.
 *
 * @param folder Of this machine, for the file that is being worked on.
 */
export const bucketPlaces = (bucket: Bucket, folder: string): FilePlaces => ({
  blobs: bucketBlobs(bucket),
  incoming: bucketIncoming(bucket, folder),
})

function bucketBlobs(bucket: Bucket): Blobs {
  const folderOf = (orgId: string) => `contents/${organizationFolder(orgId)}/`
  return {
    async take(orgId, file) {
      const blob = await digestOf(file)
      // read from the disk when it is sent, and again when it is sent again
      await bucket.put(`${folderOf(orgId)}${blob.sha256}`, await openAsBlob(file))
      await fs.rm(file, { force: true })
      return blob
    },
    async put(orgId, content) {
      const sha256 = createHash('sha256').update(content).digest('hex')
      await bucket.put(`${folderOf(orgId)}${sha256}`, new Blob([new Uint8Array(content)]))
      return { sha256, size: content.length }
    },
    async open(orgId, sha256, range) {
      const content = await bucket.open(`${folderOf(orgId)}${sha256}`, range)
      if (!content) throw new BlobMissing(`The content ${sha256} is not in the bucket.`)
      return content
    },
    remove: (orgId, sha256) => bucket.remove(`${folderOf(orgId)}${sha256}`),
    async listOlder(orgId, before) {
      const prefix = folderOf(orgId)
      const old: string[] = []
      for await (const { name, createdAt } of bucket.list(prefix)) {
        if (createdAt < before) old.push(name.slice(prefix.length))
      }
      return old
    },
  }
}

const incomingFolder = 'incoming/'
/** `storage-rules.ts` says who may write there. */
const objectOf = ({ orgId, userId, use, id }: UploadPlace): string => `${incomingFolder}${orgId}/${userId}/${use}/${id}`

function bucketIncoming(bucket: Bucket, folder: string): Incoming {
  return {
    objectOf,
    async start() {
      // the browser begins by itself
    },
    // an object appears when it is complete
    offset: async (place) => (await bucket.find(objectOf(place)))?.size ?? 0,
    async append() {
      throw new StorageError('object-not-found', 'Contents go to the bucket and not to this address.')
    },
    async withFile(place, run) {
      const content = await bucket.open(objectOf(place))
      if (!content) throw new StorageError('object-not-found', 'There is no such upload any more.')
      await fs.mkdir(folder, { recursive: true, mode: 0o700 })
      const file = path.join(folder, `${randomUUID()}.bucket`)
      try {
        await pipeline(content, createWriteStream(file, { mode: 0o600 }))
        return await run(file)
      } finally {
        await fs.rm(file, { force: true })
      }
    },
    remove: (place) => bucket.remove(objectOf(place)),
    async removeOld(now) {
      let removed = 0
      for await (const { name, createdAt } of bucket.list(incomingFolder)) {
        if (now.getTime() - createdAt.getTime() < uploadLifetimeMs) continue
        await bucket.remove(name)
        removed += 1
      }
      return removed
    },
  }
}
