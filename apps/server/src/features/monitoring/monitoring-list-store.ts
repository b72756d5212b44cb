import type { DepartureRow } from '@tour-ops/contract/departures'
import type { MonitoringRow } from '@tour-ops/contract/monitoring'
import { type RawBuilder, sql } from 'kysely'
import type { MemberCall } from '../../context.ts'
import { iso, isoOrNull } from '../../platform/list-query.ts'
import { readinessJoins } from '../../platform/operations/readiness.ts'

/** Running, or to start within 24 hours. What was never closed falls off a day after its end. Source: product description, section 5.6. */
export const isWatched: RawBuilder<boolean> = sql<boolean>`(d.status = 'in_progress'
  or d.status in ('scheduled', 'guaranteed', 'boarding') and d.starts_at <= app_now() + interval '24 hours' and d.ends_at > app_now() - interval '24 hours')`

const isRunning = sql`d.status in ('boarding', 'in_progress')`

/** What is known of the lead guide's phone; seconds as in the product description, section 4.3. Needs `d`. */
const guideJoin: RawBuilder<unknown> = sql`
  left join lateral (
    select case when not exists (select from devices v where v.org_id = a.org_id and v.staff_id = a.staff_id and v.archived_at is null) then 'no_device'
        when not exists (select from duty_sessions u where u.org_id = a.org_id and u.staff_id = a.staff_id and u.status = 'open') then 'off_duty'
        when l.recorded_at is null then 'no_fix_yet'
        when app_now() - l.recorded_at < make_interval(secs => greatest(120, 2.5 * v.report_interval_s)) then 'live'
        when app_now() - l.recorded_at < make_interval(secs => greatest(600, 4 * v.report_interval_s)) then 'stale'
        else 'offline' end as state, l.recorded_at as at, l.battery_pct as battery
    from assignments a
      left join latest_positions l on l.org_id = a.org_id and l.staff_id = a.staff_id
      left join devices v on v.org_id = l.org_id and v.id = l.device_id
    where a.org_id = d.org_id and a.departure_id = d.id and a.role = 'lead_guide' and a.status in ('accepted', 'on_duty', 'completed')
    limit 1
  ) guide on true`

/** Late beyond the tolerance of the organization. */
const isLate = sql`(d.delay_seconds > (select s.on_time_tolerance_minutes * 60 from org_settings s where s.org_id = d.org_id))`
const hasNoSignal = sql`exists (select from (select true) one ${guideJoin} where guide.state in ('stale', 'offline', 'no_fix_yet'))`

/** Conditions of the state chips, over `d` and `ready`. A departure may be in several, or in none while it waits for its start. */
export const stateConditions = {
  on_time: sql<boolean>`(${isRunning} and not ${isLate})`,
  late: sql<boolean>`(${isRunning} and ${isLate})`,
  no_signal: sql<boolean>`(${isRunning} and ${hasNoSignal})`,
  not_ready: sql<boolean>`(d.status <> 'in_progress' and cardinality(ready.failing) > 0)`,
} as const

export interface WatchCounts {
  all: number
  onTime: number
  late: number
  noSignal: number
  notReady: number
}

/** How many departures are in each state, whatever the filters of the list. */
export async function selectCounts(call: MemberCall): Promise<{ counts: WatchCounts; nextStartsAt: string | null }> {
  const { rows } = await sql<WatchCounts & { nextStartsAt: Date | null }>`
    select count(*)::int as all, (count(*) filter (where ${stateConditions.on_time}))::int as "onTime",
      (count(*) filter (where ${stateConditions.late}))::int as late, (count(*) filter (where ${stateConditions.no_signal}))::int as "noSignal",
      (count(*) filter (where ${stateConditions.not_ready}))::int as "notReady",
      (select min(n.starts_at) from departures n where n.org_id = ${call.orgId} and n.status in ('scheduled', 'guaranteed')
        and n.starts_at > app_now() + interval '24 hours') as "nextStartsAt"
    from departures d join tours t on t.org_id = d.org_id and t.id = d.tour_id ${readinessJoins}
    where d.org_id = ${call.orgId} and ${isWatched}`.execute(call.tx)
  const { nextStartsAt = null, ...counts } = rows[0] ?? { all: 0, onTime: 0, late: 0, noSignal: 0, notReady: 0 }
  return { counts, nextStartsAt: isoOrNull(nextStartsAt) }
}

