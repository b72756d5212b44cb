import * as z from 'zod/mini'
import { callable } from '../callable.ts'
import { Count, Id, Instant, whole, write } from '../fields.ts'
import { Channel } from './channels.ts'

/** Seconds that a booking form holds its seats for; an open form renews that. */
export const formHoldSeconds = 120

/** Booking forms of one person that hold seats at once. The schema enforces it. */
export const maxFormsPerPerson = 5

export const holdSeats = callable({
  name: 'seats-hold',
  kind: 'write',
  permission: 'bookings:manage',
  summary: `Holds seats for ${formHoldSeconds} seconds while a booking form is open, or renews that. A form holds seats on one departure: asked again, it holds those instead. Without enough seats: \`aborted\`, reason \`seats_exhausted\`.`,
  input: write({
    /** Chosen by the form, and its own among those of the person. */
    formId: Id,
    departureId: Id,
    seats: whole(1, 10_000),
    channel: z._default(Channel, 'direct'),
  }),
  output: z.object({ until: Instant }),
  writes: ['departures', 'bookings', 'deliveries', 'messages', 'notification_rules', 'proposals'],
})

export const releaseSeats = callable({
  name: 'seats-release',
  kind: 'write',
  permission: 'bookings:manage',
  summary:
    'Releases what a booking form holds, for those who wait and for everybody else; nothing where it holds nothing.',
  input: write({ formId: Id }),
  output: z.object({ seats: Count }),
  writes: ['departures', 'bookings', 'deliveries', 'messages', 'notification_rules', 'proposals'],
})
