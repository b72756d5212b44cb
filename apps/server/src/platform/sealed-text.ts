import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { AppError } from '@tour-ops/contract/errors'
import { refuse } from '@tour-ops/contract/refusals'
import type { SensitiveSealedColumn } from '@tour-ops/contract/sensitive-data'
import type { DataKey, DataKeys } from './data-keys.ts'

const algorithm = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16
/** Begins every value that names its key; the database reads the id behind it (migration 0105). */
const mark = Buffer.from('00534b01', 'hex')
const idBytes = 8
const headBytes = mark.length + idBytes

/** Where a sealed value belongs. It opens nowhere else. */
export interface SealedPlace {
  readonly orgId: string
  /** `table.column` */
  readonly column: SealedColumn
  /** Key of the row within its organization. */
  readonly id: string
}

export type SealedColumn =
  | SensitiveSealedColumn
  | 'idempotency_keys.answer'
  /** The key of a content; the row is its file. */
  | 'files.content_key_sealed'
  /** A value of an import between reading and writing; the row is the batch. */
  | 'import_rows.after'
  /** A corrected cell of an import: what the file holds, and what counts instead. */
  | 'import_corrections.cell'
  /** What signs requests to an endpoint; the row is the endpoint. */
  | 'webhook_queues.secrets_sealed'
  /** What signs a webhook, or the token of a provider. */
  | 'phone_channels.secret'

/**
 * Encrypts what must not be readable in the database, its copies and its log: passport numbers, medical notes, reasons of time off. A value
 * names the key that sealed it, so that keys can be replaced, and is bound to its place, so that it cannot be moved to another row.
 */
export class SealedText {
  readonly keys: DataKeys

  constructor(keys: DataKeys) {
    this.keys = keys
  }

  /** Mark, id of the key, nonce, tag and ciphertext in one value. */
  seal(text: string, place: SealedPlace): Buffer {
    const [newest] = this.keys.all()
    if (!newest) throw new Error('There is no key to seal with.')
    const head = Buffer.concat([mark, Buffer.from(newest.id, 'hex')])
    const nonce = randomBytes(nonceBytes)
    const cipher = createCipheriv(algorithm, newest.key, nonce).setAAD(contextOf(head, place))
    const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
    return Buffer.concat([head, nonce, cipher.getAuthTag(), body])
  }

  /**
   * @throws AppError `unavailable`, reason `data_key_missing`, when the key is not there; `internal`, reason `sealed_value_broken`, when the
   *   value was changed or belongs elsewhere.
   */
  open(sealed: Uint8Array, place: SealedPlace): string {
    const value = Buffer.from(sealed)
    const id = keyIdOf(value)
    if (id === null) return this.#openNameless(value)
    const key = this.keys.find(id)
    if (!key) throw missing(id)
    const opened = decrypt(key, value.subarray(headBytes), contextOf(value.subarray(0, headBytes), place))
    if (opened === undefined) throw broken()
    return opened
  }

  /** Null when it cannot be opened: for lists, where one lost value must not hide the others. */
  openIfPossible(sealed: Uint8Array, place: SealedPlace): string | null {
    try {
      return this.open(sealed, place)
    } catch (error) {
      if (error instanceof AppError) return null
      throw error
    }
  }

  /** Values from before keys had ids: sealed with the derived key, which may have been written out since. */
  #openNameless(value: Buffer): string {
    for (const key of [this.keys.derived, ...this.keys.all()]) {
      const opened = decrypt(key, value, undefined)
      if (opened !== undefined) return opened
    }
    throw missing(null)
  }
}

/** The id of the key that sealed a value; null for one from before keys had ids. */
export const keyIdOf = (sealed: Uint8Array): string | null =>
  sealed.length > headBytes && mark.equals(sealed.subarray(0, mark.length))
    ? Buffer.from(sealed.subarray(mark.length, headBytes)).toString('hex')
    : null

const contextOf = (head: Buffer, { orgId, column, id }: SealedPlace): Buffer =>
  Buffer.concat([head, Buffer.from(JSON.stringify([orgId, column, id]))])

/** Undefined when the key does not fit, the value was changed, or it belongs elsewhere. */
function decrypt({ key }: DataKey, value: Buffer, context: Buffer | undefined): string | undefined {
  if (value.length < nonceBytes + tagBytes) return undefined
  const decipher = createDecipheriv(algorithm, key, value.subarray(0, nonceBytes), { authTagLength: tagBytes })
  if (context) decipher.setAAD(context)
  decipher.setAuthTag(value.subarray(nonceBytes, nonceBytes + tagBytes))
  try {
    return decipher.update(value.subarray(nonceBytes + tagBytes), undefined, 'utf8') + decipher.final('utf8')
  } catch {
    return undefined
  }
}

const missing = (keyId: string | null): AppError => refuse('data_key_missing', { keyId })

const broken = (): AppError => refuse('sealed_value_broken')
