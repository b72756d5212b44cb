import * as z from 'zod/mini'
import { BookingRef } from './booking-ref.ts'
import { Channel } from './channels.ts'
import { callable } from '../callable.ts'
import {
  ById,
  Count,
  Country,
  CsvFile,
  Currency,
  Email,
  Id,
  Instant,
  Language,
  LocalDate,
  LocalTime,
  MoneyMinor,
  optionalText,
  orNull,
  Phone,
  someOf,
  text,
  Version,
  whole,
  write,
} from '../fields.ts'
import { anyOf, exportInput, listInput, listOutput } from '../paging.ts'
import { statusesOf } from '../state-machines.ts'
import { dietaryNeeds, mobilityNeeds } from '../travelers/needs.ts'
import { BookedUnit, BookedUnits, unitTypes } from '../units.ts'
import { PaymentMethod } from './payments.ts'
import type { LiveTopic } from '../live/live-paths.ts'

export const bookingStatuses = statusesOf('bookings')
export const bookingKinds = ['fit', 'seat_in_coach', 'closed_group'] as const
export const paymentStatuses = ['unpaid', 'deposit', 'paid', 'refunded', 'agent_credit'] as const
export const bookingCancelReasons = [
  'guest_request',
  'departure_cancelled',
  'payment',
  'duplicate',
  'no_show_policy',
  'other',
] as const

/** Who pays and receives messages. */
export const Contact = z.object({
  name: text(120, 'contact_missing'),
  email: orNull(Email),
  phone: orNull(Phone),
  locale: orNull(Language),
  country: orNull(Country),
})

export const BookingRow = z.object({
  id: Id,
  version: Version,
  bookingRef: z.string(),
  departureId: Id,
  departureCode: z.string(),
  tourName: z.string(),
  startsAt: Instant,
  timeZone: z.string(),
  localDate: LocalDate,
  startTimeLocal: LocalTime,
  /** A confirmed booking of a cancelled departure is still to be moved or refunded. */
  departureStatus: z.enum(statusesOf('departures')),
  status: z.enum(bookingStatuses),
  kind: z.enum(bookingKinds),
  channel: Channel,
  sellerName: z.nullable(z.string()),
  externalRef: z.nullable(z.string()),
  contact: z.object({
    name: z.string(),
    email: z.nullable(z.string()),
    phone: z.nullable(z.string()),
    locale: z.nullable(z.string()),
    country: z.nullable(z.string()),
  }),
  units: z.array(BookedUnit),
  pax: Count,
  amountTotalMinor: MoneyMinor,
  /** Why it costs something else than its seats; null where it costs what they do, or nobody said. */
  priceReason: z.nullable(z.string()),
  /** What a code took off when it was sold; part of the price. */
  discount: z.nullable(z.object({ code: z.string(), amountMinor: MoneyMinor })),
  amountPaidMinor: MoneyMinor,
  /** Kept for seats that were given up: part of the price, and all that is left of it when the booking is cancelled. */
  cancellationFeeMinor: MoneyMinor,
  cancellationFeeReason: z.nullable(z.string()),
  currency: z.string(),
  paymentStatus: z.enum(paymentStatuses),
  pickupStopId: z.nullable(Id),
  pickupPlaceName: z.nullable(z.string()),
  pickupAt: z.nullable(Instant),
  notes: z.nullable(z.string()),
  /** End of a hold. */
  expiresAt: z.nullable(Instant),
  /** Place in the queue, 1 is next; null unless waitlisted. */
  waitlistRank: z.nullable(Count),
  createdAt: Instant,
  confirmedAt: z.nullable(Instant),
  cancelledAt: z.nullable(Instant),
  cancelReason: z.nullable(z.string()),
  /** What its party wrote on its page and nobody of the office has read. */
  unreadMessages: Count,
})
export type BookingRow = z.output<typeof BookingRow>

