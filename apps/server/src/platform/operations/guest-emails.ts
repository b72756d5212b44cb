import type { TimeFormat } from '@tour-ops/contract/fields'
import { isLocale, type Locale } from '@tour-ops/contract/locales'
import type { eventVariables } from '@tour-ops/contract/notifications/guest-messages'
import { linkPlaceholder, type GuestEvent } from '@tour-ops/contract/notifications/guest-rules'
import { isOptionalKind } from '@tour-ops/contract/notifications/opt-outs'
import { nameInEmail, oneLine } from '../channels/email-text.ts'
import { fractionDigits } from '../currency-digits.ts'
import { localDateOf } from '../local-time.ts'
import { plural } from '../plural.ts'
import { dateTag, zonedTimes } from '../zoned-times.ts'

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

interface Texts {
  readonly hello: (name: string) => string
  readonly subjects: Readonly<Record<GuestEvent, (tour: string, pax: number) => string>>
  readonly news: Readonly<Record<GuestEvent, (pax: number, tour: string, start: string) => string>>
  /** Of a waitlist, for any number of seats. */
  readonly free: (tour: string) => string
  readonly pickup: string
  readonly meeting: string
  /** Of seats that are held. */
  readonly heldUntil: (time: string) => string
  /** Of a delay. */
  readonly newTime: (time: string, planned: string) => string
  /** Where nobody knows when they come. */
  readonly noTime: (minutes: number, planned: string) => string
  readonly weather: string
  readonly due: string
  readonly refund: string
  readonly reference: string
  readonly page: string
  /** The same for seats that can be had. */
  readonly offer: string
  /** The same where a departure is cancelled. */
  readonly choice: string
  /** Of another departure. */
  readonly proposed: (tour: string, start: string) => string
  readonly price: string
  /** Nothing was paid, so nothing goes back. */
  readonly proposedRefund: (amount: string | null) => string
  readonly answerBy: (time: string) => string
  /** The same after the tour. */
  readonly opinion: string
  readonly calendar: string
  /** Of what guests can do without. */
  readonly fewer: string
  readonly surprised: string
}

