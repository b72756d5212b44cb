import type { ImportMapping } from '@tour-ops/contract/imports/import-mapping'
import { lacksAdult, type UnitType } from '@tour-ops/contract/units'
import { newId } from '../../platform/ids.ts'
import { minorOf, shownMoney } from './import-money.ts'
import type { Problem } from './import-problems.ts'
import { noteWith } from './kept-cells.ts'
import type { PartyCounts } from './party-text.ts'
import { pickupNamed } from './pickup-match.ts'
import type { BookingFacts, DepartureFacts, Pickup } from './plan-store.ts'
import type { Change, EntityPlan } from './plan-types.ts'
import { amountOfUnits, paxOfUnits, unitsAsCounted, unitsFor } from './plan-units.ts'
import { nameOf } from './plan-types.ts'
import type { RowValues } from './row-values.ts'
import { wordKey } from '../../platform/word-key.ts'

/** What the lines of one party say about their booking; the first value counts for all. */
export interface PartyFields {
  readonly first: RowValues
  readonly sellerName?: string | null
  readonly pickupPlace?: string | null
  readonly pickupTime?: string | null
  readonly units?: PartyCounts
  readonly total?: string
  readonly paid?: string
  readonly balance?: string
  readonly currency?: string
  readonly otherCurrency?: ImportMapping['otherCurrency']
  /** Words of the file with what they mean, names of stops among them. */
  readonly words?: ImportMapping['words']
  readonly notes?: string | null
  /** Lines for the note about what was not understood. */
  readonly kept: readonly string[]
}

export type PartyProblem = Omit<Problem, 'column'> & { readonly field: string }

/** The stop that a place, a time, or both mean; null when the pickup is taken away, undefined when there is no value. */
export function pickupOf(said: PartyFields, departure: DepartureFacts): Pickup | null | undefined | PartyProblem {
  const { pickupPlace, pickupTime } = said
  if (!pickupPlace && !pickupTime) return pickupPlace === null ? null : undefined
  const names = departure.pickups.map(({ name }) => name)
  const place = pickupPlace ? (pickupNamed(pickupPlace, names, said.words) ?? '') : ''
  const isPlace = ({ name }: Pickup): boolean => place !== '' && wordKey(name) === wordKey(place)
  const fitting = departure.pickups.filter(
    (pickup) => (!pickupPlace || isPlace(pickup)) && (!pickupTime || pickup.time === pickupTime),
  )
  // a place names its stop alone, whatever time the agent gives; the time decides between several stops there
  const byPlace = departure.pickups.filter(isPlace)
  const [found, another] = fitting.length > 0 ? fitting : byPlace
  if (found && !another) return found
  return {
    code: 'pickup_unknown',
    field: pickupPlace ? 'pickup_place' : 'pickup_time',
    params: { value: [pickupTime, pickupPlace].filter(Boolean).join(' ') },
  }
}

interface Amounts {
  readonly total: number
  readonly paid: number
}

/**
 * Total and paid, in minor units, from whatever of paid and balance the file says.
 *
 * @param listed What the party costs by the price list, or cost so far.
 */
function amountsOf(
  { total: said, paid, balance }: PartyFields,
  currency: string,
  listed: number,
  paidSoFar: number,
): Amounts {
  const paidMinor = paid === undefined ? undefined : minorOf(paid, currency)
  const balanceMinor = balance === undefined ? undefined : minorOf(balance, currency)
  if (said !== undefined) {
    const total = minorOf(said, currency)
    return { total, paid: paidMinor ?? (balanceMinor === undefined ? paidSoFar : Math.max(0, total - balanceMinor)) }
  }
  if (paidMinor !== undefined && balanceMinor !== undefined) {
    return { total: paidMinor + balanceMinor, paid: paidMinor }
  }
  if (paidMinor !== undefined) return { total: Math.max(listed, paidMinor), paid: paidMinor }
  if (balanceMinor === undefined) return { total: listed, paid: paidSoFar }
  const total = Math.max(listed, balanceMinor)
  return { total, paid: total - balanceMinor }
}

