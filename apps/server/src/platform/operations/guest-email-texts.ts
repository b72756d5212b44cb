import type { Locale } from '@tour-ops/contract/locales'
import type { GuestEvent } from '@tour-ops/contract/notifications/guest-rules'
import { plural } from '../plural.ts'

/** What e-mails to guests say in one language, around the facts of a booking. */
export interface GuestTexts {
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
  readonly bring: string
  readonly weather: string
  /** By the estimates. */
  readonly expected: (time: string) => string
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
export const guestTexts: Readonly<Record<Locale, GuestTexts>> = {
  en: {
    hello: (name) => `Hello ${name},`,
    subjects: {
      waitlist_offer: (tour, pax) => `${plural(pax, 'A seat has', '# seats have')} opened up: ${tour}`,
      booking_confirmed: (tour) => `Your booking is confirmed: ${tour}`,
      booking_changed: (tour) => `Your booking has changed: ${tour}`,
      pre_tour_info: (tour) => `Before your tour: ${tour}`,
      pickup_reminder: (tour) => `Reminder: ${tour}`,
      last_reminder: (tour) => `See you soon: ${tour}`,
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
      pre_tour_info: (pax, tour, start) =>
        `What you need for your tour: ${tour}, ${start}, ${plural(pax, '# guest', '# guests')}.`,
      pickup_reminder: (pax, tour, start) =>
        `A reminder of your tour: ${tour}, ${start}, ${plural(pax, '# guest', '# guests')}.`,
      last_reminder: (_pax, tour, start) => `Your tour begins soon: ${tour}, ${start}.`,
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
    bring: 'What to bring',
    weather: 'Weather',
    expected: (time) => `Expected at about ${time}`,
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
      pre_tour_info: (tour) => `Vor Ihrer Tour: ${tour}`,
      pickup_reminder: (tour) => `Erinnerung: ${tour}`,
      last_reminder: (tour) => `Bis gleich: ${tour}`,
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
      pre_tour_info: (pax, tour, start) =>
        `Was Sie für Ihre Tour brauchen: ${tour}, ${start}, ${plural(pax, '# Person', '# Personen', 'de')}.`,
      pickup_reminder: (pax, tour, start) =>
        `Zur Erinnerung an Ihre Tour: ${tour}, ${start}, ${plural(pax, '# Person', '# Personen', 'de')}.`,
      last_reminder: (_pax, tour, start) => `Ihre Tour beginnt bald: ${tour}, ${start}.`,
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
    bring: 'Bitte mitbringen',
    weather: 'Wetter',
    expected: (time) => `Voraussichtlich gegen ${time}`,
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
      pre_tour_info: (tour) => `Antes de su tour: ${tour}`,
      pickup_reminder: (tour) => `Recordatorio: ${tour}`,
      last_reminder: (tour) => `Hasta ahora: ${tour}`,
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
      pre_tour_info: (pax, tour, start) =>
        `Lo que necesita para su tour: ${tour}, ${start}, ${plural(pax, '# persona', '# personas', 'es')}.`,
      pickup_reminder: (pax, tour, start) =>
        `Le recordamos su tour: ${tour}, ${start}, ${plural(pax, '# persona', '# personas', 'es')}.`,
      last_reminder: (_pax, tour, start) => `Su tour empieza pronto: ${tour}, ${start}.`,
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
    bring: 'Qué traer',
    weather: 'Tiempo',
    expected: (time) => `Hora prevista: ${time} aproximadamente`,
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
