import type { Readable } from 'node:stream'
import type { FileUseName, StoredFile } from '@tour-ops/contract/files'
import type { Tx } from '../db/database.ts'
import type { FileRecord } from './files-store.ts'

export type { FileRecord } from './files-store.ts'

/** A file that the server makes itself. */
export interface MadeFile {
  readonly use: FileUseName
  readonly name: string
  readonly content: Buffer
  readonly createdBy: string | null
}

/** Files of organizations, as verbs see them. Private by default; verbs do not depend on the storage behind it (a disk, a bucket). */
export interface Files {
  /** @throws AppError `not-found` when the organization has no such file, or its content is still arriving. */
  get(tx: Tx, orgId: string, id: string): Promise<FileRecord>
  /** The content, or one of an image's sizes. */
  open(orgId: string, file: FileRecord, size?: string): Promise<Readable>
  /** @throws AppError `invalid-argument` when the content is not what its use allows. */
  put(tx: Tx, orgId: string, file: MadeFile): Promise<FileRecord>
  /** Takes the file away. Its content follows within a day or two, since the transaction may still be rolled back. */
  remove(tx: Tx, orgId: string, id: string): Promise<void>
  /** A short-lived address that needs no token and works while its reader is a member; the lasting one for public files. */
  link(
    reader: { readonly orgId: string; readonly userId: string; readonly sessionId: string | null },
    file: FileRecord,
    now: Date,
    size?: string,
  ): { url: string; expiresAt: Date }
  /** What callers get to know about a file. */
  describe(orgId: string, file: FileRecord): StoredFile
}
