import * as z from 'zod/mini'
import { callable } from '../callable.ts'
import { Id, Version, write } from '../fields.ts'
import { amountMinorOf, type BookedUnit, BookedUnits, paxOf, type TourUnit } from '../units.ts'
import { Booking, Contact, takeBackMinutes, tellGuest, writtenWithMoney } from './bookings.ts'

/** Units that are left of those of a party when others go; empty when all of them go. */
export function unitsLeft(units: readonly BookedUnit[], going: readonly BookedUnit[]): BookedUnit[] {
  return units.flatMap(({ unitType, quantity }) => {
    const left = quantity - (going.find((unit) => unit.unitType === unitType)?.quantity ?? 0)
    return left > 0 ? [{ unitType, quantity: left }] : []
  })
}

/** Which part of a party goes, by what its seats cost, or by people where they cost nothing; 0 to 1. */
export function seatShare(
  units: readonly BookedUnit[],
  going: readonly BookedUnit[],
  prices: readonly TourUnit[],
): number {
  const all = amountMinorOf(units, prices)
  return all > 0 ? amountMinorOf(going, prices) / all : paxOf(going, prices) / paxOf(units, prices)
}

interface PaidParty {
  readonly units: readonly BookedUnit[]
  readonly amountTotalMinor: number
  readonly amountPaidMinor: number
  readonly cancellationFeeMinor: number
}

/**
 * What a part of a party takes along: its share of the price, by what its seats cost, and of what was paid. What was kept for guests who cancelled
 * stays where it is. Minor units.
 *
 * @param prices What the seats of the party cost.
 */
export function shareOf(
  { units, amountTotalMinor, amountPaidMinor, cancellationFeeMinor }: PaidParty,
  going: readonly BookedUnit[],
  prices: readonly TourUnit[],
): { totalMinor: number; paidMinor: number } {
  const totalMinor = Math.round((amountTotalMinor - cancellationFeeMinor) * seatShare(units, going, prices))
  const paidMinor = amountTotalMinor > 0 ? Math.round(amountPaidMinor * (totalMinor / amountTotalMinor)) : 0
  return { totalMinor, paidMinor }
}

/** Who gets a booking of their own. */
export const goers = {
  /** Seats that go. */
  units: BookedUnits,
  /** Travelers who go; seats without a name go by themselves. */
  guests: z.array(Id).check(z.maxLength(500)),
  contact: Contact,
}

export const splitParty = callable({
  name: 'bookings-split',
  kind: 'write',
  permission: 'bookings:manage',
  summary:
    'Gives some guests of a party a booking of their own on the same departure, with their share of the price and of what was paid. Somebody has to stay.',
  input: write({
    id: Id,
    version: Version,
    ...goers,
    tellGuest,
  }),
  output: z.object({ booking: Booking, other: Booking }),
  writes: writtenWithMoney,
})

export const joinParties = callable({
  name: 'bookings-join',
  kind: 'write',
  permission: 'bookings:manage',
  summary:
    'Makes one party of two on the same departure: guests, seats, price and payments of the other booking come to this one, and the other is cancelled.',
  input: write({ id: Id, version: Version, other: z.object({ id: Id, version: Version }), tellGuest }),
  output: z.object({ booking: Booking, other: Booking }),
  writes: writtenWithMoney,
})

export const restoreJoin = callable({
  name: 'bookings-restore-join',
  kind: 'write',
  permission: 'bookings:manage',
  summary: `Makes two parties again of the one that they became, for ${takeBackMinutes} minutes and while nothing followed: guests, seats, price and payments of each.`,
  /** Either of the two. */
  input: write({ id: Id, version: Version }),
  output: z.object({ booking: Booking, other: Booking }),
  writes: writtenWithMoney,
})
