import type { DepartureRow } from '@tour-ops/contract/departures/departures'
import type { MonitoringRow } from '@tour-ops/contract/monitoring/monitoring-list'
import type { Client } from 'pg'

/** What somebody who knows the tables would write for a board: the statements, prepared by name, and what they say of each departure. */
export interface BoardByHand {
  readonly statements: readonly string[]
}

/** What an answer says of a departure, as far as it is compared: where the peer says something else it is no peer. */
export interface Told {
  readonly code: string
  readonly [fact: string]: unknown
}

/** What boards say of a departure. */
export const factsOf = (row: DepartureRow): Told => ({
  code: row.code,
  aboard: row.aboard,
  lead: row.leadGuide?.name ?? null,
  vehicle: row.vehicle?.name ?? null,
  next: row.nextStop?.name ?? null,
  failing: row.readiness.failing.join(' '),
  alerts: row.openAlerts ?? 0,
})

/** What the monitoring list says of it besides. */
export const watchedFactsOf = (row: MonitoringRow): Told => ({
  ...factsOf(row),
  expected: row.expected,
  counted: row.lastHeadcount?.counted ?? null,
  worst: row.worstSeverity,
  nextStatus: row.next?.status ?? null,
  weather: row.weatherNote,
  unread: row.unreadMessages,
})

const binding = `('accepted', 'on_duty', 'completed')`
const isOut = `d.status in ('boarding', 'in_progress') and d.ends_at > now() - interval '60 days'`

