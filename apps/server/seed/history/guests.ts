import type { UnitType } from '@tour-ops/contract/units'
import { newId } from '../../src/platform/ids.ts'
import type { SeededTour } from '../catalogue.ts'
import { dietaryOf, inventedName, type InventedName, mobilityOf } from '../guests.ts'
import type { Random } from '../random.ts'
import type { PastDeparture } from './past-departures.ts'
import { dayMs } from '../spans.ts'

/** A holiday: for this long after their first tour, guests come along on others of the same base. */
const stayMs = 8 * dayMs
/** Guests who come again later come after this long. */
const awayMs = 30 * dayMs

export interface PastGuest {
  readonly id: string
  readonly firstName: string
  readonly lastName: string
  readonly country: string
  readonly language: string
  readonly dietary: readonly string[]
  readonly mobility: string
  readonly isYoung: boolean
  readonly dateOfBirth: string
  /** When they first booked, in milliseconds since 1970. */
  knownSince: number
  /** Tours that they have been on by now, and the end of the last. */
  tours: number
  lastAt: number
}

interface House {
  readonly guests: readonly PastGuest[]
  readonly since: number
  /** Tours that they have been on in these days: nobody goes twice. */
  readonly tours: Set<string>
  /** They are on tour until then. */
  until: number
}

const partySizes = [
  [1, 16],
  [2, 48],
  [3, 12],
  [4, 16],
  [5, 5],
  [6, 3],
] as const

/** Guests of the past: parties that come for a few days, go on a tour or three, and now and then come back another year. */
export class PastGuests {
  readonly #random: Random
  readonly #staying = new Map<string, House[]>()
  readonly #gone: House[] = []

  constructor(random: Random) {
    this.#random = random
  }

  /** Everybody who ever came, in the order in which they did. */
  readonly all: PastGuest[] = []

  /** A party of at most this many for a departure; departures are asked for in the order of their start. */
  partyFor({ startsAt, endsAt }: PastDeparture, tour: SeededTour, most: number): readonly PastGuest[] {
    const staying = (this.#staying.get(tour.timeZone) ?? []).filter((house) => this.#keep(house, startsAt))
    this.#staying.set(tour.timeZone, staying)
    const fits = (house: House) => house.until < startsAt && house.guests.length <= most && !house.tours.has(tour.code)
    const again = this.#random.chance(0.55) ? staying.find(fits) : undefined
    const house = again ?? this.#back(startsAt, most) ?? this.#newcomers(startsAt, most)
    if (!again) staying.push(house)
    house.tours.add(tour.code)
    house.until = endsAt
    return house.guests
  }

  #keep(house: House, now: number): boolean {
    if (now - house.since < stayMs) return true
    this.#gone.push(house)
    return false
  }

  /** Somebody who was here long ago. */
  #back(now: number, most: number): House | null {
    if (!this.#random.chance(0.05)) return null
    const place = this.#gone.findIndex(({ until, guests }) => until < now - awayMs && guests.length <= most)
    const [house] = place === -1 ? [] : this.#gone.splice(place, 1)
    return house ? { ...house, since: now, tours: new Set() } : null
  }

  #newcomers(now: number, most: number): House {
    const size = Math.min(most, this.#random.weighted(partySizes))
    const name = inventedName(this.#random)
    const hasChildren = size > 2 && this.#random.chance(0.6)
    const guests = Array.from({ length: size }, (_, place) =>
      this.#guest(place === 0 ? name : this.#companion(name), hasChildren && place >= 2, now),
    )
    this.all.push(...guests)
    return { guests, since: now, tours: new Set(), until: 0 }
  }

  /** Families share a name, friends do not. */
  #companion({ list, lastName }: InventedName): InventedName {
    const random = this.#random
    return {
      list,
      firstName: random.pick(list.first),
      lastName: random.chance(0.7) ? lastName : random.pick(list.last),
    }
  }

  #guest({ list, firstName, lastName }: InventedName, isYoung: boolean, now: number): PastGuest {
    const random = this.#random
    const year = new Date(now).getUTCFullYear() - (isYoung ? random.between(8, 15) : random.between(20, 78))
    const two = (number: number) => String(number).padStart(2, '0')
    return {
      id: newId(),
      firstName,
      lastName,
      country: list.country,
      language: list.language,
      dietary: dietaryOf(random),
      mobility: mobilityOf(random),
      isYoung,
      dateOfBirth: `${year}-${two(random.between(1, 12))}-${two(random.between(1, 28))}`,
      knownSince: now,
      tours: 0,
      lastAt: 0,
    }
  }
}

/** What a guest is sold as on a tour: young people as such where it has a price for them. */
export const unitOf = ({ isYoung }: PastGuest, { prices }: SeededTour): UnitType =>
  isYoung && prices.some(([unitType]) => unitType === 'youth') ? 'youth' : 'adult'
