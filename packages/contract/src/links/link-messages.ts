import * as z from 'zod/mini'
import { callable } from '../callable.ts'
import { Count, Id, Instant, maxEmail, optionalText, text, write } from '../fields.ts'
import { locales } from '../locales.ts'
import { guestChannels } from '../notifications/phone-channels.ts'
import type { LinkKind } from './links.ts'

/** Kinds of links that belong to people who are known, and can be written to. */
const sendableKinds: readonly LinkKind[] = ['booking_guest', 'traveler', 'staff_runsheet', 'supplier_manifest']

export const isSendable = (kind: LinkKind): boolean => sendableKinds.includes(kind)

/** Most people that one link is sent to at once: a crew. */
const maxReaders = 50
export const maxLinkNote = 500

const Reader = z.object({
  /** Of the person, on this link. */
  key: z.string(),
  name: z.string(),
  channel: z.enum(guestChannels),
  /** E-mail address or phone number. */
  to: z.string(),
  language: z.enum(locales),
  subject: z.string(),
  body: z.string(),
  /** When the link was sent to this address last; null for never. */
  sentAt: z.nullable(Instant),
})
export type LinkReader = z.output<typeof Reader>

const Note = optionalText(maxLinkNote)

export const previewLinkMessage = callable({
  name: 'links-send-preview',
  kind: 'read',
  permission: 'links:manage',
  summary:
    'To whom a link can be sent, and what each of them reads: the contact of its booking, its traveler, the crew of its run sheet, or its supplier. Empty where nobody has an address.',
  input: z.object({ id: Id, note: Note }),
  output: z.object({
    readers: z.array(Reader),
    /** `outbox`: no mail server is set up, so what is sent is only read on screen. */
    delivery: z.enum(['outbox', 'smtp']),
  }),
  topics: [
    'assignments',
    'bookings',
    'deliveries',
    'departures',
    'field_staff',
    'manifest_entries',
    'messages',
    'org_settings',
    'organizations',
    'phone_channels',
    'shared_links',
    'suppliers',
    'tours',
    'travelers',
  ],
})

export const sendLink = callable({
  name: 'links-send',
  kind: 'write',
  permission: 'links:manage',
  summary:
    'Sends a link by message, each in their language, with a new address of it that is made when the message leaves. Takes `notifications:send` as well. What was sent to the same address a moment ago is refused: `aborted`, reason `link_just_sent`; where nobody is left to write to, `link_unreachable`.',
  input: write({
    id: Id,
    /** A supplier's contact is known by an e-mail address. */
    readers: z.array(text(maxEmail)).check(z.minLength(1), z.maxLength(maxReaders)),
    /** Own words of the sender, above the address. */
    note: Note,
  }),
  output: z.object({ count: Count }),
  writes: ['deliveries', 'messages'],
})