/** Everything of the departures in `chosen` (id, part), in one statement: each table is read once, for all of them. $1 is the organization. */
const rowsOf = (chosen: string, extra = { columns: '', joins: '', alarms: '' }): string => `
  with chosen as materialized (${chosen}),
  crew as (
    select a.departure_id, count(*) as people, count(*) filter (where a.role in ('lead_guide', 'guide', 'tour_leader')) as guides,
      (array_agg(f.id order by a.id) filter (where a.role = 'lead_guide'))[1] as lead_id,
      (array_agg(concat_ws(' ', f.first_name, f.last_name) order by a.id) filter (where a.role = 'lead_guide'))[1] as lead,
      array_agg(f.languages) filter (where a.role in ('lead_guide', 'guide', 'tour_leader')) as languages
    from assignments a join field_staff f on f.org_id = a.org_id and f.id = a.staff_id
    where a.org_id = $1 and a.departure_id in (select id from chosen) and a.status in ${binding} and a.role <> 'backup' group by 1
  ), fleet as (
    select va.departure_id, sum(v.seats) as seats, (array_agg(v.id order by e.id))[1] as id, (array_agg(v.label order by e.id))[1] as label
    from vehicle_assignments va
      join vehicle_calendar_entries e on e.org_id = va.org_id and e.id = va.calendar_entry_id and e.status <> 'cancelled'
      join vehicles v on v.org_id = e.org_id and v.id = e.vehicle_id
    where va.org_id = $1 and va.departure_id in (select id from chosen) group by 1
  ), services as (
    select s.departure_id, count(*) as total, count(*) filter (where s.status <> 'confirmed') as waiting from departure_services s
    where s.org_id = $1 and s.departure_id in (select id from chosen) and s.status <> 'cancelled' group by 1
  ), mail as (
    select g.departure_id, count(*) as total, count(*) filter (where g.status in ('failed', 'partly_failed')) as failed from messages g
    where g.org_id = $1 and g.departure_id in (select id from chosen) and g.status in ('sent', 'partly_failed', 'failed') group by 1
  ), people as (
    select m.departure_id, count(*) filter (where m.status in ('checked_in', 'on_tour', 'finished', 'left_early', 'missing')) as aboard,
      count(*) filter (where m.status = 'no_show') as no_show
    from manifest_entries m where m.org_id = $1 and m.departure_id in (select id from chosen) group by 1
  ), papers as (
    select m.departure_id, count(*) as missing
    from departures d join tours t on t.org_id = d.org_id and t.id = d.tour_id and t.duration_days > 1
      join manifest_entries m on m.org_id = d.org_id and m.departure_id = d.id and m.status <> 'cancelled'
    where d.org_id = $1 and d.id in (select id from chosen) and not exists (
      select from traveler_documents i where i.org_id = m.org_id and i.traveler_id = m.traveler_id and i.kind in ('passport', 'id')
        and coalesce(i.expires_on, 'infinity') >= (d.ends_at at time zone d.time_zone)::date) group by 1
  ), alarm as (
    select a.departure_id, count(*) as open, min(array_position(array['critical', 'warning', 'info'], a.severity)) as worst ${extra.alarms} from alerts a
    where a.org_id = $1 and a.departure_id in (select id from chosen) and a.status in ('open', 'acknowledged') group by 1
  ), stops as (
    select e.*, row_number() over run as number, count(*) over whole as total, d.actual_start_at,
      greatest(max(e.stop_order) filter (where e.status in ('arrived', 'departed')) over whole,
        case when d.actual_start_at is not null then greatest(min(e.stop_order) filter (where e.kind = 'start') over whole,
          min(e.stop_order) filter (where e.kind <> 'pickup') over whole - 1) end) as behind,
      bool_or(e.timed_entry and e.status in ('planned', 'approaching') and e.delay_seconds > 300) over whole as misses
    from departure_stops e join departures d on d.org_id = e.org_id and d.id = e.departure_id
    where e.org_id = $1 and e.departure_id in (select id from chosen)
    window run as (partition by e.departure_id order by e.stop_order), whole as (partition by e.departure_id)
  ), next as (
    select distinct on (s.departure_id) s.departure_id, s.id, s.number, s.total, s.misses, s.status, s.planned_arrive_at, s.eta_at, p.name
    from stops s left join places p on p.org_id = s.org_id and p.id = s.place_id
    where s.status in ('planned', 'approaching') and s.stop_order > coalesce(s.behind, -1)
      or s.status = 'arrived' and s.stop_order >= s.behind and not (s.kind in ('start', 'pickup') and coalesce(s.actual_arrive_at <= s.actual_start_at, false))
    order by s.departure_id, s.stop_order
  )
  select chosen.part, d.id, d.version, d.code, t.id as tour_id, t.code as tour_code, t.name as tour, t.kind, t.color, o.name as option, d.language, d.status,
    d.sales_status, d.starts_at, d.ends_at, d.time_zone, d.local_date, to_char(d.local_start_time, 'HH24:MI') as start_time, t.duration_days,
    d.capacity, d.min_pax, d.overbook_limit, d.seats_confirmed, d.seats_held, d.waitlist_count, d.decide_by, d.delay_seconds,
    coalesce(people.aboard, 0)::int as aboard, coalesce(people.no_show, 0)::int as no_show, crew.lead_id, crew.lead, fleet.id as vehicle_id,
    fleet.label as vehicle, next.name as next, next.number, next.total, next.misses, coalesce(alarm.open, 0)::int as alerts,
    case when d.status in ('draft', 'scheduled', 'guaranteed', 'boarding', 'in_progress') then array_to_string(array[
      case when crew.lead_id is null then 'lead_guide' end,
      case when d.language is not null and crew.guides > 0 and not exists (select from unnest(crew.languages) l, jsonb_array_elements(l) spoken
        where split_part(spoken ->> 'tag', '-', 1) = split_part(d.language, '-', 1)) then 'language' end,
      case when t.guide_ratio is not null and crew.guides > 0 and crew.guides * t.guide_ratio < d.seats_confirmed then 'guide_ratio' end,
      case when (t.vehicle_class is not null or fleet.id is not null)
        and not (fleet.id is not null and coalesce(fleet.seats, 0) - coalesce(crew.people, 0) >= d.seats_confirmed) then 'vehicle_seats' end,
      case when services.waiting > 0 then 'services_confirmed' end,
      case when papers.missing > 0 then 'documents' end,
      case when (t.thresholds #>> '{weather_warning,noteRequired}')::boolean and coalesce(d.weather_note, '') = '' then 'weather_note' end,
      case when d.min_pax > 0 and d.status <> 'guaranteed' and d.seats_confirmed < d.min_pax then 'minimum_pax' end,
      case when mail.failed > 0 then 'messages_delivered' end], ' ') else '' end as failing ${extra.columns}
  from chosen join departures d on d.org_id = $1 and d.id = chosen.id join tours t on t.org_id = d.org_id and t.id = d.tour_id
    left join tour_options o on o.org_id = d.org_id and o.id = d.option_id
    left join crew on crew.departure_id = d.id left join fleet on fleet.departure_id = d.id left join services on services.departure_id = d.id
    left join mail on mail.departure_id = d.id left join people on people.departure_id = d.id left join papers on papers.departure_id = d.id
    left join alarm on alarm.departure_id = d.id left join next on next.departure_id = d.id ${extra.joins}`

