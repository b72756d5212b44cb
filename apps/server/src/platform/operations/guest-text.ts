import type { Locale } from '@tour-ops/contract/locales'
import { fillVariables, type GuestText, type GuestVariable } from '@tour-ops/contract/notifications/guest-messages'
import { linkPlaceholder } from '@tour-ops/contract/notifications/link-line'
import { isPhoneChannel } from '@tour-ops/contract/notifications/phone-channels'
import { nameInEmail } from '../channels/email-text.ts'
import { plural } from '../plural.ts'
import { emailLocale, guestWords, shortText } from './guest-emails.ts'
import type { ToldBooking } from './told-booking.ts'

/** What a guest reads of a text that somebody wrote. */
export interface WrittenToGuest {
  readonly language: Locale
  readonly subject: string
  readonly body: string
  /** What the text names, and this guest has nothing for. */
  readonly missing: readonly GuestVariable[]
}

/** The text in the language of a guest, else the English one, else the first. */
export const textFor = (texts: readonly GuestText[], language: string): GuestText | undefined => {
  const wanted = emailLocale(language)
  return texts.find((text) => text.language === wanted) ?? texts.find((text) => text.language === 'en') ?? texts[0]
}

const guestsText: Readonly<Record<Locale, (pax: number) => string>> = {
  en: (pax) => plural(pax, '# guest', '# guests'),
  de: (pax) => plural(pax, '# Person', '# Personen', 'de'),
  es: (pax) => plural(pax, '# persona', '# personas', 'es'),
}

/**
 * What one guest has for what a text names; dates and amounts are written in the language of the text.
 *
 * @param document Number of the document that the message is about; null where it is about none.
 */
export function guestValues(
  booking: ToldBooking,
  language: Locale,
  document: string | null = null,
): Readonly<Record<GuestVariable, string | null>> {
  const words = guestWords(booking, language)
  return {
    name: words.name,
    tour: words.tour,
    start: words.start,
    meeting_point: words.meetingPlace,
    meeting_time: words.meetingTime,
    seats: guestsText[language](booking.pax),
    reference: booking.bookingRef,
    due: words.due,
    company: words.company,
    phone: words.phone,
    document,
    link: linkPlaceholder,
  }
}

/**
 * Puts values into texts, the address of the guest's page last, when they are sent: a value has no braces, so that nothing in it becomes a place for something.
 *
 * @param missing What is named and has no value is added.
 */
export const fillText =
  <Name extends string>(values: Readonly<Record<Name, string | null>>, missing: Set<Name>) =>
  (text: string): string =>
    fillVariables(
      text,
      (name) => {
        const value = values[name]
        if (!value) missing.add(name)
        return name === 'link' ? linkPlaceholder : withoutBraces(value ?? '')
      },
      Object.keys(values) as Name[],
    )

/** A text as one guest reads it. */
export function writeToGuest(
  { language, subject, body }: GuestText,
  booking: ToldBooking,
  document: string | null = null,
): WrittenToGuest {
  const missing = new Set<GuestVariable>()
  const fill = fillText(guestValues(booking, language, document), missing)
  return { language, subject: fill(subject), body: fill(body), missing: [...missing] }
}

/** The same as a guest reads it by SMS or WhatsApp: the short text where there is one, else what it is about and their page. */
function writeToPhone(text: GuestText, booking: ToldBooking, document: string | null): WrittenToGuest {
  const { short } = text
  if (short) return writeToGuest({ ...text, body: short }, booking, document)
  const written = writeToGuest(text, booking, document)
  const company = nameInEmail(booking.organizationName)
  return { ...written, body: shortText({ company, subject: written.subject, hasPage: true }) }
}

/** By the channel that reaches a guest. @param document As in `guestValues`. */
export const writeBy = (
  channel: string,
  text: GuestText,
  booking: ToldBooking,
  document: string | null = null,
): WrittenToGuest =>
  isPhoneChannel(channel) ? writeToPhone(text, booking, document) : writeToGuest(text, booking, document)

/** What somebody typed into a name must not become the place of an address. */
const withoutBraces = (value: string): string => value.replaceAll(/[{}]/g, '')
