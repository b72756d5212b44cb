import { type Traveler, type TravelerRow, tripIsOverDays } from '@tour-ops/contract/travelers/travelers'
import { sql } from 'kysely'
import type { MemberCall } from '../../context.ts'
import { isoOrNull } from '../../platform/list-query.ts'
import { isGuestWithinScope } from '../../platform/own-scope.ts'
import { seesSensitiveOf } from '../../platform/private-fields.ts'
import { isAhead, isOver, whenOf } from '../../platform/operations/departure-phase.ts'
import { statuses } from '../../platform/operations/status-sets.ts'

export interface TravelerPage {
  readonly q: string
  readonly filters: Readonly<Record<string, unknown>> | undefined
  readonly sort: readonly { by: string; descending: boolean }[]
  readonly limit: number
  readonly offset: number
  /** How many there are, where that is known or not requested. */
  readonly total?: number | undefined
}

type Row = Omit<TravelerRow, 'trip'> & {
  trip:
    | (Omit<NonNullable<TravelerRow['trip']>, 'startsAt' | 'endsAt' | 'checkInAt' | 'expiresAt'> & {
        startsAt: string
        endsAt: string
        checkInAt: string | null
        expiresAt: string | null
      })
    | null
}

/** Past the last page there is the total, and nobody. */
type NoRow = Readonly<Record<keyof Row, null>>

const utc = (column: string) => sql.raw(`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`)

/**
 * One page of rows in order, and how many there are in all. Search and row-level security meet in the function that finds the ids; with
 * scope `own` it finds guests of own departures, and their trips are those.
 */
export async function selectTravelerPage(
  call: MemberCall,
  page: TravelerPage,
): Promise<{ total: number; rows: TravelerRow[] }> {
  // one row: how many ids there are is estimated from that, and a page is found by its keys
  const { rows } = await sql<{ total: number } & (Row | NoRow)>`
    with found as materialized (
      select total::int as total, ids from search_travelers(${page.q}, ${JSON.stringify(page.filters ?? {})}::jsonb,
        ${JSON.stringify(page.sort)}::jsonb, ${page.limit}, ${page.offset}, p_total => ${page.total ?? null}::bigint) limit 1
    )
    select found.total, t.id, t.version, nullif(t.first_name, '') as "firstName", t.last_name as "lastName",
      trim(t.first_name || ' ' || t.last_name) as name, t.nationality, t.languages, t.email, t.phone,
      coalesce(f.flags, '{}') as flags, t.tags, t.lifetime_tours as "toursTaken", trip.value as trip
    from found left join (unnest(found.ids) with ordinality as wanted (id, place)
        join travelers t on t.org_id = ${call.orgId} and t.id = wanted.id) on true
      left join traveler_flags((select found.ids from found)) f on f.traveler_id = t.id
      left join lateral (
        select jsonb_build_object('departureId', d.id, 'code', d.code, 'tourName', u.name,
          'startsAt', ${utc('d.starts_at')}, 'endsAt', ${utc('d.ends_at')}, 'timeZone', d.time_zone,
          'when', ${whenOf('last')},
          'bookingId', b.id, 'bookingRef', b.booking_ref, 'bookingStatus', b.status, 'departureStatus', d.status, 'entryStatus', m.status,
          'checkInAt', ${utc('m.check_in_at')}, 'expiresAt', ${utc('b.expires_at')}, 'waitlistRank', b.waitlist_rank) as value
        from manifest_entries m
          join bookings b on b.org_id = m.org_id and b.id = m.booking_id
          join departures d on d.org_id = m.org_id and d.id = m.departure_id
          join tours u on u.org_id = d.org_id and u.id = d.tour_id
        where m.org_id = t.org_id and m.traveler_id = t.id and m.status <> 'cancelled'
        order by ${isOver}, abs(extract(epoch from d.starts_at - app_now())) limit 1) trip on true
    order by wanted.place`.execute(call.tx)
  const people = rows.filter((row) => row.id !== null)
  return { total: rows[0]?.total ?? 0, rows: people.map(({ total: _total, ...row }) => row) }
}

/**
 * The parties to whom chosen travelers are written: of the tour that each is on, else of the next, else of the last one until it was over long ago,
 * as far as it is booked; each once. And of how many travelers there is none.
 */
