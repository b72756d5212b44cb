import { randomBytes } from 'node:crypto'
import { bookingRefOf } from '@tour-ops/contract/bookings/booking-ref'
import { discountMinorOf } from '@tour-ops/contract/bookings/discount-codes'
import { createBooking } from '@tour-ops/contract/bookings/bookings'
import type { Given } from '@tour-ops/contract/callable'
import { amountMinorOf, lacksAdult, paxOf, type BookedUnit, type TourUnit } from '@tour-ops/contract/units'
import { refuse } from '@tour-ops/contract/refusals'
import { fieldError } from '@tour-ops/contract/field-rules'
import { sql } from 'kysely'
import type { MemberCall } from '../../context.ts'
import { newId } from '../../platform/ids.ts'
import { addMinutes } from '../../platform/local-time.ts'
import type { LockedDeparture } from '../../platform/operations/seats.ts'
import { tellGuest } from '../../platform/operations/tell-guests.ts'
import { verb } from '../../platform/verb.ts'
import { selectBooking, selectPickup, type SoldUnit } from './bookings-store.ts'
import { requireDiscount } from './discounts.ts'
import { takeFormHold } from './form-holds.ts'
import { insertEntries, requireSeatForEach } from './guests.ts'
import { priceOf } from './prices.ts'
import { lockOne, requireOnSale, requireSeats } from './seat-rules.ts'
import { selectTerms, type Terms } from './selling-terms.ts'
import { lastRank } from './waitlist-rank.ts'

type Wanted = Given<typeof createBooking>

/** Status a booking begins with, by what was asked for. */
const firstStatus = { hold: 'on_hold', confirm: 'confirmed', waitlist: 'waitlisted' } as const

/**
 * Holds, sells or queues seats. The departure is locked first, so that the look at what is left and the sale are one step: of two
 * who want the last seat one gets it, and the other learns what is left.
 */
export const create = verb(createBooking, async (call, wanted) => {
  const departure = await takeFormHold(call, await lockOne(call, wanted.departureId), wanted.formId)
  requireOnSale(departure, call.clock.now(), wanted.channel)
  const terms = await selectTerms(call, departure.id)
  const sold = soldUnits(wanted.units, terms.prices)
  const pax = paxOf(wanted.units, terms.prices)
  requireSeatForEach(wanted.guests, pax)
  if (wanted.mode !== 'waitlist') await requireSeats(call, departure, pax)
  const id = await insertBooking(call, wanted, { departure, terms, sold, pax })
  await insertEntries(
    call,
    { orgId: call.orgId, departureId: departure.id, bookingId: id, pickupStopId: wanted.pickupStopId },
    wanted.guests,
  )
  if (wanted.mode === 'confirm') await tellGuest(call, 'booking_confirmed', id, wanted.tellGuest)
  return selectBooking(call, id)
})

/**
 * @param isClosed Whether no other kinds are sold than those with a price; a tour without a price list sells any.
 * @throws AppError `invalid-argument` for kinds of guests that the tour does not sell, and for children on their own.
 */
export function soldUnits(
  units: readonly BookedUnit[],
  prices: readonly TourUnit[],
  isClosed = prices.length > 0,
): SoldUnit[] {
  const unsold = units.findIndex(({ unitType }) => isClosed && !prices.some((price) => price.unitType === unitType))
  if (unsold !== -1) throw fieldError(`units.${unsold}.unitType`, 'unit_not_sold')
  if (lacksAdult(units, prices)) throw fieldError('units', 'adult_missing')
  return units.map(({ unitType, quantity }) => {
    const price = prices.find((unit) => unit.unitType === unitType)
    return { unitType, qty: quantity, paxCount: price?.paxCount ?? 1, priceMinor: price?.priceMinor ?? 0 }
  })
}

interface Sale {
  readonly departure: LockedDeparture
  readonly terms: Terms
  readonly sold: readonly SoldUnit[]
  readonly pax: number
}

async function insertBooking(call: MemberCall, wanted: Wanted, sale: Sale): Promise<string> {
  const { departure, terms, sold, pax } = sale
  const id = newId()
  const status = firstStatus[wanted.mode]
  const listMinor = amountMinorOf(wanted.units, terms.prices)
  const discount =
    wanted.discountCode === null ? null : await requireDiscount(call, discountAsked(wanted.discountCode, sale))
  const discountMinor = discount ? discountMinorOf(discount, listMinor) : 0
  const price = priceOf(wanted, listMinor - discountMinor)
  const pickup = await selectPickup(call, departure.id, wanted.pickupStopId)
  const holdEnds = addMinutes(call.clock.now(), wanted.holdMinutes ?? terms.holdMinutes)
  const { contact } = wanted
  await sql`
    with booking as (insert into bookings (org_id, id, booking_ref, departure_id, status, kind, channel, seller_name, external_ref, contact_name, contact_email,
      contact_phone, contact_locale, contact_country, units, pax, amount_total_minor, price_reason, discount_code_id, discount_code, discount_minor,
      amount_paid_minor, currency, payment_status,
      pickup_place_id, pickup_at, notes, expires_at, waitlist_rank)
    values (${call.orgId}, ${id}, ${wanted.bookingRef ?? (await freeBookingRef(call, terms.refPrefix))}, ${departure.id}, ${status},
      ${wanted.kind}, ${wanted.channel}, ${wanted.sellerName}, ${wanted.externalRef}, ${contact.name}, ${contact.email}, ${contact.phone},
      ${contact.locale}, ${contact.country}, ${JSON.stringify(sold)}::jsonb, ${pax}, ${price.totalMinor}, ${price.reason},
      ${discount?.id ?? null}, ${discount?.code ?? null}, ${discountMinor}, ${wanted.amountPaidMinor},
      ${wanted.currency ?? terms.currency}, ${wanted.isOnAgentCredit ? 'agent_credit' : 'unpaid'},
      ${pickup?.placeId ?? null}, ${pickup?.at ?? null}, ${wanted.notes},
      ${status === 'on_hold' ? earlier(holdEnds, departure.startsAt) : null},
      ${status === 'waitlisted' ? lastRank(call, departure.id) : null}) returning org_id, id, currency, amount_paid_minor)
    insert into payments (org_id, id, booking_id, kind, method, amount_minor, currency, received_at, recorded_by)
    select org_id, ${newId()}, id, 'payment', ${wanted.paidBy ?? null}, amount_paid_minor, currency, app_now(), ${call.caller.userId}
    from booking where amount_paid_minor > 0`.execute(call.tx)
  return id
}

const discountAsked = (code: string, { departure, terms }: Sale) => ({
  code,
  departureId: departure.id,
  currency: terms.currency,
  path: 'discountCode',
})

const earlier = (a: Date, b: Date): Date => (a < b ? a : b)

/** References of which one is free; the odds that all are taken at a million bookings are one in 10^15. */
const candidates = 5

/** A reference that no booking has. */
export async function freeBookingRef(call: MemberCall, prefix: string): Promise<string> {
  const refs = Array.from({ length: candidates }, () => bookingRefOf(prefix.slice(0, 4), randomBytes(6)))
  const { rows } = await sql<{ ref: string }>`select booking_ref as ref from bookings
    where org_id = ${call.orgId} and booking_ref = any (${refs}::text[])`.execute(call.tx)
  const taken = new Set(rows.map((row) => row.ref))
  const free = refs.find((ref) => !taken.has(ref))
  if (!free) throw refuse('references_exhausted')
  return free
}
