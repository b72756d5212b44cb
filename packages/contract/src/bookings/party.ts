import * as z from 'zod/mini'
import { callable } from '../callable.ts'
import { ById, Id, MoneyMinor, Version, write } from '../fields.ts'
import type { StatusOf } from '../state-machines.ts'
import { amountMinorOf, type BookedUnit, BookedUnits, TourUnit } from '../units.ts'
import { Booking, keptFee, takeBackMinutes, tellGuest } from './bookings.ts'
import { CancellationRule } from './cancellation.ts'

/** Whether a booking in this status takes seats of its departure. */
export const takesSeats = (status: StatusOf<'bookings'>): boolean => status === 'on_hold' || status === 'confirmed'

/** What a party costs that becomes another one: what was agreed on, with the difference; a price that somebody set by hand stays set. */
export const totalAfterMinor = (
  agreedMinor: number,
  before: readonly BookedUnit[],
  after: readonly BookedUnit[],
  prices: readonly TourUnit[],
): number => Math.max(0, agreedMinor + amountMinorOf(after, prices) - amountMinorOf(before, prices))

interface SoldParty {
  readonly units: readonly BookedUnit[]
  readonly amountTotalMinor: number
  readonly currency: string
}

/**
 * What a party costs at the prices of another tour: what was agreed on, with the difference. Null where a kind of its seats is not sold there, is for another
 * number of people, or costs another currency.
 *
 * @param here What its seats cost so far, by kind.
 */
export function totalThereMinor(
  { units, amountTotalMinor, currency }: SoldParty,
  here: readonly TourUnit[],
  there: readonly TourUnit[],
): number | null {
  const priceOf = (prices: readonly TourUnit[], { unitType }: BookedUnit) =>
    prices.find((price) => price.unitType === unitType && price.currency === currency)
  const isSoldThere = units.every((unit) => {
    const price = priceOf(there, unit)
    return price !== undefined && price.paxCount === (priceOf(here, unit)?.paxCount ?? price.paxCount)
  })
  if (!isSoldThere) return null
  return Math.max(0, amountTotalMinor + amountMinorOf(units, there) - amountMinorOf(units, here))
}

interface PricedParty {
  readonly pax: number
  readonly amountTotalMinor: number
}

/** What the seats cost that a party gives up: nothing where only their kind changes. Minor units. */
export const givenUpMinor = (before: PricedParty, after: PricedParty): number =>
  after.pax < before.pax ? Math.max(0, before.amountTotalMinor - after.amountTotalMinor) : 0

export const getParty = callable({
  name: 'bookings-party',
  kind: 'read',
  permission: 'bookings:manage',
  summary:
    'Prices for a party that changes: what it bought costs what it cost, everything else what the tour asks; and how much goes back today for seats that are given up.',
  input: z.object({
    ...ById.shape,
    /** Where else it may go: everything else costs what the tour of that departure asks. */
    departureId: z.optional(Id),
  }),
  output: z.object({ prices: z.array(TourUnit), cancellation: CancellationRule }),
  topics: ['bookings', 'departures', 'org_settings', 'tour_options', 'tour_revisions', 'tours'],
})

export const changeParty = callable({
  name: 'bookings-change-party',
  kind: 'write',
  permission: 'bookings:manage',
  summary:
    'Adds or cancels guests of a booking, or changes their kinds of seats. Without enough seats: `aborted`, reason `seats_exhausted`. Seats that are given up are offered to who waits.',
  input: write({
    id: Id,
    version: Version,
    /** All seats of the party afterwards. */
    units: BookedUnits,
    /** Travelers who leave the manifest; nobody who was aboard. */
    leaving: z._default(z.array(Id).check(z.maxLength(500)), []),
    /** Left out: what was agreed on, with the difference that the seats make, and what is kept of those that are given up. */
    amountTotalMinor: z.optional(MoneyMinor),
    ...keptFee,
    tellGuest,
  }),
  output: z.object({ booking: Booking, promoted: z.array(z.string()) }),
  writes: ['bookings', 'departures', 'deliveries', 'manifest_entries', 'messages', 'notification_rules', 'proposals'],
})

export const restoreParty = callable({
  name: 'bookings-restore-party',
  kind: 'write',
  permission: 'bookings:manage',
  summary: `Makes a party again what it was before its seats changed: guests, seats, kinds and price, for ${takeBackMinutes} minutes and while nothing followed; refused without enough seats, and where more guests are named than there were seats.`,
  input: write({ id: Id, version: Version }),
  output: Booking,
  writes: ['bookings', 'departures', 'deliveries', 'manifest_entries', 'messages', 'notification_rules', 'proposals'],
})

export const restoreNames = callable({
  name: 'bookings-restore-names',
  kind: 'write',
  permission: 'bookings:manage',
  summary: `Undoes who was last named on a booking: who left is back with seat, room and pickup, who came is not on the manifest any more; for ${takeBackMinutes} minutes and while nothing followed. Notes and ages stay as they are.`,
  input: write({ id: Id, version: Version }),
  output: Booking,
  writes: ['bookings', 'manifest_entries', 'room_assignments'],
})