export async function selectTripBookings(
  call: MemberCall,
  ids: readonly string[],
): Promise<{ bookingIds: string[]; without: number }> {
  const { rows } = await sql<{ bookingId: string }>`
    select trip.id as "bookingId" from travelers t
      cross join lateral (
        select b.id, d.ends_at from manifest_entries m
          join bookings b on b.org_id = m.org_id and b.id = m.booking_id and b.status in ${statuses.sold}
          join departures d on d.org_id = m.org_id and d.id = m.departure_id
        where m.org_id = t.org_id and m.traveler_id = t.id and m.status <> 'cancelled'
        order by ${isOver}, d.starts_at > app_now(), abs(extract(epoch from d.starts_at - app_now())), b.id limit 1) trip
    where t.org_id = ${call.orgId} and t.id = any (${[...ids]}::uuid[])
      and trip.ends_at > app_now() - make_interval(days => ${tripIsOverDays})
    order by trip.ends_at, trip.id`.execute(call.tx)
  return { bookingIds: [...new Set(rows.map(({ bookingId }) => bookingId))], without: new Set(ids).size - rows.length }
}

/** Whether the database keeps the total of a filter, as of nationalities; others it counts. Source: `known_traveler_count`. */
const isTotalStored = ({ nationality: _kept, view, ...others }: Readonly<Record<string, unknown>>): boolean =>
  (view === undefined || view === 'all') && Object.values(others).every((value) => value === undefined)

/**
 * How many travelers a filter leaves, where they have to be counted: once for all pages, orders and colleagues until something is
 * written. Undefined where the page knows it by itself, or where a search decides.
 */
export async function countTravelers(
  call: MemberCall,
  { q, filters = {} }: Pick<TravelerPage, 'q' | 'filters'>,
): Promise<number | undefined> {
  if (q.trim() !== '' || call.scope === 'own' || isTotalStored(filters)) return undefined
  return call.shared.answer(call, ['travelers, total', filters], async () => {
    const { rows } = await sql<{ total: number }>`
      select count_travelers(${JSON.stringify(filters)}::jsonb)::int as total`.execute(call.tx)
    return rows[0]?.total ?? 0
  })
}

type Profile = Omit<Traveler, 'createdAt' | 'documents' | 'trips' | 'figures' | 'flags'>

/** The profile without what must stay hidden. */
export async function findProfile(
  call: MemberCall,
  id: string,
): Promise<(Profile & { createdAt: Date; flags: Traveler['flags'] }) | undefined> {
  const { rows } = await sql<Profile & { createdAt: Date; flags: Traveler['flags'] }>`
    select t.id, t.version, nullif(t.first_name, '') as "firstName", t.last_name as "lastName", t.preferred_name as "preferredName",
      t.gender, t.nationality, t.residence_country as "residenceCountry", t.languages, t.email, t.phone, t.dietary,
      t.dietary_note as "dietaryNote", t.mobility, t.mobility_note as "mobilityNote",
      case when t.emergency_phone is not null then jsonb_build_object('name', coalesce(t.emergency_name, ''),
        'relation', t.emergency_relation, 'phone', t.emergency_phone) end as "emergencyContact",
      t.tags, t.marketing_consent as "marketingConsent", t.created_at as "createdAt",
      coalesce((select flags from traveler_flags(array[t.id])), '{}') as flags,
      p.medical_sealed is not null as "hasMedicalNote", p.date_of_birth is not null as "hasDateOfBirth"
    from travelers t left join traveler_private p on p.org_id = t.org_id and p.traveler_id = t.id
    where t.org_id = ${call.orgId} and t.id = ${id} and t.merged_into_id is null and t.archived_at is null
      and ${isGuestWithinScope(call, sql`t.id`)}`.execute(call.tx)
  return rows[0]
}

type TripRow = Omit<Traveler['trips'][number], 'startsAt' | 'endsAt' | 'checkInAt' | 'expiresAt'> & {
  startsAt: Date
  endsAt: Date
  checkInAt: Date | null
  expiresAt: Date | null
}

