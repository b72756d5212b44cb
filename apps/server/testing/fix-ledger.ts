import type { TrackingProtocol } from '@tour-ops/contract/tracking/devices'
import type { DutyFixesTaken } from '@tour-ops/contract/tracking/duty-fixes'
import type pg from 'pg'
import type { Random } from '../seed/random.ts'
import type { DutyPhone } from './phones.ts'

// For tests that kill servers: many phones send fixes, and what was answered is remembered outside of the server.

/** How phones send, with all forms of a protocol that have a path of their own in the server. */
const manners = [
  'osmand query',
  'osmand form',
  'traccar json',
  'owntracks',
  'duty page',
  'duty page, clock ahead',
] as const
type Manner = (typeof manners)[number]

/** Phones send from this moment on by the server's clock; long enough ago that none of their fixes lies ahead. */
const firstFixMs = Math.floor(Date.now() / 1000) * 1000 - 2 * 3_600_000
/** How far the clock of one phone is ahead: its fixes are corrected, and must be corrected alike when they are sent again. */
const aheadMs = 20 * 60_000
/** Its line is slow, and not always alike, which the server sees as part of the difference between the clocks. */
const slowestMs = 8_000

interface SentFix {
  readonly n: number
  /** By the server's clock. */
  readonly atMs: number
  /** Different for each fix of a phone: what its row is known by. */
  readonly lat: number
}

/** One request, which may be sent again. */
interface Delivery {
  readonly fixes: readonly SentFix[]
  isAcknowledged: boolean
}

class Phone {
  readonly device: DutyPhone
  readonly deliveries: Delivery[] = []
  readonly manner: Manner
  readonly #random: Random
  #fixes = 0

  constructor(device: DutyPhone, manner: Manner, random: Random) {
    this.device = device
    this.manner = manner
    this.#random = random
  }

  /** The next fixes: one, or a batch where the protocol has batches. */
  next(): Delivery {
    const isBatch = this.manner === 'traccar json' || this.manner.startsWith('duty page')
    const count = isBatch ? this.#random.between(1, 20) : 1
    const delivery = { fixes: Array.from({ length: count }, () => this.#nextFix()), isAcknowledged: false }
    this.deliveries.push(delivery)
    return delivery
  }

  #nextFix(): SentFix {
    const n = this.#fixes
    this.#fixes += 1
    // OwnTracks knows whole seconds only
    return { n, atMs: firstFixMs + n * (this.manner === 'owntracks' ? 1_000 : 100), lat: 64 + n / 100_000 }
  }

  /** @returns What the server answered; undefined where it did not, or could not reach its database. */
  async send({ fixes }: Delivery, base: string): Promise<Response | undefined> {
    const answer = await requests[this.manner](`${base}/track/${this.device.token}`, fixes).catch((error: unknown) => {
      if (error instanceof TypeError) return undefined
      throw error
    })
    return answer && answer.status < 500 ? answer : undefined
  }
}

const lng = -21.9
const json = (url: string, body: unknown): Promise<Response> =>
  fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
const parametersOf = ([fix]: readonly SentFix[]): URLSearchParams =>
  new URLSearchParams({
    lat: String(fix?.lat),
    lon: String(lng),
    timestamp: String(fix?.atMs),
    speed: '10',
    batt: '80',
  })
const isoOf = (ms: number): string => new Date(ms).toISOString()
const dutyBatch = (url: string, fixes: readonly SentFix[], offMs: number, onTheWayMs: number): Promise<Response> =>
  json(url, {
    sentAt: isoOf(Date.now() + offMs - onTheWayMs),
    fixes: fixes.map(({ atMs, lat }) => ({ recordedAt: isoOf(atMs + offMs), lat, lng, accuracyM: 5 })),
  })

const requests: Readonly<Record<Manner, (url: string, fixes: readonly SentFix[]) => Promise<Response>>> = {
  'osmand query': (url, fixes) => fetch(`${url}?${parametersOf(fixes).toString()}`),
  'osmand form': (url, fixes) => fetch(url, { method: 'POST', body: parametersOf(fixes) }),
  'traccar json': (url, fixes) =>
    json(url, {
      device_id: '1',
      location: fixes.map(({ atMs, lat }) => ({ timestamp: isoOf(atMs), coords: { latitude: lat, longitude: lng } })),
    }),
  owntracks: (url, [fix]) => json(url, { _type: 'location', tst: (fix?.atMs ?? 0) / 1000, lat: fix?.lat, lon: lng }),
  'duty page': (url, fixes) => dutyBatch(url, fixes, 0, 0),
  'duty page, clock ahead': (url, fixes) => dutyBatch(url, fixes, aheadMs, Date.now() % slowestMs),
}

/** The protocol that a manner of sending belongs to, as the server notes it. */
const protocolOf = (manner: Manner): TrackingProtocol =>
  manner.startsWith('duty page') ? 'duty_page' : manner === 'owntracks' ? 'owntracks' : 'osmand'

/** Every fix that was sent, and whether it was acknowledged. */
export class FixLedger {
  readonly #phones: readonly Phone[]
  readonly #orgId: string
  readonly #random: Random

  /** @param phones As many as there are manners of sending, or more: they take turns. */
  constructor(orgId: string, phones: readonly DutyPhone[], random: Random) {
    this.#orgId = orgId
    this.#random = random
    this.#phones = phones.map((phone, n) => new Phone(phone, manners[n % manners.length] ?? 'osmand query', random))
  }

