import { scopeOf, type Permission } from '@tour-ops/contract/identity/access'
import { callable } from '@tour-ops/contract/callable'
import type { AppError } from '@tour-ops/contract/errors'
import { ById, Count, Id } from '@tour-ops/contract/fields'
import { fieldIssue } from '@tour-ops/contract/field-rules'
import { refuse } from '@tour-ops/contract/refusals'
import { seesAllSensitive } from '@tour-ops/contract/sensitive-data'
import {
  fileUses,
  linkFile,
  NewUpload,
  StorageError,
  StoredFile,
  UploadState,
  type FileUse,
} from '@tour-ops/contract/files'
import { sql } from 'kysely'
import * as z from 'zod/mini'
import type { MemberCall } from '../../context.ts'
import { newId } from '../ids.ts'
import { verb, type Verb } from '../verb.ts'
import * as store from './files-store.ts'
import type { StoredFiles } from './stored-files.ts'
import type { UploadPlace } from './uploads.ts'
import { notFound } from '../optimistic-lock.ts'

const BlobShape = z.object({ sha256: z.string(), size: Count })

/**
 * What the file routes do in transactions, and nothing but that: a content may be in a bucket, whose answer takes as long as it likes. They are
 * no callables of the interface: content cannot travel in one.
 */
export function uploadVerbs(files: StoredFiles, quotaBytes: number) {
  const start = verb(
    callable({
      name: 'files-upload-start',
      kind: 'write',
      writes: ['files'],
      permission: 'member',
      summary: 'Announces a file.',
      input: NewUpload,
      output: UploadState,
    }),
    async (call, { use, name, size }) => {
      const limits: FileUse = fileUses[use]
      requirePermission(call, limits.upload)
      if (size > limits.maxBytes) throw tooLarge(limits.maxBytes)
      if ((await store.selectUsedBytes(call.tx, call.orgId)) + size > quotaBytes) throw quotaExceeded(quotaBytes)
      const id = newId()
      const isPublic = limits.read === 'public'
      await store.insertUpload(call.tx, call.orgId, { id, use, name, size, isPublic, createdBy: call.caller.userId })
      const place = { orgId: call.orgId, userId: call.caller.userId, use, id }
      await files.incoming.start(place)
      return uploadState(files, place, { offset: 0, size })
    },
  )
  const uploaded = verb(
    callable({
      name: 'files-uploaded',
      kind: 'read',
      topics: [],
      permission: 'member',
      summary: 'The file that an upload is for, finished or not.',
      input: ById,
      output: z.object({ use: StoredFile.shape.use, size: Count, file: z.nullable(StoredFile) }),
    }),
    async (call, { id }) => {
      const { use, size, ...upload } = await ownUpload(call, id)
      const file = upload.status === 'stored' ? files.describe(call.orgId, { use, size, ...upload }) : null
      return { use, size, file }
    },
  )
  const finish = verb(
    callable({
      name: 'files-upload-finish',
      kind: 'write',
      writes: ['files'],
      permission: 'member',
      summary: 'Makes a file of an upload whose content is complete.',
      input: z.object({
        id: Id,
        contentType: z.string(),
        blob: BlobShape,
        sealed: z.nullable(z.object({ key: z.string(), blob: BlobShape })),
        sizes: z.record(z.string(), BlobShape),
      }),
      output: StoredFile,
    }),
    async (call, { id, sealed, ...content }) => {
      await ownUpload(call, id)
      const key = sealed && { ...sealed, key: Buffer.from(sealed.key, 'base64') }
      await store.updateStored(call.tx, call.orgId, id, { ...content, sealed: key })
      return files.describe(call.orgId, await files.get(call.tx, call.orgId, id))
    },
  )
  const cancel = verb(
    callable({
      name: 'files-upload-cancel',
      kind: 'write',
      writes: ['files'],
      permission: 'member',
      summary: 'Gives an upload up. Its content is removed by the caller, once this is committed.',
      input: ById,
      output: z.object({ use: StoredFile.shape.use, isGivenUp: z.boolean() }),
    }),
    async (call, { id }) => {
      const { use, status } = await ownUpload(call, id)
      const isGivenUp = status === 'uploading'
      if (isGivenUp) await store.deleteFile(call.tx, call.orgId, id)
      return { use, isGivenUp }
    },
  )
  return { start, uploaded, finish, cancel }
}

/** How far an upload is, as reported to its sender. */
export function uploadState(
  { incoming }: StoredFiles,
  place: UploadPlace,
  { offset, size }: Pick<UploadState, 'offset' | 'size'>,
): UploadState {
  const object = incoming.objectOf(place)
  return { uploadId: place.id, offset, size, ...(object === undefined ? {} : { object }) }
}

/** A link to a private file, for whom its use allows. */
export const filesVerbs: Verb[] = [
  verb(linkFile, async (call, { id, size }) => {
    const file = await call.files.get(call.tx, call.orgId, id)
    const { read, isSensitive }: FileUse = fileUses[file.use]
    if (read !== 'public') requirePermission(call, read)
    if (isSensitive) await requireAllSensitive(call, id)
    if (size !== null && !(size in file.sizes)) throw notFound('file')
    const { url, expiresAt } = call.files.link(
      { orgId: call.orgId, userId: call.caller.userId, sessionId: call.caller.sessionId },
      file,
      call.clock.now(),
      size ?? undefined,
    )
    return { url, expiresAt: expiresAt.toISOString(), file: call.files.describe(call.orgId, file) }
  }),
]

/** An access to such a content is recorded, like one to a guest's passport. */
async function requireAllSensitive(call: MemberCall, id: string): Promise<void> {
  if (!seesAllSensitive(call)) {
    throw refuse('sensitive_content')
  }
  await sql`select record_event('files-link', 'files', ${id})`.execute(call.tx)
}

/** No file says whose it is, so that scope `own` opens none. */
function requirePermission(call: MemberCall, permission: Permission): void {
  if (scopeOf(call.role, permission) === 'all') return
  throw refuse('missing_permission', { permission })
}

/** Uploads belong to the person who began them. */
async function ownUpload(call: MemberCall, id: string): Promise<store.FileRecord> {
  const upload = await store.selectFile(call.tx, call.orgId, id)
  if (!upload || upload.createdBy !== call.caller.userId) throw uploadGone()
  return upload
}

export const uploadGone = (): StorageError =>
  new StorageError('object-not-found', 'There is no such upload, or it took too long. Start again.')

const megabytes = (bytes: number): string => `${Math.floor(bytes / 1024 / 1024)} MB`

function tooLarge(maxBytes: number): AppError {
  return refuse('file_too_large', { maxBytes }, { fields: { file: [fieldIssue('file_too_large', { maxBytes })] } })
}

const quotaExceeded = (quotaBytes: number): StorageError =>
  new StorageError('quota-exceeded', `The organization's ${megabytes(quotaBytes)} for files are used up.`)
