import { joinParties, seatShare, shareOf, splitParty, unitsLeft } from '@tour-ops/contract/bookings/split'
import { takesSeats } from '@tour-ops/contract/bookings/party'
import type { Given } from '@tour-ops/contract/callable'
import { fieldError } from '@tour-ops/contract/field-rules'
import { refuse } from '@tour-ops/contract/refusals'
import { type BookedUnit, paxOf, type TourUnit } from '@tour-ops/contract/units'
import { sql } from 'kysely'
import type { MemberCall } from '../../context.ts'
import { newId } from '../../platform/ids.ts'
import { withdrawProposals } from '../../platform/operations/proposals.ts'
import { tellGuest, tellingChange } from '../../platform/operations/tell-guests.ts'
import { verb } from '../../platform/verb.ts'
import { lockBookings, promoteWaitlists } from './bookings-changes.ts'
import { freeBookingRef, soldUnits } from './bookings-create.ts'
import { fitToKinds } from './bookings-party.ts'
import { type BookingRecord, type Pickup, selectBooking, selectPickup, type SoldUnit } from './bookings-store.ts'
import { requireSeatForEach, requireUnbooked } from './guests.ts'
import { leaveRooms } from './move-party.ts'
import { payIn, payOut } from './payments-store.ts'
import { soldThere } from './price-there.ts'
import type { LockedDeparture } from '../../platform/operations/seats.ts'
import { requireSeats, requireSold } from './seat-rules.ts'
import { selectTerms } from './selling-terms.ts'
import { pricesOf, quantitiesOf, selectSold, type SoldRow } from './sold-party.ts'

interface Money {
  readonly amountPaidMinor: number
  readonly discountCodeId: string | null
  readonly discountCode: string | null
  readonly discountMinor: number
}

/** A party that can be divided or joined: it has seats on a departure that has not left. */
export interface Seated {
  readonly record: BookingRecord
  readonly sold: SoldRow
  readonly money: Money
}

/** The departure is locked, so that nobody sells a seat between the party that becomes smaller and the new one. */
export const split = verb(splitParty, async (call, { id, version, tellGuest: isTold, ...going }) => {
  const [party] = await lockSeated(call, [{ id, version }])
  const held = await withdrawProposals(call, [id])
  const other = await splitOff(call, party, going, isTold)
  if (party.record.status === 'confirmed') await tellGuest(call, 'booking_confirmed', other, isTold)
  await promoteWaitlists(call, held)
  return { booking: await selectBooking(call, id), other: await selectBooking(call, other) }
})

type Going = Pick<Given<typeof splitParty>, 'units' | 'guests' | 'contact'>

/** Where guests of a party go. */
export interface Arrival {
  /** Locked. */
  readonly departure: LockedDeparture
  readonly pickupStopId: string | null
  readonly atPriceThere: boolean
}

/**
 * Guests of a party, which is locked, have a booking of their own.
 *
 * @param arrival Left out: on the departure of the party.
 * @throws AppError as `divided`, and `aborted`, reason `seats_exhausted`, where seats are short there.
 * @returns the id of that booking.
 */
