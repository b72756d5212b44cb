import type { DutyOutcome } from '@tour-ops/contract/duty/duty-phone'
import { type DBSchema, type IDBPDatabase, openDB } from 'idb'
import { phoneDatabaseName } from '../../../identity/phone-day.ts'
import { newKey, open, seal, type Sealed } from './sealing.ts'
import type { ReportingEnd } from './phone.ts'

export interface EventRow {
  readonly owner: string
  readonly id: string
  readonly event: Sealed
  readonly outcome: DutyOutcome | null
}

/** How positions are sent: with a token, or no more and why. */
export interface ReportingRow {
  readonly sender: Sealed | null
  readonly ended: ReportingEnd | null
}

interface Schema extends DBSchema {
  /** `day` is destroyed with the session, `queue` stays as long as anything waits. */
  keys: { key: KeyName; value: CryptoKey }
  owner: { key: 'owner'; value: Sealed }
  days: { key: string; value: Sealed }
  events: { key: number; value: EventRow; indexes: { owner: string; id: [string, string] } }
  fixes: { key: number; value: { readonly owner: string; readonly fix: Sealed }; indexes: { owner: string } }
  reporting: { key: string; value: ReportingRow }
}

type KeyName = 'day' | 'queue'

/** The phone's database, and its two keys. */
export interface PhoneDatabase {
  readonly db: IDBPDatabase<Schema>
  readonly seal: (name: KeyName, value: unknown) => Promise<Sealed>
  /** Null for nothing, and for what another key has sealed. */
  readonly open: <T>(name: KeyName, sealed: Sealed | undefined | null) => Promise<T | null>
}

/**
 * The database of this browser; null where it has none, as on a plain http address.
 *
 * @param onNewer Called when a newer build in another tab waits for this one: a page starts again with the newer one.
 */
export async function openPhoneDatabase(onNewer = () => location.reload()): Promise<PhoneDatabase | null> {
  if (!globalThis.isSecureContext || typeof indexedDB === 'undefined') return null
  try {
    return withKeys(await opened(onNewer))
  } catch (error) {
    console.warn('The browser keeps nothing for this page.', error)
    return null
  }
}

const opened = (blocking: () => void): Promise<IDBPDatabase<Schema>> =>
  openDB<Schema>(phoneDatabaseName, 2, {
    upgrade(db, from) {
      if (from < 1) {
        db.createObjectStore('keys')
        db.createObjectStore('owner')
        db.createObjectStore('days')
        const events = db.createObjectStore('events', { autoIncrement: true })
        events.createIndex('owner', 'owner')
        events.createIndex('id', ['owner', 'id'], { unique: true })
      }
      db.createObjectStore('fixes', { autoIncrement: true }).createIndex('owner', 'owner')
      db.createObjectStore('reporting')
    },
    blocking,
  })

function withKeys(db: IDBPDatabase<Schema>): PhoneDatabase {
  const keyFor = async (name: KeyName): Promise<CryptoKey> => {
    const known = await db.get('keys', name)
    if (known) return known
    const made = await newKey()
    // another tab may have made one meanwhile: the first stays
    const transaction = db.transaction('keys', 'readwrite')
    const first = await transaction.store.get(name)
    if (!first) await transaction.store.put(made, name)
    await transaction.done
    return first ?? made
  }
  return {
    db,
    seal: async (name, value) => seal(await keyFor(name), value),
    // what was sealed with a key that is gone is as good as not there
    open: async <T>(name: KeyName, sealed: Sealed | undefined | null) =>
      sealed ? open<T>(await keyFor(name), sealed).catch(() => null) : null,
  }
}
