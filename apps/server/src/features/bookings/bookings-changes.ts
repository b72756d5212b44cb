import {
  cancelBooking,
  confirmBooking,
  extendHold,
  moveBookings,
  offerBooking,
  rejectBooking,
} from '@tour-ops/contract/bookings/bookings'
import { proposedFeeMinor } from '@tour-ops/contract/bookings/cancellation'
import { canBecome, type StatusOf } from '@tour-ops/contract/state-machines'
import { fieldError } from '@tour-ops/contract/field-rules'
import { refuse } from '@tour-ops/contract/refusals'
import { sql } from 'kysely'
import type { MemberCall } from '../../context.ts'
import { addMinutes } from '../../platform/local-time.ts'
import { iso } from '../../platform/list-query.ts'
import { notFound, requireVersion } from '../../platform/optimistic-lock.ts'
import { lockSeats, promoteWaitlist, releaseGuests, type LockedDeparture } from '../../platform/operations/seats.ts'
import { tellGuest, tellingChange, tellOffer } from '../../platform/operations/tell-guests.ts'
import { verb } from '../../platform/verb.ts'
import { selectBooking, selectPickup, selectRecord, type BookingRecord } from './bookings-store.ts'
import { keptFeeOf, selectCancellationRule } from './cancellation-fee.ts'
import { requireUnbooked, reviveEntries } from './guests.ts'
import { movesAwayFrom, restoreLeftBehind } from './move-back.ts'
import { payAtOnce } from './payments-store.ts'
import { chargePriceThere } from './price-there.ts'
import { requireOnSale, requireSeats, requireSold } from './seat-rules.ts'

/** Locks the departures concerned, then reads the bookings in their current state; expired holds have ended by then. */
async function lockBookings(
  call: MemberCall,
  wanted: readonly { id: string; version: number }[],
  alsoDepartureId?: string,
): Promise<{ bookings: BookingRecord[]; departures: ReadonlyMap<string, LockedDeparture> }> {
  const before = await selectRecords(call, wanted)
  const departures = await lockSeats(call, [
    ...before.map((booking) => booking.departureId),
    ...(alsoDepartureId ? [alsoDepartureId] : []),
  ])
  const bookings = await selectRecords(call, wanted)
  for (const [index, booking] of bookings.entries()) {
    // Somebody moved it between the first look and the lock.
    if (!departures.has(booking.departureId))
      throw refuse('version_conflict', { what: 'booking', current: booking.version })
    // A sweep is not a person's change: a person who saw the hold gets "hold expired", not a version conflict.
    const version = wanted[index]?.version ?? 0
    const isOnlySwept = booking.status === 'expired' && booking.version === version + 1
    if (!isOnlySwept) requireVersion(booking, version, 'booking')
  }
  return { bookings, departures }
}

async function selectRecords(call: MemberCall, wanted: readonly { id: string }[]): Promise<BookingRecord[]> {
  const records: BookingRecord[] = []
  for (const { id } of wanted) records.push(await selectRecord(call, id))
  return records
}

/** A booking and its departure, both locked. @throws AppError `aborted`, reason `version_conflict`. */
export async function lockBooking(
  call: MemberCall,
  id: string,
  version: number,
): Promise<{ booking: BookingRecord; departure: LockedDeparture }> {
  const { bookings, departures } = await lockBookings(call, [{ id, version }])
  const [booking] = bookings
  const departure = booking && departures.get(booking.departureId)
  if (!departure) throw notFound('booking')
  return { booking, departure }
}

function requireLegal(booking: BookingRecord, to: StatusOf<'bookings'>): void {
  if (canBecome('bookings', booking.status, to)) return
  if (booking.status === 'expired' && to === 'confirmed') {
    throw refuse('hold_expired', { expiredAt: booking.expiresAt && iso(booking.expiresAt) })
  }
  throw refuse('illegal_transition', { machine: 'bookings', from: booking.status, to })
}

export const confirm = verb(confirmBooking, async (call, { id, version, tellGuest: isTold, ...paid }) => {
  const { booking, departure } = await lockBooking(call, id, version)
  requireLegal(booking, 'confirmed')
  if (booking.status === 'requested') {
    requireSold(departure)
    await requireSeats(call, departure, booking.pax)
  }
  await sql`
    update bookings set status = 'confirmed', expires_at = null where org_id = ${call.orgId} and id = ${id}`.execute(
    call.tx,
  )
  await payAtOnce(call, id, paid)
  await tellGuest(call, 'booking_confirmed', id, isTold)
  return selectBooking(call, id)
})

