import type { SoldUnitRow } from './plan-units.ts'
import type { KnownTour } from './tour-match.ts'
import { TourContent } from '@tour-ops/contract/tours/tour-content'
import { type OptionPrices, type TourUnit, unitsAt } from '@tour-ops/contract/units'
import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../platform/db/database.ts'
import { statuses } from '../../platform/operations/status-sets.ts'

export interface Pickup {
  readonly stopId: string
  readonly placeId: string
  readonly name: string
  /** ISO moment, and the clock there. */
  readonly at: string
  readonly time: string
}

export interface DepartureFacts {
  readonly id: string
  readonly code: string
  readonly tourId: string
  readonly localDate: string
  readonly startTime: string
  readonly status: string
  readonly salesStatus: string
  readonly cutoffAt: Date | null
  readonly nights: number
  readonly currency: string
  readonly prices: readonly TourUnit[]
  readonly pickups: readonly Pickup[]
  /** By its capacity. */
  readonly seatsFree: number
  /** Takes one party only. */
  readonly isPrivate: boolean
  /** Whether a party has seats on it. */
  readonly isTaken: boolean
}

/** All tours, whose departures a file may name. */
export async function selectTours(tx: Tx, orgId: string): Promise<KnownTour[]> {
  const { rows } = await sql<KnownTour>`select id, code, name from tours where org_id = ${orgId} order by code`.execute(
    tx,
  )
  return rows
}

/** The currency of tours without prices. */
export async function selectCurrency(tx: Tx, orgId: string): Promise<string> {
  const { rows } = await sql<{ currency: string }>`select currency from org_settings where org_id = ${orgId}`.execute(
    tx,
  )
  return rows[0]?.currency ?? 'EUR'
}

