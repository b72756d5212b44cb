import type { FileUseName } from '@tour-ops/contract/files'
import { sql } from 'kysely'
import type { Tx } from '../db/database.ts'
import type { Blob } from './blobs.ts'

/** A content that is stored encrypted. */
export interface SealedContent {
  /** Its key, encrypted. */
  readonly key: Buffer
  /** What is stored. */
  readonly blob: Blob
}

/** A row of `files`. */
export interface FileRecord {
  readonly id: string
  readonly use: FileUseName
  readonly name: string
  readonly contentType: string
  readonly size: number
  /** Of the content, hex; null while it is arriving. */
  readonly sha256: string | null
  /** How the content is stored where it is sensitive; null where it is stored unencrypted. */
  readonly sealed: SealedContent | null
  readonly isPublic: boolean
  /** Smaller copies of an image, by name. */
  readonly sizes: Readonly<Record<string, Blob>>
  readonly status: 'uploading' | 'stored' | 'failed' | 'deleted'
  readonly createdBy: string | null
  readonly createdAt: Date
}

const columns = sql`id, purpose as use, file_name as name, content_type as "contentType", size_bytes as size,
  encode(sha256, 'hex') as sha256, content_key_sealed as "contentKey", metadata -> 'stored' as stored, public as "isPublic", coalesce(metadata -> 'sizes', '{}') as sizes, status,
  created_by as "createdBy", created_at as "createdAt"`

export async function selectFile(tx: Tx, orgId: string, id: string): Promise<FileRecord | undefined> {
  const { rows } = await sql<Omit<FileRecord, 'sealed'> & { contentKey: Buffer | null; stored: Blob | null }>`
    select ${columns} from files where org_id = ${orgId} and id = ${id} and status in ('uploading', 'stored')`.execute(
    tx,
  )
  const [row] = rows
  if (!row) return undefined
  const { contentKey, stored, ...file } = row
  return { ...file, sealed: contentKey && stored ? { key: contentKey, blob: stored } : null }
}

export interface NewFile {
  readonly id: string
  readonly use: FileUseName
  readonly name: string
  readonly size: number
  readonly isPublic: boolean
  readonly createdBy: string | null
}

/** A file whose content is still to come. */
export async function insertUpload(tx: Tx, orgId: string, file: NewFile): Promise<void> {
  await sql`
    insert into files (org_id, id, path, purpose, file_name, content_type, size_bytes, public, created_by)
    values (${orgId}, ${file.id}, ${`${file.use}/${file.id}`}, ${file.use}, ${file.name}, 'application/octet-stream',
      ${file.size}, ${file.isPublic}, ${file.createdBy})`.execute(tx)
}

export interface FinishedContent {
  readonly contentType: string
  /** Hash and size of the content, as it came. */
  readonly blob: Blob
  readonly sealed: SealedContent | null
  readonly sizes: Readonly<Record<string, Blob>>
}

/** The content is here. */
export async function updateStored(tx: Tx, orgId: string, id: string, content: FinishedContent): Promise<void> {
  const { sealed } = content
  const metadata = { sizes: content.sizes, ...(sealed && { stored: sealed.blob }) }
  await sql`
    update files set status = 'stored', completed_at = app_now(), content_type = ${content.contentType},
      size_bytes = ${content.blob.size}, received_bytes = ${content.blob.size},
      sha256 = decode(${content.blob.sha256}, 'hex'), metadata = ${JSON.stringify(metadata)}::jsonb,
      content_key_sealed = ${sealed && sealed.key}
    where org_id = ${orgId} and id = ${id} and status = 'uploading'`.execute(tx)
}

/** A content that was stored in clear is stored encrypted from now on. */
export async function updateSealed(tx: Tx, orgId: string, id: string, { key, blob }: SealedContent): Promise<void> {
  await sql`select set_config('app.resealing', 'on', true)`.execute(tx)
  await sql`
    update files set content_key_sealed = ${key}, metadata = metadata || ${JSON.stringify({ stored: blob })}::jsonb
    where org_id = ${orgId} and id = ${id} and content_key_sealed is null`.execute(tx)
}

export async function deleteFile(tx: Tx, orgId: string, id: string): Promise<void> {
  await sql`delete from files where org_id = ${orgId} and id = ${id}`.execute(tx)
}

/** Bytes that the organization has, announced ones included, so that two uploads at once cannot both take the last megabyte. */
export async function selectUsedBytes(tx: Tx, orgId: string): Promise<number> {
  const { rows } = await sql<{ used: number }>`
    select coalesce(sum(size_bytes), 0)::bigint as used from files
    where org_id = ${orgId} and status in ('uploading', 'stored')`.execute(tx)
  return rows[0]?.used ?? 0
}

/** True while a file of the organization still has this content, itself or as one of its sizes. */
export async function isContentUsed(tx: Tx, orgId: string, sha256: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from files where org_id = ${orgId} and status = 'stored'
      and (content_key_sealed is null and sha256 = decode(${sha256}, 'hex') or metadata::text like ${`%"${sha256}"%`}) limit 1`.execute(
    tx,
  )
  return rows.length > 0
}

/** Forgets uploads of one organization that were never finished. */
export async function deleteAbandoned(tx: Tx, orgId: string, before: Date): Promise<number> {
  const { rows } = await sql`
    delete from files where org_id = ${orgId} and status = 'uploading' and created_at < ${before} returning id`.execute(
    tx,
  )
  return rows.length
}

/** Forgets files of one use that came in full and that no row of `table` has after a day: whoever sent them left before the next step. */
export async function deleteUnused(tx: Tx, orgId: string, use: FileUseName, table: string): Promise<void> {
  await sql`delete from files f where f.org_id = ${orgId} and f.purpose = ${use} and f.status = 'stored'
    and f.completed_at < app_now() - interval '1 day'
    and not exists (select from ${sql.table(table)} r where r.org_id = f.org_id and r.file_id = f.id)`.execute(tx)
}
