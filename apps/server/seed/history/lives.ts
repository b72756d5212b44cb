import { randomBytes } from 'node:crypto'
import { bookingRefOf } from '@tour-ops/contract/bookings/booking-ref'
import type { UnitType } from '@tour-ops/contract/units'
import { newId } from '../../src/platform/ids.ts'
import type { SeededTour } from '../catalogue.ts'
import { channelWeights } from '../parties.ts'
import type { Random } from '../random.ts'
import type { PastCrew } from './crews.ts'
import { demandOn, lateStarts, leadHours, lostAtStop, weatherRisk } from './demand.ts'
import { type PastGuest, type PastGuests, unitOf } from './guests.ts'
import type { PastDeparture, PastStop } from './past-departures.ts'
import { hourMs, minuteMs } from '../spans.ts'

/** How often there is no time for a stop. */
const skipChance: Readonly<Record<string, number>> = { photo: 0.08, visit: 0.015 }
/** Nothing of a usual day is later than this. */
const latestMin = 50

export interface PastEntry {
  readonly id: string
  readonly guest: PastGuest
  readonly unitType: UnitType
  readonly isAbsent: boolean
  readonly checkedInAt: number
}

export interface PastParty {
  readonly id: string
  readonly ref: string
  readonly channel: string
  readonly units: readonly { readonly unitType: UnitType; readonly quantity: number; readonly priceMinor: number }[]
  readonly totalMinor: number
  readonly bookedAt: number
  readonly isPaid: boolean
  /** When they cancelled it themselves; null where they did not. */
  readonly cancelledAt: number | null
  readonly entries: readonly PastEntry[]
  readonly opinion: Opinion | null
}

/** A party's feedback: 1 to 5 about tour and guide, and 0 to 10 for whether they would recommend us. */
interface Opinion {
  readonly rating: number
  readonly guideRating: number
  readonly nps: number
  readonly ratedAt: number
}

export interface LivedStop extends PastStop {
  readonly isSkipped: boolean
  readonly arrivedAt: number
  readonly leftAt: number
}

/** What became of a departure. */
export interface PastLife {
  readonly departure: PastDeparture
  readonly tour: SeededTour
  readonly crew: PastCrew
  readonly parties: readonly PastParty[]
  /** Null where it ran. */
  readonly cancelReason: 'low_pax' | 'weather' | 'staff' | null
  /** When that was decided, where it did not run. */
  readonly calledOffAt: number
  readonly startedAt: number
  readonly endedAt: number
  readonly stops: readonly LivedStop[]
}

export const isCarried = ({ isAbsent }: PastEntry): boolean => !isAbsent

/** References of bookings, of which none is given twice. */
export class BookingRefs {
  readonly #taken: Set<string>
  readonly #prefix: string

  constructor(prefix: string, taken: Iterable<string>) {
    this.#prefix = prefix
    this.#taken = new Set(taken)
  }