  /** Requests that were answered. */
  get acknowledged(): number {
    return this.#deliveries().filter(({ isAcknowledged }) => isAcknowledged).length
  }

  get sent(): number {
    return this.#deliveries().length
  }

  get fixes(): number {
    return this.#deliveries().reduce((sum, { fixes }) => sum + fixes.length, 0)
  }

  #deliveries(): Delivery[] {
    return this.#phones.flatMap(({ deliveries }) => deliveries)
  }

  /** All phones send, each one request after the other, until the server no longer answers. */
  async load(base: string): Promise<void> {
    await Promise.all(
      this.#phones.map(async (phone) => {
        while (await this.#deliver(phone, phone.next(), base));
      }),
    )
  }

  /** True when it was answered. */
  async #deliver(phone: Phone, delivery: Delivery, base: string): Promise<boolean> {
    const answer = await phone.send(delivery, base)
    // a server that is killed in the middle of an answer has answered nothing
    const text = await answer?.text().catch(() => undefined)
    if (answer === undefined || text === undefined) return false
    if (!answer.ok) throw new Error(`${phone.manner} was refused: ${answer.status} ${text}`)
    if (protocolOf(phone.manner) === 'duty_page') {
      const { result } = JSON.parse(text) as { result: DutyFixesTaken }
      if (result.received !== delivery.fixes.length) throw new Error(`${phone.manner} was answered ${text}`)
    }
    delivery.isAcknowledged = true
    return true
  }

  /** Phones send what was never answered again, as they do, and some of what was. */
  async repeat(base: string, answeredToo: number): Promise<void> {
    const outcomes = await Promise.all(
      this.#phones.map(async (phone) => {
        const open = phone.deliveries.filter(({ isAcknowledged }) => !isAcknowledged)
        const answered = phone.deliveries.filter(({ isAcknowledged }) => isAcknowledged)
        const some = answered.length === 0 ? [] : Array.from({ length: answeredToo }, () => this.#random.pick(answered))
        for (const delivery of [...open, ...some]) if (!(await this.#deliver(phone, delivery, base))) return false
        return true
      }),
    )
    if (outcomes.includes(false)) throw new Error('A repeated request was not answered')
  }

  /** What is wrong: a fix that was acknowledged and is not there, one that is there twice or at another time, one that nobody sent, one that was dropped. */
  async problems(ownerPool: pg.Pool): Promise<string[]> {
    const { rows } = await ownerPool.query<{ deviceId: string; lat: number; times: number; atMs: number }>(
      `select device_id as "deviceId", lat, count(*)::int as times, (extract(epoch from min(recorded_at)) * 1000)::float8 as "atMs"
       from positions where org_id = $1 group by 1, 2`,
      [this.#orgId],
    )
    const stored = Map.groupBy(rows, ({ deviceId }) => deviceId)
    const byRows = this.#phones.flatMap((phone) => problemsOf(phone, stored.get(phone.device.deviceId) ?? []))
    return [...byRows, ...(await this.#halves(ownerPool))]
  }

  /** What one request changes in several tables is there as a whole: the newest fix is the one on the map, and nothing was counted as dropped. */
  async #halves(ownerPool: pg.Pool): Promise<string[]> {
    const { rows } = await ownerPool.query<{ problem: string }>(
      `select 'on the map of ' || p.device_id || ' is ' || coalesce(l.recorded_at::text, 'nothing') || ', the newest is ' || max(p.recorded_at) as problem
         from positions p join devices d on d.org_id = p.org_id and d.id = p.device_id
           left join latest_positions l on l.org_id = d.org_id and l.staff_id = d.staff_id
        where p.org_id = $1 and p.valid group by p.device_id, l.recorded_at having l.recorded_at is distinct from max(p.recorded_at)
       union all select dropped || ' fixes of ' || device_id || ' were dropped: ' || reason from position_drops where org_id = $1`,
      [this.#orgId],
    )
    return rows.map(({ problem }) => problem)
  }
}

interface StoredFix {
  readonly lat: number
  readonly times: number
  readonly atMs: number
}

function problemsOf({ device, manner, deliveries }: Phone, rows: readonly StoredFix[]): string[] {
  const stored = new Map(rows.map((row) => [row.lat, row]))
  // the clock of a phone that is ahead is measured, not known: all of its fixes are corrected by the same
  const offMs = manner === 'duty page, clock ahead' ? offOf(deliveries, stored) : 0
  const found = deliveries.flatMap(({ fixes, isAcknowledged }) =>
    fixes.flatMap(({ n, atMs, lat }) => {
      const row = stored.get(lat)
      stored.delete(lat)
      const name = `${manner}, fix ${n}`
      if (!row) return isAcknowledged ? [`${name} was acknowledged and is gone`] : []
      if (row.times > 1) return [`${name} is there ${row.times} times`]
      return row.atMs === atMs + offMs
        ? []
        : [`${name} is there at ${isoOf(row.atMs)}, sent was ${isoOf(atMs + offMs)}`]
    }),
  )
  return [...found, ...[...stored.keys()].map((lat) => `${device.deviceId} has a fix at ${lat} that was never sent`)]
}

/** By how much the first fix that is stored was corrected too little or too much. */
function offOf(deliveries: readonly Delivery[], stored: ReadonlyMap<number, StoredFix>): number {
  const first = deliveries.flatMap(({ fixes }) => fixes).find(({ lat }) => stored.has(lat))
  return first ? (stored.get(first.lat)?.atMs ?? 0) - first.atMs : 0
}