export const Booking = z.object({
  ...BookingRow.shape,
  guests: z.array(
    z.object({
      entryId: z.nullable(Id),
      travelerId: Id,
      name: z.string(),
      unitType: z.enum(unitTypes),
      status: z.nullable(z.enum(statusesOf('manifest_entries'))),
      /** Of the profile and for this trip. */
      dietary: z.array(z.enum(dietaryNeeds)),
      /** For this trip only; null for nothing else than the profile says. */
      tripDietary: z.nullable(z.enum(dietaryNeeds)),
      tripMobility: z.nullable(z.enum(mobilityNeeds)),
      /** On this trip: of the profile, unless something else was said. */
      mobility: z.enum(mobilityNeeds),
      /** For this trip. */
      note: z.nullable(z.string()),
      childSeat: z.boolean(),
      /** When a guest last confirmed name and diet on the link of the booking. */
      confirmedAt: z.nullable(Instant),
      /** The profile was changed after that. */
      isChangedSince: z.boolean(),
    }),
  ),
  nextStatuses: z.array(z.enum(bookingStatuses)),
})
export type Booking = z.output<typeof Booking>

export const bookingFilters = {
  departureId: anyOf(Id),
  travelerId: anyOf(Id),
  tourId: anyOf(Id),
  status: anyOf(z.enum(bookingStatuses)),
  channel: anyOf(Channel),
  paymentStatus: anyOf(z.enum(paymentStatuses)),
  /** Local start day of the departure, both included. */
  from: z.optional(LocalDate),
  to: z.optional(LocalDate),
  /** With messages of guests that nobody has read, or without. */
  unread: z.optional(z.boolean()),
}
export const bookingSortable = [
  'startsAt',
  'createdAt',
  'bookingRef',
  'contact',
  'status',
  'pax',
  'balance',
  'expiresAt',
  'waitlistRank',
] as const

export const listBookings = callable({
  name: 'bookings-list',
  kind: 'read',
  permission: 'bookings:read',
  summary: 'Bookings; guides see those of their own departures.',
  input: listInput(bookingFilters, bookingSortable),
  output: listOutput(BookingRow),
  topics: ['booking_messages', 'bookings', 'departures', 'manifest_entries', 'places', 'tours'],
})

export const exportBookings = callable({
  name: 'bookings-export',
  kind: 'read',
  permission: 'bookings:read',
  summary: 'The filtered bookings as CSV.',
  input: exportInput(bookingFilters, bookingSortable),
  output: CsvFile,
  topics: [],
})

export const getBooking = callable({
  name: 'bookings-get',
  kind: 'read',
  permission: 'bookings:read',
  summary: 'One booking with its guests.',
  input: ById,
  output: Booking,
  topics: ['booking_messages', 'bookings', 'departure_stops', 'manifest_entries', 'places', 'tours'],
  rowTopics: ['departures', 'travelers'],
})

/** Guests younger than this need a child seat, unless somebody says otherwise. */
export const childSeatUnderAge = 12

/** A guest of a booking: somebody known, or a name that makes a new profile. */
export const Guest = z
  .object({
    travelerId: z.optional(Id),
    firstName: z.optional(text(80)),
    lastName: z.optional(text(80)),
    /** Of a new profile, like everything that follows; what is known of somebody is changed in their profile. */
    phone: orNull(Phone),
    email: orNull(Email),
    language: orNull(Language),
    dietary: z._default(someOf(dietaryNeeds), []),
    mobility: z._default(z.enum(mobilityNeeds), 'none'),
    unitType: z.enum(unitTypes),
    /** For this trip, of somebody new as of somebody known. Left out: none, or what it is already. */
    note: z.optional(z.nullable(text(300))),
    /** For this trip, besides the diets of the profile. Left out: none, or what it is already. */
    tripDietary: z.optional(z.nullable(z.enum(dietaryNeeds))),
    /** For this trip, instead of what the profile says. Left out: as the profile says, or as it is already. */
    tripMobility: z.optional(z.nullable(z.enum(mobilityNeeds))),
    /** Years on the day of the departure, where prices or rules depend on them. Left out: as it is, of somebody new on the booking as was said for another trip. */
    age: z.optional(z.nullable(whole(0, 120))),
    childSeat: z.optional(z.boolean()),
  })
  .check(
    z.refine((guest) => guest.travelerId !== undefined || guest.lastName !== undefined, {
      path: ['lastName'],
      error: 'traveler_or_name_missing',
    }),
  )

/** Why a booking costs something else than its seats do. */
const priceReason = optionalText(200)

/** False: the contact is told nothing, whatever the rules of the organization say. */
export const tellGuest = z._default(z.boolean(), true)

