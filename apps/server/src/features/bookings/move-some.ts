import { bringSomeBack, moveSomeGuests } from '@tour-ops/contract/bookings/move-some'
import { fieldError } from '@tour-ops/contract/field-rules'
import { refuse } from '@tour-ops/contract/refusals'
import { sql } from 'kysely'
import type { MemberCall } from '../../context.ts'
import { notFound } from '../../platform/optimistic-lock.ts'
import { withdrawProposals } from '../../platform/operations/proposals.ts'
import { tellGuest, tellingChange, tellTakenBack } from '../../platform/operations/tell-guests.ts'
import { verb } from '../../platform/verb.ts'
import { restoreColumns, selectLastRequest, selectValuesBefore } from './before-request.ts'
import { promoteWaitlists } from './bookings-changes.ts'
import { selectBooking } from './bookings-store.ts'
import { requireUnbooked } from './guests.ts'
import { restorePlaces, restoreRooms } from './move-back.ts'
import { leavePlaces, requireNobodyAboard, samePlace, travelersOf } from './move-party.ts'
import { payIn, payOut } from './payments-store.ts'
import { restoreKinds } from './restore-party.ts'
import { isStillAhead, lockOne, requireOnSale, requireSeats } from './seat-rules.ts'
import { lockSeated, type Seated, splitOff } from './split-party.ts'

/** Seats are taken there before they are released here; who goes hears of the departure they go to, and of no other. */
export const moveSome = verb(moveSomeGuests, async (call, wanted) => {
  const { id, version, toDepartureId, pickupStopId, atPriceThere, tellGuest: isTold, ...going } = wanted
  const [party] = await lockSeated(call, [{ id, version }], toDepartureId)
  const { record } = party
  const held = await withdrawProposals(call, [id])
  // after that: seats that were held there for them are theirs
  const departure = await lockOne(call, toDepartureId)
  if (departure.id === record.departureId) throw fieldError('toDepartureId', 'same_departure')
  requireOnSale(departure, call.clock.now(), 'walk_in')
  await requireNobodyAboard(call, id, going.guests)
  const stopId = pickupStopId === undefined ? await samePlace(call, record, departure) : pickupStopId
  const otherId = await splitOff(call, party, going, isTold, { departure, pickupStopId: stopId, atPriceThere })
  if (record.status === 'confirmed') await tellGuest(call, 'booking_confirmed', otherId, isTold)
  const promoted = await promoteWaitlists(call, [record.departureId, ...held])
  return { booking: await selectBooking(call, id), other: await selectBooking(call, otherId), promoted }
})

/** What was written of the party that became smaller. */
const columnsOfParty = ['units', 'pax', 'amount_total_minor', 'discount_minor'] as const

/** They are part of their party again, with pickup, seat, room and kind of seat as before. */
export const bringBackSome = verb(bringSomeBack, async (call, { id, version, other }) => {
  const [party, moved] = await lockSeated(call, [{ id, version }, other])
  if (!moved) throw notFound('booking')
  const requestId = await selectLastRequest(call, id, moveSomeGuests.name)
  if (requestId === undefined || requestId !== (await selectLastRequest(call, other.id, moveSomeGuests.name)))
    throw refuse('cancellation_stays')
  await requireNobodyAboard(call, other.id)
  const home = await lockOne(call, party.record.departureId)
  if (!isStillAhead(home.status, party.record.status)) throw refuse('cancellation_stays')
  await requireSeats(call, home, moved.record.pax, true)
  await requireUnbooked(call, home.id, await travelersOf(call, other.id))
  const held = await withdrawProposals(call, [id, other.id])
  await tellingChange(call, party.record, true, () => bringTogether(call, party, moved, requestId))
  await tellTakenBack(call, other.id)
  const promoted = await promoteWaitlists(call, [moved.record.departureId, ...held])
  return { booking: await selectBooking(call, id), other: await selectBooking(call, other.id), promoted }
})

async function bringTogether(call: MemberCall, party: Seated, moved: Seated, requestId: string): Promise<void> {
  const { tx, orgId } = call
  const [{ id, departureId }, other] = [party.record, moved.record]
  await leavePlaces(call, other.id)
  await restoreColumns(call, { id, values: await selectValuesBefore(call, id, requestId) }, columnsOfParty)
  await sql`update manifest_entries set booking_id = ${id}, departure_id = ${departureId}
    where org_id = ${orgId} and booking_id = ${other.id} and status <> 'cancelled'`.execute(tx)
  await sql`update bookings set status = 'cancelled', cancel_reason = 'duplicate', cancellation_fee_minor = 0, cancellation_fee_reason = null
    where org_id = ${orgId} and id = ${other.id}`.execute(tx)
  await restoreKinds(call, id, requestId)
  await restorePlaces(call, id, requestId, true)
  await restoreRooms(call, id, requestId)
  await payOut(call, other.id, id, moved.money.amountPaidMinor)
  await payIn(call, id, other.id, moved.money.amountPaidMinor)
}
