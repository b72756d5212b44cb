import * as z from 'zod/mini'
import { callable } from '../callable.ts'
import { Id, Instant, text, write } from '../fields.ts'
import { guestChannels, phoneChannels } from '../notifications/phone-channels.ts'

/** Characters of one message between a party and the office. */
export const maxThreadText = 1000
export const ThreadText = text(maxThreadText)

/** Messages that a party may write within an hour. */
export const guestMessagesAnHour = 10
/** Messages that a thread shows, the latest. */
export const threadShown = 100

/** What the log of messages calls the e-mail with an answer. */
export const guestAnswer = 'guest_answer'

export const threadAuthors = ['guest', 'office'] as const

/** A message as both sides read it. */
export const ThreadMessage = z.object({ id: Id, author: z.enum(threadAuthors), body: z.string(), at: Instant })

export const bookingThread = callable({
  name: 'bookings-thread',
  kind: 'read',
  permission: 'bookings:read',
  summary: 'What the party of a booking wrote on the page of its link, and what the office answered, the oldest first.',
  input: z.object({ id: Id }),
  output: z.object({
    messages: z.array(
      z.extend(ThreadMessage, {
        /** Who answered; null for guests, and for people who are no members any more. */
        writtenBy: z.nullable(z.string()),
        /** By which the guest answered a text; null for what was written on a page. */
        channel: z.nullable(z.enum(phoneChannels)),
        /** Written by the guest, and not yet read by the office. */
        isUnread: z.boolean(),
      }),
    ),
  }),
  topics: ['booking_messages', 'members'],
})

/** The last message that was on screen: what the guest wrote since then stays unread. */
const seen = Id
/** Null where none was: the office begins. */
const seenOrNone = z.nullable(seen)

export const answerThread = callable({
  name: 'bookings-answer',
  kind: 'write',
  permission: 'bookings:manage',
  summary:
    'Writes to the party of a booking on the page of its link, and by e-mail, SMS or WhatsApp where one of them reaches its contact. What the party wrote until `seen` counts as read; null where it has not written.',
  input: write({ id: Id, seen: seenOrNone, body: ThreadText }),
  /** By what else than the page it was sent; null where nothing reaches the party. */
  output: z.object({ sentBy: z.nullable(z.enum(guestChannels)) }),
  writes: ['booking_messages', 'deliveries', 'messages'],
})

export const markThreadRead = callable({
  name: 'bookings-thread-read',
  kind: 'write',
  permission: 'bookings:manage',
  summary: 'Records that the office has read what the party of a booking wrote until `seen`.',
  input: write({ id: Id, seen }),
  output: z.object({}),
  writes: ['booking_messages'],
})