const today = `(select (now() at time zone s.time_zone)::date from org_settings s where s.org_id = $1)`

/** Today's board and tomorrow's preparation at once, then the parts next to them. */
export const overviewByHand: BoardByHand = {
  statements: [
    `${rowsOf(`select d.id, 'today' as part from departures d join tours u on u.org_id = d.org_id and u.id = d.tour_id
        where d.org_id = $1 and d.status <> 'draft' and d.local_date between ${today} - 60 and ${today}
          and d.local_date + coalesce(u.duration_days, 1) - 1 >= ${today}
      union select d.id, 'today' from departures d where d.org_id = $1 and ${isOut} and d.local_date <= ${today}
      union all select d.id, 'tomorrow' from departures d where d.org_id = $1 and d.local_date = ${today} + 1
        and d.status not in ('draft', 'cancelled', 'aborted')`)}
      order by chosen.part, d.local_start_time, d.starts_at, d.id`,
    `select (select json_agg(one) from (select d.local_date, count(*), sum(d.capacity) as seats, sum(d.seats_confirmed + d.seats_held) as taken
        from departures d where d.org_id = $1 and d.local_date between ${today} and ${today} + 13 and d.status not in ('draft', 'cancelled')
        group by 1 order by 1) one) as load,
      (select json_build_object('open', count(*), 'oldest', min(a.opened_at)) from alerts a where a.org_id = $1 and a.status = 'open') as alerts,
      (select json_build_object('starts', count(*), 'on_time', count(*) filter (where d.actual_start_at <= d.starts_at
          + make_interval(mins => (select s.on_time_tolerance_minutes from org_settings s where s.org_id = $1))))
        from departures d where d.org_id = $1 and d.local_date = ${today} and d.actual_start_at is not null) as starts,
      (select json_agg(one) from (select e.name, i.departure_id, i.quantity from equipment_issues i
        join equipment e on e.org_id = i.org_id and e.id = i.equipment_id join departures d on d.org_id = i.org_id and d.id = i.departure_id
        where i.org_id = $1 and d.local_date between ${today} - 60 and ${today} and d.ends_at > now() - interval '1 day') one) as equipment,
      (select json_agg(one) from (
        select 'alert' as what, a.id, a.title, a.severity, a.opened_at as since, d.code, t.name as tour, d.starts_at, m.name as owner
          from alerts a left join departures d on d.org_id = a.org_id and d.id = a.departure_id
            left join tours t on t.org_id = d.org_id and t.id = d.tour_id left join members m on m.org_id = a.org_id and m.user_id = a.owner_user_id
          where a.org_id = $1 and a.status = 'open' and a.kind not in ('assignment_unanswered', 'certificate_expiring')
        union all select 'incident', i.id, i.title, 'critical', i.created_at, d.code, t.name, d.starts_at, m.name
          from incidents i left join departures d on d.org_id = i.org_id and d.id = i.departure_id
            left join tours t on t.org_id = d.org_id and t.id = d.tour_id left join members m on m.org_id = i.org_id and m.user_id = i.owner_user_id
          where i.org_id = $1 and i.status not in ('resolved', 'reviewed')
        union all select case when d.status = 'cancelled' then 'rebook' else 'decide' end, d.id, d.code, 'warning', d.updated_at, d.code, t.name, d.starts_at, null
          from departures d join tours t on t.org_id = d.org_id and t.id = d.tour_id
          where d.org_id = $1 and (d.status = 'scheduled' and d.seats_confirmed < d.min_pax and d.starts_at > now() and d.decide_by <= now() + interval '1 day'
            or d.status = 'cancelled' and d.seats_confirmed > 0 and d.starts_at > now() - interval '7 days')
        union all select 'offer', a.id, d.code, 'warning', a.offered_at, d.code, t.name, d.starts_at, null
          from assignments a join departures d on d.org_id = a.org_id and d.id = a.departure_id join tours t on t.org_id = d.org_id and t.id = d.tour_id
          where a.org_id = $1 and a.status = 'offered' and a.respond_by <= now() + interval '2 hours' and d.starts_at > now()
        union all select 'certificate', c.id, c.kind, 'info', c.valid_until, null, null, null, concat_ws(' ', f.first_name, f.last_name)
          from staff_certificates c join field_staff f on f.org_id = c.org_id and f.id = c.staff_id and f.status = 'active'
          where c.org_id = $1 and c.valid_until <= current_date + 30
        union all select 'vehicle', v.id, v.label, 'info', v.inspection_valid_until, null, null, null, null
          from vehicles v where v.org_id = $1 and v.status = 'active' and v.inspection_valid_until <= current_date + 30
        order by since limit 30) one) as attention`,
  ],
}

