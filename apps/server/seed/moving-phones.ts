import { type Departure, getDeparture, listDepartures } from '@tour-ops/contract/departures/departures'
import { addDevice, listDevices, pairDevice, redeemPairing, trackPath } from '@tour-ops/contract/tracking/devices'
import { type TrueVisit, whereAt } from '@tour-ops/contract/tracking/arrivals/simulated-track'
import { beginDutyFor, endDutyFor, listDuty, trackingConsentVersion } from '@tour-ops/contract/tracking/duty'
import { longestDutyHours } from '@tour-ops/contract/tracking/duty-terms'
import { sql } from 'kysely'
import type { Services } from '../src/context.ts'
import { roundTheClock } from './data/tours.ts'
import type { Person } from './person.ts'
import { runningStatuses } from '@tour-ops/contract/state-machines'
import { dayMs } from './spans.ts'

/** Between two positions of a phone. */
export const reportMs = 5_000
/** The first departure of the day and the bus of every hour are at least this late, so that there is something to decide. */
const lateMs = 25 * 60_000
/** The phone of the first one after that reports for this long and then falls silent. */
const heardMs = 40_000
const away = { wanderM: 20, bend: 0.12 }

/** Sends a request; `fetch` outside of tests. */
export type Send = (path: string, init?: RequestInit) => Promise<Response>

const protocols = ['osmand', 'owntracks'] as const

/** How the phone of a departure is. */
interface Habits {
  readonly isLate: boolean
  readonly isSilent: boolean
  readonly speaks: (typeof protocols)[number] | undefined
}

interface Phone {
  readonly staffId: string
  /** Its protocol. */
  readonly protocol: (typeof protocols)[number]
  readonly token: string
  readonly visits: readonly TrueVisit[]
  readonly silentAt: number
}

/**
 * Phones of the demo's guides: they follow the routes of what is out, through the same address and in the same words as real ones. The first
 * departure of one day and the bus of every hour run late, and the phone of the first one after that falls silent.
 *
 * @see docs/domain.md, "Demo organization"
 */
export class MovingPhones {
  readonly #services: Services
  readonly #send: Send
  readonly #dispatcher: Person
  readonly #phones = new Map<string, Phone>()

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
    // on a tour of several days neither would be seen: what is late today is the plan of tomorrow there
    const ofOneDay = rows.filter(({ startsAt, endsAt }) => Date.parse(endsAt) - Date.parse(startsAt) < dayMs)
    const silent = ofOneDay.find((row, place) => place > 0 && row.tourCode !== roundTheClock)
    for (const [place, row] of rows.entries()) {
      const { id, tourCode } = row
      if (this.#phones.has(id)) continue
      const isLate = row === ofOneDay[0] || tourCode === roundTheClock
      const phone = await this.#handOut(id, { isLate, isSilent: row === silent, speaks: protocols[place % 2] })
      if (phone) this.#phones.set(id, phone)
    }
    // also in the morning of a day in the middle of a tour: the duty of the day before has ended
    for (const [id, { staffId }] of this.#phones) await this.#beginDuty(staffId, id)
  }

  /** One position of each phone. */
  async report(): Promise<void> {
    const now = this.#services.clock.now().getTime()
    const answers = await Promise.all(
      [...this.#phones].map(async ([id, phone]) => [id, await this.#sendFix(phone, now)] as const),
    )
    // an unpaired phone is handed out again with the next look
    for (const [id, status] of answers) if (status === 400) this.#phones.delete(id)
  }

  #at(): Person {
    return this.#dispatcher.at(this.#services.clock.now())
  }

  async #handOut(departureId: string, { isLate, isSilent, speaks = 'osmand' }: Habits): Promise<Phone | null> {
    const departure = await this.#at().call(getDeparture, { id: departureId })
    const guide = departure.crew.find(
      ({ role, status }) => role === 'lead_guide' && ['accepted', 'on_duty'].includes(status),
    )
    const visits = visitsOf(departure, isLate ? lateMs : 0)
    if (!guide || visits.length < 2) return null
    await this.#agree(guide.staffId)
    const token = await this.#pair(guide)
    const silentAt = isSilent ? this.#services.clock.now().getTime() + heardMs : Infinity
    return { staffId: guide.staffId, token, visits, silentAt, protocol: speaks }
  }

  /** People of the demo have no accounts with which they could agree themselves. */
  async #agree(staffId: string): Promise<void> {
    const { orgId } = this.#dispatcher
    const scope = { orgId, actor: { kind: 'system', id: null }, action: 'demo', requestId: 'demo' } as const
    await this.#services.db.transaction(scope, async (tx) => {
      await sql`update field_staff set tracking_consent_version = ${trackingConsentVersion}, tracking_consent_at = app_now()
        where org_id = ${orgId} and id = ${staffId} and tracking_consent_version is null`.execute(tx)
      await sql`update duty_sessions set consent_version = ${trackingConsentVersion}
        where org_id = ${orgId} and staff_id = ${staffId} and status = 'open' and consent_version is null`.execute(tx)
    })
  }

  async #beginDuty(staffId: string, departureId: string): Promise<void> {
    const { rows } = await this.#at().call(listDuty, { filters: { staffId: [staffId], status: ['open'] } })
    const [open] = rows
    const isOver =
      open && Date.parse(open.startedAt) + longestDutyHours * 3_600_000 <= this.#services.clock.now().getTime()
    // a minute before the job that ends forgotten duty has been there
    if (isOver) await this.#at().call(endDutyFor, { id: open.id, version: open.version })
    if (!open || isOver) await this.#at().call(beginDutyFor, { staffId, vehicleId: null, departureId })
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

  async #sendFix({ protocol, token, visits, silentAt }: Phone, now: number): Promise<number | null> {
    if (now > silentAt) return null
    const at = Math.max(now, visits[0]?.arriveAt ?? now)
    const { point, speedMps } = whereAt(visits, at, away)
    const seconds = Math.floor(now / 1000)
    const path = trackPath(token)
    const { status } =
      protocol === 'osmand'
        ? await this.#send(
            `${path}?lat=${point.lat}&lon=${point.lng}&timestamp=${seconds}&speed=${speedMps / knot}&accuracy=8&batt=76`,
          )
        : await this.#send(path, {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify({
              _type: 'location',
              lat: point.lat,
              lon: point.lng,
              tst: seconds,
              vel: Math.round(speedMps * 3.6),
              acc: 9,
              batt: 58,
            }),
          })
    return status
  }
}

/** m/s */
const knot = 1852 / 3600

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
