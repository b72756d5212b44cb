import type { TimeFormat } from '@tour-ops/contract/fields'
import { isLocale, type Locale } from '@tour-ops/contract/locales'
import type { eventVariables } from '@tour-ops/contract/notifications/guest-messages'
import type { GuestEvent } from '@tour-ops/contract/notifications/guest-rules'
import { linkPlaceholder } from '@tour-ops/contract/notifications/link-line'
import { isOptionalKind } from '@tour-ops/contract/notifications/opt-outs'
import { nameInEmail, oneLine } from '../channels/email-text.ts'
import { fractionDigits } from '../currency-digits.ts'
import { localDateOf } from '../local-time.ts'
import { dateTag, zonedTimes } from '../zoned-times.ts'
import { guestTexts, type GuestTexts } from './guest-email-texts.ts'

/** A booking as its e-mails name it. */
export interface GuestFacts {
  readonly contactName: string
  readonly bookingRef: string
  readonly pax: number
  readonly tourName: string
  readonly startsAt: Date
  readonly timeZone: string
  readonly timeFormat: TimeFormat
  /** Null for a departure without stops. */
  readonly meeting: {
    readonly placeName: string
    readonly address: string | null
    readonly at: Date
    /** With the delay that is known. */
    readonly expectedAt: Date
    /** The vehicle has yet to come there, by the estimates. */
    readonly isComing: boolean
    readonly isPickup: boolean
  } | null
  /** Of a hold; null otherwise. */
  readonly heldUntil: Date | null
  /** When it is written: what is expected by then is overdue. */
  readonly now: Date
  readonly dueMinor: number
  /** What was paid too much; of a cancelled booking, what was not kept. */
  readonly refundMinor: number
  readonly currency: string
  readonly organizationName: string
  readonly phone: string | null
  /** What the office expects of the weather on its departure. */
  readonly weatherNote: string | null
  /** As their tour says it; null where it does not. */
  readonly whatToBring: string | null
  /** What it is offered instead of its departure, which was cancelled. */
  readonly proposal?: ProposalFacts
}

export interface ProposalFacts {
  readonly expiresAt: Date
  /** Null where the refund is proposed. */
  readonly to: {
    readonly tourName: string
    readonly startsAt: Date
    readonly timeZone: string
    /** What the party pays in all. */
    readonly amountMinor: number
  } | null
  readonly refundMinor: number
}

/** Language of an e-mail to somebody who reads `wanted` (BCP 47); English where there is no text. */
export function emailLocale(wanted: string): Locale {
  const language = wanted.split('-')[0]
  return isLocale(language) ? language : 'en'
}

/** What e-mails say of a booking, in words: times are local to the tour and name its zone. */
export interface GuestWords {
  readonly name: string
  readonly tour: string
  readonly start: string
  /** Its name and address; null for a departure without stops, as the time is. */
  readonly meetingPlace: string | null
  readonly meetingTime: string | null
  readonly due: string
  readonly company: string
  readonly phone: string | null
}

export function guestWords(facts: GuestFacts, locale: Locale): GuestWords {
  const { meeting, startsAt, dueMinor, currency, phone } = facts
  const timeOf = fullTimes(facts, locale)
  return {
    name: nameInEmail(facts.contactName),
    tour: nameInEmail(facts.tourName),
    start: timeOf(startsAt),
    meetingPlace:
      meeting &&
      [meeting.placeName, meeting.address]
        .filter((part) => part !== null)
        .map(nameInEmail)
        .join(', '),
    meetingTime: meeting && meetingTime(meeting.at, facts, timeOf, locale),
    due: moneyOf(dueMinor, currency, locale),
    company: nameInEmail(facts.organizationName),
    phone,
  }
}

const fullTimes = ({ timeZone, timeFormat }: GuestFacts, locale: Locale): ((at: Date) => string) =>
  zonedTimes(dateTag(locale), timeZone, timeFormat, { dateStyle: 'full', timeStyle: 'short' })