export const reject = verb(rejectBooking, async (call, { id, version, reason }) => {
  const { booking } = await lockBooking(call, id, version)
  requireLegal(booking, 'rejected')
  await sql`update bookings set status = 'rejected', cancel_reason = ${reason} where org_id = ${call.orgId} and id = ${id}`.execute(
    call.tx,
  )
  await releaseGuests(call.tx, call.orgId, [id])
  return selectBooking(call, id)
})

async function holdMinutesOf(call: MemberCall, column: 'hold_minutes' | 'waitlist_offer_minutes'): Promise<number> {
  const { rows } = await sql<{
    minutes: number
  }>`select ${sql.ref(column)} as minutes from org_settings where org_id = ${call.orgId}`.execute(call.tx)
  return rows[0]?.minutes ?? 24 * 60
}

export const offer = verb(offerBooking, async (call, { id, version, holdMinutes }) => {
  const { booking, departure } = await lockBooking(call, id, version)
  requireLegal(booking, 'on_hold')
  requireOnSale(departure, call.clock.now(), 'walk_in')
  await requireSeats(call, departure, booking.pax)
  const hasWaited = booking.status === 'waitlisted'
  const usual = hasWaited ? 'waitlist_offer_minutes' : 'hold_minutes'
  const until = addMinutes(call.clock.now(), holdMinutes ?? (await holdMinutesOf(call, usual)))
  await sql`update bookings set status = 'on_hold', waitlist_rank = null, expires_at = least(${until}::timestamptz, ${departure.startsAt}::timestamptz),
    offered_at = case when ${hasWaited} then app_now() end where org_id = ${call.orgId} and id = ${id}`.execute(call.tx)
  await reviveEntries(call, id, departure.id)
  if (hasWaited) await tellOffer(call, id)
  return selectBooking(call, id)
})

export const extend = verb(extendHold, async (call, { id, version, until }) => {
  const { booking, departure } = await lockBooking(call, id, version)
  if (booking.status !== 'on_hold') {
    throw booking.status === 'expired'
      ? refuse('hold_expired', { expiredAt: booking.expiresAt && iso(booking.expiresAt) })
      : refuse('illegal_transition', { machine: 'bookings', from: booking.status })
  }
  const end = new Date(until)
  if (end <= call.clock.now()) throw fieldError('until', 'hold_in_past')
  if (end > departure.startsAt) throw fieldError('until', 'hold_after_start')
  await sql`update bookings set expires_at = ${end} where org_id = ${call.orgId} and id = ${id}`.execute(call.tx)
  return selectBooking(call, id)
})

/** Bookings whose seats can go to another departure. */
const movable: readonly StatusOf<'bookings'>[] = ['on_hold', 'confirmed', 'requested']

/** All departures in one step: seats are taken there before they are released here, or nothing happens at all. */
export const move = verb(moveBookings, async (call, { parties, toDepartureId, atPriceThere, tellGuests: areTold }) => {
  const { bookings, departures } = await lockBookings(call, parties, toDepartureId)
  const target = departures.get(toDepartureId)
  if (!target) throw notFound('departure')
  for (const booking of bookings) await requireMovable(call, booking, target)
  const movesAway = await movesAwayFrom(call, bookings, target.id)
  if (!movesAway) requireOnSale(target, call.clock.now(), 'walk_in')
  const seated = bookings.filter((booking) => booking.status !== 'requested')
  await requireSeats(
    call,
    target,
    seated.reduce((sum, booking) => sum + booking.pax, 0),
  )
  for (const [index, booking] of bookings.entries()) {
    const pickupStopId = parties[index]?.pickupStopId
    await tellingChange(call, booking, areTold, async () => {
      // before it moves: the last change of a booking that can be moved back is its move
      if (atPriceThere) await chargePriceThere(call, booking.id, target)
      await moveParty(
        call,
        booking,
        target,
        pickupStopId === undefined ? await samePlace(call, booking, target) : pickupStopId,
      )
      const movedBy = movesAway?.get(booking.id)
      if (movedBy !== undefined) await restoreLeftBehind(call, booking.id, movedBy, pickupStopId === undefined)
    })
  }
  const promoted: string[] = []
  for (const id of new Set(bookings.map((booking) => booking.departureId))) {
    promoted.push(...(await promoteWaitlist(call, id)))
  }
  const moved = await selectRecords(call, parties)
  return { departureCode: target.code, parties: moved.map(({ id, version }) => ({ id, version })), promoted }
})

