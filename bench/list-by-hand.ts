import type { In } from '@tour-ops/contract/callable'
import { travelerFlags } from '@tour-ops/contract/bookings/manifest'
import type { listTravelers } from '@tour-ops/contract/travelers/travelers'
import type pg from 'pg'
import type { Recorded } from './bare-list-server.ts'

type Query = In<typeof listTravelers>

/** Conditions over `t`; $1 is the organization. Only the filters that the bench asks for. */
function conditionsOf({ filters = {} }: Query): { text: string; values: unknown[] } {
  const conditions = ['t.org_id = $1', 't.merged_into_id is null', 't.archived_at is null']
  const values: unknown[] = []
  const add = (condition: (parameter: string) => string, value: unknown) => {
    values.push(value)
    conditions.push(condition(`$${values.length + 1}`))
  }
  if (filters.nationality) add((list) => `t.nationality = any (${list}::text[])`, filters.nationality)
  if (filters.language) add((list) => `t.languages && ${list}::text[]`, filters.language)
  if (filters.tag) add((list) => `t.tags && ${list}::text[]`, filters.tag)
  if (filters.flag) add((list) => `t.dietary && ${list}::text[]`, filters.flag)
  if (filters.view === 'arriving') {
    conditions.push(`exists (select from manifest_entries m join departures d on d.org_id = m.org_id and d.id = m.departure_id
      where m.org_id = t.org_id and m.traveler_id = t.id and m.status <> 'cancelled' and d.starts_at > now()
        and d.starts_at <= now() + interval '7 days' and d.status in ('scheduled', 'guaranteed', 'boarding'))`)
  }
  return { text: conditions.join(' and '), values }
}

const tripOrder = `left join (
    select m.traveler_id, coalesce(min(d.starts_at) filter (where d.ends_at >= now()), max(d.starts_at)) as starts_at
    from manifest_entries m join departures d on d.org_id = m.org_id and d.id = m.departure_id
    where m.org_id = $1 and m.status <> 'cancelled' group by m.traveler_id) trip on trip.traveler_id = t.id`

const utc = (column: string) => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`

/**
 * For each query the one statement that somebody who knows the tables would write for the same answer: no transaction, no row-level
 * security, no check of rights, everything counted at the moment of asking. How words are matched, sorted and flagged is asked of the
 * product's functions, once.
 *
 * @param owner A role that bypasses row-level security.
 */
export async function statementsByHand(
  owner: pg.Pool,
  orgId: string,
  queries: readonly { query: Query; body: string }[],
): Promise<Recorded[]> {
  const { rows } = await owner.query<{ flags: string }>(
    `select string_agg(format('case when %s then %L end', traveler_flag_condition(flag), flag), ', ' order by place) as flags
     from unnest($1::text[]) with ordinality as one (flag, place)`,
    [travelerFlags],
  )
  const flags = rows[0]?.flags ?? ''
  return Promise.all(
    queries.map(async ({ query, body }) => {
      const text = await textOf(owner, query, flags)
      return { body, statements: [{ text, values: [orgId, ...conditionsOf(query).values] }] }
    }),
  )
}

async function textOf(owner: pg.Pool, query: Query, flags: string): Promise<string> {
  const { q = '', sort = [], page = 1, size = 50 } = query
  const { rows } = await owner.query<{ ordering: string; match: string }>(
    `select traveler_order($1::jsonb) as ordering, search_condition('t.search_text', $2) as match`,
    [JSON.stringify(sort), q],
  )
  const { ordering = 't.id', match = 'true' } = rows[0] ?? {}
  const where = `${conditionsOf(query).text}${q === '' ? '' : ` and ${match}`}`
  const joined = ordering.includes('trip.') ? tripOrder : ''
  return `with page as (
      select t.*, row_number() over (order by ${ordering}) as place from travelers t ${joined} where ${where}
      order by ${ordering} limit ${size} offset ${(page - 1) * size}
    )
    select (select count(*)::int from travelers t where ${where}) as total, t.id, t.version, nullif(t.first_name, '') as "firstName",
      t.last_name as "lastName", trim(t.first_name || ' ' || t.last_name) as name, t.nationality, t.languages, t.email, t.phone,
      array_remove(array[${flags}]::text[], null) as flags, t.tags, t.lifetime_tours as "toursTaken", trip.value as trip
    from page t left join lateral (
      select jsonb_build_object('departureId', d.id, 'code', d.code, 'tourName', u.name,
        'startsAt', ${utc('d.starts_at')}, 'endsAt', ${utc('d.ends_at')}, 'timeZone', d.time_zone,
        'when', case when d.starts_at <= now() and d.ends_at > now() then 'now' when d.starts_at > now() then 'next' else 'last' end,
        'bookingId', b.id, 'bookingRef', b.booking_ref, 'bookingStatus', b.status, 'departureStatus', d.status, 'entryStatus', m.status,
        'checkInAt', ${utc('m.check_in_at')}, 'expiresAt', ${utc('b.expires_at')}, 'waitlistRank', b.waitlist_rank) as value
      from manifest_entries m
        join bookings b on b.org_id = m.org_id and b.id = m.booking_id
        join departures d on d.org_id = m.org_id and d.id = m.departure_id
        join tours u on u.org_id = d.org_id and u.id = d.tour_id
      where m.org_id = t.org_id and m.traveler_id = t.id and m.status <> 'cancelled'
      order by d.ends_at < now(), abs(extract(epoch from d.starts_at - now())) limit 1) trip on true
    order by t.place`
}
