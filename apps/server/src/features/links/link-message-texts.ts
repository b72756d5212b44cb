import type { LinkKind } from '@tour-ops/contract/links/links'
import type { Locale } from '@tour-ops/contract/locales'
import { linkPlaceholder } from '@tour-ops/contract/notifications/link-line'
import { isPhoneChannel } from '@tour-ops/contract/notifications/phone-channels'
import { nameInEmail } from '../../platform/channels/email-text.ts'
import { emailLocale, shortText } from '../../platform/operations/guest-emails.ts'
import type { KnownReader } from '../../platform/operations/link-readers.ts'
import { dateTag, zonedTimes } from '../../platform/zoned-times.ts'
import type { LinkFacts } from './link-facts.ts'

interface Texts {
  readonly hello: (name: string) => string
  /** By what the link opens. */
  readonly about: (kind: LinkKind, tour: string) => string
  readonly page: (kind: LinkKind) => string
  readonly passcode: string
}

const texts: Readonly<Record<Locale, Texts>> = {
  en: {
    hello: (name) => `Hello ${name},`,
    about: (kind, tour) =>
      kind === 'staff_runsheet'
        ? `Run sheet: ${tour}`
        : kind === 'supplier_manifest'
          ? `Guests and services: ${tour}`
          : `Your page: ${tour}`,
    page: (kind) =>
      kind === 'staff_runsheet'
        ? 'The run sheet, always as it is now:'
        : kind === 'supplier_manifest'
          ? 'Guests and services, always as they are now:'
          : 'Your plan and news on the day:',
    passcode: 'The page asks for a passcode, which we tell you separately.',
  },
  de: {
    hello: (name) => `Guten Tag ${name},`,
    about: (kind, tour) =>
      kind === 'staff_runsheet'
        ? `Ablaufplan: ${tour}`
        : kind === 'supplier_manifest'
          ? `Gäste und Leistungen: ${tour}`
          : `Ihre Seite: ${tour}`,
    page: (kind) =>
      kind === 'staff_runsheet'
        ? 'der Ablaufplan, immer auf dem aktuellen Stand:'
        : kind === 'supplier_manifest'
          ? 'Gäste und Leistungen, immer auf dem aktuellen Stand:'
          : 'Ihr Ablauf und Neues am Tag selbst:',
    passcode: 'Die Seite fragt nach einem Kenncode, den wir Ihnen getrennt mitteilen.',
  },
  es: {
    hello: (name) => `Hola, ${name}:`,
    about: (kind, tour) =>
      kind === 'staff_runsheet'
        ? `Hoja de ruta: ${tour}`
        : kind === 'supplier_manifest'
          ? `Pasajeros y servicios: ${tour}`
          : `Su página: ${tour}`,
    page: (kind) =>
      kind === 'staff_runsheet'
        ? 'La hoja de ruta, siempre actualizada:'
        : kind === 'supplier_manifest'
          ? 'Pasajeros y servicios, siempre actualizados:'
          : 'Su plan y las novedades del día:',
    passcode: 'La página pide un código, que le comunicamos por separado.',
  },
}

/** What the reader of a link gets with it, in their language. The own words of the sender are above the address, which is put in when it leaves. */
export function writeLinkMessage(
  facts: LinkFacts,
  { name, channel, language }: Pick<KnownReader, 'name' | 'channel' | 'language'>,
  note: string | null,
): { language: Locale; subject: string; body: string } {
  const locale = emailLocale(language)
  const text = texts[locale]
  const { kind, hasPasscode, phone } = facts
  const company = nameInEmail(facts.organizationName)
  const subject = text.about(kind, tourText(facts, locale))
  const own = note === null ? [] : [withoutBraces(note)]
  const asked = hasPasscode ? [text.passcode] : []
  if (isPhoneChannel(channel)) {
    return {
      language: locale,
      subject,
      body: shortText({ company, subject, lines: [...own, ...asked], hasPage: true }),
    }
  }
  const paragraphs = [
    text.hello(nameInEmail(name)),
    ...own,
    `${own.length > 0 ? capitalized(text.page(kind)) : text.page(kind)}\n${linkPlaceholder}`,
    ...asked,
    [company, phone].filter(Boolean).join('\n'),
  ]
  return { language: locale, subject, body: `${paragraphs.join('\n\n')}\n` }
}

/** The tour with its day. */
function tourText({ tourName, startsAt, timeZone, timeFormat }: LinkFacts, locale: Locale): string {
  const day = zonedTimes(dateTag(locale), timeZone, timeFormat, { dateStyle: 'long' })(startsAt)
  return `${nameInEmail(tourName)}, ${day}`
}

/** In German the line below the greeting goes on after its comma; below something else it begins a sentence. */
const capitalized = (line: string): string => line.slice(0, 1).toUpperCase() + line.slice(1)

/** What somebody types must not become the place of an address. */
const withoutBraces = (value: string): string => value.replaceAll(/[{}]/g, '')
