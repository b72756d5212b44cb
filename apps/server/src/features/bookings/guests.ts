import type { Given } from '@tour-ops/contract/callable'
import type { createBooking } from '@tour-ops/contract/bookings/bookings'
import { refuse } from '@tour-ops/contract/refusals'
import { fieldError } from '@tour-ops/contract/field-rules'
import { sql } from 'kysely'
import type { MemberCall } from '../../context.ts'
import type { BookingRecord } from './bookings-store.ts'
import { newId } from '../../platform/ids.ts'
import {
  insertSeatEntries,
  insertTravelers,
  type SeatedGuest,
  type SoldSeats,
} from '../../platform/operations/named-guests.ts'
import type { SeatCall } from '../../platform/operations/seat-call.ts'

export type Guest = Given<typeof createBooking>['guests'][number] & Pick<SeatedGuest, 'place'>

/**
 * Puts named guests on the manifest; names without a profile get one. Entries exist from the first moment, also for holds and the
 * waitlist, so that nobody is booked twice on a departure (I4); the manifest shows those of confirmed bookings.
 *
 * @throws AppError `aborted`, reason `traveler_booked_already`, naming who is on the departure with another booking.
 */
export async function insertEntries(call: MemberCall, seat: SoldSeats, guests: readonly Guest[]): Promise<void> {
  if (guests.length === 0) return
  const named = await withProfiles(call, guests)
  const ids = named.map((guest) => guest.travelerId)
  const repeated = ids.findIndex((id, index) => ids.indexOf(id) !== index)
  if (repeated !== -1) throw fieldError(`guests.${repeated}.travelerId`, 'traveler_repeated')
  await requireUnbooked(call, seat.departureId, ids)
  await insertSeatEntries(call, seat, named)
}

async function withProfiles(call: MemberCall, guests: readonly Guest[]): Promise<SeatedGuest[]> {
  const wanted = guests.flatMap((guest) => guest.travelerId ?? [])
  const known = await knownTravelers(call, wanted)
  const unknown = guests.findIndex((guest) => guest.travelerId !== undefined && !known.has(guest.travelerId))
  if (unknown !== -1) throw fieldError(`guests.${unknown}.travelerId`, 'traveler_unknown')
  const named = guests.map((guest) => ({ ...guest, travelerId: guest.travelerId ?? newId() }))
  const created = named.filter((_, index) => guests[index]?.travelerId === undefined)
  await insertTravelers(call, created)
  return named
}

async function knownTravelers(call: MemberCall, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const { rows } = await sql<{ id: string }>`select id from travelers
    where org_id = ${call.orgId} and id = any (${[...ids]}::uuid[]) and archived_at is null`.execute(call.tx)
  return new Set(rows.map((row) => row.id))
}

/** The departure is locked, so nobody can take the place between this look and the insert. */
export async function requireUnbooked(
  call: SeatCall,
  departureId: string,
  travelerIds: readonly string[],
): Promise<void> {
  const { rows } = await sql<{ name: string; bookingRef: string }>`
    select concat_ws(' ', nullif(p.first_name, ''), nullif(p.last_name, '')) as name, b.booking_ref as "bookingRef"
    from manifest_entries m join bookings b on b.org_id = m.org_id and b.id = m.booking_id
    join travelers p on p.org_id = m.org_id and p.id = m.traveler_id
    where m.org_id = ${call.orgId} and m.departure_id = ${departureId} and m.status <> 'cancelled'
      and m.traveler_id = any (${[...travelerIds]}::uuid[]) limit 1`.execute(call.tx)
  const other = rows[0]
  if (!other) return
  throw refuse('traveler_booked_already', other)
}

interface RevivedRow {
  travelerId: string
  unitType: string
  pickupStopId: string | null
  note: string | null
  tripDietary: string | null
  tripMobility: string | null
  age: number | null
  ageOn: string | null
  childSeat: boolean
}

