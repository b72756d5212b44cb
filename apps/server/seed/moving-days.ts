import type { Out } from '@tour-ops/contract/callable'
import { checkIn, getManifest, markNoShow } from '@tour-ops/contract/bookings/manifest'
import { getDeparture, listDepartures, setDepartureStatus } from '@tour-ops/contract/departures/departures'
import { type DepartureStop, listDepartureStops, recordHeadcount } from '@tour-ops/contract/departures/run-sheet'
import type { Services } from '../src/context.ts'
import { newId } from '../src/platform/ids.ts'
import { roundTheClock } from './data/tours.ts'
import type { Person } from './person.ts'
import { type Random, seededRandom } from './random.ts'
import { awaitedStatuses, runningStatuses } from '@tour-ops/contract/state-machines'
import { minuteMs } from './spans.ts'

type Row = Out<typeof listDepartures>['rows'][number]

/** Boarding begins this long before the start. */
const boardingMin = 60
/** Guests come within this time before their pickup. */
const comingMin = 14
/** Missing guests are waited for this long after the start. */
const waitingMin = 7
/** Heads are counted this long before a stop is left. */
const countingMin = 4

/** How often something goes otherwise than planned, from 0 to 1. */
interface Habits {
  /** Of guests: they do not come. */
  readonly absent: number
  /** Of head counts on the way: somebody is missing at first. */
  readonly miscounted: number
}
const usualHabits: Habits = { absent: 0.02, miscounted: 0.08 }

/** Minutes after the plan at which departures leave, with their weights. */
const lateness = [
  [0, 55],
  [2, 25],
  [5, 15],
  [11, 5],
] as const

/**
 * What crew and guests of the demo do while it runs: guests come to their pickups, departures leave and come back, heads are counted. It does
 * what is due and nothing twice, so that whatever a visitor undoes or decides stays as they left it. Where departures are
 * comes from their phones.
 *
 * @see docs/domain.md, "Demo organization"
 */
export class MovingDays {
  readonly #services: Services
  readonly #crew: Person
  readonly #habits: Habits
  /** Steps that were taken once. */
  readonly #taken = new Set<string>()

  constructor(services: Services, crew: Person, habits: Habits = usualHabits) {
    this.#services = services
    this.#crew = crew
    this.#habits = habits
  }

  /** Takes the steps that are due. One that is refused, since something is still to be decided, is tried again with the next look. */
  async look(signal?: AbortSignal): Promise<void> {
    for (const departure of await this.#around()) {
      if (signal?.aborted) return
      try {
        await this.#live(departure)
      } catch (error) {
        this.#services.log.debug({ err: error, departure: departure.code }, 'the demo waits for a decision')
      }
    }
  }

