import { hasAccess, type Permission, scopeOf } from '@tour-ops/contract/identity/access'
import { searchAll, type SearchHit, type SearchScope } from '@tour-ops/contract/search/search'
import { type RawBuilder, sql } from 'kysely'
import type { MemberCall } from '../../context.ts'
import { reachAs } from '../../platform/own-scope.ts'
import { type Verb, verb } from '../../platform/verb.ts'
import { isOver } from '../../platform/operations/departure-phase.ts'

interface HitRow extends Omit<SearchHit, 'scope' | 'startsAt' | 'departureStatus'> {
  startsAt: Date | null
  /** Of bookings alone. */
  departureStatus?: SearchHit['departureStatus']
}

interface Scope {
  readonly permission: Permission
  /** Selects the columns of `HitRow`. */
  readonly select: (call: MemberCall, q: string, limit: number) => RawBuilder<unknown>
}

/** The same call, seen through the permission that a scope needs. */
const within = (call: MemberCall, permission: Permission): MemberCall => ({
  ...call,
  permission,
  scope: scopeOf(call.role, permission) ?? 'own',
})

const like = (text: RawBuilder<unknown>, q: string): RawBuilder<unknown> =>
  sql`searchable(${text}) like '%' || searchable(${q}) || '%'`

/** Departures `d` that are not over, nearest first, then those that are. */
const nearestFirst = sql`${isOver}, abs(extract(epoch from d.starts_at - app_now()))`

/** The booking reference that a search without its hyphen may refer to: a name of the same length looks the same. */
const asReference = (q: string): string =>
  q
    .trim()
    .toUpperCase()
    .replace(/^([A-Z]{2,5}) ?([A-Z0-9]{6})$/, '$1-$2')

/** Bookings of people who travel along and are not the contact, for those who may read guests. */
const bookingsOfGuests = (call: MemberCall, q: string): RawBuilder<unknown> =>
  hasAccess(call, { permission: 'travelers:read' })
    ? sql`select m.booking_id from search_travelers(p_query => ${q}, p_limit => 50) guests
        cross join unnest(guests.ids) guest(id)
        join manifest_entries m on m.org_id = ${call.orgId} and m.traveler_id = guest.id and m.status <> 'cancelled'`
    : sql`select null::uuid`

const scopes: Record<SearchScope, Scope> = {
  departures: {
    permission: 'departures:read',
    // What is not over before what is, each nearest to now first: people nearly always search for today's or tomorrow's.
    select: (call, q, limit) => sql`
      select d.id, t.name as title, d.code as detail, d.code, d.starts_at as "startsAt", d.time_zone as "timeZone", d.status,
        d.delay_seconds as "delaySeconds", d.id as "departureId"
      from departures d join tours t on t.org_id = d.org_id and t.id = d.tour_id
      where d.org_id = ${call.orgId} and ${like(sql`d.code || ' ' || t.name`, q)}
        and d.starts_at between app_now() - interval '60 days' and app_now() + interval '200 days'
      order by ${nearestFirst}, d.code limit ${limit}`,
  },
  bookings: {
    permission: 'bookings:read',
    select: (call, q, limit) => sql`
      select b.id, b.contact_name as title, t.name as detail, b.booking_ref as code, d.starts_at as "startsAt",
        d.time_zone as "timeZone", b.status, null::int as "delaySeconds", d.id as "departureId",
        d.status as "departureStatus"
      from (select id from search_bookings(${q}, 200)
          union select r.id from bookings r where r.org_id = ${call.orgId} and r.booking_ref = ${asReference(q)}
          union ${bookingsOfGuests(call, q)}) found
        join bookings b on b.org_id = ${call.orgId} and b.id = found.id
        join departures d on d.org_id = b.org_id and d.id = b.departure_id
        join tours t on t.org_id = d.org_id and t.id = d.tour_id
      order by b.booking_ref = ${asReference(q)} desc, ${nearestFirst}, b.created_at desc, b.id limit ${limit}`,
  },
  travelers: {
    permission: 'travelers:read',
    select: (call, q, limit) => sql`
      select t.id, trim(t.first_name || ' ' || t.last_name) as title, t.nationality as detail, null::text as code,
        null::timestamptz as "startsAt", null::text as "timeZone", null::text as status, null::int as "delaySeconds",
        null::uuid as "departureId"
      from search_travelers(p_query => ${q}, p_limit => ${limit}) found
        cross join unnest(found.ids) with ordinality as hit(id, place)
        join travelers t on t.org_id = ${call.orgId} and t.id = hit.id
      order by hit.place`,
  },
  staff: {
    permission: 'staff:read',
    select: (call, q, limit) => sql`
      select s.id, trim(s.first_name || ' ' || s.last_name) as title, base.name as detail, s.code,
        null::timestamptz as "startsAt", null::text as "timeZone", s.status, null::int as "delaySeconds",
        null::uuid as "departureId"
      from field_staff s left join places base on base.org_id = s.org_id and base.id = s.home_base_place_id
      where s.org_id = ${call.orgId} and s.archived_at is null
        and (${call.scope === 'all'} or s.id = ${call.staffId}::uuid)
        and ${like(sql`s.first_name || ' ' || s.last_name || ' ' || s.code`, q)}
      order by s.status, s.last_name collate "und-x-icu", s.id limit ${limit}`,
  },
  tours: {
    permission: 'tours:read',
    select: (call, q, limit) => sql`
      select t.id, t.name as title, null::text as detail, t.code, null::timestamptz as "startsAt", t.time_zone as "timeZone",
        t.status, null::int as "delaySeconds", null::uuid as "departureId"
      from tours t where t.org_id = ${call.orgId} and ${like(sql`t.code || ' ' || t.name`, q)}
      order by t.status = 'archived', t.name collate "und-x-icu", t.id limit ${limit}`,
  },
  incidents: {
    permission: 'monitoring:read',
    select: (call, q, limit) => sql`
      select i.id, i.title, d.code as detail, i.number as code, d.starts_at as "startsAt", d.time_zone as "timeZone",
        i.status, null::int as "delaySeconds", i.departure_id as "departureId"
      from incidents i left join departures d on d.org_id = i.org_id and d.id = i.departure_id
      where i.org_id = ${call.orgId} and ${like(sql`i.number || ' ' || i.title`, q)}
      order by i.created_at desc, i.id limit ${limit}`,
  },
}

const search = verb(searchAll, async (call, { q, scopes: wanted, perScope }) => {
  const allowed = (Object.keys(scopes) as SearchScope[]).filter(
    (scope) => (wanted?.includes(scope) ?? true) && hasAccess(call, { permission: scopes[scope].permission }),
  )
  const hits: SearchHit[] = []
  for (const scope of allowed) {
    const { permission, select } = scopes[scope]
    await reachAs(call, permission)
    const { rows } = await sql<HitRow>`${select(within(call, permission), q, perScope)}`.execute(call.tx)
    hits.push(
      ...rows.map((hit) => ({
        ...hit,
        scope,
        startsAt: hit.startsAt?.toISOString() ?? null,
        departureStatus: hit.departureStatus ?? null,
      })),
    )
  }
  return { hits }
})

export const searchVerbs: Verb[] = [search]
