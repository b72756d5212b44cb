import type { SupplierAct } from '@tour-ops/contract/links/supplier-messages'
import type { Locale } from '@tour-ops/contract/locales'
import { linkPlaceholder } from '@tour-ops/contract/notifications/guest-rules'
import type { DietaryNeed } from '@tour-ops/contract/travelers/needs'
import { nameInEmail } from '../../platform/channels/email-text.ts'
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

/** What a supplier reads: days, services, how many guests and diets, and never a name of a guest. Nothing of the guests, and no link, where all is cancelled. */
export function writeSupplierMessage(
  facts: SupplierFacts,
  {
    act,
    note,
    known,
  }: { readonly act: SupplierAct; readonly note: string | null; readonly known: SupplierMessage | null },
): { subject: string; body: string } {
  const { locale, tourName, code, startsAt, timeZone, timeFormat, services, guests, dietary, phone } = facts
  const text = texts[locale]
  const tour = nameInEmail(tourName)
  const day = zonedTimes(dateTag(locale), timeZone, timeFormat, { dateStyle: 'full' })(startsAt)
  const start = zonedTimes(dateTag(locale), timeZone, timeFormat, { dateStyle: 'full', timeStyle: 'short' })(startsAt)
  const isOver = act === 'cancel'
  const lines = (services.length > 0 ? services : droppedOf(facts, known)).map(
    ({ description, quantity, date }) =>
      `- ${dateOf(date, locale)}: ${nameInEmail(description)}${quantity > 1 ? ` × ${quantity}` : ''}`,
  )
  const isOther = act === 'update' && known !== null && known.guests !== guests
  const before = isOther ? ` (${text.before(known.guests)})` : ''
  const diets = dietary.map(({ need, n }) => `${n} × ${text.needs[need]}`).join(', ')
  const numbers = [`${text.guests}: ${guests}${before}`, ...(diets === '' ? [] : [`${text.diets}: ${diets}`])]
  const paragraphs = [
    text.hello(nameInEmail(facts.contactName ?? facts.supplierName)),
    text.opening[act],
    [`${tour} (${code})`, `${text.start}: ${start}`, ...lines].join('\n'),
    ...(isOver ? [] : [numbers.join('\n')]),
    ...(note === null ? [] : [note.replaceAll(/[{}]/g, '')]),
    ...(isOver ? [] : [`${text.page}\n${linkPlaceholder}`]),
    [nameInEmail(facts.organizationName), phone].filter(Boolean).join('\n'),
  ]
  return { subject: `${text.subject[act]}: ${tour}, ${day}`, body: `${paragraphs.join('\n\n')}\n` }
}

const dateOf = (date: string, locale: Locale): string =>
  new Intl.DateTimeFormat(dateTag(locale), { dateStyle: 'medium', timeZone: 'UTC' }).format(
    new Date(`${date}T00:00:00Z`),
  )