/** Sentences that only some events have; empty where there is nothing to say. */
export function eventSentences(
  facts: GuestFacts,
  locale: Locale,
): Readonly<Record<(typeof eventVariables)[number], string>> {
  const text = guestTexts[locale]
  const { meeting, heldUntil, proposal } = facts
  const timeOf = fullTimes(facts, locale)
  const [answerBy = '', ...proposed] = proposal ? proposalLines(facts, proposal, locale).toReversed() : []
  return {
    held_until: heldUntil ? text.heldUntil(timeOf(heldUntil)) : '',
    new_time: meeting ? delayLine(meeting, facts, locale) : '',
    bring: bringLine(facts, text) ?? '',
    weather: weatherLine(facts, text) ?? '',
    expected: expectedLine(facts, locale) ?? '',
    proposal: proposed.toReversed().join('\n'),
    answer_by: answerBy,
    refund: moneyLines(facts, locale).join('\n'),
  }
}

/** What a guest is told of an event. Times are local to the tour and name its zone. */
export function guestEmail(event: GuestEvent, facts: GuestFacts, locale: Locale): { subject: string; body: string } {
  const text = guestTexts[locale]
  const words = guestWords(facts, locale)
  const isOver = event === 'booking_cancelled'
  const paragraphs = [
    text.hello(words.name),
    text.news[event](facts.pax, words.tour, words.start),
    [
      ...(isOver ? moneyLines(facts, locale) : linesOf(event, facts, words, locale)),
      `${text.reference}: ${facts.bookingRef}`,
    ].join('\n'),
    ...(isOver ? [text.surprised] : [`${pageText(event, text)}\n${linkPlaceholder}`]),
    ...(hasCalendar(event) && !isOver ? [text.calendar] : []),
    [words.company, words.phone].filter(Boolean).join('\n'),
    ...(isOptionalKind(event) ? [text.fewer] : []),
  ]
  return { subject: text.subjects[event](words.tour, facts.pax), body: `${paragraphs.join('\n\n')}\n` }
}

/** The same as one short text, for SMS and WhatsApp: what happened, when and where, and the page that says the rest. */
export function guestSms(event: GuestEvent, facts: GuestFacts, locale: Locale): { subject: string; body: string } {
  const words = guestWords(facts, locale)
  const subject = guestTexts[locale].subjects[event](words.tour, facts.pax)
  const isOver = event === 'booking_cancelled'
  const lines = isOver || event === 'feedback_request' ? [] : linesOf(event, facts, words, locale)
  return { subject, body: shortText({ company: words.company, subject, lines, hasPage: !isOver }) }
}

interface ShortText {
  readonly company: string
  readonly subject: string
  readonly lines?: readonly string[]
  readonly hasPage: boolean
}

/** Who writes, what about, and below it the page of the guest, which says the rest. */
export const shortText = ({ company, subject, lines = [], hasPage }: ShortText): string =>
  [`${company}: ${subject}`, ...lines, ...(hasPage ? [linkPlaceholder] : [])].join('\n')

/** What stands above the address of the guest's page. */
export const pageText = (event: GuestEvent, text: GuestTexts): string =>
  (
    { waitlist_offer: text.offer, rebooking_offer: text.choice, feedback_request: text.opinion } as Partial<
      Record<GuestEvent, string>
    >
  )[event] ?? text.page

/** A delay changes nothing in a calendar, nor does what is over, or not booked yet. */
export const hasCalendar = (event: GuestEvent): boolean => !withoutCalendar.includes(event)

const withoutCalendar: readonly GuestEvent[] = [
  'waitlist_offer',
  'rebooking_offer',
  'last_reminder',
  'delay_notice',
  'feedback_request',
]

function linesOf(event: GuestEvent, facts: GuestFacts, words: GuestWords, locale: Locale): string[] {
  if (event === 'feedback_request') return []
  if (event === 'rebooking_offer') return facts.proposal ? proposalLines(facts, facts.proposal, locale) : []
  const { meeting, dueMinor } = facts
  const text = guestTexts[locale]
  const at = words.meetingTime ?? ''
  const lines: string[] = []
  if (event === 'waitlist_offer' && facts.heldUntil)
    lines.push(text.heldUntil(fullTimes(facts, locale)(facts.heldUntil)))
  if (meeting) {
    const where = `${meeting.isPickup ? text.pickup : text.meeting}: ${words.meetingPlace}`
    if (event === 'delay_notice') lines.push(where, delayLine(meeting, facts, locale))
    else lines.push(`${where}, ${at}`)
  }
  lines.push(...ownLines(event, facts, locale))
  if (dueMinor > 0 && event !== 'delay_notice') lines.push(`${text.due}: ${words.due}`)
  return lines
}