/** Puts the guests whom a hold had when it ended back on the manifest; who had been taken off before stays off. */
export async function reviveEntries(
  call: MemberCall,
  { id: bookingId, departureId, expiresAt }: Pick<BookingRecord, 'id' | 'departureId' | 'expiresAt'>,
): Promise<void> {
  const { rows } = await sql<RevivedRow>`
    select distinct on (traveler_id) traveler_id as "travelerId", unit_type as "unitType", pickup_stop_id as "pickupStopId", note, trip_dietary as "tripDietary",
      trip_mobility as "tripMobility", age, age_on as "ageOn", child_seat as "childSeat"
    from manifest_entries m where m.org_id = ${call.orgId} and m.booking_id = ${bookingId} and m.departure_id = ${departureId}
      and m.status = 'cancelled' and m.updated_at >= ${expiresAt}
      and not exists (select from manifest_entries o where o.org_id = m.org_id and o.booking_id = m.booking_id
        and o.traveler_id = m.traveler_id and o.status <> 'cancelled')
    order by traveler_id, id desc`.execute(call.tx)
  if (rows.length === 0) return
  await requireUnbooked(
    call,
    departureId,
    rows.map((row) => row.travelerId),
  )
  const entries = rows.map((row) => ({
    id: newId(),
    traveler_id: row.travelerId,
    unit_type: row.unitType,
    pickup_stop_id: row.pickupStopId,
    note: row.note,
    trip_dietary: row.tripDietary,
    trip_mobility: row.tripMobility,
    age: row.age,
    age_on: row.ageOn,
    child_seat: row.childSeat,
  }))
  await sql`
    insert into manifest_entries (org_id, id, departure_id, booking_id, traveler_id, unit_type, pickup_stop_id, note, trip_dietary, trip_mobility, age, age_on, child_seat)
    select ${call.orgId}, e.id, ${departureId}::uuid, ${bookingId}::uuid, e.traveler_id, e.unit_type, e.pickup_stop_id, e.note, e.trip_dietary, e.trip_mobility, e.age, e.age_on, e.child_seat
    from jsonb_to_recordset(${JSON.stringify(entries)}::jsonb) as e (id uuid, traveler_id uuid, unit_type text, pickup_stop_id uuid, note text, trip_dietary text,
      trip_mobility text, age int, age_on date, child_seat boolean)`.execute(call.tx)
}

/** What is said of guests who are on the booking already; what is left out stays as it is. @returns of how many it is something else. */
export async function updateEntries(call: MemberCall, bookingId: string, guests: readonly Guest[]): Promise<number> {
  const ageDay = sql`case when not e.has_age then m.age_on when e.age is not null then
    (select d.local_date from departures d where d.org_id = m.org_id and d.id = m.departure_id) end`
  const next = sql`(case when e.has_note then e.note else m.note end, case when e.has_dietary then e.trip_dietary else m.trip_dietary end,
    case when e.has_mobility then e.trip_mobility else m.trip_mobility end, case when e.has_age then e.age else m.age end, ${ageDay},
    coalesce(e.child_seat, m.child_seat))`
  const said = guests.map(({ travelerId, note, tripDietary, tripMobility, age, childSeat }) => ({
    traveler_id: travelerId,
    note,
    has_note: note !== undefined,
    trip_dietary: tripDietary,
    has_dietary: tripDietary !== undefined,
    trip_mobility: tripMobility,
    has_mobility: tripMobility !== undefined,
    age,
    has_age: age !== undefined,
    child_seat: childSeat,
  }))
  const { rows } = await sql`
    update manifest_entries m set (note, trip_dietary, trip_mobility, age, age_on, child_seat) = ${next}
    from jsonb_to_recordset(${JSON.stringify(said)}::jsonb) as e (traveler_id uuid, note text, has_note boolean, trip_dietary text, has_dietary boolean,
      trip_mobility text, has_mobility boolean, age int, has_age boolean, child_seat boolean)
    where m.org_id = ${call.orgId} and m.booking_id = ${bookingId} and m.traveler_id = e.traveler_id and m.status <> 'cancelled'
      and (m.note, m.trip_dietary, m.trip_mobility, m.age, m.age_on, m.child_seat) is distinct from ${next}
    returning m.id`.execute(call.tx)
  return rows.length
}

/** Gives guests who are on the booking already the kinds of seats that are asked for. @returns how many have another one. */
export async function updateKinds(
  { tx, orgId }: MemberCall,
  bookingId: string,
  guests: readonly Guest[],
): Promise<number> {
  const kinds = guests.flatMap(({ travelerId, unitType }) =>
    travelerId === undefined ? [] : [{ travelerId, unitType }],
  )
  const { rows } = await sql`
    update manifest_entries m set unit_type = e."unitType"
    from jsonb_to_recordset(${JSON.stringify(kinds)}::jsonb) as e ("travelerId" uuid, "unitType" text)
    where m.org_id = ${orgId} and m.booking_id = ${bookingId} and m.traveler_id = e."travelerId" and m.status <> 'cancelled'
      and m.unit_type <> e."unitType" returning m.id`.execute(tx)
  return rows.length
}

/** @throws AppError `invalid-argument` on `guests` when a party names more people than it has seats. */
export function requireSeatForEach(guests: readonly unknown[], pax: number): void {
  if (guests.length <= pax) return
  throw fieldError('guests', 'names_above_seats', { seats: pax, names: guests.length })
}
