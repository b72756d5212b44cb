import type { SupplierAct } from '@tour-ops/contract/links/supplier-messages'
import type { SupplierVariable } from '@tour-ops/contract/links/supplier-texts'
import type { Locale } from '@tour-ops/contract/locales'
import { unknownVariables } from '@tour-ops/contract/notifications/guest-messages'
import type { RuleText } from '@tour-ops/contract/notifications/guest-rule-texts'
import { linkPlaceholder } from '@tour-ops/contract/notifications/link-line'
import type { DietaryNeed } from '@tour-ops/contract/travelers/needs'
import { nameInEmail } from '../../platform/channels/email-text.ts'
import { fillText } from '../../platform/operations/guest-text.ts'
import { fillLines } from '../../platform/operations/rule-text.ts'
import { dateTag, zonedTimes } from '../../platform/zoned-times.ts'
import { droppedOf, type SupplierFacts, type SupplierMessage } from './supplier-facts.ts'

interface Texts {
  readonly hello: (name: string) => string
  readonly subject: Readonly<Record<SupplierAct, string>>
  readonly opening: Readonly<Record<SupplierAct, string>>
  readonly guests: string
  readonly before: (count: number) => string
  readonly diets: string
  readonly start: string
  readonly page: string
  readonly needs: Readonly<Record<DietaryNeed, string>>
}

const texts: Readonly<Record<Locale, Texts>> = {
  en: {
    hello: (name) => `Hello ${name},`,
    subject: { request: 'Request', confirm: 'Confirmation', update: 'Change', cancel: 'Cancellation' },
    opening: {
      request: 'We would like to request the following. Please tell us whether it is possible.',
      confirm: 'We confirm the following.',
      update: 'Something has changed. This is what we need now:',
      cancel: 'We have to cancel. We no longer need:',
    },
    guests: 'Guests',
    before: (count) => `before: ${count}`,
    diets: 'Diets and allergies',
    start: 'Start',
    page: 'Always as it is now:',
    needs: {
      vegetarian: 'vegetarian',
      vegan: 'vegan',
      halal: 'halal',
      kosher: 'kosher',
      gluten_free: 'gluten-free',
      dairy_free: 'dairy-free',
      nut_allergy: 'nut allergy',
      shellfish_allergy: 'shellfish allergy',
      other: 'other',
    },
  },
  de: {
    hello: (name) => `Guten Tag ${name},`,
    subject: { request: 'Anfrage', confirm: 'Bestätigung', update: 'Änderung', cancel: 'Stornierung' },
    opening: {
      request: 'wir möchten Folgendes anfragen. Bitte teilen Sie uns mit, ob es möglich ist.',
      confirm: 'wir bestätigen Folgendes.',
      update: 'es hat sich etwas geändert. Wir benötigen jetzt:',
      cancel: 'leider müssen wir stornieren. Wir benötigen nicht mehr:',
    },
    guests: 'Gäste',
    before: (count) => `bisher: ${count}`,
    diets: 'Ernährung und Allergien',
    start: 'Beginn',
    page: 'Immer auf dem aktuellen Stand:',
    needs: {
      vegetarian: 'vegetarisch',
      vegan: 'vegan',
      halal: 'halal',
      kosher: 'koscher',
      gluten_free: 'glutenfrei',
      dairy_free: 'ohne Milchprodukte',
      nut_allergy: 'Nussallergie',
      shellfish_allergy: 'Schalentierallergie',
      other: 'Sonstiges',
    },
  },
  es: {
    hello: (name) => `Hola, ${name}:`,
    subject: { request: 'Solicitud', confirm: 'Confirmación', update: 'Cambio', cancel: 'Anulación' },
    opening: {
      request: 'Quisiéramos solicitar lo siguiente. Díganos, por favor, si es posible.',
      confirm: 'Le confirmamos lo siguiente.',
      update: 'Ha habido un cambio. Ahora necesitamos:',
      cancel: 'Lamentamos tener que anular. Ya no necesitamos:',
    },
    guests: 'Pasajeros',
    before: (count) => `antes: ${count}`,
    diets: 'Dietas y alergias',
    start: 'Inicio',
    page: 'Siempre actualizado:',
    needs: {
      vegetarian: 'vegetariano',
      vegan: 'vegano',
      halal: 'halal',
      kosher: 'kosher',
      gluten_free: 'sin gluten',
      dairy_free: 'sin lácteos',
      nut_allergy: 'alergia a los frutos secos',
      shellfish_allergy: 'alergia al marisco',
      other: 'otros',
    },
  },
}

interface Meant {
  readonly act: SupplierAct
  readonly note: string | null
  readonly known: SupplierMessage | null
}

