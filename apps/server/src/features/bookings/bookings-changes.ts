import {
  cancelBooking,
  confirmBooking,
  extendHold,
  moveBookings,
  offerBooking,
  rejectBooking,
} from '@tour-ops/contract/bookings/bookings'
import { takesSeats } from '@tour-ops/contract/bookings/party'
import { canBecome, type StatusOf } from '@tour-ops/contract/state-machines'
import { fieldError } from '@tour-ops/contract/field-rules'
import { refuse } from '@tour-ops/contract/refusals'
import { sql } from 'kysely'
import type { MemberCall } from '../../context.ts'
import { addMinutes } from '../../platform/local-time.ts'
import { iso } from '../../platform/list-query.ts'
import { notFound, requireVersion } from '../../platform/optimistic-lock.ts'
import { departuresHeldFor, withdrawProposals } from '../../platform/operations/proposals.ts'
import { lockSeats, promoteWaitlist, releaseGuests, type LockedDeparture } from '../../platform/operations/seats.ts'
import { tellGuest, tellingChange, tellOffer } from '../../platform/operations/tell-guests.ts'
import { verb } from '../../platform/verb.ts'
import { selectBooking, selectRecord, type BookingRecord } from './bookings-store.ts'
import { cancelParty } from './cancel-party.ts'
import { reviveEntries } from './guests.ts'
import { movesAwayFrom, restoreLeftBehind } from './move-back.ts'
import { moveParty, requireNobodyAboard, samePlace } from './move-party.ts'
import { payAtOnce } from './payments-store.ts'
import { chargePriceThere } from './price-there.ts'
import { lockOne, requireOnSale, requireSeats, requireSold } from './seat-rules.ts'

const ids = (records: readonly { readonly id: string }[]): string[] => records.map(({ id }) => id)

/** Locks the departures concerned, then reads the bookings in their current state; expired holds have ended by then. */
export async function lockBookings(
  call: MemberCall,
  wanted: readonly { id: string; version: number }[],
  ...alsoDepartureIds: readonly string[]
): Promise<{ bookings: BookingRecord[]; departures: ReadonlyMap<string, LockedDeparture> }> {
  const before = await selectRecords(call, wanted)
  const departures = await lockSeats(call, [
    ...before.map((booking) => booking.departureId),
    ...alsoDepartureIds,
    // seats that are proposed to them there are free once they go elsewhere
    ...(await departuresHeldFor(call, ids(wanted))),
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
  if (booking.status === 'expired') await reviveEntries(call, booking)
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

/** Bookings that can go to another departure: with their seats, or to wait for some there. */
const movable: readonly StatusOf<'bookings'>[] = ['on_hold', 'confirmed', 'requested', 'waitlisted']

/** All departures in one step: seats are taken there before they are released here, or nothing happens at all. */
export const move = verb(moveBookings, async (call, { parties, toDepartureId, atPriceThere, tellGuests: areTold }) => {
  const { bookings } = await lockBookings(call, parties, toDepartureId)
  const held = await withdrawProposals(call, ids(parties))
  // after that: seats that were held there for them are theirs
  const target = await lockOne(call, toDepartureId)
  for (const booking of bookings) await requireMovable(call, booking, target)
  const movesAway = await movesAwayFrom(call, bookings, target.id)
  if (!movesAway) requireOnSale(target, call.clock.now(), 'walk_in')
  const seated = bookings.filter(({ status }) => takesSeats(status))
  await requireSeats(
    call,
    target,
    seated.reduce((sum, booking) => sum + booking.pax, 0),
  )
  for (const [index, booking] of bookings.entries()) {
    const pickupStopId = parties[index]?.pickupStopId
    await tellingChange(call, booking, areTold, async () => {
      await goThere(call, booking, target, { pickupStopId, atPriceThere })
      const movedBy = movesAway?.get(booking.id)
      if (movedBy !== undefined) await restoreLeftBehind(call, booking.id, movedBy, pickupStopId === undefined)
    })
  }
  // who waited elsewhere may fit here
  const waiting = bookings.some(({ status }) => status === 'waitlisted') ? [target.id] : []
  const promoted = await promoteWaitlists(call, [
    ...bookings.map((booking) => booking.departureId),
    ...held,
    ...waiting,
  ])
  const moved = await selectRecords(call, parties)
  return { departureCode: target.code, parties: moved.map(({ id, version }) => ({ id, version })), promoted }
})

interface Way {
  /** Undefined: the same place as before, where the departure stops there. */
  readonly pickupStopId: string | null | undefined
  readonly atPriceThere: boolean
}

/** A party goes to another departure; both are locked, and it has the seats there. */
export async function goThere(
  call: MemberCall,
  booking: BookingRecord,
  target: LockedDeparture,
  { pickupStopId, atPriceThere }: Way,
): Promise<void> {
  // before it moves: the last change of a booking that can be moved back is its move
  if (atPriceThere) await chargePriceThere(call, booking.id, target)
  await moveParty(
    call,
    booking,
    target,
    pickupStopId === undefined ? await samePlace(call, booking, target) : pickupStopId,
  )
}

/** Refuses parties that cannot leave their departure, or are there already. */
export async function requireMovable(call: MemberCall, booking: BookingRecord, target: LockedDeparture): Promise<void> {
  if (target.id === booking.departureId) throw fieldError('toDepartureId', 'same_departure')
  if (!movable.includes(booking.status)) {
    throw refuse('illegal_transition', { machine: 'bookings', from: booking.status })
  }
  await requireNobodyAboard(call, booking.id)
}

export const cancel = verb(cancelBooking, async (call, { id, version, ...how }) => {
  const { booking, departure } = await lockBooking(call, id, version)
  requireLegal(booking, 'cancelled')
  await requireNobodyAboard(call, id)
  const held = await withdrawProposals(call, [id])
  await cancelParty(call, booking, how)
  const promoted = await promoteWaitlists(call, [departure.id, ...held])
  return { booking: await selectBooking(call, id), promoted }
})

/** Offers seats that were left to those who wait for them, departure by departure. @returns references of the parties. */
export async function promoteWaitlists(call: MemberCall, departureIds: readonly string[]): Promise<string[]> {
  const promoted: string[] = []
  for (const id of new Set(departureIds)) promoted.push(...(await promoteWaitlist(call, id)))
  return promoted
}
