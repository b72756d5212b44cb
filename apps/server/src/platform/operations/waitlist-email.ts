import type { TimeFormat } from '@tour-ops/contract/fields'
import { nameInEmail } from '../channels/email-text.ts'
import { plural } from '../plural.ts'
import { zonedTimes } from '../zoned-times.ts'

/** The party that was waiting, and what is held for it. */
export interface WaitlistOffer {
  readonly contactName: string
  readonly bookingRef: string
  readonly pax: number
  readonly tourName: string
  readonly startsAt: Date
  readonly expiresAt: Date
  readonly timeZone: string
  readonly timeFormat: TimeFormat
  /** Language of the guest as booked, BCP 47; English where there is no text. */
  readonly locale: string | null
}

interface Texts {
  readonly subject: (offer: WaitlistOffer) => string
  readonly body: (offer: WaitlistOffer, start: string, until: string) => string
}

const texts: Readonly<Record<string, Texts>> = {
  en: {
    subject: ({ pax, tourName }) => `${plural(pax, 'A seat has', '# seats have')} opened up: ${tourName}`,
    body: ({ contactName, bookingRef, pax, tourName }, start, until) =>
      `Hello ${contactName},\n\nWe are holding ${plural(pax, 'a seat', '# seats')} for you on ${tourName}, ${start}, until ${until}. Please let us know by then if you would like to book.\n\nYour booking reference: ${bookingRef}\n`,
  },
  de: {
    subject: ({ pax, tourName }) => `${plural(pax, 'Ein Platz ist', '# Plätze sind', 'de')} frei geworden: ${tourName}`,
    body: ({ contactName, bookingRef, pax, tourName }, start, until) =>
      `Guten Tag ${contactName},\n\n${plural(pax, 'Ihr Platz', 'Ihre Plätze', 'de')} für ${tourName}, ${start}, ${plural(pax, 'ist', 'sind', 'de')} bis ${until} für Sie reserviert. Bitte geben Sie uns bis dahin Bescheid, ob Sie buchen möchten.\n\nIhre Buchungsnummer: ${bookingRef}\n`,
  },
  es: {
    subject: ({ pax, tourName }) =>
      `${plural(pax, 'Ha quedado libre una plaza', 'Han quedado libres # plazas', 'es')}: ${tourName}`,
    body: ({ contactName, bookingRef, pax, tourName }, start, until) =>
      `Hola, ${contactName}:\n\n${plural(pax, 'su plaza', 'sus plazas', 'es')} para ${tourName}, ${start}, ${plural(pax, 'está reservada', 'están reservadas', 'es')} hasta ${until}. Por favor, confírmenos antes si desea reservar.\n\nSu localizador: ${bookingRef}\n`,
  },
}

/** The message to a waiting party when seats are held for it. Times are local to the tour and name its zone. */
export function waitlistEmail(offer: WaitlistOffer): { subject: string; body: string; locale: string } {
  const wanted = offer.locale?.split('-')[0] ?? 'en'
  const locale = wanted in texts ? wanted : 'en'
  const text = texts[locale] as Texts
  const named = { ...offer, contactName: nameInEmail(offer.contactName), tourName: nameInEmail(offer.tourName) }
  const timeOf = zonedTimes(locale, offer.timeZone, offer.timeFormat, { dateStyle: 'full', timeStyle: 'short' })
  return {
    subject: text.subject(named),
    body: text.body(named, timeOf(offer.startsAt), timeOf(offer.expiresAt)),
    locale,
  }
}
