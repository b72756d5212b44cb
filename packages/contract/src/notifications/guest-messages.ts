import * as z from 'zod/mini'
import { callable } from '../callable.ts'
import { Count, Id, Instant, LocalTime, orNull, text, whole, write } from '../fields.ts'
import { locales } from '../locales.ts'
import { isLinkLine } from './link-line.ts'
import { guestChannels } from './phone-channels.ts'

/**
 * What a text to guests may name, written `{{tour}}`; each guest reads what it is for their booking. `link` opens their page and has a
 * line of its own. See docs/domain.md, "Messages".
 */
export const guestVariables = [
  'name',
  'tour',
  'start',
  'meeting_point',
  'meeting_time',
  'seats',
  'reference',
  'due',
  'company',
  'phone',
  'document',
  'link',
] as const
export type GuestVariable = (typeof guestVariables)[number]
/** What only messages about one document have: its number. */
const documentVariable = 'document'
/** What texts may name that are about no document. */
export const usualVariables = guestVariables.filter((name) => name !== documentVariable)

/**
 * What a text of one event may name besides: sentences that only it has, empty where there is nothing to say. See `variablesOf` in
 * `guest-rule-texts.ts`.
 */
export const eventVariables = [
  'held_until',
  'bring',
  'weather',
  'expected',
  'new_time',
  'proposal',
  'answer_by',
  'refund',
] as const
export type TextVariable = GuestVariable | (typeof eventVariables)[number]

/** As it stands in a text. */
export const variableText = (name: string): string => `{{${name}}}`

/** What stands between two pairs of braces; spaces beside it are nothing. */
const named = /\{\{([^{}]*)\}\}/g

/** What a text names, each once. */
const variablesIn = (written: string): string[] => [
  ...new Set([...written.matchAll(named)].map(([, name = '']) => name.trim())),
]

/** Names in a text that no guest has a value for, each once. */
export const unknownVariables = (written: string, known: readonly string[] = guestVariables): string[] =>
  variablesIn(written).filter((name) => !known.includes(name))

/** Puts values into a text, once: what a value itself holds stays as it is. */
export const fillVariables = <Name extends string = GuestVariable>(
  written: string,
  valueOf: (name: Name) => string,
  known: readonly Name[] = guestVariables as readonly string[] as readonly Name[],
): string =>
  written.replaceAll(named, (whole_, name: string) => {
    const found = known.find((each) => each === name.trim())
    return found === undefined ? whole_ : valueOf(found)
  })

export const maxSubject = 150
export const maxBody = 4000
/** Of a text by SMS or WhatsApp, before values are put in. */
export const maxShort = 480
/** Guests to whom one message goes. */
export const maxRecipients = 5000
/** Seconds in which a message can still be taken back. */
export const undoSeconds = 15

const linkText = variableText('link')
/** The address of a guest's page is put in where a line holds nothing else. */
const linkIsAlone = (body: string): boolean =>
  body.split('\n').every((line) => !namesLink(line) || isLinkLine(line, linkText))
const namesLink = (line: string): boolean => [...line.matchAll(named)].some(([, name = '']) => name.trim() === 'link')
/** Refuses what no guest has a value for. */
const namesOnly = (known: readonly string[]) =>
  z.check<string>(({ value, issues }) => {
    const [name] = unknownVariables(value, known)
    if (name !== undefined)
      issues.push({ code: 'custom', message: 'variable_unknown', params: { name }, input: value, continue: true })
  })
/** Refuses a text that does not name something. */
const namesAll = (required: readonly string[]) =>
  z.check<string>(({ value, issues }) => {
    const named_ = variablesIn(value)
    const name = required.find((each) => !named_.includes(each))
    if (name !== undefined)
      issues.push({ code: 'custom', message: 'variable_missing', params: { name }, input: value, continue: true })
  })

/**
 * A text in one language.
 *
 * @param known What it may name.
 * @param required What its guests would be helpless without.
 */
export const guestTextOf = (known: readonly string[], required: readonly string[] = []) =>
  z.object({
    language: z.enum(locales),
    subject: text(maxSubject).check(
      namesOnly(known),
      z.refine((subject) => !namesLink(subject), 'link_alone'),
    ),
    body: text(maxBody).check(namesOnly(known), z.refine(linkIsAlone, 'link_alone'), namesAll(required)),
    /** For guests whom only a phone number reaches; left out, what it is about and their page. */
    short: z.optional(text(maxShort).check(namesOnly(known), z.refine(linkIsAlone, 'link_alone'), namesAll(required))),
  })

const GuestText = guestTextOf(guestVariables)
export type GuestText = z.output<typeof GuestText>

/** Each language once. */
export const hasLanguagesOnce = (texts: readonly { readonly language: string }[]): boolean =>
  new Set(texts.map(({ language }) => language)).size === texts.length

/** A text in one language or several, each language once. */
export const GuestTexts = z
  .array(GuestText)
  .check(z.minLength(1, 'required'), z.maxLength(locales.length), z.refine(hasLanguagesOnce, 'language_twice'))