async function requireMovable(call: MemberCall, booking: BookingRecord, target: LockedDeparture): Promise<void> {
  if (target.id === booking.departureId) throw fieldError('toDepartureId', 'same_departure')
  if (!movable.includes(booking.status)) {
    throw refuse('illegal_transition', { machine: 'bookings', from: booking.status })
  }
  await requireNobodyAboard(call, booking.id)
}

/** The stop at which a party is picked up where it was before, if the departure stops there. */
async function samePlace(
  call: MemberCall,
  { pickupPlaceId }: BookingRecord,
  target: LockedDeparture,
): Promise<string | null> {
  if (pickupPlaceId === null) return null
  const { rows } = await sql<{ id: string }>`select id from departure_stops
    where org_id = ${call.orgId} and departure_id = ${target.id} and place_id = ${pickupPlaceId} and day_index = 1
      and kind in ('pickup', 'start') order by stop_order limit 1`.execute(call.tx)
  return rows[0]?.id ?? null
}

async function moveParty(
  call: MemberCall,
  { id }: BookingRecord,
  target: LockedDeparture,
  pickupStopId: string | null,
): Promise<void> {
  await requireUnbooked(call, target.id, await travelersOf(call, id))
  const pickup = await selectPickup(call, target.id, pickupStopId)
  // The entry's pickup and rooms are of the departure that is left; the entries themselves follow the booking by foreign key.
  await sql`update manifest_entries set pickup_stop_id = null, seat_or_group = null where org_id = ${call.orgId} and booking_id = ${id}`.execute(
    call.tx,
  )
  await sql`delete from room_assignments r using manifest_entries m
    where r.org_id = ${call.orgId} and m.org_id = r.org_id and m.id = r.manifest_entry_id and m.booking_id = ${id}`.execute(
    call.tx,
  )
  await sql`update bookings set departure_id = ${target.id}, pickup_place_id = ${pickup?.placeId ?? null}, pickup_at = ${pickup?.at ?? null},
    expires_at = case when status = 'on_hold' then least(expires_at, ${target.startsAt}::timestamptz) else expires_at end
    where org_id = ${call.orgId} and id = ${id}`.execute(call.tx)
  await sql`update manifest_entries set pickup_stop_id = ${pickupStopId}::uuid where org_id = ${call.orgId} and booking_id = ${id}
    and status <> 'cancelled'`.execute(call.tx)
}

async function travelersOf(call: MemberCall, bookingId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select traveler_id as id from manifest_entries
    where org_id = ${call.orgId} and booking_id = ${bookingId} and status <> 'cancelled'`.execute(call.tx)
  return rows.map((row) => row.id)
}

/** @throws AppError `aborted`, reason `guests_aboard`: guests who are aboard count as having travelled. */
async function requireNobodyAboard(call: MemberCall, bookingId: string): Promise<void> {
  const { rows } = await sql<{ aboard: number }>`select count(*)::int as aboard from manifest_entries
    where org_id = ${call.orgId} and booking_id = ${bookingId} and status not in ('expected', 'cancelled', 'no_show')`.execute(
    call.tx,
  )
  const aboard = rows[0]?.aboard ?? 0
  if (aboard === 0) return
  throw refuse('guests_aboard', { aboard })
}

export const cancel = verb(cancelBooking, async (call, { id, version, reason, note, tellGuest: isTold, ...wanted }) => {
  const { booking, departure } = await lockBooking(call, id, version)
  requireLegal(booking, 'cancelled')
  await requireNobodyAboard(call, id)
  const rule = await selectCancellationRule(call, departure.id)
  const proposed = proposedFeeMinor({ ...booking, departureStatus: rule.departureStatus }, reason, rule)
  const kept = keptFeeOf(wanted, proposed, booking.amountTotalMinor)
  await sql`update bookings set status = 'cancelled', cancel_reason = ${reason}, waitlist_rank = null,
    cancellation_fee_minor = ${kept.feeMinor}, cancellation_fee_reason = ${kept.reason},
    notes = case when ${note}::text is null then notes else concat_ws(E'\n', notes, ${note}::text) end
    where org_id = ${call.orgId} and id = ${id}`.execute(call.tx)
  await releaseGuests(call.tx, call.orgId, [id])
  // who was only held seats, or waits, was never told that they are booked
  if (booking.status === 'confirmed') await tellGuest(call, 'booking_cancelled', id, isTold)
  const promoted = await promoteWaitlist(call, departure.id)
  return { booking: await selectBooking(call, id), promoted }
})
