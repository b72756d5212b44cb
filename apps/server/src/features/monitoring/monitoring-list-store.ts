import type { DepartureRow } from '@tour-ops/contract/departures/departures'
import type { MonitoringRow } from '@tour-ops/contract/monitoring/monitoring-list'
import { silentStates } from '@tour-ops/contract/tracking/expected-silence'
import { type RawBuilder, sql } from 'kysely'
import type { MemberCall } from '../../context.ts'
import { iso, isoOrNull } from '../../platform/list-query.ts'
import { isUnread } from '../../platform/operations/booking-thread.ts'
import { departureRowsOf } from '../../platform/operations/departure-rows.ts'
import {
  basisOf,
  lastSignalOf,
  reachJoin,
  signalColumns,
  signalJoins,
  type SignalRecord,
} from '../../platform/operations/departure-signals.ts'
import { signal } from '../../platform/operations/link-state.ts'
import { shownState } from '../../platform/operations/signal-gap.ts'
import { isAhead, leavesAt, stopsInOrder } from '../../platform/operations/stops-in-order.ts'
import { isAwaited, isOut, isRunning } from '../../platform/operations/departure-phase.ts'
import { statuses } from '../../platform/operations/status-sets.ts'

/** Out, or to start within 24 hours. */
const isWatched: RawBuilder<boolean> = sql<boolean>`(${isOut} or ${isAwaited} and d.starts_at <= app_now() + interval '24 hours')`

/**
 * What is known of the lead guides' phones, `guide`, for departures `d`; seconds as in docs/domain.md, "Phones of guides".
 *
 * @param ids SQL array with the ids of the departures; others have no `guide`.
 */
