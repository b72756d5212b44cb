import type pg from 'pg'

/** How many of what, and when departure `n` starts, as SQL. */
interface Operator {
  readonly departures: number
  readonly start: string
  readonly fieldStaff: number
  readonly vehicles: number
}

const tours = 800
/** Departures of a year, and how many are on their way at once. See docs/domain.md, "Sizes". */
const departuresAYear = 60_000
const large: Operator = {
  departures: departuresAYear,
  start: `make_interval(secs => (n - ${departuresAYear / 2}) * 365 * 86400.0 / ${departuresAYear})`,
  fieldStaff: 900,
  vehicles: 350,
}
/** Stops, crew and guests are filled in for this many days before and after today; boards and lists of today read no others. */
const filledDays = 30

/**
 * An operator of the size "Large": 60,000 departures within half a year before and after now, four of five of eight hours and one of nine
 * days, so that about 350 are on their way. Near today each has five stops, a lead guide, a vehicle and fifteen guests in five bookings;
 * every tenth runs late, every twentieth has an open alert, guests of several days have passports, guides on duty send positions. Written past the triggers, which would take an hour: counters and calendars
 * are filled in here.
 */
export const fillLargeOrganization = (ownerPool: pg.Pool, orgId: string): Promise<void> => fill(ownerPool, orgId, large)

/** The same people and guests, but this many departures that all set out within the last seven hours and are on their way. */
export const fillRunningDepartures = (ownerPool: pg.Pool, orgId: string, departures: number): Promise<void> =>
  fill(ownerPool, orgId, {
    departures,
    start: `make_interval(mins => -10 - (n * 7) % 400)`,
    fieldStaff: departures,
    vehicles: departures,
  })

async function fill(ownerPool: pg.Pool, orgId: string, operator: Operator): Promise<void> {
  const client = await ownerPool.connect()
  try {
    await client.query('begin')
    await client.query('set local session_replication_role = replica; set local statement_timeout = 0')
    for (const statement of statementsOf(operator))
      await client.query(statement.replaceAll(':org', client.escapeLiteral(orgId)))
    await client.query('commit')
  } finally {
    client.release()
  }
}

const near = `starts_at between now() - interval '${filledDays} days' and now() + interval '${filledDays} days'`