/** What is kept of what seats cost that are given up. */
export const keptFee = {
  /** Left out: by the rule of the tour. Another one takes a reason. */
  feeMinor: z.optional(MoneyMinor),
  feeReason: optionalText(200),
}

/** How long seats are held, unless settings or the caller say otherwise. See docs/domain.md, "Seats, holds and the waitlist". */
export const defaultHoldMinutes = 24 * 60

export const createBooking = callable({
  name: 'bookings-create',
  kind: 'write',
  permission: 'bookings:manage',
  summary:
    'Holds or confirms seats, or joins the waitlist. Without enough seats: `aborted`, reason `seats_exhausted`, with `seatsLeft`, `asked`, `waitlistRank` and `lastSoldAt`.',
  input: write({
    departureId: Id,
    /** The booking form whose seats are sold, where it holds some on this departure. */
    formId: z.optional(Id),
    mode: z.enum(['hold', 'confirm', 'waitlist']),
    kind: z._default(z.enum(bookingKinds), 'seat_in_coach'),
    channel: z._default(Channel, 'direct'),
    sellerName: optionalText(120),
    externalRef: optionalText(80),
    bookingRef: z.optional(BookingRef),
    contact: Contact,
    units: BookedUnits,
    /** Named guests, at most one per seat; seats without a name are filled in later. */
    guests: z._default(z.array(Guest).check(z.maxLength(500)), []),
    pickupStopId: orNull(Id),
    notes: optionalText(2000),
    holdMinutes: z.optional(whole(5, 60 * 24 * 60)),
    /** Left out: the price list of the tour decides. Another price takes a reason. */
    amountTotalMinor: z.optional(MoneyMinor),
    priceReason,
    discountCode: optionalText(40),
    /** What is paid at once: becomes the first payment. */
    amountPaidMinor: z._default(MoneyMinor, 0),
    paidBy: z.optional(PaymentMethod),
    currency: z.optional(Currency),
    /** Whether an agent settles it; nobody is asked to pay at boarding. */
    isOnAgentCredit: z._default(z.boolean(), false),
    tellGuest,
  }),
  output: Booking,
  writes: [
    'bookings',
    'departures',
    'deliveries',
    'manifest_entries',
    'messages',
    'notification_rules',
    'payments',
    'travelers',
    'proposals',
  ],
})

export const updateBooking = callable({
  name: 'bookings-update',
  kind: 'write',
  permission: 'bookings:manage',
  summary:
    'Changes contact, pickup, notes and price; seats change with the party, by moving or cancelling, what was paid by recording payments.',
  input: write({
    id: Id,
    version: Version,
    contact: Contact,
    sellerName: optionalText(120),
    externalRef: optionalText(80),
    pickupStopId: orNull(Id),
    notes: optionalText(2000),
    /** Another one takes a reason. */
    amountTotalMinor: MoneyMinor,
    priceReason,
    /** Left out: as it is. */
    isOnAgentCredit: z.optional(z.boolean()),
    /** Of another pickup. */
    tellGuest,
  }),
  output: Booking,
  writes: ['bookings', 'deliveries', 'manifest_entries', 'messages', 'notification_rules'],
})

export const nameGuests = callable({
  name: 'bookings-name-guests',
  kind: 'write',
  permission: 'bookings:manage',
  summary: 'Names the guests of a booking; guests left out are removed from the manifest.',
  input: write({
    id: Id,
    version: Version,
    guests: z.array(Guest).check(z.maxLength(500)),
    /** Who comes instead of somebody else: `guest`, counted from 0, has the seat, room and pickup of who leaves. */
    swaps: z._default(z.array(z.object({ leaving: Id, guest: whole(0, 499) })).check(z.maxLength(500)), []),
  }),
  output: Booking,
  writes: ['bookings', 'manifest_entries', 'room_assignments', 'travelers'],
})

/** What is written where guests, seats and money of a booking change, with who is told of it. */
export const writtenWithMoney: LiveTopic[] = [
  'bookings',
  'departures',
  'deliveries',
  'manifest_entries',
  'messages',
  'notification_rules',
  'payments',
  'proposals',
]

/** The same where guests may get or lose rooms with their seats. */
export const writtenWithRooms: LiveTopic[] = [...writtenWithMoney, 'room_assignments']

