import * as z from 'zod/mini'
import { callable } from '../callable.ts'
import { Count, Id, Instant, LocalDate, LocalTime, Named, whole } from '../fields.ts'
import { statusesOf } from '../state-machines.ts'
import { OptionPrices, TourUnit } from '../units.ts'
import { FormHold } from './form-hold.ts'

/** What a departure still sells. See docs/domain.md, "Seats, holds and the waitlist". */
export const availabilityStates = ['available', 'limited', 'sold_out', 'closed'] as const

export const getAvailability = callable({
  name: 'availability-get',
  kind: 'read',
  permission: 'bookings:read',
  summary: 'Seats left of a tour, day by day, with prices and pickups.',
  input: z.object({
    tourId: Id,
    from: LocalDate,
    days: z._default(whole(1, 62), 7),
    /** The booking form that asks: what it holds itself is free for it. */
    formId: z.optional(Id),
    /** A booking that may go elsewhere, or become larger: its own seats are free for it. */
    bookingId: z.optional(Id),
  }),
  output: z.object({
    timeZone: z.string(),
    /** As the tour asks; see `unitsAt` for a departure whose option asks otherwise. */
    units: z.array(TourUnit),
    days: z.array(
      z.object({
        localDate: LocalDate,
        /** Most seats that one party can get on this day. */
        seatsLeft: Count,
        departures: z.array(
          z.object({
            id: Id,
            code: z.string(),
            startTimeLocal: LocalTime,
            startsAt: Instant,
            endsAt: Instant,
            /** Of several that the tour has; null where it was made without one. */
            optionName: z.nullable(z.string()),
            /** What its option asks otherwise than the tour; null where it was made without one. */
            optionPrices: z.nullable(OptionPrices),
            /** Takes one party only. */
            isPrivate: z.boolean(),
            language: z.nullable(z.string()),
            leadGuide: z.nullable(Named),
            status: z.enum(statusesOf('departures')),
            salesStatus: z.enum(statusesOf('departure_sales')),
            capacity: Count,
            seatsTaken: Count,
            seatsLeft: Count,
            waitlistCount: Count,
            /** What open forms hold, without that of the form that asks. */
            formHolds: z.array(FormHold),
            state: z.enum(availabilityStates),
            pickups: z.array(
              z.object({ stopId: Id, placeName: z.string(), lat: z.number(), lng: z.number(), at: Instant }),
            ),
          }),
        ),
      }),
    ),
  }),
  topics: [
    'assignments',
    'bookings',
    'departure_stops',
    'departures',
    'field_staff',
    'members',
    'places',
    'proposals',
    'tour_options',
    'tour_revisions',
  ],
  rowTopics: ['tours'],
})
