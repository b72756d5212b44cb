import { type RawBuilder, sql } from 'kysely'
import { writeFindings } from '../src/features/tracking/findings-store.ts'
import type { Tx } from '../src/platform/db/database.ts'
import { newId } from '../src/platform/ids.ts'
import type { Random } from '../seed/random.ts'
import { type AlertsOffice, hear, offer } from './alerts-office.ts'

/** @returns how many rows it has written. */
type Step = (tx: Tx, office: AlertsOffice, random: Random) => Promise<number>

const write =
  (statement: (office: AlertsOffice, random: Random) => RawBuilder<unknown>): Step =>
  async (tx, office, random) =>
    Number((await statement(office, random).execute(tx)).numAffectedRows ?? 0n)

const minuteMs = 60_000

/** What people, guests, phones and jobs do to rows that alerts are read from. Some are refused, or find nothing to change. */
export const alertSteps: Readonly<Record<string, Step>> = {
  'a departure goes on': write(
    ({ departures }, random) => sql`
      update departures set status = case status when 'scheduled' then 'boarding' when 'guaranteed' then 'boarding'
        when 'boarding' then 'in_progress' else ${random.pick(['in_progress', 'in_progress', 'completed'])} end
      where id = ${random.pick(departures)} and status in ('scheduled', 'guaranteed', 'boarding', 'in_progress')`,
  ),
  'a departure is cancelled': write(
    ({ departures }, random) => sql`
      update departures set status = 'cancelled', cancel_reason = 'weather' where id = ${random.pick(departures)}`,
  ),
  'a departure is late': write(
    ({ departures }, random) => sql`
      update departures set delay_seconds = ${random.pick([0, 600, 1000, 3000])} where id = ${random.pick(departures)}`,
  ),
  'a departure is moved': write(
    ({ departures }, random) => sql`
      update departures set starts_at = starts_at + interval '40 minutes', ends_at = ends_at + interval '40 minutes' where id = ${random.pick(departures)}`,
  ),
  'the minimum changes': write(
    ({ departures }, random) =>
      sql`update departures set min_pax = ${random.between(1, 6)} where id = ${random.pick(departures)}`,
  ),
  'a stop with a time of entry is late': write(
    ({ departures }, random) => sql`
      update departure_stops set timed_entry = true, delay_seconds = ${random.pick([0, 400, 900])}
      where departure_id = ${random.pick(departures)} and stop_order = 3`,
  ),
  'a stop is reached': write(
    ({ departures }, random) => sql`
      update departure_stops set status = 'arrived', actual_arrive_at = app_now()
      where departure_id = ${random.pick(departures)} and stop_order = ${random.between(1, 4)} and status = 'planned'`,
  ),
  'no signal is expected on the way to a stop': write(
    ({ departures }, random) => sql`
      update departure_stops set signal_gap = ${random.pick([true, true, false])}
      where departure_id = ${random.pick(departures)} and stop_order = ${random.between(2, 4)}`,
  ),
  'heads are counted': write(
    ({ departures }, random) => sql`
      insert into headcounts (org_id, id, departure_stop_id, expected, counted, reason)
      select org_id, ${newId()}, id, 2, ${random.between(1, 2)}, 'Test' from departure_stops where departure_id = ${random.pick(departures)} and stop_order = 2`,
  ),
  'guests do not show up, or do': write(
    ({ departures }, random) => sql`
      update manifest_entries set status = ${random.pick(['no_show', 'expected'])} where departure_id = ${random.pick(departures)}`,
  ),
  'somebody is asked': (tx, { caller, clock, departures, staff, asked }, random) =>
    offer(tx, caller.orgId, {
      staffId: random.pick([...staff, asked]),
      departureId: random.pick(departures),
      respondBy: new Date(clock.now().getTime() + random.between(5, 90) * minuteMs),
    }),
  'who was asked answers': write(
    ({ caller }, random) => sql`
      update assignments set status = ${random.pick(['accepted', 'declined', 'withdrawn'])} where org_id = ${caller.orgId} and status = 'offered'`,
  ),
  'who accepted begins': write(
    ({ caller, departures }, random) => sql`
      update assignments set status = 'on_duty' where org_id = ${caller.orgId} and departure_id = ${random.pick(departures)} and status = 'accepted'`,
  ),
  'who accepted is released': write(
    ({ caller, departures }, random) => sql`
      update assignments set status = 'released', release_reason = 'ill' where org_id = ${caller.orgId} and departure_id = ${random.pick(departures)}
        and status = 'accepted'`,
  ),
  'a service is confirmed, or asked for': write(
    ({ caller }, random) => sql`
      update departure_services set status = ${random.pick(['confirmed', 'requested'])} where org_id = ${caller.orgId}`,
  ),
  'a supplier gets another name': write(
    ({ supplier }, random) =>
      sql`update suppliers set name = ${`Hotel ${random.between(1, 9)}`} where id = ${supplier}`,
  ),
  'a vehicle changes': write(
    ({ vehicle }, random) => sql`
      update vehicles set seats = ${random.between(1, 4)}, inspection_valid_until = ${random.pick(['2030-07-14', '2030-08-14', '2031-01-01'])}
      where id = ${vehicle}`,
  ),
  'a vehicle is taken from its departure': write(
    ({ vehicle }) => sql`
      delete from vehicle_assignments where calendar_entry_id in (select id from vehicle_calendar_entries where vehicle_id = ${vehicle})`,
  ),
  'a paper is filed': write(
    ({ caller, staff }, random) => sql`
      insert into staff_certificates (org_id, id, staff_id, kind, valid_until)
      values (${caller.orgId}, ${newId()}, ${random.pick(staff)}, ${random.pick(['first_aid', 'driving_D'])}, ${random.pick(['2030-07-12', '2030-08-15', '2031-08-01'])})`,
  ),
  'papers are deleted': write(
    ({ staff }, random) => sql`delete from staff_certificates where staff_id = ${random.pick(staff)}`,
  ),
  'a person changes': write(
    ({ staff }, random) => sql`
      update field_staff set last_name = ${`Number ${random.between(1, 9)}`}, min_rest_hours = ${random.between(2, 14)} where id = ${random.pick(staff)}`,
  ),
  'a duty ends later': write(
    ({ staff }, random) => sql`
      update staff_calendar_entries set during = tstzrange(lower(during), upper(during) + interval '20 minutes')
      where staff_id = ${random.pick(staff)} and kind = 'assignment'`,
  ),
  'places change': write(
    ({ caller }, random) => sql`
      update places set name = ${`Place ${random.between(1, 9)}`}, lat = ${random.between(63, 66)} where org_id = ${caller.orgId} and name <> 'City Hall'`,
  ),
  'the tour changes': write(
    ({ caller }, random) => sql`
      update tours set name = ${`Circle ${random.between(1, 9)}`}, kind = ${random.pick(['day', 'multi_day'])}, duration_days = ${random.between(1, 2)}
      where org_id = ${caller.orgId}`,
  ),
  'documents of guests are entered': write(
    ({ caller }) => sql`
      insert into traveler_documents (org_id, id, traveler_id, kind, country)
      select org_id, uuidv7(), traveler_id, 'passport', 'GB' from manifest_entries where org_id = ${caller.orgId} order by id limit 3`,
  ),
  'documents of guests are deleted': write(
    ({ caller }) => sql`delete from traveler_documents where org_id = ${caller.orgId}`,
  ),
  'a hold ends at another time': write(
    ({ caller }, random) => sql`
      update bookings set expires_at = app_now() + make_interval(mins => ${random.between(10, 300)}) where org_id = ${caller.orgId} and status = 'on_hold'`,
  ),
  'a message is sent again': write(
    ({ message }) => sql`update messages set status = 'sending' where id = ${message} and status = 'partly_failed'`,
  ),
  'a message fails again': write(
    ({ message }) => sql`update messages set status = 'partly_failed' where id = ${message} and status = 'sending'`,
  ),
  'a weather warning is stated': write(({ caller }, random) => {
    const inHours = (hours: number) => sql`app_now() + make_interval(mins => ${hours * 60}::int)`
    const from = random.between(0, 20)
    const [reach, shape] = random.pick([
      ['everything', null],
      ['area', '{"type": "Point", "coordinates": [-21.935, 64.1375]}'],
      ['area', '{"type": "Point", "coordinates": [-15, 66]}'],
    ] as const)
    return sql`insert into weather_warnings (org_id, id, title, message, severity, starts_at, ends_at, reach, geojson, radius_m, stated_by)
      values (${caller.orgId}, ${newId()}, 'Storm', 'Stay inside.', ${random.pick(['info', 'warning', 'critical'])}, ${inHours(from)},
        ${inHours(from + random.between(1, 8))}, ${reach}, ${shape}::jsonb, ${shape && 5_000}, 'user')`
  }),
  'weather warnings are ended, or moved': write(({ caller }, random) =>
    random.chance(0.5)
      ? sql`update weather_warnings set ended_at = app_now() where org_id = ${caller.orgId} and ended_at is null`
      : sql`update weather_warnings set starts_at = starts_at + interval '2 hours', ends_at = ends_at + interval '2 hours' where org_id = ${caller.orgId}`,
  ),
  'a break begins or ends': write(
    ({ caller }, random) => sql`
      update duty_sessions set break_started_at = ${random.chance(0.5) ? sql`app_now()` : null} where org_id = ${caller.orgId}`,
  ),
  'limits are set': write(
    ({ caller }, random) => sql`
      update org_settings set tour_rules = tour_rules || ${JSON.stringify({ lateStartMin: random.between(5, 40), signalLostMin: random.between(3, 15), batteryPct: random.between(8, 25) })}::jsonb
      where org_id = ${caller.orgId}`,
  ),
  'alerts are snoozed until a time': write(
    ({ caller }, random) => sql`
      update alerts set status = 'snoozed', snoozed_until = app_now() + make_interval(mins => ${random.between(5, 90)})
      where org_id = ${caller.orgId} and status = 'open' and kind <> 'late_start'`,
  ),
  'alerts are snoozed until a stop': write(
    ({ caller, departures }, random) => sql`
      update alerts set status = 'snoozed', snoozed_until = app_now() + interval '20 hours', snoozed_stop_id = s.id
      from departure_stops s where s.org_id = ${caller.orgId} and s.departure_id = ${random.pick(departures)} and s.stop_order = ${random.between(1, 4)}
        and s.status = 'planned' and alerts.org_id = ${caller.orgId} and alerts.status = 'open' and alerts.kind <> 'late_start'`,
  ),
  'alerts are resolved': write(
    ({ caller }, random) => sql`
      update alerts set status = 'resolved', resolved_at = app_now(), resolution = 'manual' where org_id = ${caller.orgId} and status = 'open'
        and kind = ${random.pick(['late_start', 'no_lead_guide', 'certificate_expiring', 'headcount_mismatch', 'below_min_pax'])}`,
  ),
  'a phone is heard': async (tx, office, random) => {
    await hear(tx, office, { minutesAgo: random.between(0, 20), batteryPct: random.between(5, 30) })
    return 1
  },
  'the way says something else': async (tx, { caller, clock, departures: [departureId] }, random) => {
    const now = clock.now().getTime()
    const found = {
      departureId,
      kind: 'off_route',
      cause: null,
      since: now - 5 * minuteMs,
      seenAt: now,
      lat: 64,
      lng: -21,
      facts: { meters: random.between(500, 900) },
    }
    await writeFindings(tx, caller.orgId, [departureId], random.chance(0.6) ? [found as never] : [])
    return 1
  },
}

/** How often each comes, where it is not once: what has to happen several times for a day to go on comes more often. */
const weights: Readonly<Record<string, number>> = {
  'a departure goes on': 4,
  'a departure is cancelled': 0.3,
  'a departure is late': 2,
  'guests do not show up, or do': 2,
  'documents of guests are entered': 2,
  'documents of guests are deleted': 2,
  'a phone is heard': 3,
}

export const weightedSteps: readonly (readonly [name: string, weight: number])[] = Object.keys(alertSteps).map(
  (name) => [name, weights[name] ?? 1],
)