export interface BookingPlan {
  readonly plan?: EntityPlan
  readonly seats: number
  readonly changes: readonly Change[]
}

const saysMoney = ({ total, paid, balance }: PartyFields): boolean => (total ?? paid ?? balance) !== undefined

/** The currency of amounts that are not in that of the departure. */
const foreignCurrency = (said: PartyFields, { currency }: DepartureFacts): string | undefined =>
  saysMoney(said) && said.currency !== currency ? said.currency : undefined

/** Prices of the list are in the currency of the departure: what such a booking costs, the file must say. */
const isAccepted = ({ otherCurrency, total, paid, balance }: PartyFields): boolean =>
  otherCurrency === 'accept' && (total !== undefined || (paid !== undefined && balance !== undefined))

/** A party that is not booked yet. */
export function planNewBooking(
  said: PartyFields,
  departure: DepartureFacts,
  types: readonly UnitType[],
  bookingRef: string,
  pickup: Pickup | null | undefined,
): (BookingPlan & { readonly plan: EntityPlan }) | PartyProblem {
  const { first } = said
  const units = unitsFor(unitsAsCounted(said.units ?? {}, [], departure.prices), types, departure.prices)
  const unsold = unsoldUnit(units, departure)
  if (unsold) return unsold
  const foreign = foreignCurrency(said, departure)
  if (foreign !== undefined && !isAccepted(said)) {
    const params = { currency: foreign, expected: departure.currency }
    return { code: 'currency_not_departure', field: 'currency', params }
  }
  const currency = foreign ?? departure.currency
  const amounts = amountsOf(said, currency, amountOfUnits(units), 0)
  const pax = paxOfUnits(units)
  const set = {
    booking_ref: bookingRef,
    departure_id: departure.id,
    status: 'confirmed',
    kind: 'seat_in_coach',
    channel: first.channel ?? 'import',
    seller_name: said.sellerName ?? null,
    external_ref: first.externalRef ?? null,
    contact_name: nameOf(first).slice(0, 120),
    contact_email: first.email ?? null,
    contact_phone: first.phone ?? null,
    contact_locale: first.language ?? null,
    units,
    pax,
    amount_total_minor: amounts.total,
    amount_paid_minor: amounts.paid,
    currency,
    pickup_place_id: pickup?.placeId ?? null,
    pickup_at: pickup?.at ?? null,
    notes: noteWith(said.notes ?? null, said.kept),
  }
  const changes = saysMoney(said)
    ? [
        { field: 'total', before: null, after: shownMoney(amounts.total, currency) },
        { field: 'paid', before: null, after: shownMoney(amounts.paid, currency) },
      ]
    : []
  return { plan: { id: newId(), isNew: true, version: 0, set, was: {}, kept: said.kept }, seats: pax, changes }
}

/** Statuses whose seats are counted. */
const seated = ['on_hold', 'confirmed', 'completed']