/** What runs or starts within 24 hours; the state chips are counted from the rows, which are all there. */
export const monitoringByHand: BoardByHand = {
  statements: [
    `${rowsOf(
      `select d.id, case when ${isOut} then 'out' else 'awaited' end as part from departures d where d.org_id = $1 and (${isOut}
        or d.status in ('scheduled', 'guaranteed') and d.ends_at > now() - interval '1 day' and d.starts_at <= now() + interval '24 hours')`,
      {
        columns: `, heads.expected as heads_expected, heads.counted, heads.at as heads_at, coalesce(guests.expected, 0)::int as expected,
          (array['critical', 'warning', 'info'])[alarm.worst] as worst, next.id as next_id, next.status as "nextStatus", next.planned_arrive_at, next.eta_at,
          nullif(concat_ws(' · ', alarm.weather, nullif(d.weather_note, '')), '') as weather, coalesce(unread.messages, 0)::int as unread, phone.recorded_at, phone.battery_pct, phone.report_interval_s,
          exists (select from devices v where v.org_id = $1 and v.staff_id = crew.lead_id and v.archived_at is null) as has_device,
          exists (select from duty_sessions u where u.org_id = $1 and u.staff_id = crew.lead_id and u.status = 'open') as on_duty`,
        joins: `left join (select distinct on (s.departure_id) s.departure_id, h.expected, h.counted, h.at from departure_stops s
            join headcounts h on h.org_id = s.org_id and h.departure_stop_id = s.id
            where s.org_id = $1 and s.departure_id in (select id from chosen) order by s.departure_id, h.at desc) heads on heads.departure_id = d.id
          left join (select m.departure_id, count(*) as expected from manifest_entries m
            join bookings b on b.org_id = m.org_id and b.id = m.booking_id and b.status in ('confirmed', 'completed')
            where m.org_id = $1 and m.departure_id in (select id from chosen) and m.status <> 'cancelled' group by 1) guests on guests.departure_id = d.id
          left join (select l.staff_id, l.recorded_at, l.battery_pct, v.report_interval_s from latest_positions l
            join devices v on v.org_id = l.org_id and v.id = l.device_id where l.org_id = $1) phone on phone.staff_id = crew.lead_id
          left join (select b.departure_id, count(*) as messages from booking_messages g
            join bookings b on b.org_id = g.org_id and b.id = g.booking_id
            where g.org_id = $1 and g.author = 'guest' and g.read_at is null group by 1) unread on unread.departure_id = d.id`,
        alarms: `, string_agg(a.title, ' · ' order by a.opened_at, a.id) filter (where a.kind = 'weather_warning') as weather`,
      },
    )} order by d.starts_at, d.id`,
    `select d.starts_at, d.time_zone from departures d where d.org_id = $1 and d.status in ('scheduled', 'guaranteed')
      and d.starts_at > now() + interval '24 hours' order by d.starts_at limit 1`,
  ],
}

/** Runs the statements of a board. @returns What the first one says of the departures of a part, or of all. */
export async function runByHand(
  database: Client,
  orgId: string,
  { statements }: BoardByHand,
): Promise<(Told & { part: string })[]> {
  const [first] = await statements.reduce<Promise<(Told & { part: string })[][]>>(async (before, text) => {
    const all = await before
    // a name of 63 characters at most, and the same for the same statement
    const { rows } = await database.query<Told & { part: string }>({
      name: `by_hand_${text.length}`,
      text,
      values: [orgId],
    })
    return [...all, rows]
  }, Promise.resolve([]))
  return first ?? []
}