/** Names of the places that are in use. */
export async function selectPlaceNames(tx: Tx, orgId: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select distinct name from places where org_id = ${orgId} and archived_at is null order by name`.execute(tx)
  return rows.map(({ name }) => name)
}

type DepartureRow = Omit<DepartureFacts, 'prices' | 'currency'> & {
  units: unknown
  optionPrices: OptionPrices | null
  settingsCurrency: string
}

/** Departures by code, and by tour and day. Seats of holds that have expired count as free, since the write gives them back first. */
export async function selectDepartures(
  tx: Tx,
  orgId: string,
  wanted: { codes: readonly string[]; days: readonly { tour: string; date: string }[] },
): Promise<DepartureFacts[]> {
  const { rows } = await sql<DepartureRow>`
    select d.id, d.code, d.tour_id as "tourId", d.local_date as "localDate", to_char(d.local_start_time, 'HH24:MI') as "startTime", d.status,
      d.sales_status as "salesStatus", d.cutoff_at as "cutoffAt", (d.ends_at at time zone d.time_zone)::date - d.local_date as nights,
      r.content -> 'units' as units, own.prices as "optionPrices", s.currency as "settingsCurrency",
      greatest(0, d.capacity + d.overbook_limit - taken.seats) as "seatsFree", d.private as "isPrivate", taken.seats > 0 as "isTaken",
      coalesce((select jsonb_agg(jsonb_build_object('stopId', o.id, 'placeId', p.id, 'name', p.name, 'at', o.planned_arrive_at,
          'time', to_char(o.planned_arrive_at at time zone d.time_zone, 'HH24:MI')) order by o.planned_arrive_at, o.stop_order)
        from departure_stops o join places p on p.org_id = o.org_id and p.id = o.place_id
        where o.org_id = d.org_id and o.departure_id = d.id and o.kind in ('pickup', 'start')), '[]') as pickups
    from departures d join org_settings s on s.org_id = d.org_id
    left join tour_revisions r on r.org_id = d.org_id and r.id = d.revision_id
    left join tour_options own on own.org_id = d.org_id and own.id = d.option_id
    cross join lateral (select (d.seats_confirmed + d.seats_held - coalesce((select sum(b.pax) from bookings b
      where b.org_id = d.org_id and b.departure_id = d.id and b.status = 'on_hold' and b.expires_at <= app_now()), 0))::int as seats) taken
    where d.org_id = ${orgId} and (d.code = any (${[...wanted.codes]}::text[]) or exists (
      select from jsonb_to_recordset(${JSON.stringify(wanted.days)}::jsonb) as w (tour uuid, date date)
      where w.tour = d.tour_id and w.date = d.local_date))`.execute(tx)
  return rows.map(({ units, optionPrices, settingsCurrency, ...row }) => {
    const prices = unitsAt(TourContent.parse({ units: units ?? [] }).units, optionPrices)
    return { ...row, prices, currency: prices[0]?.currency ?? settingsCurrency }
  })
}

export interface BookingFacts {
  readonly id: string
  readonly version: number
  readonly bookingRef: string
  readonly channel: string
  readonly externalRef: string | null
  readonly sellerName: string | null
  readonly departureId: string
  readonly departureCode: string
  readonly status: string
  readonly units: readonly SoldUnitRow[]
  readonly pax: number
  readonly totalMinor: number
  readonly paidMinor: number
  readonly currency: string
  readonly pickupPlaceId: string | null
  readonly pickupPlaceName: string | null
  /** ISO. */
  readonly pickupAt: string | null
  readonly pickupTime: string | null
  readonly notes: string | null
  readonly importBatchId: string | null
}

const bookingColumns = sql`
  b.id, b.version, b.booking_ref as "bookingRef", b.channel, b.external_ref as "externalRef", b.seller_name as "sellerName",
  b.departure_id as "departureId", d.code as "departureCode", b.status, b.units, b.pax, b.amount_total_minor as "totalMinor",
  b.amount_paid_minor as "paidMinor", b.currency, b.pickup_place_id as "pickupPlaceId",
  p.name as "pickupPlaceName", to_jsonb(b.pickup_at) #>> '{}' as "pickupAt",
  to_char(b.pickup_at at time zone d.time_zone, 'HH24:MI') as "pickupTime", b.notes, b.import_batch_id as "importBatchId"
  from bookings b join departures d on d.org_id = b.org_id and d.id = b.departure_id
  left join places p on p.org_id = b.org_id and p.id = b.pickup_place_id`

/** Bookings by seller's reference within a channel, by our own reference, and by id. */
export async function selectBookings(
  tx: Tx,
  orgId: string,
  wanted: {
    externals: readonly { channel: string; ref: string }[]
    refs: readonly string[]
    ids: readonly string[]
  },
): Promise<BookingFacts[]> {
  const { rows } = await sql<BookingFacts>`
    select ${bookingColumns}
    where b.org_id = ${orgId} and (b.booking_ref = any (${[...wanted.refs]}::text[]) or b.id = any (${[...wanted.ids]}::uuid[]))
    union all
    select ${bookingColumns}
    join jsonb_to_recordset(${JSON.stringify(wanted.externals)}::jsonb) as w (channel text, ref text)
      on w.channel = b.channel and w.ref = b.external_ref
    where b.org_id = ${orgId} and b.external_ref is not null`.execute(tx)
  return rows
}

/** What of a booking shows that a party of a file may be the same. */
export interface SimilarFacts {
  readonly bookingRef: string
  readonly departureId: string
  readonly pax: number
  readonly name: string
  readonly email: string | null
  readonly phone: string | null
}

/** Bookings of departures that are not over. */
export async function selectSimilar(tx: Tx, orgId: string, departureIds: readonly string[]): Promise<SimilarFacts[]> {
  const { rows } = await sql<SimilarFacts>`
    select booking_ref as "bookingRef", departure_id as "departureId", pax, contact_name as name, lower(contact_email) as email,
      contact_phone as phone
    from bookings where org_id = ${orgId} and departure_id = any (${[...departureIds]}::uuid[])
      and status not in ${statuses.ended} order by booking_ref`.execute(tx)
  return rows
}

export interface PersonFacts {
  readonly travelerId: string
  readonly version: number
  readonly firstName: string
  readonly lastName: string
  readonly gender: string | null
  readonly nationality: string | null
  readonly languages: readonly string[]
  readonly email: string | null
  readonly phone: string | null
  readonly dietary: readonly string[]
  readonly dietaryNote: string | null
  readonly mobility: string
  readonly mobilityNote: string | null
  readonly emergencyName: string | null
  readonly emergencyPhone: string | null
  readonly importBatchId: string | null
  readonly privateVersion: number | null
  readonly privateImportBatchId: string | null
  readonly dateOfBirth: string | null
  /** Hex of the encrypted note. */
  readonly medicalSealed: string | null
  readonly passportId: string | null
  readonly passportVersion: number | null
  readonly passportImportBatchId: string | null
  /** Hex of the sealed number. */
  readonly passportSealed: string | null
  readonly passportLast4: string | null
  readonly passportExpiry: string | null
}

const personColumns = sql`
  t.id as "travelerId", t.version, t.first_name as "firstName", t.last_name as "lastName", t.gender, t.nationality, t.languages, t.email,
  t.phone, t.dietary, t.dietary_note as "dietaryNote", t.mobility, t.mobility_note as "mobilityNote", t.emergency_name as "emergencyName",
  t.emergency_phone as "emergencyPhone", t.import_batch_id as "importBatchId", v.version as "privateVersion",
  v.import_batch_id as "privateImportBatchId", v.date_of_birth as "dateOfBirth", encode(v.medical_sealed, 'hex') as "medicalSealed", c.id as "passportId",
  c.version as "passportVersion", c.import_batch_id as "passportImportBatchId", encode(c.number_encrypted, 'hex') as "passportSealed",
  c.number_last4 as "passportLast4", c.expires_on as "passportExpiry"`

const personJoins = sql`
  left join traveler_private v on v.org_id = t.org_id and v.traveler_id = t.id
  left join lateral (
    select i.* from traveler_documents i where i.org_id = t.org_id and i.traveler_id = t.id and i.kind = 'passport'
    order by i.created_at desc, i.id desc limit 1
  ) c on true`

export interface EntryFacts extends PersonFacts {
  readonly entryId: string
  readonly entryVersion: number
  readonly entryStatus: string
  readonly entryImportBatchId: string | null
  readonly bookingId: string
  readonly bookingRef: string
  readonly departureId: string
  readonly unitType: string
  readonly pickupStopId: string | null
}

async function selectEntriesWhere(tx: Tx, condition: RawBuilder<unknown>): Promise<EntryFacts[]> {
  const { rows } = await sql<EntryFacts>`
    select m.id as "entryId", m.version as "entryVersion", m.status as "entryStatus", m.import_batch_id as "entryImportBatchId", m.booking_id as "bookingId",
      b.booking_ref as "bookingRef", m.departure_id as "departureId", m.unit_type as "unitType", m.pickup_stop_id as "pickupStopId",
      ${personColumns}
    from manifest_entries m join bookings b on b.org_id = m.org_id and b.id = m.booking_id
    join travelers t on t.org_id = m.org_id and t.id = m.traveler_id ${personJoins}
    where m.status <> 'cancelled' and ${condition} order by m.id`.execute(tx)
  return rows
}

/** Who is named on bookings. */
export const selectEntriesOfBookings = (tx: Tx, orgId: string, ids: readonly string[]): Promise<EntryFacts[]> =>
  selectEntriesWhere(tx, sql`m.org_id = ${orgId} and m.booking_id = any (${[...ids]}::uuid[])`)

/** Who is on departures. */
export const selectEntriesOfDepartures = (tx: Tx, orgId: string, ids: readonly string[]): Promise<EntryFacts[]> =>
  selectEntriesWhere(tx, sql`m.org_id = ${orgId} and m.departure_id = any (${[...ids]}::uuid[])`)

/** Whether people are on departures already. */
export async function selectPlaces(
  tx: Tx,
  orgId: string,
  wanted: { departureIds: readonly string[]; travelerIds: readonly string[] },
): Promise<{ departureId: string; travelerId: string; bookingId: string; bookingRef: string }[]> {
  const { rows } = await sql<{ departureId: string; travelerId: string; bookingId: string; bookingRef: string }>`
    select m.departure_id as "departureId", m.traveler_id as "travelerId", m.booking_id as "bookingId", b.booking_ref as "bookingRef"
    from manifest_entries m join bookings b on b.org_id = m.org_id and b.id = m.booking_id
    where m.org_id = ${orgId} and m.status <> 'cancelled' and m.departure_id = any (${[...wanted.departureIds]}::uuid[])
      and m.traveler_id = any (${[...wanted.travelerIds]}::uuid[])`.execute(tx)
  return rows
}

/**
 * People who have an e-mail address, a phone or a birth date in common with lines of the file; names are compared afterwards. Their ids are
 * looked up first and the people by id: in one statement the planner, who cannot know how few they are, reads everybody for each of them.
 */
export async function selectCandidates(tx: Tx, orgId: string, wanted: WantedPeople): Promise<PersonFacts[]> {
  const { emails, phones, birthDates, lastNames } = wanted
  const queries = [
    emails.length > 0 && sql`select id from travelers where org_id = ${orgId} and email = any (${[...emails]}::text[])`,
    phones.length > 0 && sql`select id from travelers where org_id = ${orgId} and phone = any (${[...phones]}::text[])`,
    // many share a birthday: the last name, as far as lower case makes it one, thins them out
    birthDates.length > 0 &&
      sql`select t.id from traveler_private v join travelers t on t.org_id = v.org_id and t.id = v.traveler_id
        where v.org_id = ${orgId} and v.date_of_birth = any (${[...birthDates]}::date[]) and lower(t.last_name) = any (${[...lastNames]}::text[])`,
  ].filter((query) => query !== false)
  if (queries.length === 0) return []
  const found = await sql<{ id: string }>`${sql.join(queries, sql` union `)}`.execute(tx)
  const ids = found.rows.map((row) => row.id)
  if (ids.length === 0) return []
  const { rows } = await sql<PersonFacts>`
    select ${personColumns} from travelers t ${personJoins}
    where t.org_id = ${orgId} and t.id = any (${ids}::uuid[]) and t.merged_into_id is null and t.archived_at is null
      and t.anonymised_at is null order by t.id`.execute(tx)
  return rows
}

interface WantedPeople {
  readonly emails: readonly string[]
  readonly phones: readonly string[]
  readonly birthDates: readonly string[]
  /** In lower case. */
  readonly lastNames: readonly string[]
}

export interface RoomFacts {
  readonly id: string
  readonly departureId: string
  readonly roomKey: string
  readonly type: string
  readonly entryIds: readonly string[]
}

/** Rooms that have a key, with who sleeps in them. */
export async function selectRooms(tx: Tx, orgId: string, departureIds: readonly string[]): Promise<RoomFacts[]> {
  const { rows } = await sql<RoomFacts>`
    select r.id, r.departure_id as "departureId", r.room_key as "roomKey", r.type, coalesce((select jsonb_agg(a.manifest_entry_id)
      from room_assignments a where a.org_id = r.org_id and a.room_id = r.id), '[]') as "entryIds"
    from rooms r where r.org_id = ${orgId} and r.departure_id = any (${[...departureIds]}::uuid[]) and r.room_key is not null
    order by r.night_date, r.id`.execute(tx)
  return rows
}

/** References that are taken already. */
export async function selectTakenRefs(tx: Tx, orgId: string, refs: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ ref: string }>`select booking_ref as ref from bookings
    where org_id = ${orgId} and booking_ref = any (${[...refs]}::text[])`.execute(tx)
  return rows.map((row) => row.ref)
}
