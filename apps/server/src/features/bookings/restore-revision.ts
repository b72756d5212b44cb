import { restoreRevision, reviseBooking } from '@tour-ops/contract/bookings/revise'
import { takesSeats } from '@tour-ops/contract/bookings/party'
import { refuse } from '@tour-ops/contract/refusals'
import { sql } from 'kysely'
import type { MemberCall } from '../../context.ts'
import type { LockedDeparture } from '../../platform/operations/seats.ts'
import { touchBooking } from '../../platform/operations/named-guests.ts'
import { tellingChange } from '../../platform/operations/tell-guests.ts'
import { verb } from '../../platform/verb.ts'
import { restoreColumns, selectLastRequest, selectValuesBefore } from './before-request.ts'
import { lockBookings, promoteWaitlists } from './bookings-changes.ts'
import { selectBooking, type BookingRecord } from './bookings-store.ts'
import { requireUnbooked } from './guests.ts'
import { restorePlaces, restoreRooms } from './move-back.ts'
import { leavePlaces, requireNobodyAboard, travelersOf } from './move-party.ts'
import { restoreGuests } from './restore-booking.ts'
import { takeOffNamed } from './restore-names.ts'
import { restoreKinds } from './restore-party.ts'
import { isStillAhead, requireSeats } from './seat-rules.ts'

/** What a booking was before it was revised: the first value of each column that the request wrote. */
interface Before {
  readonly requestId: string
  readonly values: Readonly<Record<string, unknown>>
}

/** Columns that the database keeps by itself. */
const kept = new Set(['version', 'created_at', 'updated_at'])

/** Takes back everything that was changed with one press. */
export const restoreRevised = verb(restoreRevision, async (call, { id, version }) => {
  const seen = await selectBefore(call, id)
  const { bookings, departures } = await lockBookings(call, [{ id, version }], ...homeOf(seen))
  const [booking] = bookings
  // again, now that nobody else changes it
  const before = await selectBefore(call, id)
  // a hold that ended by itself with the same press stays over
  if (!booking || !before || before.requestId !== seen?.requestId || 'status' in before.values)
    throw refuse('cancellation_stays')
  const [homeId = booking.departureId] = homeOf(before)
  const home = departures.get(homeId)
  if (!home || !isStillAhead(home.status, booking.status)) throw refuse('cancellation_stays')
  await requireRoomAtHome(call, booking, home, before)
  await tellingChange(call, booking, true, () => restoreAll(call, booking, home, before))
  await promoteWaitlists(call, [booking.departureId, home.id])
  return selectBooking(call, id)
})

/** The departure that the party has left, if it has. */
const homeOf = (before: Before | undefined): string[] => {
  const id = before?.values['departure_id']
  return typeof id === 'string' ? [id] : []
}

async function requireRoomAtHome(
  call: MemberCall,
  booking: BookingRecord,
  home: LockedDeparture,
  { values }: Before,
): Promise<void> {
  const isAway = home.id !== booking.departureId
  if (isAway) await requireNobodyAboard(call, booking.id)
  if (!takesSeats(booking.status)) return
  const pax = Number(values['pax'] ?? booking.pax)
  await requireSeats(call, home, isAway ? pax : pax - booking.pax, !isAway)
}

async function restoreAll(
  call: MemberCall,
  { id, departureId }: BookingRecord,
  home: LockedDeparture,
  { requestId, values }: Before,
): Promise<void> {
  await takeOffNamed(call, id, requestId)
  if (home.id !== departureId) {
    await requireUnbooked(call, home.id, await travelersOf(call, id))
    await leavePlaces(call, id)
  }
  const columns = Object.keys(values).filter((column) => !kept.has(column))
  if (columns.length > 0) await restoreColumns(call, { id, values }, columns)
  await sql`select set_config('app.restored_booking_id', ${id}, true)`.execute(call.tx)
  await restoreGuests(call, id, home.id, requestId)
  await restoreKinds(call, id, requestId)
  await restorePlaces(call, id, requestId, true)
  await restoreRooms(call, id, requestId)
  await sql`select set_config('app.restored_booking_id', '', true)`.execute(call.tx)
  if (columns.length === 0) await touchBooking(call, id)
}

/** Undefined where the last that happened to the booking and its guests is not that it was revised, or too long ago. */
async function selectBefore(call: MemberCall, id: string): Promise<Before | undefined> {
  const requestId = await selectLastRequest(call, id, reviseBooking.name)
  if (requestId === undefined) return undefined
  return { requestId, values: await selectValuesBefore(call, id, requestId) }
}