const statementsOf = ({ departures, start, fieldStaff, vehicles }: Operator): string[] => [
  `insert into places (org_id, id, name, lat, lng)
   select :org, uuidv7(), 'Place ' || n, 64 + n * 0.001, -21 from generate_series(1, 500) n`,
  `insert into field_staff (org_id, id, code, first_name, last_name, languages)
   select :org, uuidv7(), 'G' || n, 'Guide', 'Number ' || n, '[{"tag": "en", "level": "native"}]' from generate_series(1, ${fieldStaff}) n`,
  `insert into vehicles (org_id, id, label, plate, class, seats)
   select :org, uuidv7(), 'Coach ' || n, 'BN-' || n, 'coach', 30 from generate_series(1, ${vehicles}) n`,
  `insert into tours (org_id, id, code, name, kind, status, time_zone, duration_min, duration_days, guide_ratio, vehicle_class, current_revision_id)
   select :org, uuidv7(), 'T' || n, 'Tour ' || n, case when n % 5 = 0 then 'multi_day' else 'day' end, 'published', 'UTC', 480,
     case when n % 5 = 0 then 9 else 1 end, 20, 'coach', uuidv7() from generate_series(1, ${tours}) n`,
  `insert into tour_revisions (org_id, id, tour_id, number, content, published_at)
   select :org, current_revision_id, id, 1, '{}', now() from tours where org_id = :org`,
  `insert into departures (org_id, id, code, tour_id, revision_id, status, starts_at, ends_at, time_zone, local_date, local_start_time,
     language, capacity, min_pax, seats_confirmed, actual_start_at, delay_seconds)
   select :org, uuidv7(), 'D-' || n, t.id, t.current_revision_id,
     case when stop < now() then 'completed' when start < now() then 'in_progress' when n % 3 = 0 then 'guaranteed' else 'scheduled' end,
     start, stop, 'UTC', (start at time zone 'UTC')::date, (start at time zone 'UTC')::time, 'en', 20, 4, 15,
     case when start < now() then start + interval '3 minutes' end, case when n % 10 = 0 then 1500 else 0 end
   from generate_series(1, ${departures}) n
   join (select *, row_number() over (order by id) as place from tours where org_id = :org) t on t.place = 1 + n % ${tours}
   cross join lateral (select date_trunc('minute', now()) + ${start} as start) s
   cross join lateral (select start + case when t.duration_days > 1 then interval '216 hours' else interval '8 hours' end as stop) e`,
  `insert into departure_stops (org_id, id, departure_id, stop_order, day_index, place_id, kind, planned_arrive_at, planned_depart_at, status, delay_seconds)
   select :org, uuidv7(), d.id, k, 1, p.id, case k when 1 then 'start' when 5 then 'end' else 'visit' end, at, at + interval '15 minutes',
     case when at + interval '15 minutes' < now() then 'departed' else 'planned' end, d.delay_seconds
   from (select *, row_number() over (order by id) as n from departures where org_id = :org and ${near}) d
   cross join generate_series(1, 5) k
   cross join lateral (select d.starts_at + (d.ends_at - d.starts_at) * (k - 1) / 4 as at) a
   join (select id, row_number() over (order by id) as place from places where org_id = :org) p on p.place = 1 + (d.n + k) % 500`,
  `with busy as (
     select d.id, d.starts_at, d.ends_at, s.id as staff_id, uuidv7() as entry_id, d.status
     from (select *, row_number() over (order by starts_at) as n from departures where org_id = :org and ${near}) d
     join (select id, row_number() over (order by id) as place from field_staff where org_id = :org) s on s.place = 1 + d.n % ${fieldStaff}),
   calendar as (
     insert into staff_calendar_entries (org_id, id, staff_id, during, kind, status)
     select :org, entry_id, staff_id, tstzrange(starts_at, ends_at), 'assignment', 'tentative' from busy)
   insert into assignments (org_id, id, calendar_entry_id, departure_id, staff_id, role, status)
   select :org, uuidv7(), entry_id, id, staff_id, 'lead_guide', case status when 'completed' then 'completed' when 'in_progress' then 'on_duty' else 'accepted' end
   from busy`,
  `with busy as (
     select d.id, d.starts_at, d.ends_at, v.id as vehicle_id, uuidv7() as entry_id
     from (select *, row_number() over (order by starts_at) as n from departures where org_id = :org and ${near}) d
     join (select id, row_number() over (order by id) as place from vehicles where org_id = :org) v on v.place = 1 + d.n % ${vehicles}),
   calendar as (
     insert into vehicle_calendar_entries (org_id, id, vehicle_id, during, kind, status)
     select :org, entry_id, vehicle_id, tstzrange(starts_at, ends_at), 'pickup', 'confirmed' from busy)
   insert into vehicle_assignments (org_id, calendar_entry_id, departure_id)
   select :org, entry_id, id from busy`,
  `insert into bookings (org_id, id, booking_ref, departure_id, status, contact_name, units, pax, currency)
   select :org, uuidv7(), 'BN-' || row_number() over (), d.id, 'confirmed', 'Guest ' || k,
     '[{"unitType": "adult", "qty": 3, "paxCount": 1, "priceMinor": 8900}]', 3, 'EUR'
   from departures d cross join generate_series(1, 5) k where d.org_id = :org and ${near}`,
  'analyze departures, bookings',
  `with guest as (select b.id as booking_id, b.departure_id, uuidv7() as id, k from bookings b cross join generate_series(1, 3) k where b.org_id = :org),
   person as (
     insert into travelers (org_id, id, first_name, last_name, nationality)
     select :org, id, 'Guest', 'Number ' || k, 'GB' from guest)
   insert into manifest_entries (org_id, id, booking_id, departure_id, traveler_id, status)
   select :org, uuidv7(), g.booking_id, g.departure_id, g.id, case d.status when 'completed' then 'finished' when 'in_progress' then 'on_tour' else 'expected' end
   from guest g join departures d on d.org_id = :org and d.id = g.departure_id`,
  `insert into traveler_counts (org_id, nationality, difference) select :org, 'GB', count(*) from travelers where org_id = :org`,
  `insert into traveler_documents (org_id, id, traveler_id, kind, country, expires_on)
   select :org, uuidv7(), m.traveler_id, 'passport', 'GB', current_date + 1000
   from manifest_entries m join departures d on d.org_id = :org and d.id = m.departure_id
   where m.org_id = :org and d.ends_at - d.starts_at > interval '1 day'`,
  `insert into devices (org_id, id, label, staff_id) select :org, uuidv7(), 'Phone of ' || code, id from field_staff where org_id = :org`,
  `with duty as (
     insert into duty_sessions (org_id, id, staff_id, departure_id, started_at, consent_version)
     select distinct on (a.staff_id) :org, uuidv7(), a.staff_id, a.departure_id, d.starts_at, '1'
     from assignments a join departures d on d.org_id = :org and d.id = a.departure_id
     where a.org_id = :org and a.status = 'on_duty' order by a.staff_id, d.starts_at returning id, staff_id)
   insert into latest_positions (org_id, staff_id, device_id, duty_session_id, recorded_at, lat, lng)
   select :org, duty.staff_id, v.id, duty.id, now(), 64, -21 from duty join devices v on v.org_id = :org and v.staff_id = duty.staff_id`,
  `insert into alerts (org_id, id, kind, severity, subject_type, subject_id, title, departure_id, dedupe_key, opened_at)
   select :org, uuidv7(), 'running_late', 'warning', 'departure', d.id, 'Late', d.id, 'late:' || d.id, now()
   from (select *, row_number() over (order by id) as n from departures where org_id = :org and status = 'in_progress') d where d.n % 20 = 0`,
]