interface WatchRecord {
  id: string
  expected: number
  headsExpected: number | null
  headsCounted: number | null
  headsAt: Date | null
  guideState: MonitoringRow['guideState']
  lastFixAt: Date | null
  batteryPct: number | null
  worstSeverity: MonitoringRow['worstSeverity']
  stopId: string | null
  stopName: string | null
  stopStatus: NonNullable<MonitoringRow['next']>['status'] | null
  plannedAt: Date | null
  etaAt: Date | null
  leavesAt: Date | null
  weatherNote: string | null
}

/** Adds what a board row does not have: counts of people, the guide's phone, the stop they are at. */
export async function watchRows(call: MemberCall, departures: readonly DepartureRow[]): Promise<MonitoringRow[]> {
  const ids = departures.map(({ id }) => id)
  const { rows } = await sql<WatchRecord>`
    select d.id, people.expected, heads.expected as "headsExpected", heads.counted as "headsCounted", heads.at as "headsAt",
      guide.state as "guideState", guide.at as "lastFixAt", guide.battery as "batteryPct", alarm.worst as "worstSeverity",
      stop.id as "stopId", stop.name as "stopName", stop.status as "stopStatus", stop.planned_arrive_at as "plannedAt", stop.eta_at as "etaAt",
      case when stop.status = 'arrived' then stop.planned_depart_at + make_interval(secs => greatest(0, stop.delay_seconds - stop.slack_min * 60)) end as "leavesAt",
      d.weather_note as "weatherNote"
    from departures d ${guideJoin}
    cross join lateral (
      select count(*)::int as expected from manifest_entries m join bookings b on b.org_id = m.org_id and b.id = m.booking_id
      where m.org_id = d.org_id and m.departure_id = d.id and m.status <> 'cancelled' and b.status in ('confirmed', 'completed')
    ) people
    left join lateral (
      select h.expected, h.counted, h.at from departure_stops s join headcounts h on h.org_id = s.org_id and h.departure_stop_id = s.id
      where s.org_id = d.org_id and s.departure_id = d.id order by h.at desc, h.id desc limit 1
    ) heads on true
    cross join lateral (
      select (array['critical', 'warning', 'info'])[min(array_position(array['critical', 'warning', 'info'], a.severity))] as worst
      from alerts a where a.org_id = d.org_id and a.departure_id = d.id and a.status in ('open', 'acknowledged')
    ) alarm
    left join lateral (
      select s.id, p.name, s.status, s.planned_arrive_at, s.planned_depart_at, s.eta_at, s.delay_seconds, s.slack_min
      from departure_stops s join places p on p.org_id = s.org_id and p.id = s.place_id
      where s.org_id = d.org_id and s.departure_id = d.id and s.status in ('planned', 'approaching', 'arrived')
        and s.stop_order >= coalesce((select max(e.stop_order) from departure_stops e where e.org_id = s.org_id
          and e.departure_id = s.departure_id and e.status in ('arrived', 'departed')), 0)
      order by s.stop_order limit 1
    ) stop on true
    where d.org_id = ${call.orgId} and d.id = any (${ids}::uuid[])`.execute(call.tx)
  const byId = new Map(rows.map((row) => [row.id, row]))
  return departures.flatMap((departure) => {
    const record = byId.get(departure.id)
    return record ? [watchRowOf(departure, record)] : []
  })
}

function watchRowOf(departure: DepartureRow, record: WatchRecord): MonitoringRow {
  const { headsExpected, headsCounted, headsAt, stopId, stopName, stopStatus, plannedAt } = record
  return {
    ...departure,
    openAlerts: departure.openAlerts ?? 0,
    expected: record.expected,
    lastHeadcount:
      headsExpected !== null && headsCounted !== null && headsAt
        ? { expected: headsExpected, counted: headsCounted, at: iso(headsAt) }
        : null,
    guideState: record.guideState,
    lastFixAt: isoOrNull(record.lastFixAt),
    batteryPct: record.batteryPct,
    worstSeverity: record.worstSeverity,
    next:
      stopId && stopName && stopStatus && plannedAt
        ? {
            id: stopId,
            name: stopName,
            status: stopStatus,
            plannedAt: iso(plannedAt),
            etaAt: isoOrNull(record.etaAt),
            leavesAt: isoOrNull(record.leavesAt),
          }
        : null,
    weatherNote: record.weatherNote,
  }
}
