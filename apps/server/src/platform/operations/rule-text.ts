import type { Locale } from '@tour-ops/contract/locales'
import type { TextVariable } from '@tour-ops/contract/notifications/guest-messages'
import type { RuleText } from '@tour-ops/contract/notifications/guest-rule-texts'
import type { GuestEvent } from '@tour-ops/contract/notifications/guest-rules'
import { isOptionalKind } from '@tour-ops/contract/notifications/opt-outs'
import { isPhoneChannel } from '@tour-ops/contract/notifications/phone-channels'
import { nameInEmail } from '../channels/email-text.ts'
import { guestTexts } from './guest-email-texts.ts'
import { eventSentences, guestEmail, guestSms, pageText, shortText } from './guest-emails.ts'
import { fillText, guestValues } from './guest-text.ts'
import type { ToldBooking } from './told-booking.ts'

/** What a guest reads of an event. */
interface WrittenOfEvent {
  readonly subject: string
  readonly body: string
  readonly isOwn: boolean
  /** What an own text names, and this guest has nothing for. */
  readonly missing: readonly TextVariable[]
}

/**
 * What a guest is told of an event: by the text of the organization in their language, else by what comes with the product.
 *
 * @param channel By which they are reached.
 * @param own Texts of the organization.
 */
export function writeOfEvent(
  event: GuestEvent,
  booking: ToldBooking,
  locale: Locale,
  channel: string,
  own: readonly RuleText[],
): WrittenOfEvent {
  const text = own.find(({ language }) => language === locale)
  const isShort = isPhoneChannel(channel)
  if (!text) {
    const shipped = isShort ? guestSms(event, booking, locale) : guestEmail(event, booking, locale)
    return { ...shipped, isOwn: false, missing: [] }
  }
  const missing = new Set<TextVariable>()
  const fill = fillText({ ...guestValues(booking, locale), ...eventSentences(booking, locale) }, missing)
  const subject = fill(text.subject)
  const body = isShort
    ? shortOf(event, text, booking, subject, fill)
    : [fillLines(text.body, fill), ...(isOptionalKind(event) ? [guestTexts[locale].fewer] : [])].join('\n\n')
  return { subject, body: isShort ? body : `${body}\n`, isOwn: true, missing: [...missing] }
}

/** The short text where there is one, else what it is about and the guest's page. */
const shortOf = (
  event: GuestEvent,
  { short }: RuleText,
  { organizationName }: ToldBooking,
  subject: string,
  fill: (text: string) => string,
): string =>
  short
    ? fillLines(short, fill)
    : shortText({ company: nameInEmail(organizationName), subject, hasPage: event !== 'booking_cancelled' })

/** A line that holds nothing but what this reader has nothing for is left out. */
export const fillLines = (text: string, fill: (line: string) => string): string =>
  text
    .trim()
    .split('\n')
    .flatMap((line) => {
      const filled = fill(line)
      return filled.trim() === '' && line.trim() !== '' ? [] : [filled]
    })
    .join('\n')

/** A text of an event to begin with: like what comes with the product, as far as names can say it. */
export function starterOf(event: GuestEvent, language: Locale): RuleText {
  const text = guestTexts[language]
  const isOver = event === 'booking_cancelled'
  const subject = event === 'waitlist_offer' ? text.free('{{tour}}') : text.subjects[event]('{{tour}}', 1)
  const body = [
    text.hello('{{name}}'),
    newsOf(event, language, subject),
    [...linesOf(event, language), `${text.reference}: {{reference}}`].join('\n'),
    ...(isOver ? [text.surprised] : [`${pageText(event, text)}\n{{link}}`]),
    '{{company}}\n{{phone}}',
  ].join('\n\n')
  return { language, subject, body }
}

/** The sentences that say how many are written for one guest or for several; names are not. */
function newsOf(event: GuestEvent, language: Locale, subject: string): string {
  const isWithoutCount =
    event === 'last_reminder' || event === 'delay_notice' || event === 'rebooking_offer' || event === 'feedback_request'
  if (isWithoutCount) return guestTexts[language].news[event](1, '{{tour}}', '{{start}}')
  return `${subject}, {{start}}, {{seats}}.`
}

function linesOf(event: GuestEvent, language: Locale): string[] {
  const { meeting } = guestTexts[language]
  if (event === 'booking_cancelled') return ['{{refund}}']
  if (event === 'rebooking_offer') return ['{{proposal}}', '{{answer_by}}']
  if (event === 'feedback_request') return []
  if (event === 'delay_notice') return [`${meeting}: {{meeting_point}}`, '{{new_time}}']
  return [
    ...(event === 'waitlist_offer' ? ['{{held_until}}'] : []),
    `${meeting}: {{meeting_point}}, {{meeting_time}}`,
    ...(event === 'pre_tour_info' ? ['{{bring}}'] : []),
    ...(event === 'pre_tour_info' || event === 'pickup_reminder' ? ['{{weather}}'] : []),
    ...(event === 'last_reminder' ? ['{{expected}}'] : []),
  ]
}