/** What comes with the product. */
export const guestTexts: Readonly<Record<Locale, Texts>> = {
  en: {
    hello: (name) => `Hello ${name},`,
    subjects: {
      waitlist_offer: (tour, pax) => `${plural(pax, 'A seat has', '# seats have')} opened up: ${tour}`,
      booking_confirmed: (tour) => `Your booking is confirmed: ${tour}`,
      booking_changed: (tour) => `Your booking has changed: ${tour}`,
      pickup_reminder: (tour) => `Reminder: ${tour}`,
      delay_notice: (tour) => `Running late: ${tour}`,
      rebooking_offer: (tour) => `Your tour is cancelled: ${tour}`,
      booking_cancelled: (tour) => `Your booking is cancelled: ${tour}`,
      feedback_request: (tour) => `How was it? ${tour}`,
    },
    news: {
      waitlist_offer: (pax, tour, start) =>
        `We are holding ${plural(pax, 'a seat', '# seats')} for you on ${tour}, ${start}.`,
      booking_confirmed: (pax, tour, start) =>
        `${plural(pax, 'Your seat is', 'Your # seats are')} booked on ${tour}, ${start}.`,
      booking_changed: (pax, tour, start) =>
        `${plural(pax, 'Your seat is', 'Your # seats are')} now booked on ${tour}, ${start}.`,
      pickup_reminder: (pax, tour, start) =>
        `A reminder of your tour: ${tour}, ${start}, ${plural(pax, '# guest', '# guests')}.`,
      delay_notice: (_pax, tour, start) => `We are running late: ${tour}, ${start}. We apologize for the wait.`,
      rebooking_offer: (_pax, tour, start) => `We are sorry: ${tour}, ${start}, does not take place.`,
      booking_cancelled: (pax, tour, start) =>
        `${plural(pax, 'Your seat', 'Your # seats')} on ${tour}, ${start}, ${plural(pax, 'is', 'are')} cancelled.`,
      feedback_request: (_pax, tour, start) => `Thank you for traveling with us: ${tour}, ${start}.`,
    },
    free: (tour) => `Seats are free: ${tour}`,
    pickup: 'Pickup',
    meeting: 'Meeting point',
    heldUntil: (time) => `Held for you until ${time}`,
    newTime: (time, planned) => `New time: about ${time}, instead of ${planned}`,
    noTime: (minutes, planned) =>
      `New time: not known yet, at least ${plural(minutes, '# minute', '# minutes')} after ${planned}`,
    weather: 'Weather',
    due: 'Still to pay',
    refund: 'You get back',
    reference: 'Your booking reference',
    page: 'The plan, the way to the meeting point and news on the day:',
    offer: 'Book them, or leave them to others, on this page:',
    choice: 'Accept this, or choose another departure or your money back, on this page:',
    proposed: (tour, start) => `Our proposal: ${tour}, ${start}`,
    price: 'Price in all',
    proposedRefund: (amount) =>
      amount === null ? 'Our proposal: we cancel your booking, free of charge' : `Our proposal: you get back ${amount}`,
    answerBy: (time) => `Please answer by ${time}`,
    opinion: 'How was it? A minute of yours helps the guests after you, and us:',
    calendar: 'The attached file puts the tour into your calendar.',
    fewer: 'Fewer e-mails? At the end of your page you choose.',
    surprised: 'If you did not expect this, please get in touch with us.',
  },
  de: {
    hello: (name) => `Guten Tag ${name},`,
    subjects: {
      waitlist_offer: (tour, pax) => `${plural(pax, 'Ein Platz ist', '# Plätze sind', 'de')} frei geworden: ${tour}`,
      booking_confirmed: (tour) => `Ihre Buchung ist bestätigt: ${tour}`,
      booking_changed: (tour) => `Ihre Buchung hat sich geändert: ${tour}`,
      pickup_reminder: (tour) => `Erinnerung: ${tour}`,
      delay_notice: (tour) => `Verspätung: ${tour}`,
      rebooking_offer: (tour) => `Ihre Tour fällt aus: ${tour}`,
      booking_cancelled: (tour) => `Ihre Buchung ist storniert: ${tour}`,
      feedback_request: (tour) => `Wie war es? ${tour}`,
    },
    news: {
      waitlist_offer: (pax, tour, start) =>
        `Wir halten ${plural(pax, 'einen Platz', '# Plätze', 'de')} für Sie frei: ${tour}, ${start}.`,
      booking_confirmed: (pax, tour, start) =>
        `${plural(pax, 'Ihr Platz ist', 'Ihre # Plätze sind', 'de')} gebucht: ${tour}, ${start}.`,
      booking_changed: (pax, tour, start) =>
        `${plural(pax, 'Ihr Platz ist', 'Ihre # Plätze sind', 'de')} jetzt gebucht für: ${tour}, ${start}.`,
      pickup_reminder: (pax, tour, start) =>
        `Zur Erinnerung an Ihre Tour: ${tour}, ${start}, ${plural(pax, '# Person', '# Personen', 'de')}.`,
      delay_notice: (_pax, tour, start) =>
        `Ihre Tour hat Verspätung: ${tour}, ${start}. Bitte entschuldigen Sie die Wartezeit.`,
      rebooking_offer: (_pax, tour, start) => `Es tut uns leid: ${tour}, ${start}, findet nicht statt.`,
      booking_cancelled: (pax, tour, start) =>
        `${plural(pax, 'Ihr Platz ist', 'Ihre # Plätze sind', 'de')} storniert: ${tour}, ${start}.`,
      feedback_request: (_pax, tour, start) => `Danke, dass Sie mit uns unterwegs waren: ${tour}, ${start}.`,
    },
    free: (tour) => `Plätze sind frei geworden: ${tour}`,
    pickup: 'Abholung',
    meeting: 'Treffpunkt',
    heldUntil: (time) => `Für Sie reserviert bis ${time}`,
    newTime: (time, planned) => `Neue Zeit: etwa ${time}, statt ${planned}`,
    noTime: (minutes, planned) =>
      `Neue Zeit: noch nicht bekannt, mindestens ${plural(minutes, '# Minute', '# Minuten', 'de')} nach ${planned}`,
    weather: 'Wetter',
    due: 'Noch zu zahlen',
    refund: 'Sie bekommen zurück',
    reference: 'Ihre Buchungsnummer',
    page: 'Ablauf, Weg zum Treffpunkt und Neues am Tag selbst:',
    offer: 'Buchen Sie auf dieser Seite, oder geben Sie die Plätze für andere frei:',
    choice: 'Auf dieser Seite nehmen Sie an oder wählen eine andere Abfahrt oder die Erstattung:',
    proposed: (tour, start) => `Unser Vorschlag: ${tour}, ${start}`,
    price: 'Gesamtpreis',
    proposedRefund: (amount) =>
      amount === null
        ? 'Unser Vorschlag: Wir stornieren Ihre Buchung kostenfrei'
        : `Unser Vorschlag: Sie bekommen ${amount} zurück`,
    answerBy: (time) => `Bitte antworten Sie bis ${time}`,
    opinion: 'Wie war es? Eine Minute von Ihnen hilft den Gästen nach Ihnen, und uns:',
    calendar: 'Die angehängte Datei trägt die Tour in Ihren Kalender ein.',
    fewer: 'Weniger E-Mails? Das wählen Sie am Ende Ihrer Seite.',
    surprised: 'Wenn Sie das nicht erwartet haben, melden Sie sich bitte bei uns.',
  },
  es: {
    hello: (name) => `Hola, ${name}:`,
    subjects: {
      waitlist_offer: (tour, pax) =>
        `${plural(pax, 'Ha quedado libre una plaza', 'Han quedado libres # plazas', 'es')}: ${tour}`,
      booking_confirmed: (tour) => `Su reserva está confirmada: ${tour}`,
      booking_changed: (tour) => `Su reserva ha cambiado: ${tour}`,
      pickup_reminder: (tour) => `Recordatorio: ${tour}`,
      delay_notice: (tour) => `Retraso: ${tour}`,
      rebooking_offer: (tour) => `Su tour se ha cancelado: ${tour}`,
      booking_cancelled: (tour) => `Su reserva está cancelada: ${tour}`,
      feedback_request: (tour) => `¿Qué tal fue? ${tour}`,
    },
    news: {
      waitlist_offer: (pax, tour, start) =>
        `Le guardamos ${plural(pax, 'una plaza', '# plazas', 'es')}: ${tour}, ${start}.`,
      booking_confirmed: (pax, tour, start) =>
        `${plural(pax, 'Su plaza está reservada', 'Sus # plazas están reservadas', 'es')}: ${tour}, ${start}.`,
      booking_changed: (pax, tour, start) =>
        `${plural(pax, 'Su plaza está reservada', 'Sus # plazas están reservadas', 'es')} ahora para: ${tour}, ${start}.`,
      pickup_reminder: (pax, tour, start) =>
        `Le recordamos su tour: ${tour}, ${start}, ${plural(pax, '# persona', '# personas', 'es')}.`,
      delay_notice: (_pax, tour, start) => `Su tour va con retraso: ${tour}, ${start}. Disculpe la espera.`,
      rebooking_offer: (_pax, tour, start) => `Lo sentimos: ${tour}, ${start}, no se realiza.`,
      booking_cancelled: (pax, tour, start) =>
        `${plural(pax, 'Su plaza está cancelada', 'Sus # plazas están canceladas', 'es')}: ${tour}, ${start}.`,
      feedback_request: (_pax, tour, start) => `Gracias por viajar con nosotros: ${tour}, ${start}.`,
    },
    free: (tour) => `Hay plazas libres: ${tour}`,
    pickup: 'Recogida',
    meeting: 'Punto de encuentro',
    heldUntil: (time) => `Reservado para usted hasta ${time}`,
    newTime: (time, planned) => `Nueva hora: ${time} aproximadamente, en lugar de ${planned}`,
    noTime: (minutes, planned) =>
      `Nueva hora: aún por confirmar, al menos ${plural(minutes, '# minuto', '# minutos', 'es')} después de ${planned}`,
    weather: 'Tiempo',
    due: 'Pendiente de pago',
    refund: 'Se le devuelve',
    reference: 'Su localizador',
    page: 'El plan, el camino al punto de encuentro y las novedades del día:',
    offer: 'Resérvelas o déjelas para otros en esta página:',
    choice: 'Acepte en esta página, o elija otra salida o el reembolso:',
    proposed: (tour, start) => `Nuestra propuesta: ${tour}, ${start}`,
    price: 'Precio total',
    proposedRefund: (amount) =>
      amount === null
        ? 'Nuestra propuesta: cancelamos su reserva sin coste'
        : `Nuestra propuesta: le devolvemos ${amount}`,
    answerBy: (time) => `Por favor, responda antes de ${time}`,
    opinion: '¿Qué tal fue? Un minuto suyo ayuda a los próximos viajeros y a nosotros:',
    calendar: 'El archivo adjunto añade el tour a su calendario.',
    fewer: '¿Menos correos? Lo elige al final de su página.',
    surprised: 'Si no lo esperaba, póngase en contacto con nosotros.',
  },
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
    weather: weatherLine(facts, text) ?? '',
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
export const pageText = (event: GuestEvent, text: Texts): string =>
  (
    { waitlist_offer: text.offer, rebooking_offer: text.choice, feedback_request: text.opinion } as Partial<
      Record<GuestEvent, string>
    >
  )[event] ?? text.page

/** A delay changes nothing in a calendar, nor does what is over, or not booked yet. */
export const hasCalendar = (event: GuestEvent): boolean =>
  event !== 'waitlist_offer' && event !== 'rebooking_offer' && event !== 'delay_notice' && event !== 'feedback_request'

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
  const weather = event === 'pickup_reminder' ? weatherLine(facts, text) : null
  if (weather !== null) lines.push(weather)
  if (dueMinor > 0 && event !== 'delay_notice') lines.push(`${text.due}: ${words.due}`)
  return lines
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

/** Most characters that an e-mail has of a weather note. */
const weatherLength = 500

const weatherLine = ({ weatherNote }: GuestFacts, text: Texts): string | null =>
  weatherNote?.trim() ? `${text.weather}: ${oneLine(weatherNote, weatherLength)}` : null

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
