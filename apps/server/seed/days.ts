import type { Out } from '@tour-ops/contract/callable'
import { listDepartures, setDepartureStatus } from '@tour-ops/contract/departures/departures'
import { checkIn, getManifest, markNoShow } from '@tour-ops/contract/bookings/manifest'
import {
  type DepartureStop,
  listDepartureStops,
  markStop,
  recordHeadcount,
} from '@tour-ops/contract/departures/run-sheet'
import pLimit from 'p-limit'
import { newId } from '../src/platform/ids.ts'
import type { SeededDeparture } from './calendar.ts'
import { roundTheClock } from './data/tours.ts'
import { type Person, sideBySide } from './person.ts'
import type { Random } from './random.ts'
import { minuteMs } from './spans.ts'

type Status = Out<typeof listDepartures>['rows'][number]['status']

/** The stop from which tours of today are late. */
const lateFrom: Readonly<Record<string, number>> = { GOLD: 4, [roundTheClock]: 2 }

/** Minutes late at a stop; the scripted Golden Circle loses 18 minutes at Geysir, and the loop bus at its first turn. See docs/domain.md, "Demo organization". */
function delayMin(departure: SeededDeparture, isToday: boolean, stopOrder: number, usual: number): number {
  const from = isToday ? lateFrom[departure.tourCode] : undefined
  if (from !== undefined) return stopOrder >= from ? 18 : 2
  return usual
}

/** Lives through every departure that has begun, up to now: boarding, check-ins, stops, the end. */
export async function seedDays(
  dispatcher: Person,
  departures: readonly SeededDeparture[],
  random: Random,
  now: Date,
): Promise<void> {
  const begun = departures
    .filter(({ startsAt }) => Date.parse(startsAt) - 60 * minuteMs <= now.getTime())
    .map((departure) => ({ departure, choices: random.fork() }))
  await pLimit(sideBySide).map(begun, ({ departure, choices }) =>
    runDeparture(new Day(dispatcher.apart(), departure, now), choices),
  )
}

/** One departure, watched through a clock that never passes now. */
class Day {
  readonly departure: SeededDeparture
  readonly #dispatcher: Person
  readonly #now: Date
  #version: number

  constructor(dispatcher: Person, departure: SeededDeparture, now: Date) {
    this.#dispatcher = dispatcher
    this.departure = departure
    this.#now = now
    this.#version = departure.version
  }

  get isToday(): boolean {
    return this.#now.getTime() - Date.parse(this.departure.startsAt) < 24 * 60 * minuteMs
  }

  /** Whether this minute, counted from a moment, has come. */
  reached(moment: string, plusMin = 0): boolean {
    return Date.parse(moment) + plusMin * minuteMs <= this.#now.getTime()
  }

  at(moment: string, plusMin = 0): Person {
    return this.#dispatcher.at(new Date(Date.parse(moment) + plusMin * minuteMs))
  }

  /** The stops as they are now: each mark carries the delay on to those behind it and gives them a new version. */
  async stops(): Promise<readonly DepartureStop[]> {
    return (await this.#dispatcher.call(listDepartureStops, { departureIds: [this.departure.id] })).stops
  }

  async cancel(cancelReason: 'low_pax' | 'staff', reason: string): Promise<void> {
    const { id, startsAt } = this.departure
    if (!this.reached(startsAt, -90)) return
    await this.at(startsAt, -90).call(setDepartureStatus, {
      id,
      version: this.#version,
      to: 'cancelled',
      cancelReason,
      reason,
    })
  }

  async become(to: Status, moment: string, plusMin: number): Promise<void> {
    const { id } = this.departure
    if (to === 'completed') this.#version = await this.#readVersion()
    const dispatcher = this.at(moment, plusMin)
    const changed = await dispatcher.call(setDepartureStatus, { id, version: this.#version, to, reason: 'As planned' })
    this.#version = changed.version
  }

  /** Marks on the way may have made the departure late, which is a new version. */
  async #readVersion(): Promise<number> {
    const { code, localDate } = this.departure
    const { rows } = await this.#dispatcher.call(listDepartures, {
      q: code,
      filters: { from: localDate, to: localDate },
    })
    return rows.find((row) => row.code === code)?.version ?? this.#version
  }
}

async function runDeparture(day: Day, random: Random): Promise<void> {
  const { departure } = day
  if (departure.seatsConfirmed === 0) return day.cancel('low_pax', 'Nobody booked')
  if (!departure.leadGuide) return day.cancel('staff', 'No guide was free')
  await day.become('boarding', departure.startsAt, -60)
  if (!day.reached(departure.startsAt, -10)) return
  const aboard = await boardGuests(day, random)
  const usual = random.weighted([
    [0, 60],
    [2, 20],
    [4, 10],
    [8, 7],
    [14, 3],
  ] as const)
  if (!day.reached(departure.startsAt, usual)) return
  const stops = await day.stops()
  await countHeads(day, stops[0]?.id ?? null, aboard, departure.startsAt, 0)
  await day.become('in_progress', departure.startsAt, usual)
  await visitStops(day, stops, aboard, usual)
  if (day.reached(departure.endsAt, usual)) await day.become('completed', departure.endsAt, usual)
}

/** Nearly everybody comes; who did not is decided by a person at the start. @returns how many are aboard. */
async function boardGuests(day: Day, random: Random): Promise<number> {
  const { id, startsAt } = day.departure
  const manifest = await day.at(startsAt, -10).call(getManifest, { departureId: id })
  const expected = manifest.groups.flatMap((group) => group.parties).flatMap((party) => party.entries)
  const absent = new Set(expected.filter(() => random.chance(0.015)).map((entry) => entry.id))
  const present = expected.filter((entry) => !absent.has(entry.id))
  if (present.length > 0) {
    await day.at(startsAt, -10).call(checkIn, {
      departureId: id,
      entries: present.map((entry) => ({ entryId: entry.id, clientEventId: newId() })),
      method: 'scan',
    })
  }
  if (absent.size > 0 && day.reached(startsAt)) {
    await day.at(startsAt).call(markNoShow, { departureId: id, entryIds: [...absent] })
  }
  return present.length
}

async function countHeads(
  day: Day,
  stopId: string | null,
  counted: number,
  moment: string,
  plusMin: number,
): Promise<void> {
  await day.at(moment, plusMin).call(recordHeadcount, { departureId: day.departure.id, stopId, counted })
}

async function visitStops(day: Day, planned: readonly DepartureStop[], aboard: number, usual: number): Promise<void> {
  for (const [place, stop] of planned.entries()) {
    const late = delayMin(day.departure, day.isToday, stop.order, usual)
    // Nobody leaves the start before the bus is there.
    const arrives = place === 0 ? Math.min(usual, late) : late
    if (!day.reached(stop.plannedArriveAt, arrives)) return
    await mark(day, stop.id, 'arrived', stop.plannedArriveAt, arrives)
    if (place === planned.length - 1 || !day.reached(stop.plannedDepartAt, late)) continue
    if (stop.headcountRequired) await countHeads(day, stop.id, aboard, stop.plannedDepartAt, late)
    await mark(day, stop.id, 'departed', stop.plannedDepartAt, late)
  }
}

async function mark(day: Day, id: string, to: 'arrived' | 'departed', planned: string, late: number): Promise<void> {
  const version = (await day.stops()).find((stop) => stop.id === id)?.version ?? 1
  const at = new Date(Date.parse(planned) + late * minuteMs).toISOString()
  await day.at(planned, late).call(markStop, { id, version, to, at })
}