/** What the lines change about a booking that is there. */
export function planKnownBooking(
  said: PartyFields,
  departure: DepartureFacts,
  booking: BookingFacts,
  types: readonly UnitType[],
  pickup: Pickup | null | undefined,
): BookingPlan | PartyProblem {
  if (said.currency !== undefined && said.currency !== booking.currency && saysMoney(said)) {
    return { code: 'currency_differs', field: 'currency', params: { currency: booking.currency } }
  }
  const draft = new Draft()
  const sold = said.units ? unitsAsCounted(said.units, booking.units, departure.prices) : booking.units
  const units = unitsFor(sold, types, departure.prices)
  const pax = paxOfUnits(units)
  const unsold = pax > booking.pax ? unsoldUnit(units, departure) : undefined
  if (unsold) return unsold
  if (JSON.stringify(units) !== JSON.stringify(booking.units)) {
    draft.put('units', booking.units, units)
    draft.put('pax', booking.pax, pax)
    if (pax !== booking.pax) draft.tell('seats', String(booking.pax), String(pax))
  }
  const more = amountOfUnits(units) - amountOfUnits(booking.units)
  planMoney(draft, said, booking, Math.max(said.units ? 0 : booking.totalMinor, booking.totalMinor + more))
  planPickup(draft, booking, pickup)
  if (said.sellerName !== undefined && said.sellerName !== booking.sellerName) {
    draft.put('seller_name', booking.sellerName, said.sellerName)
    draft.tell('channel', booking.sellerName, said.sellerName)
  }
  const notes = noteWith(said.notes === undefined ? booking.notes : said.notes, said.kept)
  if (notes !== booking.notes) {
    draft.put('notes', booking.notes, notes)
    draft.tell('notes', booking.notes, notes)
  }
  return {
    ...(draft.isTouched && {
      plan: {
        id: booking.id,
        isNew: false,
        version: booking.version,
        set: draft.set,
        was: { ...draft.was, import_batch_id: booking.importBatchId },
        kept: said.kept,
      },
    }),
    seats: seated.includes(booking.status) ? Math.max(0, pax - booking.pax) : 0,
    changes: draft.changes,
  }
}

class Draft {
  readonly set: Record<string, unknown> = {}
  readonly was: Record<string, unknown> = {}
  readonly changes: Change[] = []

  get isTouched(): boolean {
    return Object.keys(this.set).length > 0
  }

  put(column: string, was: unknown, set: unknown): void {
    this.set[column] = set
    this.was[column] = was
  }

  tell(field: string, before: string | null, after: string | null): void {
    this.changes.push({ field, before, after })
  }
}

function planMoney(draft: Draft, said: PartyFields, booking: BookingFacts, listed: number): void {
  const { currency } = booking
  const before = { total: booking.totalMinor, paid: booking.paidMinor }
  const amounts = amountsOf(said, currency, listed, booking.paidMinor)
  if (amounts.paid !== before.paid) {
    draft.put('amount_paid_minor', before.paid, amounts.paid)
    draft.tell('paid', shownMoney(before.paid, currency), shownMoney(amounts.paid, currency))
  }
  if (amounts.total !== before.total) draft.put('amount_total_minor', before.total, amounts.total)
  const balance = Math.max(0, amounts.total - amounts.paid)
  const balanceBefore = Math.max(0, before.total - before.paid)
  if (balance !== balanceBefore) {
    draft.tell('balance', shownMoney(balanceBefore, currency), shownMoney(balance, currency))
  }
}

function planPickup(draft: Draft, booking: BookingFacts, pickup: Pickup | null | undefined): void {
  if (pickup === undefined) return
  const isSame =
    (pickup?.placeId ?? null) === booking.pickupPlaceId &&
    (pickup === null ? null : Date.parse(pickup.at)) ===
      (booking.pickupAt === null ? null : Date.parse(booking.pickupAt))
  if (isSame) return
  draft.put('pickup_place_id', booking.pickupPlaceId, pickup?.placeId ?? null)
  draft.put('pickup_at', booking.pickupAt, pickup?.at ?? null)
  const shown = (time: string | null | undefined, place: string | null | undefined) =>
    [time, place].filter(Boolean).join(' ') || null
  draft.tell('pickup', shown(booking.pickupTime, booking.pickupPlaceName), shown(pickup?.time, pickup?.name))
}

function unsoldUnit(
  units: readonly { unitType: UnitType; qty: number }[],
  { prices }: DepartureFacts,
): PartyProblem | undefined {
  const unsold = units.find(({ unitType }) => prices.length > 0 && !prices.some((price) => price.unitType === unitType))
  if (unsold) return { code: 'unit_not_sold', field: 'unit_type', params: { unit: unsold.unitType } }
  const booked = units.map(({ unitType, qty }) => ({ unitType, quantity: qty }))
  return lacksAdult(booked, prices) ? { code: 'needs_adult', field: 'unit_type', params: {} } : undefined
}
