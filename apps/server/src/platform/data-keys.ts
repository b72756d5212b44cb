import { createHash, hkdfSync, randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { StartRefused } from './start-refused.ts'

/** A key for data at rest (AES-256). */
export interface DataKey {
  /** First half of the key's SHA-256, 16 hex characters: the same key has the same id everywhere. */
  readonly id: string
  readonly key: Buffer
}

/** Where the keys of an installation are. */
export type DataKeySource =
  | { readonly kind: 'environment'; readonly keys: readonly DataKey[] }
  /** One key per line. `isOwn` is the file in the data folder, which the server makes; another file belongs to the operator. */
  | { readonly kind: 'file'; readonly path: string; readonly isOwn: boolean }
  /** Derived from the session secret, where processes share no folder and were given no keys. */
  | { readonly kind: 'secret' }

export const dataKeyFile = 'data-keys'
const keyBytes = 32

const dataKeyOf = (key: Buffer): DataKey => ({
  id: createHash('sha256').update('data key').update(key).digest('hex').slice(0, 16),
  key,
})

export const newDataKey = (): DataKey => dataKeyOf(randomBytes(keyBytes))

/** As it is written into files and variables. */
export const textOfDataKey = ({ key }: DataKey): string => key.toString('base64url')

/** The key that all values were sealed with before keys had ids; it follows from the installation's secret (HKDF, RFC 5869). */
export const derivedDataKey = (secret: string): DataKey =>
  dataKeyOf(Buffer.from(hkdfSync('sha256', secret, '', 'sealed-text', keyBytes)))

/**
 * Reads keys separated by spaces, commas or lines, each 32 bytes in base64 or hexadecimal; the first one seals. `#` begins a comment.
 *
 * @throws Error that says which entry is wrong, without repeating it.
 */
export function parseDataKeys(text: string): DataKey[] {
  const entries = text
    .split('\n')
    .flatMap((line) => line.replace(/#.*/, '').split(/[\s,]+/))
    .filter((entry) => entry !== '')
  if (entries.length === 0) throw new Error('holds no key')
  const keys = entries.map((entry, index) => {
    const key = /^[0-9a-f]{64}$/i.test(entry) ? Buffer.from(entry, 'hex') : Buffer.from(entry, 'base64')
    if (key.length !== keyBytes) {
      throw new Error(
        `entry ${index + 1} is not a key: ${keyBytes} bytes in base64, such as "openssl rand -base64 ${keyBytes}" prints`,
      )
    }
    return dataKeyOf(key)
  })
  return [...new Map(keys.map((key) => [key.id, key])).values()]
}

/** The keys of this installation as they are now. */
export interface DataKeys {
  /** All keys, the one that seals first. */
  all(): readonly DataKey[]
  find(id: string): DataKey | undefined
  /** What may have sealed a value that names no key. */
  readonly derived: DataKey
}

/** Keys that do not change while the process runs. */
export function fixedDataKeys(keys: readonly DataKey[], derived: DataKey): DataKeys {
  const byId = new Map([derived, ...keys].map((key) => [key.id, key]))
  return { all: () => keys, find: (id) => byId.get(id), derived }
}

/** Keys of a file, which is read again when it has changed: keys are rotated while processes run. */
export function fileDataKeys(file: string, derived: DataKey): DataKeys {
  let version = ''
  let current = fixedDataKeys([], derived)
  const refresh = (): DataKeys => {
    const { mtimeMs, ino, size } = fs.statSync(file)
    const seen = `${mtimeMs} ${ino} ${size}`
    if (seen !== version) {
      current = fixedDataKeys(readDataKeyFile(file), derived)
      version = seen
    }
    return current
  }
  refresh()
  return {
    all: () => refresh().all(),
    find: (id) => current.find(id) ?? refresh().find(id),
    derived,
  }
}

/** @throws Error with a readable message when the file cannot be read or holds something else. */
export function readDataKeyFile(file: string): DataKey[] {
  try {
    return parseDataKeys(fs.readFileSync(file, 'utf8'))
  } catch (error) {
    throw new StartRefused(
      `The file of keys ${file} cannot be used: ${error instanceof Error ? error.message : String(error)}.`,
      {
        cause: error,
      },
    )
  }
}

const header = `# Keys for data at rest, the first one seals. Without them passport numbers, medical notes and reasons of
# time off cannot be read: keep a copy apart from the copies of the database. Changed by: npm run keys
`

const textOfFile = (keys: readonly DataKey[]): string =>
  `${header}${keys.map((key) => `${textOfDataKey(key)} # ${key.id}\n`).join('')}`

/** Replaces the file in one step, so that a reader sees the old keys or the new ones. */
export function writeDataKeyFile(file: string, keys: readonly DataKey[]): void {
  const fresh = writeBeside(file, keys)
  fs.renameSync(fresh, file)
}

/** Makes the file with a new key; of two processes that start at once the first one counts. */
export function createDataKeyFile(file: string): void {
  const fresh = writeBeside(file, [newDataKey()])
  try {
    fs.linkSync(fresh, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    fs.rmSync(fresh, { force: true })
  }
}

/** The content reaches the disk before the name does: a power failure must not leave an empty file of keys. */
function writeBeside(file: string, keys: readonly DataKey[]): string {
  const fresh = path.join(
    path.dirname(file),
    `.${path.basename(file)}.${process.pid}.${randomBytes(4).toString('hex')}`,
  )
  const handle = fs.openSync(fresh, 'wx', 0o600)
  try {
    fs.writeFileSync(handle, textOfFile(keys))
    fs.fsyncSync(handle)
  } finally {
    fs.closeSync(handle)
  }
  return fresh
}