export async function splitOff(
  call: MemberCall,
  { record, sold, money }: Seated,
  { units, guests, contact }: Going,
  isTold: boolean,
  arrival?: Arrival,
): Promise<string> {
  const { id } = record
  const terms = await selectTerms(call, sold.departureId)
  const prices = pricesOf(terms.prices, sold)
  const had = quantitiesOf(sold.units)
  const [going, staying] = divided(had, units, prices)
  const pax = paxOf(units, prices)
  requireSeatForEach(guests, pax)
  if (arrival) await requireSeats(call, arrival.departure, pax)
  const share = shareOf({ units: had, ...record, ...money }, units, prices)
  const bought = { ...sold, units: going, amountTotalMinor: share.totalMinor }
  const discountMinor = Math.round(money.discountMinor * seatShare(had, units, prices))
  const other = newId()
  await tellingChange(call, record, isTold, async () => {
    await sql`update bookings set units = ${JSON.stringify(staying)}::jsonb, pax = pax - ${pax}, amount_total_minor = amount_total_minor - ${share.totalMinor},
      discount_minor = discount_minor - ${discountMinor} where org_id = ${call.orgId} and id = ${id}`.execute(call.tx)
    await insertSplit(call, {
      id,
      other,
      ref: await freeBookingRef(call, terms.refPrefix),
      pax,
      paidMinor: share.paidMinor,
      contact,
      departure: arrival?.departure ?? null,
      pickup: arrival ? await selectPickup(call, arrival.departure.id, arrival.pickupStopId) : null,
      sold: arrival?.atPriceThere ? soldThere(bought, (await selectTerms(call, arrival.departure.id)).prices) : bought,
    })
    if (arrival) await changeDeparture(call, id, other, guests, arrival)
    else await moveEntries(call, id, other, guests)
    await fitToKinds(call, id, staying, record.pax - pax)
    await fitToKinds(call, other, going, pax)
    await payOut(call, id, other, share.paidMinor)
  })
  return other
}

/** What was agreed on for both counts: prices of the other party are not asked again. */
export const join = verb(
  joinParties,
  async (call, { id, version, other: { id: otherId, version: otherVersion }, tellGuest: isTold }) => {
    if (id === otherId) throw fieldError('other.id', 'booking_elsewhere')
    const [first, second] = await lockSeated(call, [
      { id, version },
      { id: otherId, version: otherVersion },
    ])
    if (!second || !areOne(first, second)) throw fieldError('other.id', 'booking_elsewhere')
    const held = await withdrawProposals(call, [id, otherId])
    const units = joined(first.sold.units, second.sold.units)
    const discount = discountBrought(first, second)
    await tellingChange(call, first.record, isTold, async () => {
      await moveEntries(call, otherId, id)
      // before the first becomes larger: of the seats of both, none is free in between
      await sql`update bookings set status = 'cancelled', cancel_reason = 'duplicate', cancellation_fee_minor = 0, cancellation_fee_reason = null
      where org_id = ${call.orgId} and id = ${otherId}`.execute(call.tx)
      await sql`
      update bookings b set units = ${JSON.stringify(units)}::jsonb, pax = b.pax + o.pax, amount_total_minor = b.amount_total_minor + o.amount_total_minor,
        cancellation_fee_minor = b.cancellation_fee_minor + ${second.record.cancellationFeeMinor},
        discount_minor = b.discount_minor + ${discount ?? 0}, price_reason = coalesce(b.price_reason, ${discount === undefined ? reasonOf(second) : null})
      from bookings o where b.org_id = ${call.orgId} and b.id = ${id} and o.org_id = b.org_id and o.id = ${otherId}`.execute(
        call.tx,
      )
      await payOut(call, otherId, id, second.money.amountPaidMinor)
      await payIn(call, id, otherId, second.money.amountPaidMinor)
    })
    await promoteWaitlists(call, held)
    return { booking: await selectBooking(call, id), other: await selectBooking(call, otherId) }
  },
)

type Wanted = readonly { readonly id: string; readonly version: number }[]

/** @throws AppError `aborted` for a party without seats, and on a departure that has left; one that was cancelled can be left one by one. */
export async function lockSeated(
  call: MemberCall,
  wanted: Wanted,
  ...alsoDepartureIds: readonly string[]
): Promise<[Seated, ...Seated[]]> {
  const { bookings, departures } = await lockBookings(call, wanted, ...alsoDepartureIds)
  const seated: Seated[] = []
  for (const record of bookings) {
    if (!takesSeats(record.status)) throw refuse('illegal_transition', { machine: 'bookings', from: record.status })
    const departure = departures.get(record.departureId)
    if (departure && !isStranded(departure, record)) requireSold(departure)
    seated.push(await selectSeated(call, record))
  }
  const [first, ...others] = seated
  if (!first) throw new Error('One booking at least is wanted')
  return [first, ...others]
}

/** A party that was sold and whose departure was cancelled: still to be moved or refunded. */
const isStranded = (departure: LockedDeparture, record: BookingRecord): boolean =>
  departure.status === 'cancelled' && record.status === 'confirmed'

