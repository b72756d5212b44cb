import * as z from 'zod/mini'
import { callable } from '../callable.ts'
import { Id, Version, write } from '../fields.ts'
import { atPriceThere, Booking, pickupStopId, takeBackMinutes, tellGuest, writtenWithRooms } from './bookings.ts'
import { goers } from './split.ts'

const output = z.object({
  booking: Booking,
  other: Booking,
  /** References of waiting parties that were offered the seats left behind. */
  promoted: z.array(z.string()),
})

export const moveSomeGuests = callable({
  name: 'bookings-move-some',
  kind: 'write',
  permission: 'bookings:manage',
  summary:
    'Moves some guests of a party to another departure, of any tour, in a booking of their own with their share of the price and of what was paid. Somebody has to stay. Without enough seats: `aborted`, reason `seats_exhausted`.',
  input: write({ id: Id, version: Version, toDepartureId: Id, ...goers, pickupStopId, atPriceThere, tellGuest }),
  output,
  writes: writtenWithRooms,
})

export const bringSomeBack = callable({
  name: 'bookings-bring-some-back',
  kind: 'write',
  permission: 'bookings:manage',
  summary: `Undoes that some guests of a party were moved, for ${takeBackMinutes} minutes: they are on its booking and its departure again.`,
  /** The party that became smaller, and the booking of those who went. */
  input: write({ id: Id, version: Version, other: z.object({ id: Id, version: Version }) }),
  output,
  writes: writtenWithRooms,
})
