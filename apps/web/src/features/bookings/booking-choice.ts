import type { TravelerFlag } from '@tour-ops/contract/bookings/manifest'
import { namePartsOf } from '@tour-ops/contract/travelers/names'
import type { DietaryNeed, MobilityNeed } from '@tour-ops/contract/travelers/needs'
import type { BookedUnit, TourUnit, UnitType } from '@tour-ops/contract/units'
import { amountMinorOf, lacksAdult, paxOf } from '@tour-ops/contract/units'
import type { OfferedDay, OfferedDeparture } from './availability.tsx'

/** Who calls, and travels unless they say otherwise. */
export interface Person {
  /** Null for somebody who is only being entered. */
  readonly id: string | null
  readonly name: string
  readonly phone: string | null
  readonly email: string | null
  /** That they are written to in; null where it is not known. */
  readonly language: string | null
  readonly flags: readonly TravelerFlag[]
}

/** How many of each kind. */
export type Quantities = Readonly<Partial<Record<UnitType, number>>>

const unitsOf = (quantities: Quantities): BookedUnit[] =>
  Object.entries(quantities).flatMap(([unitType, quantity]) =>
    quantity > 0 ? [{ unitType: unitType as UnitType, quantity }] : [],
  )

/** One adult, or one of what the tour sells. */
export function firstQuantities(prices: readonly TourUnit[]): Quantities {
  const hasAdult = prices.length === 0 || prices.some((price) => price.unitType === 'adult')
  const [first] = prices
  return { [hasAdult || !first ? 'adult' : first.unitType]: 1 }
}

/** Somebody new, by the first thing that is known of them: what was typed to find them. */
export function callerFrom(typed: string): Person {
  const text = typed.trim()
  const isEmail = text.includes('@')
  const isPhone = !isEmail && /^\+?[\d\s()./-]{5,}$/.test(text)
  return {
    id: null,
    name: isEmail || isPhone ? '' : text.slice(0, 120),
    phone: isPhone ? text : null,
    email: isEmail ? text : null,
    language: null,
    flags: [],
  }
}

/** Somebody who travels with the caller: known by id, or a name that makes a new profile. */
export interface Companion {
  /** Of its line. */
  readonly key: number
  readonly travelerId: string | null
  readonly name: string
  readonly unitType: UnitType
  /** Somebody chose the kind of seat, or bought it: it does not follow the age. */
  readonly isKindSaid?: boolean
  /** Of a known profile: for this trip, besides those that it names. */
  readonly diet: DietaryNeed | null
  /** Null: as in the profile, or none where there is no profile yet. */
  readonly mobility: MobilityNeed | null
  readonly note: string
  /** Years as they were typed, null where that was emptied; undefined until somebody types: as it is known. */
  readonly age: number | null | undefined
  /** Null until somebody says: by the age. */
  readonly childSeat: boolean | null
  /** Of a known profile. */
  readonly flags: readonly TravelerFlag[]
  /** Who has this place so far, of a booking that is changed. */
  readonly placeOf?: string
  /** Was aboard, or did not come: they stay on the booking. */
  readonly isBound?: boolean
}

/** What was said of who calls, on their own line; everything left out follows from the party and the profile. */
export type CallerLine = Partial<
  Pick<Companion, 'unitType' | 'isKindSaid' | 'diet' | 'mobility' | 'note' | 'age' | 'childSeat'>
>

/** Of the line of who calls; those of companions begin with 1. */
export const callerKey = 0

interface Lines {
  readonly own: CallerLine
  readonly companions: readonly Companion[]
}

/** What changes of the choices when something is said on a line. */
export const withLine = ({ own, companions }: Lines, key: number, part: Partial<Companion>): Partial<Lines> =>
  key === callerKey
    ? { own: { ...own, ...part } }
    : { companions: companions.map((guest) => (guest.key === key ? { ...guest, ...part } : guest)) }

/** Lines without a name are seats whose guests are named later. */
export const isNamed = ({ travelerId, name }: Companion): boolean => travelerId !== null || name.trim() !== ''

/** The schema takes no empty first name. */
export function namedBy(name: string): { firstName?: string; lastName: string } {
  const { firstName, lastName } = namePartsOf(name)
  return { ...(firstName !== '' && { firstName }), lastName }
}

/** The kind of the next guest to be named: the first with a seat that nobody has yet. */
export function nextKind(
  { units }: Pick<Party, 'units'>,
  prices: readonly TourUnit[],
  named: readonly UnitType[],
): UnitType {
  const seatsOf = ({ unitType, quantity }: BookedUnit) =>
    quantity * (prices.find((price) => price.unitType === unitType)?.paxCount ?? 1)
  const free = units.find((unit) => named.filter((kind) => kind === unit.unitType).length < seatsOf(unit))
  return (free ?? units[0])?.unitType ?? 'adult'
}

/** A quantity of seats in total, as somebody said it before any kind was named: adults, or whatever the tour sells. */
export const quantitiesFor = (seats: number, prices: readonly TourUnit[]): Quantities =>
  Object.fromEntries(Object.keys(firstQuantities(prices)).map((unitType) => [unitType, seats]))

