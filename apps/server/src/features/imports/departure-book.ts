import type { Tx } from '../../platform/db/database.ts'
import { impossibleDayIn } from './import-dates.ts'
import type { Problem } from './import-problems.ts'
import { type DepartureFacts, selectDepartures, selectTours } from './plan-store.ts'
import { type Proposals, proposalKey } from './new-departures.ts'
import { type KnownTour, TourMatcher } from './tour-match.ts'
import type { RowValues } from './row-values.ts'
import { hasStatus, notLeftStatuses } from '@tour-ops/contract/state-machines'

export type Found = { readonly departure: DepartureFacts } | Omit<Problem, 'column'>

/** Departures that a file names and that are not there, and whether the import makes them. */
export interface NewOnes {
  readonly proposals: Proposals
  readonly areMade: boolean
}

const noNews: NewOnes = { proposals: new Map(), areMade: false }

/** The departures that a file names, each read once, with the seats that its earlier lines have taken. */
export class DepartureBook {
  readonly #byCode = new Map<string, DepartureFacts | null>()
  readonly #byDay = new Map<string, DepartureFacts[]>()
  readonly #words: Readonly<Record<string, string>>
  #tours: TourMatcher | undefined
  /** Seats that are free by the capacity. */
  readonly #seatsFree = new Map<string, number>()
  /** Private departures that have their party. */
  readonly #given = new Set<string>()
  readonly #news: NewOnes
  readonly #newByDay = new Map<string, DepartureFacts[]>()

  /**
   * @param words Words of the file with what they mean.
   * @param news Departures that are not there.
   */
  constructor(words: Readonly<Record<string, string>> = {}, news: NewOnes = noNews) {
    this.#words = words
    this.#news = news
    for (const proposal of news.proposals.values()) {
      if (!('departure' in proposal)) continue
      const { departure } = proposal
      const day = dayKey(departure.tourId, departure.localDate)
      const others = (this.#newByDay.get(day) ?? []).filter(({ id }) => id !== departure.id)
      this.#newByDay.set(day, [...others, departure])
      this.#seatsFree.set(departure.id, departure.seatsFree)
    }
  }

  /** Reads those that are not known yet. */
  async load(tx: Tx, orgId: string, rows: readonly RowValues[]): Promise<void> {
    const codes = new Set<string>()
    const days = new Map<string, { tour: string; date: string }>()
    const namesTours = rows.some(({ departureCode, tourCode }) => departureCode === undefined && tourCode !== undefined)
    if (namesTours) this.#tours ??= new TourMatcher(await selectTours(tx, orgId), this.#words)
    for (const { departureCode, tourCode, startDate } of rows) {
      if (departureCode !== undefined) {
        if (!this.#byCode.has(departureCode)) codes.add(departureCode)
      } else if (tourCode !== undefined && startDate !== undefined) {
        for (const { id } of this.#tours?.find(tourCode) ?? []) {
          const key = dayKey(id, startDate)
          if (!this.#byDay.has(key)) days.set(key, { tour: id, date: startDate })
        }
      }
    }
    if (codes.size === 0 && days.size === 0) return
    const found = await selectDepartures(tx, orgId, { codes: [...codes], days: [...days.values()] })
    for (const code of codes) this.#byCode.set(code, found.find((departure) => departure.code === code) ?? null)
    for (const [key, { tour, date }] of days) {
      this.#byDay.set(
        key,
        found.filter((each) => each.tourId === tour && each.localDate === date),
      )
    }
    for (const { id, seatsFree, isPrivate, isTaken } of found) {
      if (this.#seatsFree.has(id)) continue
      this.#seatsFree.set(id, seatsFree)
      if (isPrivate && isTaken) this.#given.add(id)
    }
  }

  find({ departureCode, tourCode, startDate, startTime }: RowValues): Found {
    if (departureCode !== undefined) {
      const departure = this.#byCode.get(departureCode)
      return departure ? { departure } : unknownCode(departureCode)
    }
    if (tourCode === undefined || startDate === undefined) return { code: 'departure_missing', params: {} }
    const said = [tourCode, startDate, startTime].filter(Boolean).join(' ')
    const tours = this.#tours?.find(tourCode) ?? []
    if (tours.length === 0) return { code: 'tour_unknown', params: { value: tourCode } }
    const ofDay = tours.flatMap(({ id }) => [
      ...(this.#byDay.get(dayKey(id, startDate)) ?? []),
      ...this.#newOn(id, startDate),
    ])
    const fitting = startTime ? ofDay.filter((departure) => departure.startTime === startTime) : ofDay
    if (fitting.length > 1)
      return {
        code: 'departure_ambiguous',
        params: {
          code: said,
          fits: fitting
            .map(({ code }) => code)
            .slice(0, listed)
            .join(', '),
        },
      }
    return fitting[0] ? { departure: fitting[0] } : this.#notThere(tours, startDate, startTime ?? null, said)
  }

  /** Departures of a day that the import makes. */
  #newOn(tour: string, date: string): DepartureFacts[] {
    return this.#news.areMade ? (this.#newByDay.get(dayKey(tour, date)) ?? []) : []
  }

  /** Why a line has no departure: it can be made, or it cannot. */
  #notThere(tours: readonly KnownTour[], date: string, time: string | null, said: string): Found {
    const [tour, another] = tours
    const proposal = tour && !another ? this.#news.proposals.get(proposalKey(tour.id, date, time)) : undefined
    if (proposal && !('departure' in proposal)) return proposal
    // without a time one that other lines name may be meant
    const isNamed = proposal ?? (time === null && tours.some(({ id }) => this.#newByDay.has(dayKey(id, date))))
    return { code: isNamed ? 'departure_not_made' : 'departure_unknown', params: { code: said } }
  }

  /** @param hasSeats Whether the party has seats there already, and asks for more. */
  seatsLeft(departureId: string, hasSeats: boolean): number {
    if (this.#given.has(departureId) && !hasSeats) return 0
    return Math.max(0, this.#seatsFree.get(departureId) ?? 0)
  }

  take({ id, isPrivate }: DepartureFacts, seats: number): void {
    this.#seatsFree.set(id, (this.#seatsFree.get(id) ?? 0) - seats)
    if (isPrivate && seats > 0) this.#given.add(id)
  }
}

/** Departures that a reason names. */
const listed = 5

const dayKey = (tour: string, date: string): string => `${tour} ${date}`

function unknownCode(code: string): Omit<Problem, 'column'> {
  const impossible = impossibleDayIn(code)
  return impossible
    ? { code: 'departure_date_impossible', params: { code, ...impossible } }
    : { code: 'departure_unknown', params: { code } }
}

/**
 * Why a departure takes no new guests; undefined when it does. The rules of a booking: the cut-off applies to everybody but walk-ins.
 */
export function sellingEnded(
  departure: Pick<DepartureFacts, 'status' | 'salesStatus' | 'cutoffAt'>,
  now: Date,
  channel: string,
): string | undefined {
  if (!hasStatus(notLeftStatuses, departure.status)) return departure.status
  if (departure.salesStatus !== 'open') return departure.salesStatus
  return channel !== 'walk_in' && departure.cutoffAt !== null && now >= departure.cutoffAt ? 'cutoff' : undefined
}
