import { type Booking, nameGuests } from '@tour-ops/contract/bookings/bookings'
import type { Given } from '@tour-ops/contract/callable'
import { fieldError } from '@tour-ops/contract/field-rules'
import { sql } from 'kysely'
import type { MemberCall } from '../../context.ts'
import { type SeatPlace, touchBooking } from '../../platform/operations/named-guests.ts'
import { requireVersion } from '../../platform/optimistic-lock.ts'
import { verb } from '../../platform/verb.ts'
import { selectBooking, selectRecord } from './bookings-store.ts'
import { type Guest, insertEntries, requireSeatForEach, updateEntries } from './guests.ts'
import { lockOne } from './seat-rules.ts'

/** Guests who stay keep their entry and check-in; those left out leave the manifest unless they are aboard. */
export const name = verb(nameGuests, async (call, { id, version, guests, swaps }) => {
  const before = await selectRecord(call, id)
  await lockOne(call, before.departureId)
  const booking = await selectBooking(call, id)
  requireVersion(booking, version, 'booking')
  await nameSeats(call, booking, guests, swaps)
  await touchBooking(call, id)
  return selectBooking(call, id)
})

type Swaps = Given<typeof nameGuests>['swaps']

/** Guests who are on the manifest of a booking. */
export const onManifest = ({ guests }: Booking): Booking['guests'] =>
  guests.filter(({ status }) => status !== null && status !== 'cancelled')

/**
 * Names the guests of a booking whose departure is locked.
 *
 * @returns whether anybody came or left, or is said something else of.
 */
export async function nameSeats(
  call: MemberCall,
  booking: Booking,
  guests: readonly Guest[],
  swaps: Swaps,
): Promise<boolean> {
  const { id } = booking
  requireSeatForEach(guests, booking.pax)
  const wanted = new Set(guests.flatMap((guest) => guest.travelerId ?? []))
  const current = onManifest(booking)
  const leaving = current.filter((guest) => !wanted.has(guest.travelerId))
  if (leaving.some((guest) => guest.status !== 'expected' && guest.status !== 'no_show')) {
    throw fieldError('guests', 'aboard_left_out')
  }
  const present = new Set(current.map((guest) => guest.travelerId))
  const places = await selectPlaces(call, leaving)
  const placed = guests.map((guest, index) => ({ ...guest, place: placeOf(swaps, index, places) }))
  requireSwaps(swaps, placed, present)
  const left = leaving.flatMap((guest) => guest.entryId ?? [])
  const replaced = leaving.filter(({ travelerId }) => swaps.some((swap) => swap.leaving === travelerId))
  await sql`delete from room_assignments where org_id = ${call.orgId}
    and manifest_entry_id = any (${replaced.flatMap((guest) => guest.entryId ?? [])}::uuid[])`.execute(call.tx)
  await sql`update manifest_entries set status = 'cancelled' where org_id = ${call.orgId} and status = 'expected'
    and id = any (${left}::uuid[])`.execute(call.tx)
  const isPresent = ({ travelerId }: Guest) => travelerId !== undefined && present.has(travelerId)
  await insertEntries(
    call,
    { orgId: call.orgId, departureId: booking.departureId, bookingId: id, pickupStopId: booking.pickupStopId },
    placed.filter((guest) => !isPresent(guest)),
  )
  const said = await updateEntries(call, id, placed.filter(isPresent))
  return leaving.some(({ status }) => status === 'expected') || placed.some((guest) => !isPresent(guest)) || said > 0
}

/** Where those who leave sat, slept and were picked up, by traveler. */
async function selectPlaces(
  { tx, orgId }: MemberCall,
  leaving: readonly { entryId: string | null }[],
): Promise<ReadonlyMap<string, SeatPlace>> {
  const { rows } = await sql<SeatPlace & { travelerId: string }>`
    select m.traveler_id as "travelerId", m.seat_or_group as "seatOrGroup", m.pickup_stop_id as "pickupStopId",
      array(select r.room_id from room_assignments r where r.org_id = m.org_id and r.manifest_entry_id = m.id) as "roomIds"
    from manifest_entries m where m.org_id = ${orgId} and m.id = any (${leaving.flatMap(({ entryId }) => entryId ?? [])}::uuid[])`.execute(
    tx,
  )
  return new Map(rows.map(({ travelerId, ...place }) => [travelerId, place]))
}

const placeOf = (swaps: Swaps, index: number, places: ReadonlyMap<string, SeatPlace>): SeatPlace | undefined => {
  const swap = swaps.find(({ guest }) => guest === index)
  return swap && places.get(swap.leaving)
}

/** @throws AppError `invalid-argument` on `swaps` where who leaves stays, or who comes is there already or takes nobody's place. */
function requireSwaps(swaps: Swaps, guests: readonly Guest[], present: ReadonlySet<string>): void {
  for (const [index, { leaving, guest: at }] of swaps.entries()) {
    const guest = guests[at]
    const isNew = guest !== undefined && (guest.travelerId === undefined || !present.has(guest.travelerId))
    if (!isNew || guest.place === undefined) throw fieldError(`swaps.${index}.leaving`, 'traveler_unknown')
    const isTwice = swaps.some((other, before) => before < index && (other.leaving === leaving || other.guest === at))
    if (isTwice) throw fieldError(`swaps.${index}.leaving`, 'traveler_repeated')
  }
}
