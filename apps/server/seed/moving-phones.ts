import type { Out } from '@tour-ops/contract/callable'
import { type Departure, getDeparture, listDepartures } from '@tour-ops/contract/departures/departures'
import { addDevice, listDevices, pairDevice, redeemPairing, trackPath } from '@tour-ops/contract/tracking/devices'
import { type TrueVisit, whereAt } from '@tour-ops/contract/tracking/arrivals/simulated-track'
import { beginDutyFor, endDutyFor, listDuty, trackingConsentVersion } from '@tour-ops/contract/tracking/duty'
import { longestDutyHours } from '@tour-ops/contract/tracking/duty-terms'
import { sql } from 'kysely'
import type { Services } from '../src/context.ts'
import { movableClock } from '../src/platform/clock.ts'
import { roundTheClock } from './data/tours.ts'
import type { Person } from './person.ts'
import { type PhoneApp, phoneApps, type Said } from './phone-apps.ts'
import { defaultAlertLimits } from '@tour-ops/contract/monitoring/alert-limits'
import { runningStatuses } from '@tour-ops/contract/state-machines'
import { dayMs, minuteMs } from './spans.ts'

/** Between two positions of a phone. */
export const reportMs = 5_000
/** The first departure of the day and the bus of every hour are at least this late, so that there is something to decide. */
const lateMs = 25 * 60_000
/** The phone of the first one after that sends for this long what it stored before it lost its network, and then falls silent. */
const heardMs = 20_000
/** What it stored is so much younger than what is reported as silence: the alert opens a minute later, while somebody looks. */
const untilMissedMs = minuteMs
/** Ours: whose tour ends sooner than this falls silent only where nobody else can, since its alert would end with it. */
const leftForSilenceMs = 30 * minuteMs
/** Each app's phone in a state of its own. */
const howExactAndFull: Readonly<Record<PhoneApp, Pick<Said, 'accuracyM' | 'batteryPct'>>> = {
  osmand: { accuracyM: 8, batteryPct: 76 },
  owntracks: { accuracyM: 9, batteryPct: 58 },
  traccar: { accuracyM: 12, batteryPct: 91 },
}
const away = { wanderM: 20, bend: 0.12 }

/** Phones with this app have no network for the first part of each of these spans, and send what they stored when it is back. */
const lossOf: { readonly app: PhoneApp; readonly everyMs: number; readonly lostMs: number } = {
  app: 'traccar',
  everyMs: 10 * minuteMs,
  // shorter than what counts as silence, so that nobody looks lost
  lostMs: 90_000,
}

/** Sends a request; `fetch` outside of tests. */
export type Send = (path: string, init?: RequestInit) => Promise<Response>

/** One after the other, so that the device list of the demo has each of them. */
const apps = ['osmand', 'owntracks', 'traccar'] as const satisfies readonly PhoneApp[]

/** How the phone of a departure is. */
interface Habits {
  readonly isLate: boolean
  /** How old its positions are when they are sent, milliseconds; of a phone that falls silent then. Others send what is now. */
  readonly storedMs: number
  readonly app: PhoneApp | undefined
}

interface Phone {
  readonly staffId: string
  readonly app: PhoneApp
  readonly token: string
  readonly visits: readonly TrueVisit[]
  /** How old its positions are when they are sent. */
  storedMs: number
  /** From then on it sends nothing. */
  silentAt: number
  /** When it took the positions that it has not sent yet. */
  readonly stored: number[]
  /** Begin of the duty on which it was heard, of a silent one. */
  dutyFrom?: number
}

type Row = Out<typeof listDepartures>['rows'][number]

const isOfOneDay = ({ startsAt, endsAt }: Row): boolean => Date.parse(endsAt) - Date.parse(startsAt) < dayMs

/** The age of the last position at which its silence is an alert. */
const missedMs = (row: Row): number =>
  (isOfOneDay(row) ? defaultAlertLimits.signalLostMin : defaultAlertLimits.signalLostDaysMin) * minuteMs

/**
 * Phones of the demo's guides: they follow the routes of what is out, through the same address and in the same words as real ones. The first
 * departure of one day and the bus of every hour run late, and the phone of the first one after that is silent: of one that is on its way,
 * and of a tour of several days where no other is, as at night.
 *
 * @see docs/domain.md, "Demo organization"
 */