  next(): string {
    for (;;) {
      const ref = bookingRefOf(this.#prefix, randomBytes(6))
      if (this.#taken.has(ref)) continue
      this.#taken.add(ref)
      return ref
    }
  }
}

interface Sources {
  readonly guests: PastGuests
  readonly refs: BookingRefs
  readonly random: Random
  /** How much of the usual demand came: 1, and less in earlier years. */
  readonly demand: number
  /** What is said later has not been said yet; in milliseconds since 1970. */
  readonly now: number
}

/** Sells and lives a departure. Departures are asked for in the order of their start, since guests go from one to the next. */
export function lifeOf(departure: PastDeparture, tour: SeededTour, crew: PastCrew, sources: Sources): PastLife {
  const { random, demand, now } = sources
  const share = demandOn(tour, departure.localDate) * demand * (1.15 + random.next() * 0.35)
  const wanted = Math.min(departure.capacity, Math.round(departure.capacity * share))
  const lateMin = random.weighted(lateStarts)
  const stops = livedStops(departure, lateMin, random)
  const endedAt = Math.max(stops.at(-1)?.arrivedAt ?? 0, departure.endsAt)
  const parties = partiesFor(departure, tour, wanted, sources).map((party): PastParty => {
    const isSilent = party.cancelledAt !== null || !party.entries.some(isCarried) || !random.chance(0.28)
    if (isSilent) return party
    const opinion = opinionOf({ crew, stops, endedAt }, random)
    return opinion.ratedAt > now ? party : { ...party, opinion }
  })
  const sold = parties.reduce((sum, party) => sum + (party.cancelledAt === null ? party.entries.length : 0), 0)
  return {
    departure,
    tour,
    crew,
    parties,
    cancelReason: cancelReasonOf(departure, tour, crew, sold, random),
    calledOffAt: departure.startsAt - random.between(3, 26) * hourMs,
    stops,
    startedAt: departure.startsAt + lateMin * minuteMs,
    endedAt,
  }
}

function cancelReasonOf(
  { minPax, localDate }: PastDeparture,
  tour: SeededTour,
  crew: PastCrew,
  sold: number,
  random: Random,
): PastLife['cancelReason'] {
  if (crew.duties === null) return 'staff'
  // half of the minimum is often enough where guests have come far
  if (sold === 0 || (sold < minPax && (sold * 2 < minPax || random.chance(0.3)))) return 'low_pax'
  return random.chance(weatherRisk(tour, localDate)) ? 'weather' : null
}

function partiesFor(departure: PastDeparture, tour: SeededTour, wanted: number, sources: Sources): PastParty[] {
  const parties: PastParty[] = []
  for (let left = wanted; left > 0;) {
    const party = partyOf(departure, tour, sources.guests.partyFor(departure, tour, left), sources)
    parties.push(party)
    left -= party.entries.length
  }
  return parties
}

function partyOf(
  { startsAt }: PastDeparture,
  tour: SeededTour,
  guests: readonly PastGuest[],
  { refs, random }: Sources,
): PastParty {
  const bookedAt = startsAt - leadHours(random) * hourMs
  const cancelledAt = random.chance(0.05) ? bookedAt + Math.floor(random.next() * (startsAt - bookedAt)) : null
  const isAbsent = random.chance(0.02)
  const entries = guests.map((guest) => ({
    id: newId(),
    guest,
    unitType: unitOf(guest, tour),
    isAbsent,
    checkedInAt: startsAt - random.between(1, 22) * minuteMs,
  }))
  const prices = new Map(tour.prices)
  const units = [...Map.groupBy(entries, ({ unitType }) => unitType)].map(([unitType, { length: quantity }]) => ({
    unitType,
    quantity,
    priceMinor: prices.get(unitType) ?? 0,
  }))
  for (const guest of guests) guest.knownSince = Math.min(guest.knownSince, bookedAt)
  return {
    id: newId(),
    ref: refs.next(),
    channel: random.weighted(channelWeights),
    units,
    totalMinor: units.reduce((sum, { quantity, priceMinor }) => sum + quantity * priceMinor, 0),
    bookedAt,
    isPaid: random.chance(0.95),
    cancelledAt,
    entries,
    opinion: null,
  }
}

/** Guests are the happier, the better their guide is at it, and the less they had to wait. */
function opinionOf({ crew, stops, endedAt }: Pick<PastLife, 'crew' | 'stops' | 'endedAt'>, random: Random): Opinion {
  const leader = crew.duties?.[0]
  const worst = Math.max(0, ...stops.map(({ arrivedAt, arriveAt }) => arrivedAt - arriveAt)) / minuteMs
  const joy = leader ? leader.gift : 0.5
  const rating = random.weighted([
    [5, 40 + joy * 34],
    [4, 28],
    [3, 9 + worst * 0.4],
    [2, 3 + worst * 0.15],
    [1, 1 + worst * 0.1],
  ] as const)
  const guideRating = Math.min(5, rating + (random.chance(0.25 + joy * 0.4) ? 1 : 0))
  const nps = Math.min(10, rating * 2 + random.between(-1, 1))
  return { rating, guideRating, nps, ratedAt: endedAt + random.between(2, 70) * hourMs }
}

/** Delays grow where something takes longer, and shrink by the slack of the plan; each day starts again. */
function livedStops({ startsAt, stops }: PastDeparture, lateMin: number, random: Random): LivedStop[] {
  let delay = lateMin
  let day = 1
  return stops.map((stop, place) => {
    if (stop.dayIndex !== day) delay = 0
    day = stop.dayIndex
    const isFirst = place === 0
    // the bus is there before its guests are complete
    const arrivedAt = isFirst ? Math.min(stop.arriveAt, startsAt) : stop.arriveAt + delay * minuteMs
    if (!isFirst) delay = Math.min(latestMin, Math.max(0, delay - stop.slackMin) + random.weighted(lostAtStop))
    const leftAt = Math.max(arrivedAt, stop.departAt + delay * minuteMs)
    const isBetween = !isFirst && place < stops.length - 1
    return { ...stop, arrivedAt, leftAt, isSkipped: isBetween && random.chance(skipChance[stop.kind] ?? 0) }
  })
}