const guideJoin = (orgId: string, ids: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  left join (
    select distinct on (a.departure_id) a.departure_id,
      case when (a.staff_id in (select v.staff_id from devices v where v.org_id = ${orgId} and v.staff_id is not null and v.archived_at is null)) is not true then 'no_device'
        when (a.staff_id in (select u.staff_id from duty_sessions u where u.org_id = ${orgId} and u.staff_id is not null and u.status = 'open')) is not true then 'off_duty'
        when l.recorded_at is null then 'no_fix_yet'
        else ${signal({ recordedAt: sql`l.recorded_at`, intervalS: sql`v.report_interval_s` })} end as state
    from assignments a
      left join latest_positions l on l.org_id = a.org_id and l.staff_id = a.staff_id
      left join devices v on v.org_id = l.org_id and v.id = l.device_id
    where a.org_id = ${orgId} and a.departure_id = any (${ids}) and a.role = 'lead_guide' and a.status in ${statuses.binding}
    order by a.departure_id, a.id
  ) guide on guide.departure_id = d.id`

/** Late beyond the tolerance of the organization. */
const isLate = (orgId: string): RawBuilder<boolean> =>
  sql<boolean>`(d.delay_seconds > (select s.on_time_tolerance_minutes * 60 from org_settings s where s.org_id = ${orgId}))`
/** The guide's phone is silent where it should be heard. */
const hasNoSignal = sql`coalesce(${shownState(sql`guide.state`)} = any (${[...silentStates]}::text[]), false)`

interface WatchedRecord {
  id: string
  isRunning: boolean
  hasStarted: boolean
  isLate: boolean
  hasNoSignal: boolean
}

/** The state chips. A departure may be in several, or in none while it waits for its start. Who should have left and has not is late. */
const stateConditions = {
  on_time: ({ isRunning, isLate }: WatchedRecord) => isRunning && !isLate,
  late: ({ isLate }: WatchedRecord) => isLate,
  no_signal: ({ isRunning, hasNoSignal }: WatchedRecord) => isRunning && hasNoSignal,
  not_ready: ({ hasStarted }: WatchedRecord, failing: number) => !hasStarted && failing > 0,
} as const

export interface WatchCounts {
  all: number
  onTime: number
  late: number
  noSignal: number
  notReady: number
}

type State = keyof typeof stateConditions

interface Watched {
  counts: WatchCounts
  nextStart: { startsAt: string; timeZone: string } | null
  /** Those in one of the states that were requested; without states all of them. */
  ids: string[]
}

/** How many departures are in each state, whatever the filters of the list, and which ones are in some of them. */
export async function selectWatched(call: MemberCall, states: readonly State[] = []): Promise<Watched> {
  const records = await selectWatchedRecords(call)
  const waiting = records.filter(({ hasStarted }) => !hasStarted).map(({ id }) => id)
  const failing = new Map((await departureRowsOf(call, waiting)).map((row) => [row.id, row.readiness.failing.length]))
  const isIn = (state: State) => (record: WatchedRecord) => stateConditions[state](record, failing.get(record.id) ?? 0)
  const countOf = (state: State) => records.filter(isIn(state)).length
  return {
    counts: {
      all: records.length,
      onTime: countOf('on_time'),
      late: countOf('late'),
      noSignal: countOf('no_signal'),
      notReady: countOf('not_ready'),
    },
    nextStart: await selectNextStart(call),
    ids: records
      .filter((record) => states.length === 0 || states.some((state) => isIn(state)(record)))
      .map(({ id }) => id),
  }
}

async function selectWatchedRecords(call: MemberCall): Promise<WatchedRecord[]> {
  const running = sql`array(select d.id from watched d where ${isRunning})`
  const { rows } = await sql<WatchedRecord>`
    with watched as materialized (
      select d.org_id, d.id, d.status, d.delay_seconds from departures d where d.org_id = ${call.orgId} and ${isWatched}
    )
    select d.id, ${isRunning} as "isRunning", d.status = 'in_progress' as "hasStarted", ${isLate(call.orgId)} as "isLate",
      ${hasNoSignal} as "hasNoSignal"
    from watched d ${guideJoin(call.orgId, running)}`.execute(call.tx)
  return rows
}

async function selectNextStart({ tx, orgId }: MemberCall): Promise<Watched['nextStart']> {
  const { rows } = await sql<{ startsAt: Date; timeZone: string }>`
    select d.starts_at as "startsAt", d.time_zone as "timeZone" from departures d
    where d.org_id = ${orgId} and d.status in ${statuses.awaited} and d.starts_at > app_now() + interval '24 hours'
    order by d.starts_at, d.id limit 1`.execute(tx)
  const [first] = rows
  return first ? { startsAt: iso(first.startsAt), timeZone: first.timeZone } : null
}

interface WatchRecord extends SignalRecord {
  id: string
  expected: number
  headsExpected: number | null
  headsCounted: number | null
  headsAt: Date | null
  guideState: MonitoringRow['guideState']
  worstSeverity: MonitoringRow['worstSeverity']
  stopId: string | null
  stopName: string | null
  stopStatus: NonNullable<MonitoringRow['next']>['status'] | null
  plannedAt: Date | null
  etaAt: Date | null
  leavesAt: Date | null
  weatherNote: string | null
  unreadMessages: number
}

/** Adds what a board row does not have: counts of people, the guide's phone, the stop they are at. */
export async function watchRows(call: MemberCall, departures: readonly DepartureRow[]): Promise<MonitoringRow[]> {
  const ids = sql`array(select wanted.id from wanted)`
  const { rows } = await sql<WatchRecord>`
    with wanted as materialized (select unnest(${departures.map(({ id }) => id)}::uuid[]) as id)
    select d.id, coalesce(people.expected, 0) as expected, heads.expected as "headsExpected", heads.counted as "headsCounted", heads.at as "headsAt",
      guide.state as "guideState", ${signalColumns}, alarm.worst as "worstSeverity",
      stop.id as "stopId", stop.name as "stopName", stop.status as "stopStatus", stop.planned_arrive_at as "plannedAt", stop.eta_at as "etaAt",
      stop.leaves_at as "leavesAt", nullif(concat_ws(' · ', alarm.weather, nullif(d.weather_note, '')), '') as "weatherNote",
      coalesce(unread.messages, 0) as "unreadMessages"
    from departures d ${guideJoin(call.orgId, ids)} ${signalJoins(call.orgId, ids)}
    left join (
      select b.departure_id, sum(guests.entries)::int as expected
      from bookings b join (
        select m.booking_id, count(*) as entries from manifest_entries m
        where m.org_id = ${call.orgId} and m.departure_id = any (${ids}) and m.status <> 'cancelled' group by m.booking_id
      ) guests on guests.booking_id = b.id
      where b.org_id = ${call.orgId} and b.departure_id = any (${ids}) and b.status in ${statuses.sold}
      group by b.departure_id
    ) people on people.departure_id = d.id
    left join (
      select distinct on (s.departure_id) s.departure_id, h.expected, h.counted, h.at
      from departure_stops s join headcounts h on h.org_id = s.org_id and h.departure_stop_id = s.id
      where s.org_id = ${call.orgId} and s.departure_id = any (${ids}) order by s.departure_id, h.at desc, h.id desc
    ) heads on heads.departure_id = d.id
    left join (
      select a.departure_id, (array['critical', 'warning', 'info'])[min(array_position(array['critical', 'warning', 'info'], a.severity))] as worst,
        string_agg(a.title, ' · ' order by a.opened_at, a.id) filter (where a.kind = 'weather_warning') as weather
      from alerts a where a.org_id = ${call.orgId} and a.departure_id = any (${ids}) and a.status in ${statuses.standing}
      group by a.departure_id
    ) alarm on alarm.departure_id = d.id
    left join (
      -- few wait at a time, and their index has no others
      select b.departure_id, count(*)::int as messages from booking_messages g join bookings b on b.org_id = g.org_id and b.id = g.booking_id
      where g.org_id = ${call.orgId} and ${isUnread} group by b.departure_id
    ) unread on unread.departure_id = d.id
    left join (
      select distinct on (s.departure_id) s.*, p.name, ${leavesAt(sql`s.started_at`)} as leaves_at
      from ${stopsInOrder(call.orgId, ids)} join places p on p.org_id = ${call.orgId} and p.id = s.place_id
      where ${isAhead} order by s.departure_id, s.number
    ) stop on stop.departure_id = d.id
    ${reachJoin(call.orgId)}
    where d.org_id = ${call.orgId} and d.id = any (${ids})`.execute(call.tx)
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
    ...lastSignalOf(record),
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
            basis: basisOf(record),
          }
        : null,
    weatherNote: record.weatherNote,
    unreadMessages: record.unreadMessages,
  }
}