type Values = Readonly<Record<SupplierVariable, string | null>>

/** What messages name, each as one of them would say it; without a name of a guest. */
function valuesOf(facts: SupplierFacts, { act, note, known }: Meant): Values {
  const { locale, code, startsAt, timeZone, timeFormat, services, guests, dietary } = facts
  const text = texts[locale]
  const lines = (services.length > 0 ? services : droppedOf(facts, known)).map(
    ({ description, quantity, date }) =>
      `- ${dateOf(date, locale)}: ${nameInEmail(description)}${quantity > 1 ? ` × ${quantity}` : ''}`,
  )
  const isOther = act === 'update' && known !== null && known.guests !== guests
  const diets = dietary.map(({ need, n }) => `${n} × ${text.needs[need]}`).join(', ')
  return {
    name: nameInEmail(facts.contactName ?? facts.supplierName),
    tour: nameInEmail(facts.tourName),
    code,
    start: zonedTimes(dateTag(locale), timeZone, timeFormat, { dateStyle: 'full', timeStyle: 'short' })(startsAt),
    services: lines.join('\n'),
    guests: `${guests}${isOther ? ` (${text.before(known.guests)})` : ''}`,
    diets: diets === '' ? null : `${text.diets}: ${diets}`,
    note: note && withoutBraces(note),
    company: nameInEmail(facts.organizationName),
    phone: facts.phone,
    link: linkPlaceholder,
  }
}

const withoutBraces = (text: string): string => text.replaceAll(/[{}]/g, '')

/**
 * What a supplier reads: by the text of the organization in its language, else by what comes with the product. Nothing of the guests, and no link,
 * where all is cancelled.
 *
 * @param own Texts of the organization for this kind of message.
 */
export function writeSupplierMessage(
  facts: SupplierFacts,
  meant: Meant,
  own: readonly RuleText[],
): { subject: string; body: string } {
  const text = own.find(({ language }) => language === facts.locale)
  const values = valuesOf(facts, meant)
  return text ? writeOwn(text, values) : writeShipped(facts, meant.act, values)
}

/** What the sender adds is read also where the text does not say where. */
function writeOwn({ subject, body }: RuleText, values: Values): { subject: string; body: string } {
  const fill = fillText(values, new Set())
  const isNoteNamed = unknownVariables(body, ['note']).length < unknownVariables(body, []).length
  const note = isNoteNamed || values.note === null ? [] : [values.note]
  // a paragraph of which nothing is left leaves no gap
  const written = [fillLines(body, fill), ...note].join('\n\n').replaceAll(/\n{3,}/g, '\n\n')
  return { subject: fill(subject), body: `${written}\n` }
}

function writeShipped(facts: SupplierFacts, act: SupplierAct, values: Values): { subject: string; body: string } {
  const { locale, startsAt, timeZone, timeFormat } = facts
  const text = texts[locale]
  const day = zonedTimes(dateTag(locale), timeZone, timeFormat, { dateStyle: 'full' })(startsAt)
  const isOver = act === 'cancel'
  const paragraphs = [
    text.hello(values.name ?? ''),
    text.opening[act],
    [`${values.tour} (${values.code})`, `${text.start}: ${values.start}`, values.services].filter(Boolean).join('\n'),
    ...(isOver ? [] : [[`${text.guests}: ${values.guests}`, values.diets].filter(Boolean).join('\n')]),
    ...(values.note === null ? [] : [values.note]),
    ...(isOver ? [] : [`${text.page}\n${values.link}`]),
    [values.company, values.phone].filter(Boolean).join('\n'),
  ]
  return { subject: `${text.subject[act]}: ${values.tour}, ${day}`, body: `${paragraphs.join('\n\n')}\n` }
}

/** A text to begin with: like what comes with the product. */
export function supplierStarter(act: SupplierAct, language: Locale): RuleText {
  const text = texts[language]
  const isOver = act === 'cancel'
  const paragraphs = [
    text.hello('{{name}}'),
    text.opening[act],
    `{{tour}} ({{code}})\n${text.start}: {{start}}\n{{services}}`,
    ...(isOver ? [] : [`${text.guests}: {{guests}}\n{{diets}}`]),
    '{{note}}',
    ...(isOver ? [] : [`${text.page}\n{{link}}`]),
    '{{company}}\n{{phone}}',
  ]
  return { language, subject: `${text.subject[act]}: {{tour}}, {{start}}`, body: paragraphs.join('\n\n') }
}

const dateOf = (date: string, locale: Locale): string =>
  new Intl.DateTimeFormat(dateTag(locale), { dateStyle: 'medium', timeZone: 'UTC' }).format(
    new Date(`${date}T00:00:00Z`),
  )