export const confirmBooking = callable({
  name: 'bookings-confirm',
  kind: 'write',
  permission: 'bookings:manage',
  summary: 'Turns a hold or a request into a booking; an expired hold is refused by database time.',
  input: write({
    id: Id,
    version: Version,
    /** What is paid with it: becomes a payment. */
    amountPaidMinor: z._default(MoneyMinor, 0),
    paidBy: z.optional(PaymentMethod),
    tellGuest,
  }),
  output: Booking,
  writes: writtenWithMoney,
})

export const rejectBooking = callable({
  name: 'bookings-reject',
  kind: 'write',
  permission: 'bookings:manage',
  summary: 'Declines a request.',
  input: write({ id: Id, version: Version, reason: optionalText(300) }),
  output: Booking,
  // a hold on the departure that has run out ends as well, and who waits is offered its seats
  writes: ['bookings', 'departures', 'deliveries', 'manifest_entries', 'messages', 'notification_rules', 'proposals'],
})

export const offerBooking = callable({
  name: 'bookings-offer',
  kind: 'write',
  permission: 'bookings:manage',
  summary: 'Holds seats for a waitlisted party and tells it, or holds them again for an expired hold.',
  input: write({ id: Id, version: Version, holdMinutes: z.optional(whole(5, 60 * 24 * 60)) }),
  output: Booking,
  // guests of an ended hold are on the manifest again
  writes: ['bookings', 'deliveries', 'departures', 'manifest_entries', 'messages', 'notification_rules', 'proposals'],
})

export const extendHold = callable({
  name: 'bookings-extend-hold',
  kind: 'write',
  permission: 'bookings:manage',
  summary: 'Extends a hold.',
  input: write({ id: Id, version: Version, until: Instant }),
  output: Booking,
  writes: ['bookings', 'proposals'],
})

/** Minutes in which a move can be undone, also to a departure that is no longer sold, and a cancellation. */
export const takeBackMinutes = 15

/** Where a party is picked up on the departure that it goes to. Left out: the same place as before, where that one stops there. */
export const pickupStopId = z.optional(z.nullable(Id))
/** Seats cost what they do there: what was agreed on changes by the difference. Otherwise the price stays. */
export const atPriceThere = z._default(z.boolean(), false)

export const moveBookings = callable({
  name: 'bookings-move',
  kind: 'write',
  permission: 'bookings:manage',
  summary: `Moves parties to another departure, of any tour, all of them or none; refused without enough seats. The move can be undone for ${takeBackMinutes} minutes.`,
  input: write({
    parties: z
      .array(
        z.object({
          id: Id,
          version: Version,
          pickupStopId,
        }),
      )
      .check(z.minLength(1), z.maxLength(100)),
    toDepartureId: Id,
    atPriceThere,
    /** Those whose booking is confirmed, by the rule of the organization. */
    tellGuests: tellGuest,
  }),
  output: z.object({
    departureCode: z.string(),
    parties: z.array(z.object({ id: Id, version: Version })),
    /** References of waiting parties that were offered the seats left behind. */
    promoted: z.array(z.string()),
  }),
  writes: [
    'bookings',
    'departures',
    'deliveries',
    'manifest_entries',
    'messages',
    'notification_rules',
    'room_assignments',
    'proposals',
  ],
})

export const cancelBooking = callable({
  name: 'bookings-cancel',
  kind: 'write',
  permission: 'bookings:manage',
  summary: 'Cancels a booking, frees its seats and offers them to the first waiting party that fits.',
  input: write({
    id: Id,
    version: Version,
    reason: z.enum(bookingCancelReasons),
    note: optionalText(500),
    ...keptFee,
    tellGuest,
  }),
  output: z.object({ booking: Booking, promoted: z.array(z.string()) }),
  writes: ['bookings', 'departures', 'deliveries', 'manifest_entries', 'messages', 'notification_rules', 'proposals'],
})

export const restoreBooking = callable({
  name: 'bookings-restore',
  kind: 'write',
  permission: 'bookings:manage',
  summary: `Undoes a cancellation, for ${takeBackMinutes} minutes and while nothing followed; refused without enough seats. One that became part of another leaves it again.`,
  input: write({ id: Id, version: Version }),
  output: Booking,
  writes: writtenWithMoney,
})
