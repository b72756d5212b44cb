import { ableStaff } from '../calendar.ts'
import type { Catalogue, SeededStaff, SeededTour } from '../catalogue.ts'
import { type Random, seededRandom } from '../random.ts'
import type { PastDeparture } from './past-departures.ts'
import { hourMs } from '../spans.ts'

/** Crew report this long before the start, and are released this long after the end. */
const aroundMs = 30 * 60_000
/** Rest and hours that a fair planner keeps to as long as somebody else is free. */
const restMs = 11 * hourMs
const weekMs = 7 * 24 * hourMs
const mostHoursPerWeek = 48

/** Time in which somebody or something is taken, in milliseconds since 1970. */
export interface Span {
  readonly from: number
  readonly to: number
}

/** What is taken by whom: staff and vehicles by their ids. */
export type Busy = ReadonlyMap<string, readonly Span[]>

export interface PastDuty extends Span {
  readonly departureId: string
  readonly staffId: string
  readonly role: SeededTour['roles'][number]
  /** How well the person gets on with guests, 0 to 1. */
  readonly gift: number
  /** Freelancers and people of agencies are asked; employees are put on a departure. */
  readonly asked: boolean
  /** What spoke against the person. */
  readonly broken: readonly ('rest' | 'hours')[]
  /** Who was asked before and did not take it. */
  readonly refusal: { readonly staffId: string; readonly how: 'declined' | 'expired' } | null
}

export interface PastCrew {
  /** Null where nobody could lead it. */
  readonly duties: readonly PastDuty[] | null
  readonly vehicleId: string | null
}

/** Who went where: nobody twice at once, the least busy first, as a fair planner would have done it. */
export class Roster {
  readonly #catalogue: Catalogue
  readonly #busy: Map<string, Span[]>
  readonly #random: Random

  constructor(catalogue: Catalogue, busy: Busy, random: Random) {
    this.#catalogue = catalogue
    this.#busy = new Map([...busy].map(([id, spans]) => [id, [...spans]]))
    this.#random = random
  }

  /** Crew and vehicle of a departure; both are taken from then on. */
  crewFor(departure: PastDeparture, tour: SeededTour): PastCrew {
    const span = { from: departure.startsAt - aroundMs, to: departure.endsAt + aroundMs }
    const duties: PastDuty[] = []
    for (const role of tour.roles) {
      if (role === 'porter') continue
      const able = ableStaff(tour, role, this.#catalogue.staff).filter(
        ({ id }) => this.#isFree(id, span) && !duties.some(({ staffId }) => staffId === id),
      )
      const [chosen, ...others] = able.toSorted((a, b) => this.#weight(a, span) - this.#weight(b, span))
      if (!chosen && role === 'lead_guide') return { duties: null, vehicleId: null }
      if (chosen) duties.push(this.#dutyOf(chosen, others, { departureId: departure.id, role, ...span }))
    }
    for (const { staffId } of duties) this.#take(staffId, span)
    const vehicle = this.#catalogue.vehicles.find(
      ({ id, tours }) => tours.includes(tour.code) && this.#isFree(id, span),
    )
    if (vehicle) this.#take(vehicle.id, span)
    return { duties, vehicleId: vehicle?.id ?? null }
  }

  #dutyOf(
    { id: staffId, code, employment }: SeededStaff,
    others: readonly SeededStaff[],
    duty: Pick<PastDuty, 'departureId' | 'role' | 'from' | 'to'>,
  ): PastDuty {
    const refuser = others.find((one) => one.employment !== 'employee')
    const isRefused = refuser !== undefined && this.#random.chance(0.08)
    const how = this.#random.chance(0.7) ? ('declined' as const) : ('expired' as const)
    return {
      ...duty,
      staffId,
      gift: giftOf(code),
      asked: employment !== 'employee',
      broken: this.#broken(staffId, duty),
      refusal: isRefused ? { staffId: refuser.id, how } : null,
    }
  }

  #isFree(id: string, { from, to }: Span): boolean {
    return !this.#spansOf(id).some((span) => span.from < to && from < span.to)
  }

  /** Hours in the week before; who would break a rule comes last. */
  #weight({ id }: SeededStaff, span: Span): number {
    return this.#hoursBefore(id, span) + this.#broken(id, span).length * 1000
  }

  #broken(id: string, { from, to }: Span): ('rest' | 'hours')[] {
    const isTight = this.#spansOf(id).some((span) => span.from < to + restMs && from - restMs < span.to)
    const hours = this.#hoursBefore(id, { from, to }) + (to - from) / hourMs
    // a tour of several days has its own rules
    const isLong = to - from < 24 * hourMs && hours > mostHoursPerWeek
    return [...(isTight ? (['rest'] as const) : []), ...(isLong ? (['hours'] as const) : [])]
  }

  #hoursBefore(id: string, { from }: Span): number {
    const since = from - weekMs
    const spans = this.#spansOf(id).filter((span) => span.to > since && span.from < from)
    return spans.reduce((sum, span) => sum + (Math.min(span.to, from) - Math.max(span.from, since)) / hourMs, 0)
  }

  #spansOf(id: string): readonly Span[] {
    return this.#busy.get(id) ?? []
  }

  #take(id: string, span: Span): void {
    this.#busy.set(id, [...this.#spansOf(id), span])
  }
}

/** The same for a person in every demo. */
const giftOf = (code: string): number =>
  seededRandom([...code].reduce((sum, letter) => sum * 31 + (letter.codePointAt(0) ?? 0), 7)).next()