const Audience = z.object({
  departureIds: z._default(z.array(Id).check(z.maxLength(2000)), []),
  bookingIds: z._default(z.array(Id).check(z.maxLength(500)), []),
  /** Of departures also who holds seats, waits, or lost their hold because the departure was cancelled; else who has confirmed. */
  withUnconfirmed: z._default(z.boolean(), false),
  /** Of departures only bookings of which somebody is aboard; then nobody who has not confirmed either. */
  onlyAboard: z._default(z.boolean(), false),
  /** An invoice, credit note or receipt of the one chosen booking: it is needed, so that guests who want fewer messages get it too. */
  documentId: orNull(Id),
})
export type Audience = z.output<typeof Audience>

/** Guests who read this message in another language than they usually do, by their booking. */
const languages = z._default(
  z.array(z.object({ bookingId: Id, language: z.enum(locales) })).check(z.maxLength(500)),
  [],
)
export type OwnLanguages = z.output<typeof languages>

const Reached = z.object({ bookingId: Id, bookingRef: z.string(), name: z.string() })

/** Why a guest gets no e-mail: there is no address, or they want only what is needed. */
export const unreachedReasons = ['no_address', 'opted_out'] as const
const Unreached = z.extend(Reached, { phone: z.nullable(z.string()), pax: Count, reason: z.enum(unreachedReasons) })

export const guestAudience = callable({
  name: 'guest-messages-audience',
  kind: 'read',
  permission: 'notifications:send',
  summary: 'To whom a message goes: how many by language, and who gets no e-mail and why.',
  input: z.object({ audience: Audience, languages }),
  output: z.object({
    /** E-mails: one for each booking. */
    count: Count,
    /** Seats of these bookings; of those that are aboard, guests who are. */
    pax: Count,
    languages: z.array(z.object({ language: z.enum(locales), count: Count })),
    /** By which channel they go. */
    channels: z.array(z.object({ channel: z.enum(guestChannels), count: Count })),
    unreached: z.array(Unreached),
    /** Bookings that it does not reach, also those that are not listed. */
    unreachedCount: Count,
    tours: z.array(z.string()),
    /** Of the e-mails, those that would wait if they were sent now, and until which time where their tours are. */
    quiet: z.object({ count: Count, until: LocalTime }),
    /** `outbox`: no mail server is set up, so what is sent is only read on screen. */
    delivery: z.enum(['outbox', 'smtp']),
  }),
  topics: ['bookings', 'departures', 'manifest_entries', 'opt_outs', 'org_settings', 'phone_channels', 'tours'],
})

export const previewGuestText = callable({
  name: 'guest-messages-preview',
  kind: 'read',
  permission: 'notifications:send',
  summary: 'What one of the guests reads; `null` where there is nobody.',
  input: z.object({ audience: Audience, texts: GuestTexts, languages, at: z._default(whole(0, maxRecipients), 0) }),
  output: z.object({
    message: z.nullable(
      z.extend(Reached, {
        channel: z.enum(guestChannels),
        /** E-mail address or phone number. */
        to: z.string(),
        language: z.enum(locales),
        subject: z.string(),
        body: z.string(),
        /** What the text names and this guest has nothing for. */
        missing: z.array(z.enum(guestVariables)),
      }),
    ),
  }),
  topics: [
    'bookings',
    'departure_stops',
    'departures',
    'manifest_entries',
    'opt_outs',
    'org_settings',
    'organizations',
    'phone_channels',
    'places',
    'tour_revisions',
    'tours',
  ],
})

export const sendGuestMessage = callable({
  name: 'guest-messages-send',
  kind: 'write',
  permission: 'notifications:send',
  summary:
    'Writes to the contacts of bookings, each in their language or the one that was chosen for them. Refused where by now it would go to more or fewer than the sender saw: `aborted`, reason `audience_changed`; and while a message with the same document still waits: `document_waits`.',
  input: write({
    audience: Audience,
    texts: GuestTexts,
    languages,
    /** E-mails that the sender agreed to. */
    count: whole(1, maxRecipients),
    /** Left out: as soon as it cannot be taken back any more. */
    sendAt: z.optional(Instant),
  }),
  output: z.object({ id: Id, count: Count }),
  writes: ['deliveries', 'messages'],
})

export const stopGuestMessage = callable({
  name: 'guest-messages-stop',
  kind: 'write',
  permission: 'notifications:send',
  summary: 'Takes back what of a message has not left yet.',
  input: write({ id: Id }),
  output: z.object({ stopped: Count, left: Count }),
  writes: ['deliveries', 'messages'],
})

export const testGuestMessage = callable({
  name: 'guest-messages-test',
  kind: 'write',
  permission: 'notifications:send',
  summary: 'Sends what one of the guests would read to the sender.',
  input: write({ audience: Audience, texts: GuestTexts, languages, at: z._default(whole(0, maxRecipients), 0) }),
  output: z.object({ to: z.string() }),
  writes: ['deliveries', 'messages'],
})