/** What only the messages before a tour say. */
function ownLines(event: GuestEvent, facts: GuestFacts, locale: Locale): string[] {
  const text = guestTexts[locale]
  const lines: Partial<Record<GuestEvent, readonly (string | null)[]>> = {
    pre_tour_info: [bringLine(facts, text), weatherLine(facts, text)],
    pickup_reminder: [weatherLine(facts, text)],
    last_reminder: [expectedLine(facts, locale)],
  }
  return (lines[event] ?? []).filter((line) => line !== null)
}

function proposalLines(facts: GuestFacts, { to, refundMinor, expiresAt }: ProposalFacts, locale: Locale): string[] {
  const text = guestTexts[locale]
  const money = (minor: number) => moneyOf(minor, facts.currency, locale)
  const answerBy = text.answerBy(fullTimes(facts, locale)(expiresAt))
  if (!to) return [text.proposedRefund(refundMinor > 0 ? money(refundMinor) : null), answerBy]
  const start = fullTimes({ ...facts, timeZone: to.timeZone }, locale)(to.startsAt)
  return [text.proposed(nameInEmail(to.tourName), start), `${text.price}: ${money(to.amountMinor)}`, answerBy]
}

/** Of a booking that is cancelled: what goes back, or is still to be paid of the fee. */
function moneyLines({ dueMinor, refundMinor, currency }: GuestFacts, locale: Locale): string[] {
  const text = guestTexts[locale]
  if (refundMinor > 0) return [`${text.refund}: ${moneyOf(refundMinor, currency, locale)}`]
  return dueMinor > 0 ? [`${text.due}: ${moneyOf(dueMinor, currency, locale)}`] : []
}

/** Most characters that an e-mail has of what somebody wrote about a tour or its weather. */
const noteLength = 500

const bringLine = ({ whatToBring }: GuestFacts, text: GuestTexts): string | null =>
  whatToBring?.trim() ? `${text.bring}: ${oneLine(whatToBring, noteLength)}` : null

/** When the vehicle really comes, where that is estimated and still ahead. */
function expectedLine(facts: GuestFacts, locale: Locale): string | null {
  const { meeting, now } = facts
  if (!meeting?.isComing || meeting.expectedAt <= now) return null
  return guestTexts[locale].expected(meetingTime(meeting.expectedAt, facts, fullTimes(facts, locale), locale))
}

const weatherLine = ({ weatherNote }: GuestFacts, text: GuestTexts): string | null =>
  weatherNote?.trim() ? `${text.weather}: ${oneLine(weatherNote, noteLength)}` : null

function delayLine({ at, expectedAt }: { at: Date; expectedAt: Date }, facts: GuestFacts, locale: Locale): string {
  const text = guestTexts[locale]
  const timeOf = (time: Date) => meetingTime(time, facts, fullTimes(facts, locale), locale)
  const minutes = Math.floor((expectedAt.getTime() - at.getTime()) / 60_000)
  return expectedAt > facts.now ? text.newTime(timeOf(expectedAt), timeOf(at)) : text.noTime(minutes, timeOf(at))
}

/** The day is said again where it is another one than that of the start. */
function meetingTime(
  at: Date,
  { startsAt, timeZone, timeFormat }: GuestFacts,
  timeOf: (at: Date) => string,
  locale: Locale,
): string {
  const isSameDay = localDateOf(at, timeZone) === localDateOf(startsAt, timeZone)
  return isSameDay ? zonedTimes(dateTag(locale), timeZone, timeFormat, { timeStyle: 'short' })(at) : timeOf(at)
}

function moneyOf(minor: number, currency: string, locale: Locale): string {
  const format = new Intl.NumberFormat(locale, { style: 'currency', currency, currencyDisplay: 'code' })
  return format.format(minor / 10 ** fractionDigits(currency))
}
