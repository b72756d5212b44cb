import * as z from 'zod/mini'
import { channels } from '../bookings/channels.ts'
import { Count, Id, Instant, Version } from '../fields.ts'

/** A party on a departure of a file who is not in it, or not all of them. */
export const MissingParty = z.object({
  bookingId: Id,
  version: Version,
  bookingRef: z.string(),
  departureCode: z.string(),
  /** Of the departure. */
  startsAt: Instant,
  channel: z.enum(channels),
  sellerName: z.nullable(z.string()),
  /** The file has bookings of the same channel and seller: it should have had this one. */
  isSameSeller: z.boolean(),
  /** The booking is not in the file at all. Otherwise some of its guests are. */
  isWhole: z.boolean(),
  seats: Count,
  /** Names of those who are not in the file; of a booking without names that of its contact. */
  guests: z.array(z.string()),
  /** The same as travelers; of a booking without names nobody. */
  travelerIds: z.array(Id),
})
export type MissingParty = z.output<typeof MissingParty>