/** A booking, which is locked, with what it has bought and paid. */
const selectSeated = async (call: MemberCall, record: BookingRecord): Promise<Seated> => ({
  record,
  sold: await selectSold(call, record.id),
  money: await selectMoney(call, record.id),
})

async function selectMoney(call: MemberCall, id: string): Promise<Money> {
  const { rows } = await sql<Money>`
    select amount_paid_minor as "amountPaidMinor", discount_code_id as "discountCodeId", discount_code as "discountCode", discount_minor as "discountMinor"
    from bookings where org_id = ${call.orgId} and id = ${id}`.execute(call.tx)
  if (!rows[0]) throw new Error('The booking is locked')
  return rows[0]
}

/**
 * Seats that go and seats that stay, as they are sold.
 *
 * @throws AppError `invalid-argument` on `units` for more seats than there are, where nobody stays, and for children on their own.
 */
function divided(
  had: readonly BookedUnit[],
  going: readonly BookedUnit[],
  prices: readonly TourUnit[],
): [going: SoldUnit[], staying: SoldUnit[]] {
  const tooMany = going.findIndex(
    ({ unitType, quantity }) => quantity > (had.find((unit) => unit.unitType === unitType)?.quantity ?? 0),
  )
  if (tooMany !== -1) throw fieldError(`units.${tooMany}.quantity`, 'units_above_booked')
  const staying = unitsLeft(had, going)
  if (staying.length === 0) throw fieldError('units', 'nobody_stays')
  return [soldUnits(going, prices), soldUnits(staying, prices)]
}

interface Split {
  readonly id: string
  readonly other: string
  readonly ref: string
  readonly sold: Pick<SoldRow, 'units' | 'amountTotalMinor'>
  readonly pax: number
  readonly paidMinor: number
  readonly contact: Going['contact']
  /** Null on the departure of the first booking, with its pickup. */
  readonly departure: LockedDeparture | null
  readonly pickup: Pickup | null
}

/** The reference of the seller and a discount code stay with the first booking; a price that is not that of the seats says why. */
async function insertSplit(
  call: MemberCall,
  { id, other, ref, sold, pax, paidMinor, contact, departure, pickup }: Split,
): Promise<void> {
  const isListed = sold.amountTotalMinor === sold.units.reduce((sum, unit) => sum + unit.qty * unit.priceMinor, 0)
  const stays = departure === null
  // written once, with what is paid for it: a booking that is sold is no booking that was changed
  await sql`
    with made as (
      insert into bookings (org_id, id, booking_ref, departure_id, status, kind, channel, seller_name, contact_name, contact_email, contact_phone,
        contact_locale, contact_country, units, pax, amount_total_minor, amount_paid_minor, price_reason, currency, payment_status, pickup_place_id,
        pickup_at, notes, expires_at)
      select b.org_id, ${other}, ${ref}, coalesce(${departure?.id ?? null}::uuid, b.departure_id), b.status, b.kind, b.channel, b.seller_name, ${contact.name},
        ${contact.email}, ${contact.phone}, ${contact.locale}, ${contact.country}, ${JSON.stringify(sold.units)}::jsonb, ${pax}, ${sold.amountTotalMinor}, ${paidMinor},
        case when not ${isListed}::boolean then coalesce(b.price_reason, b.discount_code, b.booking_ref) end, b.currency,
        case b.payment_status when 'agent_credit' then 'agent_credit' else 'unpaid' end,
        case when ${stays}::boolean then b.pickup_place_id else ${pickup?.placeId ?? null}::uuid end,
        case when ${stays}::boolean then b.pickup_at else ${pickup?.at ?? null}::timestamptz end, b.notes,
        case when b.expires_at is not null then least(b.expires_at, ${departure?.startsAt ?? null}::timestamptz) end
      from bookings b where b.org_id = ${call.orgId} and b.id = ${id} returning org_id, id, currency, amount_paid_minor)
    insert into payments (org_id, id, booking_id, kind, amount_minor, currency, received_at, reference, recorded_by)
    select m.org_id, ${newId()}, m.id, 'payment', m.amount_paid_minor, m.currency, app_now(), b.booking_ref, ${call.caller.userId}
    from made m join bookings b on b.org_id = m.org_id and b.id = ${id} where m.amount_paid_minor > 0`.execute(call.tx)
}

