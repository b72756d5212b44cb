import type { GuestText } from '@tour-ops/contract/notifications/guest-messages'
import {
  isOfDocument,
  type ShippedTemplate,
  shippedTemplates,
} from '@tour-ops/contract/notifications/message-templates'

/** The end of each: the guest's page, and who writes. */
const endings = {
  en: 'Your plan and news on the day:\n{{link}}\n\n{{company}}\n{{phone}}',
  de: 'Ihr Ablauf und Neues am Tag selbst:\n{{link}}\n\n{{company}}\n{{phone}}',
  es: 'Su plan y las novedades del día:\n{{link}}\n\n{{company}}\n{{phone}}',
} as const

/** The end of those about a document, which the page lists. */
const documentEndings = {
  en: 'You can open it here, print it or save it as a PDF:\n{{link}}\n\n{{company}}\n{{phone}}',
  de: 'Hier können Sie sie öffnen, drucken oder als PDF speichern:\n{{link}}\n\n{{company}}\n{{phone}}',
  es: 'Aquí puede abrir, imprimir o guardar el documento como PDF:\n{{link}}\n\n{{company}}\n{{phone}}',
} as const

const greetings = { en: 'Hello {{name}},', de: 'Guten Tag {{name}},', es: 'Hola, {{name}}:' } as const

type Written = readonly [subject: string, news: string]