  get #now(): number {
    return this.#services.clock.now().getTime()
  }

  #at(): Person {
    return this.#crew.at(this.#services.clock.now())
  }

  #isDue(moment: string, plusMin = 0): boolean {
    return Date.parse(moment) + plusMin * minuteMs <= this.#now
  }

  /** What is out, and what leaves soon. */
  async #around(): Promise<readonly Row[]> {
    const day = (plusDays: number) => new Date(this.#now + plusDays * 24 * 60 * minuteMs).toISOString().slice(0, 10)
    const list = { sort: [{ by: 'startsAt' as const }], size: 200 }
    const out = await this.#at().call(listDepartures, { ...list, filters: { status: [...runningStatuses] } })
    const ahead = await this.#at().call(listDepartures, {
      ...list,
      filters: { status: [...awaitedStatuses], from: day(-1), to: day(1) },
    })
    // a departure that should have left long ago was missed: the office is notified and decides
    return [...out.rows, ...ahead.rows.filter(({ endsAt }) => Date.parse(endsAt) > this.#now)]
  }

  async #live(departure: Row): Promise<void> {
    if (departure.status === 'boarding') return this.#board(departure)
    if (departure.status === 'in_progress') return this.#accompany(departure)
    const isReady = departure.leadGuide !== null && departure.seatsConfirmed > 0
    if (isReady && this.#isDue(departure.startsAt, -boardingMin)) await this.#become(departure.id, 'boarding')
  }

  async #board({ id, startsAt }: Row): Promise<void> {
    const manifest = await this.#at().call(getManifest, { departureId: id })
    const expected = manifest.groups.flatMap(({ at, parties }) =>
      parties.flatMap(({ entries }) =>
        entries.filter(({ status }) => status === 'expected').map((one) => ({ ...one, at })),
      ),
    )
    const here = expected.filter((guest) => {
      const choices = choicesOf(guest.id)
      const comes = !choices.chance(this.#habits.absent) && !this.#taken.has(guest.id)
      return comes && this.#isDue(guest.at, -choices.between(0, comingMin))
    })
    if (here.length > 0) {
      const entries = here.map((guest) => ({ entryId: guest.id, clientEventId: newId() }))
      await this.#at().call(checkIn, { departureId: id, entries, method: 'scan' })
      for (const guest of here) this.#taken.add(guest.id)
    }
    const missing = expected.filter((guest) => !here.includes(guest)).map((guest) => guest.id)
    const late = choicesOf(id).weighted(lateness)
    if (!this.#isDue(startsAt, missing.length > 0 ? Math.max(late, waitingMin) : late)) return
    if (missing.length > 0) await this.#at().call(markNoShow, { departureId: id, entryIds: missing })
    const [first] = await this.#stops(id)
    if (first) await this.#count(id, first.id, 0)
    await this.#become(id, 'in_progress')
  }

  /** The bus of every hour leaves each turn one guest short until it is back, so that there is a count that does not match whenever somebody looks. */
  async #accompany({ id, endsAt, delaySeconds, tourCode }: Row): Promise<void> {
    const stops = await this.#stops(id)
    const [first, last] = [stops[0], stops.at(-1)]
    const isBack = last?.actualArriveAt != null || this.#isDue(endsAt, delaySeconds / 60)
    if (tourCode === roundTheClock) {
      const reached = isBack ? last : (stops.findLast(({ actualArriveAt }) => actualArriveAt !== null) ?? first)
      if (reached) await this.#count(id, reached.id, isBack ? 0 : 1)
    } else {
      for (const stop of stops) if (this.#isToCount(stop)) await this.#countAtStop(id, stop)
    }
    if (isBack) await this.#become(id, 'completed')
  }

  /** Shortly before they leave, unless somebody has counted; who was missing is found also where the bus left by then. */
  #isToCount({
    id,
    headcountRequired,
    headcountActual,
    actualArriveAt,
    actualDepartAt,
    dwellMin,
  }: DepartureStop): boolean {
    if (!headcountRequired || actualArriveAt === null) return false
    if (this.#taken.has(counted(id, 1))) return true
    return headcountActual === null && actualDepartAt === null && this.#isDue(actualArriveAt, dwellMin - countingMin)
  }

  /** Now and then somebody is missing at first, and is there when it is time to leave. */
  async #countAtStop(id: string, { id: stopId, actualArriveAt, dwellMin }: DepartureStop): Promise<void> {
    if (!choicesOf(stopId).chance(this.#habits.miscounted)) return this.#count(id, stopId, 0)
    const isTimeToLeave = this.#isDue(actualArriveAt ?? '', dwellMin)
    await this.#count(id, stopId, isTimeToLeave ? 0 : 1)
  }

  async #count(id: string, stopId: string, missing: number): Promise<void> {
    const step = counted(stopId, missing)
    if (this.#taken.has(step)) return
    const { aboard } = (await this.#at().call(getManifest, { departureId: id })).counts
    const reason = missing > 0 ? 'One guest is not back yet' : null
    await this.#at().call(recordHeadcount, {
      departureId: id,
      stopId,
      counted: Math.max(0, aboard - missing),
      reason,
    })
    this.#taken.add(step)
  }

  async #become(id: string, to: 'boarding' | 'in_progress' | 'completed'): Promise<void> {
    const step = `${id} ${to}`
    if (this.#taken.has(step)) return
    const { version } = await this.#at().call(getDeparture, { id })
    await this.#at().call(setDepartureStatus, { id, version, to, reason: 'As planned' })
    this.#taken.add(step)
  }

  async #stops(id: string): Promise<readonly DepartureStop[]> {
    return (await this.#at().call(listDepartureStops, { departureIds: [id] })).stops
  }
}

/** The step of counting at a stop. */
const counted = (stopId: string, missing: number): string => `${stopId} counted, ${missing} missing`

/** The same choices at every look, for whatever has the id. */
const choicesOf = (id: string): Random => seededRandom(Number.parseInt(id.slice(-8), 16))
