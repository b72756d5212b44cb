import * as z from 'zod/mini'
import { callable } from '../callable.ts'
import { ById, Id, MoneyMinor, Version, write } from '../fields.ts'
import type { StatusOf } from '../state-machines.ts'
import { amountMinorOf, type BookedUnit, BookedUnits, TourUnit } from '../units.ts'
import { Booking, tellGuest } from './bookings.ts'

/** Whether a booking in this status takes seats of its departure. */
export const takesSeats = (status: StatusOf<'bookings'>): boolean => status === 'on_hold' || status === 'confirmed'

/** What a party costs that becomes another one: what was agreed on, with the difference; a price that somebody set by hand stays set. */
export const totalAfterMinor = (
  agreedMinor: number,
  before: readonly BookedUnit[],
  after: readonly BookedUnit[],
  prices: readonly TourUnit[],
): number => Math.max(0, agreedMinor + amountMinorOf(after, prices) - amountMinorOf(before, prices))

export const getParty = callable({
  name: 'bookings-party',
  kind: 'read',
  permission: 'bookings:manage',
  summary: 'Prices for a party that changes: what it bought costs what it cost, everything else what the tour asks.',
  input: ById,
  output: z.object({ prices: z.array(TourUnit) }),
  topics: ['bookings', 'departures', 'org_settings', 'tour_revisions'],
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
    /** Left out: what was agreed on, with the difference that the seats make. */
    amountTotalMinor: z.optional(MoneyMinor),
    tellGuest,
  }),
  output: z.object({ booking: Booking, promoted: z.array(z.string()) }),
  writes: ['bookings', 'departures', 'deliveries', 'manifest_entries', 'messages', 'notification_rules'],
})
