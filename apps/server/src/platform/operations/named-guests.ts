import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../db/database.ts'
import { newId } from '../ids.ts'

/** Seats of a booking, and where who sits on them is picked up. */
export interface SoldSeats {
  readonly orgId: string
  readonly departureId: string
  readonly bookingId: string
  readonly pickupStopId: string | null
}

interface Where {
  readonly tx: Tx
  readonly orgId: string
}

/** What is known of somebody who has no profile yet. */
interface NewTraveler {
  readonly travelerId: string
  readonly firstName?: string | null | undefined
  readonly lastName?: string | null | undefined
  readonly phone: string | null
  readonly email: string | null
  readonly language: string | null
  readonly dietary: readonly string[]
  readonly dietaryNote?: string | null
  readonly mobility: string
}

/** Somebody on a seat, and what was said of them for this trip. */
export interface SeatedGuest {
  readonly travelerId: string
  readonly unitType: string
  readonly note?: string | null | undefined
  readonly tripDietary?: string | null | undefined
  readonly tripMobility?: string | null | undefined
  /** Left out: as was said for another trip. */
  readonly age?: number | null | undefined
  readonly childSeat?: boolean | undefined
  /** Of whom they replace. */
  readonly place?: SeatPlace | undefined
}

/** Where somebody sits, sleeps and is picked up. */
export interface SeatPlace {
  readonly seatOrGroup: string | null
  readonly pickupStopId: string | null
  readonly roomIds: readonly string[]
}

/** The stop at which a booking `b` is picked up: at its place, and at its time where the departure comes there more than once. */
export const pickupStopOfBooking: RawBuilder<unknown> = sql`
  (select s.id from departure_stops s where s.org_id = b.org_id and s.departure_id = b.departure_id and s.place_id = b.pickup_place_id
    and s.kind in ('pickup', 'start') order by s.planned_arrive_at is distinct from b.pickup_at, s.stop_order limit 1)`

/** The age of a traveler as it was said last, for the latest day. @param travelerId The column that holds the traveler's id. */
export const ageSaidLast = (orgId: string, travelerId: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  (select m.age, m.age_on from manifest_entries m where m.org_id = ${orgId} and m.traveler_id = ${travelerId} and m.age is not null
    order by m.age_on desc, m.id desc limit 1) latest`

/** Makes profiles of people who are named for the first time. */
export async function insertTravelers({ tx, orgId }: Where, people: readonly NewTraveler[]): Promise<void> {
  if (people.length === 0) return
  const rows = people.map((one) => ({
    id: one.travelerId,
    first_name: one.firstName ?? '',
    last_name: one.lastName ?? '',
    phone: one.phone,
    email: one.email,
    languages: one.language === null ? [] : [one.language],
    dietary: one.dietary,
    dietary_note: one.dietaryNote ?? null,
    mobility: one.mobility,
  }))
  await sql`insert into travelers (org_id, id, first_name, last_name, phone, email, languages, dietary, dietary_note, mobility)
    select ${orgId}, id, first_name, last_name, phone, email, languages, dietary, dietary_note, mobility
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as t (id uuid, first_name text, last_name text, phone text, email text,
      languages text[], dietary text[], dietary_note text, mobility text)`.execute(tx)
}

/**
 * Puts people on the manifest, on seats of their booking.
 *
 * @param by A guest who names people confirms their details at once.
 */
export async function insertSeatEntries(
  { tx }: Where,
  seats: SoldSeats,
  people: readonly SeatedGuest[],
  by: 'office' | 'guest' = 'office',
): Promise<void> {
  const entries = people.map(({ travelerId, unitType, note, tripDietary, tripMobility, age, childSeat, place }) => ({
    id: newId(),
    seat_or_group: place?.seatOrGroup ?? null,
    pickup_stop_id: place ? place.pickupStopId : seats.pickupStopId,
    room_ids: place?.roomIds ?? [],
    traveler_id: travelerId,
    unit_type: unitType,
    note: note ?? null,
    trip_dietary: tripDietary ?? null,
    trip_mobility: tripMobility ?? null,
    age: age ?? null,
    is_age_said: age !== undefined,
    child_seat: childSeat ?? false,
  }))
  await sql`
    insert into manifest_entries (org_id, id, departure_id, booking_id, traveler_id, unit_type, pickup_stop_id, seat_or_group, note, trip_dietary, trip_mobility, age, age_on, child_seat, details_confirmed_at,
      details_confirmed_version)
    select ${seats.orgId}, e.id, ${seats.departureId}::uuid, ${seats.bookingId}::uuid, e.traveler_id, e.unit_type, e.pickup_stop_id, e.seat_or_group, e.note, e.trip_dietary, e.trip_mobility, coalesce(e.age, said.age), case when e.age is null then said.age_on else d.local_date end, e.child_seat,
      ${by === 'guest' ? sql`app_now(), 1` : sql`null, null`}
    from jsonb_to_recordset(${JSON.stringify(entries)}::jsonb) as e (id uuid, traveler_id uuid, unit_type text, pickup_stop_id uuid, seat_or_group text,
      note text, trip_dietary text, trip_mobility text, age int, is_age_said boolean, child_seat boolean)
    join departures d on d.org_id = ${seats.orgId} and d.id = ${seats.departureId}::uuid
    left join lateral (select age, age_on from ${ageSaidLast(seats.orgId, sql`e.traveler_id`)} where not e.is_age_said
      and not exists (select from traveler_private v where v.org_id = d.org_id and v.traveler_id = e.traveler_id and v.date_of_birth is not null)) said on true`.execute(
    tx,
  )
  if (entries.every((entry) => entry.room_ids.length === 0)) return
  await sql`insert into room_assignments (org_id, room_id, manifest_entry_id)
    select ${seats.orgId}, room.id, e.id from jsonb_to_recordset(${JSON.stringify(entries)}::jsonb) as e (id uuid, room_ids uuid[])
    cross join lateral unnest(e.room_ids) as room (id)`.execute(tx)
}

/** Says that a booking is another one than it was, where who is on it has changed: whoever has it open sees it. */
export async function touchBooking({ tx, orgId }: Where, id: string): Promise<void> {
  await sql`update bookings set updated_at = greatest(app_now(), updated_at + interval '1 microsecond')
    where org_id = ${orgId} and id = ${id}`.execute(tx)
}