export interface Party {
  readonly units: BookedUnit[]
  readonly pax: number
  readonly totalMinor: number
  /** Somebody needs an adult and there is none. */
  readonly lacksAdult: boolean
}

export function partyOf(quantities: Quantities, prices: readonly TourUnit[]): Party {
  const units = unitsOf(quantities)
  return {
    units,
    pax: paxOf(units, prices),
    totalMinor: amountMinorOf(units, prices),
    lacksAdult: units.length > 0 && lacksAdult(units, prices),
  }
}

/**
 * Seats after a guest of a kind has left (`by` -1) or come back (1), where the seats follow from who travels: a seat more or less of the kind, unless there
 * are enough or too few of them already (a family ticket seats four).
 *
 * @param staying Named guests who travel then.
 */
export function withGuest(
  quantities: Quantities,
  prices: readonly TourUnit[],
  unitType: UnitType,
  by: 1 | -1,
  staying: number,
): Quantities {
  const { pax } = partyOf(quantities, prices)
  const quantity = quantities[unitType] ?? 0
  const price = prices.find((one) => one.unitType === unitType)
  if (by === 1) return pax < staying && price ? { ...quantities, [unitType]: quantity + 1 } : quantities
  const isFree = quantity > 0 && pax - (price?.paxCount ?? 1) >= staying
  return isFree ? { ...quantities, [unitType]: quantity - 1 } : quantities
}

/**
 * The party cut down to the seats there are: those named last go first, an adult stays as long as anybody does.
 * Null when nothing sensible is left.
 */
export function fittedTo(seats: number, quantities: Quantities, prices: readonly TourUnit[]): Quantities | null {
  const left: Partial<Record<UnitType, number>> = { ...quantities }
  const order = prices.length > 0 ? prices.map((price) => price.unitType) : (['adult'] as UnitType[])
  for (const unitType of order.toReversed()) {
    const needsOne = unitType === 'adult' && order.length > 0
    while (partyOf(left, prices).pax > seats && (left[unitType] ?? 0) > (needsOne ? 1 : 0)) {
      left[unitType] = (left[unitType] ?? 0) - 1
    }
  }
  const party = partyOf(left, prices)
  return party.pax > 0 && party.pax <= seats && !party.lacksAdult ? left : null
}

/** The departure chosen, else the first of the day that still has room (for everybody, if there is one), else the first. */
export function departureOf(
  day: OfferedDay | undefined,
  chosenId: string | null,
  asked = 1,
): OfferedDeparture | undefined {
  const chosen = day?.departures.find((departure) => departure.id === chosenId)
  if (chosen) return chosen
  const open = day?.departures.filter((departure) => departure.state !== 'closed')
  const withRoom = (seats: number) => open?.find((departure) => departure.seatsLeft >= seats)
  return withRoom(Math.max(1, asked)) ?? withRoom(1) ?? open?.[0]
}

/** The day chosen, else the first with seats (for everybody, if there is one), else the first with a departure. */
export function dayOf(days: readonly OfferedDay[], chosen: string | null, asked = 1): OfferedDay | undefined {
  return (
    days.find((day) => day.localDate === chosen) ??
    days.find((day) => day.seatsLeft >= Math.max(1, asked)) ??
    days.find((day) => day.seatsLeft > 0) ??
    days.find((day) => day.departures.length > 0)
  )
}

interface Trip {
  readonly departureId: string
  readonly code: string
  readonly startsAt: string
  readonly endsAt: string
  readonly bookingStatus: string
  readonly departureStatus: string
  readonly entryStatus: string | null
}

/** Another trip of the same person at the same time, or the same departure twice. */
export function clashingTrip<T extends Trip>(
  trips: readonly T[],
  departure: Pick<OfferedDeparture, 'id' | 'startsAt' | 'endsAt'>,
): T | undefined {
  const [from, to] = [Date.parse(departure.startsAt), Date.parse(departure.endsAt)]
  return trips.find(
    (trip) =>
      ['confirmed', 'on_hold', 'requested'].includes(trip.bookingStatus) &&
      trip.entryStatus !== 'cancelled' &&
      trip.departureStatus !== 'cancelled' &&
      Date.parse(trip.startsAt) < to &&
      Date.parse(trip.endsAt) > from,
  )
}

/** When a hold made now ends: after the minutes that settings give, and never after the start. */
export const holdEnd = (now: number, holdMinutes: number, startsAt: string): string =>
  new Date(Math.min(now + holdMinutes * 60_000, Date.parse(startsAt))).toISOString()

interface NamedTour {
  readonly id: string
  readonly name: string
}

/** The tours on sale and a party's own, which may be archived by now. */
export const toursWith = (
  tours: readonly NamedTour[],
  own: { readonly tourId: string; readonly tourName: string } | undefined,
): readonly NamedTour[] =>
  own && !tours.some((tour) => tour.id === own.tourId) ? [{ id: own.tourId, name: own.tourName }, ...tours] : tours
