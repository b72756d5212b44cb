import { randomUUID } from 'node:crypto'
import fs from 'node:fs/promises'
import path from 'node:path'
import type { Readable } from 'node:stream'
import type { AppError } from '@tour-ops/contract/errors'
import {
  fileTypes,
  fileUses,
  isImageType,
  type FileUse,
  type FileUseName,
  type RefusedFileType,
} from '@tour-ops/contract/files'
import { fieldIssue } from '@tour-ops/contract/field-rules'
import { refuse } from '@tour-ops/contract/refusals'
import type { Config } from '../../config.ts'
import type { Tx } from '../db/database.ts'
import { newId } from '../ids.ts'
import { diskBlobs, organizationFolder, type Blob, type Blobs } from './blobs.ts'
import { fileTypeOf, refusedTypeOf } from './file-content.ts'
import { fileLinks, type FileLinks } from './file-links.ts'
import * as store from './files-store.ts'
import type { FileRecord, Files } from './files.ts'
import { imageSizes } from './image-sizes.ts'
import type { SealedPlace, SealedText } from '../sealed-text.ts'
import { openContent, sealContent } from './sealed-content.ts'
import { DiskIncoming, type Incoming } from './uploads.ts'
import { notFound } from '../optimistic-lock.ts'

/** Files with their transport's needs: what arrives, and the signature of links. */
export interface StoredFiles extends Files {
  readonly incoming: Incoming
  readonly blobs: Blobs
  readonly links: FileLinks
  /**
   * Checks a complete content and keeps it.
   *
   * @throws AppError `invalid-argument` for what its use does not allow, `resource-exhausted` when the organization has many at once, the
   *   reason of the signal.
   */
  keep(content: ArrivedContent): Promise<store.FinishedContent>
}

/** A complete content, as a file of this machine, and whose it is. */
export interface ArrivedContent {
  readonly orgId: string
  /** Of the file that it becomes. */
  readonly id: string
  readonly use: FileUseName
  readonly file: string
  /** Of the caller that waits for it. */
  readonly signal: AbortSignal
}

/** Long enough for any browser; a changed image is another file with another address. */
const publicLifetimeMs = 365 * 86_400_000
/** For a file that the server makes itself. */
const madeTimeoutMs = 60_000
export const publicPath = '/api/files/public/'

/** Where contents are, arriving and stored. */
export type FilePlaces = Pick<StoredFiles, 'blobs' | 'incoming'>

/** Where contents are on this machine. */
export const filesFolder = ({ dataDir }: Pick<Config, 'dataDir'>): string => path.join(dataDir, 'files')
/** Where the contents of one organization are. */
export const filesOfOrganization = (config: Pick<Config, 'dataDir'>, orgId: string): string =>
  path.join(filesFolder(config), organizationFolder(orgId))
/** What is being worked on. */
export const workFolder = (config: Pick<Config, 'dataDir'>): string => path.join(filesFolder(config), '.incoming')

export const diskPlaces = (config: Pick<Config, 'dataDir' | 'secret'>): FilePlaces => ({
  blobs: diskBlobs(filesFolder(config)),
  incoming: new DiskIncoming(workFolder(config), config.secret),
})