/**
 * Guests take their seat, room, pickup and check-in along.
 *
 * @param travelers Left out: all of them.
 * @throws AppError `invalid-argument` on `guests` for somebody who is not on the booking.
 */
async function moveEntries(call: MemberCall, from: string, to: string, travelers?: readonly string[]): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    update manifest_entries set booking_id = ${to} where org_id = ${call.orgId} and booking_id = ${from} and status <> 'cancelled'
      and (${travelers === undefined}::boolean or traveler_id = any (${[...(travelers ?? [])]}::uuid[]))
    returning traveler_id as id`.execute(call.tx)
  if (travelers) requireAll(travelers, rows)
}

/** Guests leave seat, room and pickup behind and are expected elsewhere. @throws as `moveEntries`, and for somebody who is booked there already */
async function changeDeparture(
  call: MemberCall,
  from: string,
  to: string,
  travelers: readonly string[],
  { departure, pickupStopId }: Arrival,
): Promise<void> {
  await requireUnbooked(call, departure.id, travelers)
  await leaveRooms(call, from, travelers)
  const { rows } = await sql<{ id: string }>`
    update manifest_entries set booking_id = ${to}, departure_id = ${departure.id}, pickup_stop_id = ${pickupStopId}::uuid, seat_or_group = null
    where org_id = ${call.orgId} and booking_id = ${from} and status <> 'cancelled' and traveler_id = any (${[...travelers]}::uuid[])
    returning traveler_id as id`.execute(call.tx)
  requireAll(travelers, rows)
}

/** @throws AppError `invalid-argument` on `guests` for somebody who is not among those found. */
function requireAll(travelers: readonly string[], found: readonly { readonly id: string }[]): void {
  const unknown = travelers.findIndex((traveler) => !found.some(({ id }) => id === traveler))
  if (unknown !== -1) throw fieldError(`guests.${unknown}`, 'traveler_unknown')
}

/** Two parties that can be one: on the same departure, in the same currency, booked or held alike, with seats that are counted alike. */
function areOne(a: Seated, b: Seated): boolean {
  const seatsOf = new Map(a.sold.units.map((unit) => [unit.unitType, unit.paxCount]))
  return (
    a.record.departureId === b.record.departureId &&
    a.record.status === b.record.status &&
    a.sold.currency === b.sold.currency &&
    b.sold.units.every(({ unitType, paxCount }) => (seatsOf.get(unitType) ?? paxCount) === paxCount)
  )
}

/**
 * What of the discount of the second is one of the first: with the same code, or split off from it, where the code is the reason of the price. Undefined
 * where the price of the second has a reason of its own.
 */
function discountBrought(first: Seated, { record, money }: Seated): number | undefined {
  if (record.priceReason === null && first.money.discountCodeId === money.discountCodeId) return money.discountMinor
  const { amountTotalMinor, cancellationFeeMinor, listMinor } = record
  if (first.money.discountCode !== null && record.priceReason === first.money.discountCode)
    return Math.max(0, listMinor - (amountTotalMinor - cancellationFeeMinor))
  return record.priceReason === first.record.bookingRef ? 0 : undefined
}

/** Why a price is not that of the seats. */
const reasonOf = ({ record, money }: Seated): string | null => record.priceReason ?? money.discountCode

/** Seats of both. A kind that both have keeps the price of the first. */
function joined(units: readonly SoldUnit[], others: readonly SoldUnit[]): SoldUnit[] {
  const more = new Map(others.map((unit) => [unit.unitType, unit]))
  return [
    ...units.map((unit) => ({ ...unit, qty: unit.qty + (more.get(unit.unitType)?.qty ?? 0) })),
    ...others.filter(({ unitType }) => !units.some((unit) => unit.unitType === unitType)),
  ]
}
