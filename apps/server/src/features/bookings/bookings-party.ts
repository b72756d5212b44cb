import type { Given } from '@tour-ops/contract/callable'
import { partFeeMinor } from '@tour-ops/contract/bookings/cancellation'
import { changeParty, getParty, givenUpMinor, takesSeats, totalAfterMinor } from '@tour-ops/contract/bookings/party'
import { fieldError } from '@tour-ops/contract/field-rules'
import { refuse } from '@tour-ops/contract/refusals'
import type { StatusOf } from '@tour-ops/contract/state-machines'
import { paxOf, type BookedUnit, type TourUnit } from '@tour-ops/contract/units'
import { sql } from 'kysely'
import type { MemberCall } from '../../context.ts'
import { promoteWaitlist, type LockedDeparture } from '../../platform/operations/seats.ts'
import { tellingChange } from '../../platform/operations/tell-guests.ts'
import { verb } from '../../platform/verb.ts'
import { lockBooking } from './bookings-changes.ts'
import { soldUnits } from './bookings-create.ts'
import { selectTerms } from './selling-terms.ts'
import { selectBooking, type BookingRecord, type SoldUnit } from './bookings-store.ts'
import { keptFeeOf, selectCancellationRule } from './cancellation-fee.ts'
import { requireSeatForEach } from './guests.ts'
import { requireOnSale, requireSeats } from './seat-rules.ts'
import { pricesOf, quantitiesOf, selectSold, type SoldRow } from './sold-party.ts'

/** Statuses in which a party can become larger or smaller. */
const changeable: readonly StatusOf<'bookings'>[] = ['on_hold', 'requested', 'waitlisted', 'confirmed']

export const party = verb(getParty, async (call, { id, departureId }) => {
  const sold = await selectSold(call, id)
  const { prices } = await selectTerms(call, departureId ?? sold.departureId)
  const { daysBefore, refundPercent } = await selectCancellationRule(call, sold.departureId)
  return { prices: pricesOf(prices, sold), cancellation: { daysBefore, refundPercent } }
})

/** The departure is locked first, as when it is sold; seats that are given up go to those who wait. */
export const change = verb(changeParty, async (call, { id, version, tellGuest, ...wanted }) => {
  const { booking, departure } = await lockBooking(call, id, version)
  let pax = booking.pax
  await tellingChange(call, booking, tellGuest, async () => {
    pax = await changeSeats(call, { booking, departure }, wanted)
  })
  // who waits may fit now that it is smaller
  const promoted = pax < booking.pax ? await promoteWaitlist(call, departure.id) : []
  return { booking: await selectBooking(call, id), promoted }
})

type WantedSeats = Pick<
  Given<typeof changeParty>,
  'units' | 'leaving' | 'amountTotalMinor' | 'feeMinor' | 'feeReason'
> & {
  /** The departure that says what is sold that the party has not bought; left out: its own. */
  readonly soldOn?: string
  /** Where it was said who leaves; left out: `leaving`. */
  readonly leavingField?: 'leaving' | 'guests'
}

/**
 * Makes a party larger or smaller whose departure is locked. Nobody is told yet, and seats that are given up are offered to nobody.
 *
 * @returns the seats it has now.
 */
export async function changeSeats(
  call: MemberCall,
  { booking, departure }: { readonly booking: BookingRecord; readonly departure: LockedDeparture },
  { units, leaving, amountTotalMinor, soldOn = departure.id, leavingField = 'leaving', ...wanted }: WantedSeats,
): Promise<number> {
  const { id } = booking
  if (!changeable.includes(booking.status))
    throw refuse('illegal_transition', { machine: 'bookings', from: booking.status })
  const { before, prices, sold } = await soldAs(call, id, units, soldOn)
  const pax = paxOf(units, prices)
  if (pax > booking.pax) await requireRoom(call, departure, booking.status, pax - booking.pax)
  await takeOff(call, id, leaving, leavingField)
  await fitToKinds(call, id, sold, pax)
  const after = totalAfterMinor(before.amountTotalMinor, quantitiesOf(before.units), units, prices)
  const givenUp = amountTotalMinor === undefined ? givenUpMinor(booking, { pax, amountTotalMinor: after }) : 0
  const rule = await selectCancellationRule(call, departure.id)
  const kept = keptFeeOf(wanted, partFeeMinor({ ...booking, ...rule }, givenUp, rule), givenUp)
  await sql`
    update bookings set units = ${JSON.stringify(sold)}::jsonb, pax = ${pax}, amount_total_minor = ${(amountTotalMinor ?? after) + kept.feeMinor},
      cancellation_fee_minor = cancellation_fee_minor + ${kept.feeMinor},
      cancellation_fee_reason = case when ${kept.feeMinor} > 0 then ${kept.reason} else cancellation_fee_reason end
    where org_id = ${call.orgId} and id = ${id}`.execute(call.tx)
  return pax
}

/** Seats that a party wants, at the prices that count for it. */
export async function soldAs(
  call: MemberCall,
  id: string,
  units: readonly BookedUnit[],
  departureId: string,
): Promise<{ before: SoldRow; prices: TourUnit[]; sold: SoldUnit[] }> {
  const before = await selectSold(call, id)
  const { prices: asked } = await selectTerms(call, departureId)
  const prices = pricesOf(asked, before)
  return { before, prices, sold: soldUnits(units, prices, asked.length > 0) }
}

async function requireRoom(
  call: MemberCall,
  departure: LockedDeparture,
  status: StatusOf<'bookings'>,
  more: number,
): Promise<void> {
  requireOnSale(departure, call.clock.now(), 'walk_in')
  if (takesSeats(status)) await requireSeats(call, departure, more, true)
}

/** @throws AppError `invalid-argument` on the field for guests who are not on the booking, or were aboard. */
async function takeOff(call: MemberCall, bookingId: string, leaving: readonly string[], field: string): Promise<void> {
  if (leaving.length === 0) return
  const { rows } = await sql<{ id: string }>`
    update manifest_entries set status = 'cancelled' where org_id = ${call.orgId} and booking_id = ${bookingId} and status = 'expected'
      and traveler_id = any (${[...leaving]}::uuid[]) returning traveler_id as id`.execute(call.tx)
  if (rows.length < new Set(leaving).size) throw fieldError(field, 'aboard_left_out')
}

/**
 * Gives guests whose kind of seat is no longer booked another kind that has places.
 *
 * @throws AppError `invalid-argument` on `guests` where more are named than there are seats.
 */
export async function fitToKinds(
  call: MemberCall,
  bookingId: string,
  sold: readonly SoldUnit[],
  pax: number,
): Promise<void> {
  const { rows: entries } = await sql<{ id: string; unitType: string }>`
    select id, unit_type as "unitType" from manifest_entries where org_id = ${call.orgId} and booking_id = ${bookingId}
      and status <> 'cancelled' order by id`.execute(call.tx)
  requireSeatForEach(entries, pax)
  const free = new Map<string, number>(sold.map(({ unitType, qty, paxCount }) => [unitType, qty * paxCount]))
  const homeless = entries.filter(({ unitType }) => {
    const places = free.get(unitType) ?? 0
    if (places > 0) free.set(unitType, places - 1)
    return places === 0
  })
  for (const { id } of homeless) {
    const [kind, places] = [...free].find(([, left]) => left > 0) ?? []
    if (kind === undefined || places === undefined) continue
    free.set(kind, places - 1)
    await sql`update manifest_entries set unit_type = ${kind} where org_id = ${call.orgId} and id = ${id}`.execute(
      call.tx,
    )
  }
}