export class MovingPhones {
  readonly #services: Services
  readonly #send: Send
  readonly #dispatcher: Person
  readonly #phones = new Map<string, Phone>()
  /** The departure whose phone is silent. */
  #silent: string | undefined

  constructor(services: Services, dispatcher: Person, send: Send) {
    this.#services = services
    this.#dispatcher = dispatcher
    this.#send = send
  }

  /** Gives a phone to the guide of each departure that is out, and removes it when that is over. */
  async look(): Promise<void> {
    const { rows } = await this.#at().call(listDepartures, {
      filters: { status: [...runningStatuses] },
      sort: [{ by: 'startsAt' }],
      size: 100,
    })
    for (const id of this.#phones.keys()) if (!rows.some((row) => row.id === id)) this.#phones.delete(id)
    // on a tour of several days it would not be seen: what is late today is the plan of tomorrow there
    const ofOneDay = rows.filter(isOfOneDay)
    this.#fallSilent(rows, ofOneDay[0])
    for (const [place, row] of rows.entries()) {
      const { id, tourCode } = row
      if (this.#phones.has(id)) continue
      const isLate = row === ofOneDay[0] || tourCode === roundTheClock
      const storedMs = id === this.#silent ? missedMs(row) - untilMissedMs : 0
      const phone = await this.#handOut(id, { isLate, storedMs, app: apps[place % apps.length] })
      if (phone) this.#phones.set(id, phone)
    }
    // also in the morning of a day in the middle of a tour: the duty of the day before has ended
    for (const [id, phone] of this.#phones) await this.#beginDuty(phone, id)
  }

  /** One at a time: the next one when its departure is over. A phone that was heard already reports no more. */
  #fallSilent(rows: readonly Row[], late: Row | undefined): void {
    if (rows.some(({ id }) => id === this.#silent)) return
    const others = rows.filter((row) => row !== late && row.tourCode !== roundTheClock && row.status === 'in_progress')
    const now = this.#services.clock.now().getTime()
    const lasting = others.filter(({ endsAt }) => Date.parse(endsAt) - now > leftForSilenceMs)
    this.#silent = (lasting.find(isOfOneDay) ?? lasting[0] ?? others[0])?.id
    const phone = this.#phones.get(this.#silent ?? '')
    if (phone) phone.silentAt = now
  }

  /** One position of each phone, and what it stored while it had no network. */
  async report(): Promise<void> {
    const now = this.#services.clock.now().getTime()
    const answers = await Promise.all(
      [...this.#phones].map(async ([id, phone]) => [id, await this.#sendDue(phone, now)] as const),
    )
    // an unpaired phone is handed out again with the next look
    for (const [id, status] of answers) if (status === 400) this.#phones.delete(id)
  }

  /** @param agoMs What is done now was done that long ago. */
  #at(agoMs = 0): Person {
    return this.#dispatcher.at(this.#ago(agoMs))
  }

  #ago(ms: number): Date {
    return new Date(this.#services.clock.now().getTime() - ms)
  }

  async #handOut(departureId: string, { isLate, storedMs, app = 'osmand' }: Habits): Promise<Phone | null> {
    const departure = await this.#at().call(getDeparture, { id: departureId })
    const guide = departure.crew.find(
      ({ role, status }) => role === 'lead_guide' && ['accepted', 'on_duty'].includes(status),
    )
    const visits = visitsOf(departure, isLate ? lateMs : 0)
    if (!guide || visits.length < 2) return null
    await this.#agree(guide.staffId, storedMs)
    const token = await this.#pair(guide)
    const silentAt = storedMs > 0 ? this.#services.clock.now().getTime() + heardMs : Infinity
    return { staffId: guide.staffId, token, visits, storedMs, silentAt, app, stored: [] }
  }

  /** People of the demo have no accounts with which they could agree themselves. */
  async #agree(staffId: string, agoMs: number): Promise<void> {
    const { orgId } = this.#dispatcher
    const clock = movableClock(this.#ago(agoMs))
    const scope = { orgId, actor: { kind: 'system', id: null }, action: 'demo', requestId: 'demo', clock } as const
    await this.#services.db.transaction(scope, async (tx) => {
      await sql`update field_staff set tracking_consent_version = ${trackingConsentVersion}, tracking_consent_at = app_now()
        where org_id = ${orgId} and id = ${staffId} and tracking_consent_version is null`.execute(tx)
      await sql`update duty_sessions set consent_version = ${trackingConsentVersion}
        where org_id = ${orgId} and staff_id = ${staffId} and status = 'open' and consent_version is null`.execute(tx)
    })
  }

  async #beginDuty(phone: Phone, departureId: string): Promise<void> {
    const { staffId, storedMs } = phone
    const { rows } = await this.#at().call(listDuty, { filters: { staffId: [staffId], status: ['open'] } })
    const [open] = rows
    const isOver = open && Date.parse(open.startedAt) + longestDutyHours * 3_600_000 <= this.#ago(0).getTime()
    if (open && !isOver) return this.#hearOn(phone, Date.parse(open.startedAt))
    // What a phone stored belongs to a duty that had begun by then.
    const begun = this.#ago(storedMs)
    const dispatcher = this.#dispatcher.at(begun)
    // a minute before the job that ends forgotten duty has been there
    if (open) await dispatcher.call(endDutyFor, { id: open.id, version: open.version })
    await dispatcher.call(beginDutyFor, { staffId, vehicleId: null, departureId })
    this.#hearOn(phone, begun.getTime())
  }

  /** A silent phone is heard for a moment on each duty, since nobody misses one that was never heard. Nothing is stored of a time before. */
  #hearOn(phone: Phone, dutyFrom: number): void {
    if (phone.silentAt === Infinity || phone.dutyFrom === dutyFrom) return
    const isFirst = phone.dutyFrom === undefined
    phone.dutyFrom = dutyFrom
    if (isFirst && dutyFrom <= this.#ago(phone.storedMs).getTime()) return
    phone.storedMs = 0
    phone.silentAt = this.#services.clock.now().getTime() + heardMs
  }

  async #pair({ staffId, name }: { readonly staffId: string; readonly name: string }): Promise<string> {
    const { rows } = await this.#at().call(listDevices, { filters: { staffId: [staffId] } })
    const id =
      rows[0]?.id ??
      (
        await this.#at().call(addDevice, {
          label: `${name}, demo`,
          staffId,
          vehicleId: null,
          reportIntervalS: reportMs / 1000,
        })
      ).id
    const { code } = await this.#at().call(pairDevice, { id })
    return (await this.#at().call(redeemPairing, { code })).token
  }

  /** What was stored first, one request for each position, as the app itself does. */
  async #sendDue(phone: Phone, now: number): Promise<number | null> {
    const { stored } = phone
    stored.push(now)
    if (hasNoNetwork(phone, now)) return null
    let status: number | null = null
    for (let [at] = stored; at !== undefined; [at] = stored) {
      status = await this.#sendFix(phone, at)
      // it keeps what was not taken
      if (status !== null && status >= 400) break
      stored.shift()
    }
    return status
  }

  async #sendFix({ app, token, visits, storedMs, silentAt }: Phone, now: number): Promise<number | null> {
    if (now > silentAt) return null
    const recorded = now - storedMs
    const at = Math.max(recorded, visits[0]?.arriveAt ?? recorded)
    const { point, speedMps } = whereAt(visits, at, away)
    const seconds = Math.floor(recorded / 1000)
    const { query, body } = phoneApps[app]({ ...point, seconds, speedMps, ...howExactAndFull[app] })
    const { status } = await this.#send(`${trackPath(token)}${query}`, body && post(body))
    return status
  }
}

const hasNoNetwork = ({ app, silentAt }: Phone, now: number): boolean =>
  app === lossOf.app && silentAt === Infinity && now % lossOf.everyMs < lossOf.lostMs

const post = (body: object): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
})

/** The plan, later by what it is late already, and by no less than `leastMs`. */
function visitsOf({ stops }: Departure, leastMs: number): TrueVisit[] {
  const ahead = stops.find(({ actualArriveAt, status }) => actualArriveAt === null && status !== 'skipped')
  const lateMs = Math.max(leastMs, (ahead?.delaySeconds ?? 0) * 1000)
  return stops.flatMap(({ lat, lng, plannedArriveAt, plannedDepartAt, status }) =>
    lat === null || lng === null || status === 'skipped'
      ? []
      : [
          {
            place: { lat, lng },
            arriveAt: Date.parse(plannedArriveAt) + lateMs,
            departAt: Date.parse(plannedDepartAt) + lateMs,
          },
        ],
  )
}
