import * as z from 'zod/mini'
import { guestAnswer } from '../bookings/booking-thread.ts'
import { callable } from '../callable.ts'
import { Id, write } from '../fields.ts'

/** What guests who want fewer e-mails do not get. What they must know of their booking is written to them all the same. See docs/domain.md, "Messages". */
export const optionalKinds = [
  'pre_tour_info',
  'pickup_reminder',
  'last_reminder',
  'feedback_request',
  'guest_message',
  guestAnswer,
] as const

export const isOptionalKind = (kind: string): boolean => optionalKinds.some((optional) => optional === kind)

/** Where the page of a guest's link says which e-mails they get. */
export const emailsFragment = 'emails'

export const setOptOut = callable({
  name: 'bookings-opt-out',
  kind: 'write',
  permission: 'bookings:manage',
  summary:
    'Records that the contact of a booking wants only the e-mails that are needed, or all of them again; it counts for the address. A booking without an e-mail address answers `aborted`, reason `no_guest_address`; a number whose owner wrote STOP is theirs alone: `said_stop`.',
  input: write({ id: Id, isOptedOut: z.boolean() }),
  output: z.object({ isOptedOut: z.boolean() }),
  writes: ['opt_outs'],
})