const news: Readonly<Record<ShippedTemplate, Readonly<Record<GuestText['language'], Written>>>> = {
  departure_cancelled: {
    en: [
      'Your tour is cancelled: {{tour}}',
      'We are sorry: {{tour}}, {{start}}, cannot take place.\n\nPlease tell us whether you would like another date or your money back. Your booking reference: {{reference}}',
    ],
    de: [
      'Ihre Tour fällt aus: {{tour}}',
      'es tut uns leid: {{tour}}, {{start}}, kann nicht stattfinden.\n\nBitte sagen Sie uns, ob Sie einen anderen Termin oder Ihr Geld zurück möchten. Ihre Buchungsnummer: {{reference}}',
    ],
    es: [
      'Su tour queda cancelado: {{tour}}',
      'Lo sentimos: {{tour}}, {{start}}, no puede realizarse.\n\nDíganos si prefiere otra fecha o la devolución del importe. Su localizador: {{reference}}',
    ],
  },
  running_late: {
    en: [
      'Running late: {{tour}}',
      'We are running late today. Please wait at your meeting point, {{meeting_point}}; we will not leave without you. We apologize for the wait.',
    ],
    de: [
      'Verspätung: {{tour}}',
      'wir haben heute Verspätung. Bitte warten Sie an Ihrem Treffpunkt, {{meeting_point}}; wir fahren nicht ohne Sie los. Bitte entschuldigen Sie die Wartezeit.',
    ],
    es: [
      'Retraso: {{tour}}',
      'Hoy llevamos retraso. Espere, por favor, en su punto de encuentro, {{meeting_point}}; no saldremos sin usted. Disculpe la espera.',
    ],
  },
  meeting_point_changed: {
    en: [
      'Where we meet: {{tour}}',
      'Please note where we meet for {{tour}}, {{start}}: {{meeting_point}}, at {{meeting_time}}.',
    ],
    de: [
      'Wo wir uns treffen: {{tour}}',
      'bitte beachten Sie, wo wir uns für {{tour}}, {{start}}, treffen: {{meeting_point}}, um {{meeting_time}}.',
    ],
    es: [
      'Dónde nos encontramos: {{tour}}',
      'Tenga en cuenta dónde nos encontramos para {{tour}}, {{start}}: {{meeting_point}}, a las {{meeting_time}}.',
    ],
  },
  bad_weather: {
    en: [
      'The weather on your tour: {{tour}}',
      'Bad weather is forecast for {{tour}}, {{start}}. The tour takes place, but the plan may change. Please bring warm and waterproof clothes.',
    ],
    de: [
      'Das Wetter auf Ihrer Tour: {{tour}}',
      'für {{tour}}, {{start}}, ist schlechtes Wetter vorhergesagt. Die Tour findet statt, der Ablauf kann sich aber ändern. Bitte bringen Sie warme und wasserdichte Kleidung mit.',
    ],
    es: [
      'El tiempo en su tour: {{tour}}',
      'Se prevé mal tiempo para {{tour}}, {{start}}. El tour se realiza, pero el plan puede cambiar. Traiga ropa de abrigo e impermeable, por favor.',
    ],
  },
  what_to_bring: {
    en: [
      'What to bring: {{tour}}',
      'We look forward to seeing you on {{tour}}, {{start}}. Please bring comfortable shoes, a jacket against wind and rain, and something to drink.',
    ],
    de: [
      'Was Sie mitbringen sollten: {{tour}}',
      'wir freuen uns auf Sie: {{tour}}, {{start}}. Bitte bringen Sie bequeme Schuhe, eine Jacke gegen Wind und Regen und etwas zu trinken mit.',
    ],
    es: [
      'Qué traer: {{tour}}',
      'Nos alegra verle pronto: {{tour}}, {{start}}. Traiga, por favor, calzado cómodo, una chaqueta para el viento y la lluvia, y algo de beber.',
    ],
  },
  invoice: {
    en: [
      'Your invoice {{document}}: {{tour}}',
      'Your invoice {{document}} for {{tour}}, {{start}}, is ready. Your booking reference: {{reference}}',
    ],
    de: [
      'Ihre Rechnung {{document}}: {{tour}}',
      'Ihre Rechnung {{document}} für {{tour}}, {{start}}, liegt bereit. Ihre Buchungsnummer: {{reference}}',
    ],
    es: [
      'Su factura {{document}}: {{tour}}',
      'Ya puede consultar su factura {{document}} de {{tour}}, {{start}}. Su localizador: {{reference}}',
    ],
  },
  credit_note: {
    en: [
      'Your credit note {{document}}: {{tour}}',
      'Your credit note {{document}} for {{tour}}, {{start}}, is ready. Your booking reference: {{reference}}',
    ],
    de: [
      'Ihre Stornorechnung {{document}}: {{tour}}',
      'Ihre Stornorechnung {{document}} für {{tour}}, {{start}}, liegt bereit. Ihre Buchungsnummer: {{reference}}',
    ],
    es: [
      'Su factura rectificativa {{document}}: {{tour}}',
      'Ya puede consultar su factura rectificativa {{document}} de {{tour}}, {{start}}. Su localizador: {{reference}}',
    ],
  },
  receipt: {
    en: [
      'Your receipt {{document}}: {{tour}}',
      'Your receipt {{document}} for {{tour}}, {{start}}, is ready. Your booking reference: {{reference}}',
    ],
    de: [
      'Ihre Quittung {{document}}: {{tour}}',
      'Ihre Quittung {{document}} für {{tour}}, {{start}}, liegt bereit. Ihre Buchungsnummer: {{reference}}',
    ],
    es: [
      'Su recibo {{document}}: {{tour}}',
      'Ya puede consultar su recibo {{document}} de {{tour}}, {{start}}. Su localizador: {{reference}}',
    ],
  },
}

const textOf = (key: ShippedTemplate, language: GuestText['language']): GuestText => {
  const [subject, body] = news[key][language]
  const ending = (isOfDocument(key) ? documentEndings : endings)[language]
  return { language, subject, body: [greetings[language], body, ending].join('\n\n') }
}

/** Texts that come with the product, each in all languages. */
export const shippedTexts: readonly { readonly key: ShippedTemplate; readonly texts: GuestText[] }[] =
  shippedTemplates.map((key) => ({
    key,
    texts: [textOf(key, 'en'), textOf(key, 'de'), textOf(key, 'es')],
  }))
