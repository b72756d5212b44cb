import type { DutyFix } from '@tour-ops/contract/tracking/duty-fixes'
import type { ReportingEnd } from './phone.ts'
import type { PhoneDatabase } from './phone-database.ts'
import type { Owner } from './phone-storage.ts'

/** With what this phone sends positions. */
export interface Sender {
  readonly token: string
  readonly reportIntervalS: number
}

/** Null in both: this phone has never sent for its person, or is to start again. */
export interface Reporting {
  readonly sender: Sender | null
  /** Why nothing is accepted from it any longer; it stays so until the person asks, also after signing out and in. */
  readonly ended: ReportingEnd | null
}

export interface StoredFix {
  /** Order of taking. */
  readonly seq: number
  readonly fix: DutyFix
}

/** Positions that wait for a signal, and the token to send them with: under the key of the day, so that signing out destroys them. */
export interface PositionStorage {
  reporting(owner: Owner): Promise<Reporting>
  keepReporting(owner: Owner, reporting: Reporting): Promise<void>
  addFix(owner: Owner, fix: DutyFix): Promise<void>
  /** The oldest, at most `most`. */
  fixes(owner: Owner, most: number): Promise<readonly StoredFix[]>
  countFixes(owner: Owner): Promise<number>
  /** Those that were sent; all of them without `upTo`. */
  dropFixes(owner: Owner, upTo?: number): Promise<void>
}

const nothing: Reporting = { sender: null, ended: null }

export function storedPositions({ db, seal, open }: PhoneDatabase): PositionStorage {
  return {
    async reporting({ key }) {
      const row = await db.get('reporting', key)
      return { sender: await open<Sender>('day', row?.sender), ended: row?.ended ?? null }
    },
    async keepReporting({ key }, { sender, ended }) {
      await db.put('reporting', { sender: sender && (await seal('day', sender)), ended }, key)
    },
    async addFix({ key: owner }, fix) {
      await db.add('fixes', { owner, fix: await seal('day', fix) })
    },
    async fixes({ key }, most) {
      const index = db.transaction('fixes').store.index('owner')
      const [rows, seqs] = await Promise.all([index.getAll(key, most), index.getAllKeys(key, most)])
      const kept = await Promise.all(
        rows.map(async ({ fix }, at) => ({ seq: seqs[at] ?? 0, fix: await open<DutyFix>('day', fix) })),
      )
      return kept.filter((each): each is StoredFix => each.fix !== null)
    },
    countFixes: async ({ key }) => db.countFromIndex('fixes', 'owner', key),
    async dropFixes({ key }, upTo = Infinity) {
      const transaction = db.transaction('fixes', 'readwrite')
      const seqs = await transaction.store.index('owner').getAllKeys(key)
      await Promise.all(seqs.filter((seq) => seq <= upTo).map((seq) => transaction.store.delete(seq)))
      await transaction.done
    },
  }
}

/** The same for as long as the page is open. */
export function memoryPositions(): PositionStorage {
  const reporting = new Map<string, Reporting>()
  let seq = 0
  let kept: (StoredFix & { readonly owner: string })[] = []
  return {
    reporting: async ({ key }) => reporting.get(key) ?? nothing,
    keepReporting: async ({ key }, given) => void reporting.set(key, given),
    addFix: async ({ key: owner }, fix) => void kept.push({ owner, seq: (seq += 1), fix }),
    fixes: async ({ key }, most) => kept.filter(({ owner }) => owner === key).slice(0, most),
    countFixes: async ({ key }) => kept.filter(({ owner }) => owner === key).length,
    dropFixes: async ({ key }, upTo = Infinity) => {
      kept = kept.filter((each) => each.owner !== key || each.seq > upTo)
    },
  }
}
