import * as z from 'zod/mini'
import type { Permission } from './identity/access.ts'
import { callable } from './callable.ts'
import { Count, Id, Instant, orNull, text } from './fields.ts'

const megabyte = 1024 * 1024

/** What a file may be, by its content and never by its name. */
export const fileTypes = {
  png: 'image/png',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
  pdf: 'application/pdf',
  csv: 'text/csv',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
} as const
export type FileType = keyof typeof fileTypes

/** Types that are recognized only to say what to do instead: `locked` is a workbook with a password. */
export const refusedFileTypes = ['pdf', 'xls', 'ods', 'locked'] as const
export type RefusedFileType = (typeof refusedFileTypes)[number]

export interface FileUse {
  /** Who may upload. */
  readonly upload: Permission
  /** Who may ask for a link; `public` files have a lasting address that needs none. A permission of scope `own` opens no file. */
  readonly read: Permission | 'public'
  /** Holds birth dates, medical notes and passports: read only by those who see them of every guest. */
  readonly isSensitive?: boolean
  readonly maxBytes: number
  readonly types: readonly FileType[]
  /** Longest edge in pixels of the sizes made of it where it is an image, by name. */
  readonly sizes?: Readonly<Record<string, number>>
}

const images = ['png', 'jpeg', 'webp'] as const
const tables = ['csv', 'xlsx'] as const

/** What files are for; each use has its limits. Private unless it says `public`. */
export const fileUses = {
  organization_logo: {
    upload: 'settings:manage',
    read: 'public',
    maxBytes: 5 * megabyte,
    types: images,
    sizes: { small: 64, medium: 256, large: 512 },
  },
  staff_photo: {
    upload: 'staff:manage',
    read: 'staff:read',
    maxBytes: 10 * megabyte,
    types: images,
    sizes: { small: 96, large: 640 },
  },
  import: {
    upload: 'travelers:manage',
    read: 'travelers:manage',
    isSensitive: true,
    maxBytes: 64 * megabyte,
    types: tables,
  },
  incident_file: {
    upload: 'incidents:manage',
    read: 'monitoring:read',
    maxBytes: 10 * megabyte,
    types: [...images, 'pdf', ...tables],
    sizes: { small: 192, large: 1600 },
  },
} as const satisfies Readonly<Record<string, FileUse>>
export type FileUseName = keyof typeof fileUses
export const fileUseNames = Object.keys(fileUses) as FileUseName[]

/** Whether a MIME type by content is an image, of which there are sizes. */
export const isImageType = (contentType: string): boolean => contentType.startsWith('image/')

/** Content travels in pieces of this size, so that a broken line loses little. A piece may be smaller, the last one mostly is. */
export const uploadChunkBytes = megabyte

/** A file that is here in full. */
export const StoredFile = z.object({
  id: Id,
  use: z.enum(fileUseNames),
  name: z.string(),
  /** MIME type by content. */
  contentType: z.string(),
  size: Count,
  createdAt: Instant,
  /** Lasting address of a public file, by size name; null for private ones, which need a link. */
  publicUrls: orNull(z.record(z.string(), z.string())),
})
export type StoredFile = z.output<typeof StoredFile>

/** `POST /api/files/uploads`, before any content. */
export const NewUpload = z.object({
  use: z.enum(fileUseNames),
  name: text(200, 'file_unnamed'),
  size: z.int().check(z.minimum(1, 'file_empty'), z.maximum(1_000_000_000_000)),
})
export type NewUpload = z.output<typeof NewUpload>

/** How far an upload is: bytes that the server has for good. */
export const UploadState = z.object({
  uploadId: z.string(),
  offset: Count,
  size: Count,
  /** Name in the bucket, where the browser sends the content itself; absent where it comes through our server. */
  object: z.optional(z.string()),
})
export type UploadState = z.output<typeof UploadState>

export const linkFile = callable({
  name: 'files-link',
  kind: 'read',
  permission: 'member',
  summary: 'A short-lived address from which a private file can be loaded without a token.',
  input: z.object({ id: Id, size: orNull(z.string().check(z.maxLength(20))) }),
  output: z.object({ url: z.string(), expiresAt: Instant, file: StoredFile }),
  topics: [],
})

/** Source: spec, section 8, "Storage codes". */
export const storageCodes = [
  'object-not-found',
  'unauthorized',
  'quota-exceeded',
  'retry-limit-exceeded',
  'canceled',
] as const
export type StorageCode = (typeof storageCodes)[number]

/** What a file store throws for reasons of storage; everything else (a wrong type, say) is an `AppError` as with calls. */
export class StorageError extends Error {
  override readonly name = 'StorageError'
  readonly code: StorageCode

  constructor(code: StorageCode, message: string, options: ErrorOptions = {}) {
    super(message, options)
    this.code = code
  }
}
