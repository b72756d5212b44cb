import type { DutyDay, DutyEvent, DutyOutcome } from '@tour-ops/contract/duty/duty-phone'
import { unwrap } from 'idb'
import { destroyDay } from '../../../identity/phone-day.ts'
import type { EventRow, PhoneDatabase } from './phone-database.ts'
import type { StoredEvent } from './shown-day.ts'

/** Whose phone it is: a person in an organization, or the holder of a run sheet link. What waits belongs to one of them. */
export type Owner =
  | { readonly kind: 'member'; readonly key: string }
  | { readonly kind: 'link'; readonly key: string; readonly token: string }

/** What the phone keeps. Every promise is settled when it is on the disk, as far as a browser says so. */
export interface PhoneStorage {
  /** False where the browser keeps nothing: it is then all in memory, until the page is closed. */
  readonly isKept: boolean
  owner(): Promise<Owner | null>
  setOwner(owner: Owner): Promise<void>
  day(owner: Owner): Promise<DutyDay | null>
  keepDay(owner: Owner, day: DutyDay): Promise<void>
  /** In the order of doing. */
  events(owner: Owner): Promise<StoredEvent[]>
  addEvents(owner: Owner, events: readonly DutyEvent[]): Promise<StoredEvent[]>
  setOutcomes(owner: Owner, outcomes: readonly DutyOutcome[]): Promise<void>
  dropEvents(owner: Owner, ids: readonly string[]): Promise<void>
  /** Ends a session: the day, positions and their key are destroyed; what waits stays, under a separate key, for the same owner. */
  forgetDay(): Promise<void>
}

/** The phone's storage; in memory where there is no database. */
export const phoneStorage = (database: PhoneDatabase | null): PhoneStorage =>
  database ? databaseStorage(database) : memoryStorage()

function databaseStorage({ db, seal, open }: PhoneDatabase): PhoneStorage {
  const storedOf = async (seq: number, row: EventRow): Promise<StoredEvent | null> => {
    const event = await open<DutyEvent>('queue', row.event)
    return event && { seq, event, outcome: row.outcome }
  }
  return {
    isKept: true,
    owner: async () => open<Owner>('queue', await db.get('owner', 'owner')),
    setOwner: async (owner) => {
      await db.put('owner', await seal('queue', owner), 'owner')
    },
    day: async ({ key }) => open<DutyDay>('day', await db.get('days', key)),
    keepDay: async ({ key }, day) => {
      await db.put('days', await seal('day', day), key)
    },
    async events({ key }) {
      const transaction = db.transaction('events')
      const index = transaction.store.index('owner')
      const [rows, seqs] = await Promise.all([index.getAll(key), index.getAllKeys(key)])
      const kept = await Promise.all(rows.map((row, at) => storedOf(seqs[at] ?? 0, row)))
      return kept.filter((each) => each !== null).toSorted((a, b) => a.seq - b.seq)
    },
    async addEvents({ key: owner }, events) {
      const rows = await Promise.all(
        events.map(async (event) => ({ owner, id: event.id, event: await seal('queue', event), outcome: null })),
      )
      // strict: one tick says that it is on the phone, also after the battery is taken out
      const transaction = db.transaction('events', 'readwrite', { durability: 'strict' })
      const seqs = await Promise.all(rows.map((row) => transaction.store.add(row)))
      await transaction.done
      return events.map((event, at) => ({ seq: seqs[at] ?? 0, event, outcome: null }))
    },
    async setOutcomes({ key: owner }, outcomes) {
      const transaction = db.transaction('events', 'readwrite')
      for (const outcome of outcomes) {
        const cursor = await transaction.store.index('id').openCursor([owner, outcome.id])
        await cursor?.update({ ...cursor.value, outcome })
      }
      await transaction.done
    },
    async dropEvents({ key: owner }, ids) {
      const transaction = db.transaction('events', 'readwrite')
      for (const id of ids) {
        const seq = await transaction.store.index('id').getKey([owner, id])
        if (seq !== undefined) await transaction.store.delete(seq)
      }
      await transaction.done
    },
    forgetDay: () => destroyDay(unwrap(db)),
  }
}

/** The same for as long as the page is open. */
export function memoryStorage(): PhoneStorage {
  let owner: Owner | null = null
  const days = new Map<string, DutyDay>()
  let seq = 0
  let kept: (StoredEvent & { readonly owner: string })[] = []
  return {
    isKept: false,
    owner: async () => owner,
    setOwner: async (given) => {
      owner = given
    },
    day: async ({ key }) => days.get(key) ?? null,
    keepDay: async ({ key }, day) => {
      days.set(key, day)
    },
    events: async ({ key }) => kept.filter((each) => each.owner === key),
    addEvents: async ({ key }, events) => {
      const added = events.map((event) => ({ owner: key, seq: (seq += 1), event, outcome: null }))
      kept.push(...added)
      return added
    },
    setOutcomes: async ({ key }, outcomes) => {
      const byId = new Map(outcomes.map((outcome) => [outcome.id, outcome]))
      kept = kept.map((each) => {
        const outcome = each.owner === key ? byId.get(each.event.id) : undefined
        return outcome ? { ...each, outcome } : each
      })
    },
    dropEvents: async ({ key }, ids) => {
      kept = kept.filter((each) => each.owner !== key || !ids.includes(each.event.id))
    },
    forgetDay: async () => {
      days.clear()
      owner = null
    },
  }
}
