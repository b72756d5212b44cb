import * as z from 'zod/mini'
import { callable } from '../callable.ts'
import { changedText, Id, MoneyMinor, optionalText, text, Version, whole, write } from '../fields.ts'
import { BookedUnits } from '../units.ts'
import { Channel } from './channels.ts'
import { Booking, Contact, Guest, keptFee, takeBackMinutes, tellGuest, writtenWithRooms } from './bookings.ts'

export const reviseBooking = callable({
  name: 'bookings-revise',
  kind: 'write',
  permission: 'bookings:manage',
  summary: `Changes departure, seats, guests, contact, channel, pickup, discount, price and notes of a booking in one step, all of it or nothing; its contact is told once. What is left out, or is so already, stays as it is. Without enough seats: \`aborted\`, reason \`seats_exhausted\`. Can be undone for ${takeBackMinutes} minutes.`,
  input: write({
    id: Id,
    version: Version,
    /** Another one: the party moves there. */
    departureId: z.optional(Id),
    /** Of a party that moves: its seats cost what they do there. Otherwise those it has bought keep their price. */
    atPriceThere: z._default(z.boolean(), false),
    /** All seats of the party afterwards. */
    units: z.optional(BookedUnits),
    /** All guests with a name afterwards; who is left out leaves the manifest. */
    guests: z.optional(z.array(Guest).check(z.maxLength(500))),
    /** Who comes instead of somebody else: `guest`, counted from 0, has the seat, room and pickup of who leaves. */
    swaps: z._default(z.array(z.object({ leaving: Id, guest: whole(0, 499) })).check(z.maxLength(500)), []),
    contact: z.optional(Contact),
    channel: z.optional(Channel),
    sellerName: changedText(120),
    externalRef: changedText(80),
    /** Of the departure that the party is on afterwards. */
    pickupStopId: z.optional(z.nullable(Id)),
    notes: changedText(2000),
    /** A code that is taken as at a sale at this moment, or null for none; left out, the discount stays the amount that it is. */
    discountCode: z.optional(z.nullable(text(40))),
    /** Left out: what was agreed on, with the difference that seats, tour and discount make. Another one takes a reason. */
    amountTotalMinor: z.optional(MoneyMinor),
    priceReason: optionalText(200),
    isOnAgentCredit: z.optional(z.boolean()),
    ...keptFee,
    /** The form that holds the seats which the change takes. */
    formId: z.optional(Id),
    tellGuest,
  }),
  output: z.object({
    booking: Booking,
    /** References of waiting parties that were offered seats. */
    promoted: z.array(z.string()),
  }),
  writes: [...writtenWithRooms, 'travelers'],
})

export const restoreRevision = callable({
  name: 'bookings-restore-revision',
  kind: 'write',
  permission: 'bookings:manage',
  summary: `Makes a booking again what it was before it was last revised, for ${takeBackMinutes} minutes and while nothing followed; refused without enough seats. Notes and ages of guests stay as they are, and so do new profiles.`,
  input: write({ id: Id, version: Version }),
  output: Booking,
  writes: writtenWithRooms,
})