/** Files in the data folder, or in the places given. */
export function createFiles(
  config: Pick<Config, 'dataDir' | 'secret'>,
  box: SealedText,
  { blobs, incoming }: FilePlaces = diskPlaces(config),
): StoredFiles {
  const links = fileLinks(config.secret)
  const keep = async ({ orgId, id, use, file, signal }: ArrivedContent): Promise<store.FinishedContent> => {
    const { types, sizes, isSensitive }: FileUse = fileUses[use]
    const type = await fileTypeOf(file)
    if (!type || !types.includes(type)) throw wrongType(types, await refusedTypeOf(file, type))
    const images =
      sizes && isImageType(fileTypes[type])
        ? await imageSizes({ file, orgId, signal }, sizes)
        : new Map<string, Buffer>()
    const kept: Record<string, Blob> = {}
    for (const [name, content] of images) kept[name] = await blobs.put(orgId, content)
    const stored = isSensitive
      ? await takeSealed({ blobs, box }, { orgId, id }, file)
      : { blob: await blobs.take(orgId, file), sealed: null }
    return { contentType: fileTypes[type], sizes: kept, ...stored }
  }
  const get = async (tx: Tx, orgId: string, id: string): Promise<FileRecord> => {
    const file = await store.selectFile(tx, orgId, id)
    if (file?.status === 'stored') return file
    throw notFound('file')
  }
  return {
    incoming,
    blobs,
    links,
    keep,
    get,
    open: (orgId, file, size) => openFile({ blobs, box }, orgId, file, size),
    async put(tx, orgId, { use, name, content, createdBy }) {
      const id = newId()
      const written = path.join(workFolder(config), `${randomUUID()}.made`)
      await fs.mkdir(path.dirname(written), { recursive: true, mode: 0o700 })
      await fs.writeFile(written, content, { mode: 0o600 })
      try {
        const finished = await keep({ orgId, id, use, file: written, signal: AbortSignal.timeout(madeTimeoutMs) })
        const isPublic = fileUses[use].read === 'public'
        await store.insertUpload(tx, orgId, { id, use, name, size: content.length, isPublic, createdBy })
        await store.updateStored(tx, orgId, id, finished)
        return await get(tx, orgId, id)
      } finally {
        await fs.rm(written, { force: true })
      }
    },
    remove: (tx, orgId, id) => store.deleteFile(tx, orgId, id),
    link({ orgId, userId, sessionId }, file, now, size) {
      if (!file.isPublic) return links.make({ orgId, fileId: file.id, userId, sessionId, size: size ?? null }, now)
      return { url: publicUrl(orgId, file.id, size), expiresAt: new Date(now.getTime() + publicLifetimeMs) }
    },
    describe: (orgId, { id, use, name, contentType, size, isPublic, sizes, createdAt }) => ({
      id,
      use,
      name,
      contentType,
      size,
      createdAt: createdAt.toISOString(),
      publicUrls: isPublic
        ? Object.fromEntries(Object.keys(sizes).map((label) => [label, publicUrl(orgId, id, label)]))
        : null,
    }),
  }
}

/** An organization's id is opaque text and may hold anything. */
const publicUrl = (orgId: string, id: string, size?: string): string =>
  `${publicPath}${encodeURIComponent(orgId)}/${id}/${size ?? 'original'}`

interface Safe {
  readonly blobs: Blobs
  readonly box: SealedText
}

const keyPlace = (orgId: string, id: string): SealedPlace => ({ orgId, column: 'files.content_key_sealed', id })

/** Stores a content encrypted, under the hash of the stored bytes: a backup checks it without any key. */
export async function takeSealed(
  { blobs, box }: Safe,
  { orgId, id }: { orgId: string; id: string },
  file: string,
): Promise<{ blob: Blob; sealed: store.SealedContent }> {
  const written = `${file}.${randomUUID()}.sealed`
  try {
    const { key, clear } = await sealContent(file, written)
    const sealedKey = box.seal(key.toString('base64'), keyPlace(orgId, id))
    return { blob: clear, sealed: { key: sealedKey, blob: await blobs.take(orgId, written) } }
  } finally {
    await fs.rm(written, { force: true })
  }
}

async function openFile(
  { blobs, box }: Safe,
  orgId: string,
  file: FileRecord,
  size: string | undefined,
): Promise<Readable> {
  if (size === undefined && file.sealed) {
    const key = Buffer.from(box.open(file.sealed.key, keyPlace(orgId, file.id)), 'base64')
    return openContent(await blobs.open(orgId, file.sealed.blob.sha256), key)
  }
  const sha256 = size === undefined ? file.sha256 : file.sizes[size]?.sha256
  if (!sha256) throw notFound('file')
  return blobs.open(orgId, sha256)
}

function wrongType(types: readonly string[], found?: RefusedFileType): AppError {
  return refuse('file_type', found ? { types, found } : { types }, {
    fields: { file: [fieldIssue('file_type', { types })] },
  })
}