/** Trips: on tour now, next ones, then those before; guides see the trips with them. */
export async function selectTrips(call: MemberCall, travelerId: string): Promise<Traveler['trips']> {
  const { rows } = await sql<TripRow>`
    select d.id as "departureId", d.code, u.name as "tourName", d.starts_at as "startsAt", d.ends_at as "endsAt",
      d.time_zone as "timeZone",
      ${whenOf('before')} as "when",
      b.id as "bookingId", b.booking_ref as "bookingRef", b.status as "bookingStatus", d.status as "departureStatus", m.id as "entryId", m.status as "entryStatus",
      m.check_in_at as "checkInAt", b.expires_at as "expiresAt", b.pax, owed_minor(b.status, b.amount_total_minor, b.cancellation_fee_minor) as "amountTotalMinor",
      b.amount_paid_minor as "amountPaidMinor", b.currency,
      coalesce((select jsonb_agg(jsonb_build_object('id', o.id, 'name', trim(o.first_name || ' ' || o.last_name)) order by o.last_name)
        from manifest_entries with_them join travelers o on o.org_id = with_them.org_id and o.id = with_them.traveler_id
       where with_them.org_id = b.org_id and with_them.booking_id = b.id and with_them.traveler_id <> m.traveler_id
         and with_them.status <> 'cancelled'), '[]') as companions
    from manifest_entries m
      join bookings b on b.org_id = m.org_id and b.id = m.booking_id
      join departures d on d.org_id = m.org_id and d.id = m.departure_id
      join tours u on u.org_id = d.org_id and u.id = d.tour_id
    where m.org_id = ${call.orgId} and m.traveler_id = ${travelerId}
    order by ${isOver}, case when not ${isOver} then d.starts_at end, d.starts_at desc limit 200`.execute(call.tx)
  return rows.map((trip) => ({
    ...trip,
    startsAt: trip.startsAt.toISOString(),
    endsAt: trip.endsAt.toISOString(),
    checkInAt: isoOrNull(trip.checkInAt),
    expiresAt: isoOrNull(trip.expiresAt),
  }))
}

type DocumentRow = Omit<Traveler['documents'][number], 'verifiedAt'> & { verifiedAt: Date | null }

export async function selectDocuments(call: MemberCall, travelerId: string): Promise<Traveler['documents']> {
  const { rows } = await sql<DocumentRow>`
    select i.id, i.version, i.kind, i.country, case when ${seesSensitiveOf(call, sql`i.traveler_id`)} then i.number_last4 end as "numberHint", i.expires_on as "expiresOn",
      coalesce(i.expires_on < (last_tour.ends_at + interval '6 months')::date, false) as expiring, i.verified_at as "verifiedAt"
    from traveler_documents i
      left join lateral (
        select max(d.ends_at) as ends_at from manifest_entries m
          join departures d on d.org_id = m.org_id and d.id = m.departure_id
         where m.org_id = i.org_id and m.traveler_id = i.traveler_id and m.status <> 'cancelled' and ${isAhead}) last_tour on true
    where i.org_id = ${call.orgId} and i.traveler_id = ${travelerId} order by i.kind, i.created_at`.execute(call.tx)
  return rows.map((document) => ({ ...document, verifiedAt: isoOrNull(document.verifiedAt) }))
}

/** What a traveler has been on and paid; with scope `own` on the caller's departures. */
export async function selectFigures(call: MemberCall, travelerId: string): Promise<Traveler['figures']> {
  const { rows } = await sql<Omit<Traveler['figures'], 'paid'> & { paid: Traveler['figures']['paid'] | null }>`
    select count(*) filter (where m.status = 'finished')::int as "toursTaken", count(*) filter (where m.status = 'no_show')::int as "noShows",
      min(d.local_date) filter (where m.status = 'finished') as "firstTourOn",
      (select jsonb_agg(jsonb_build_object('currency', sums.currency, 'amountMinor', sums.amount)) from (
        select b.currency, sum(b.amount_paid_minor) as amount from bookings b
         where b.org_id = ${call.orgId} and b.id in (select booking_id from manifest_entries own
           where own.org_id = ${call.orgId} and own.traveler_id = ${travelerId})
            and b.amount_paid_minor > 0
         group by b.currency order by 2 desc) sums) as paid
    from manifest_entries m join departures d on d.org_id = m.org_id and d.id = m.departure_id
    where m.org_id = ${call.orgId} and m.traveler_id = ${travelerId}`.execute(call.tx)
  const figures = rows[0]
  return figures ? { ...figures, paid: figures.paid ?? [] } : { toursTaken: 0, noShows: 0, firstTourOn: null, paid: [] }
}
