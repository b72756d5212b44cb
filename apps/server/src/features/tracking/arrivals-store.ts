import type { Arrivals, RoutedWay } from '@tour-ops/contract/tracking/arrivals/arrivals'
import { type Fix, maxAccuracyM } from '@tour-ops/contract/tracking/arrivals/evidence'
import type { DeparturePlan, StopPlan, Tap } from '@tour-ops/contract/tracking/arrivals/plan'
import { modeOf } from '@tour-ops/contract/tracking/arrivals/travel'
import type { Visit } from '@tour-ops/contract/tracking/arrivals/standing'
import type { StatusOf } from '@tour-ops/contract/state-machines'
import type { TravelMode } from '@tour-ops/contract/tours/tour-terms'
import { sql } from 'kysely'
import type { Tx } from '../../platform/db/database.ts'
import { isOut } from '../../platform/operations/departure-phase.ts'
import { statuses } from '../../platform/operations/status-sets.ts'

/** A duty session of a departure that is out or has ended within a day, and its place among those of the departure. */
export interface TrackedSession {
  readonly sessionId: string
  readonly departureId: string
  /** 0 represents the group before all others: the lead guide. Vehicles come last. */
  readonly rank: number
}

/** Departures `d` whose phones may still send what they recorded on the way. */
const hasJustEnded = sql`(d.status = 'completed' and d.ends_at > app_now() - interval '60 days' and d.actual_end_at > app_now() - interval '1 day')`

export async function selectTrackedSessions(tx: Tx, orgId: string): Promise<readonly TrackedSession[]> {
  const { rows } = await sql<TrackedSession>`
    select u.id as "sessionId", d.id as "departureId", (dense_rank() over (partition by d.id
      order by u.vehicle_id is not null, coalesce(crew.place, 9), coalesce(u.staff_id, u.vehicle_id)))::int - 1 as rank
    from departures d join duty_sessions u on u.org_id = d.org_id and u.departure_id = d.id and u.tracked_from is not null
    left join lateral (
      select min(array_position(array['lead_guide', 'guide', 'tour_leader', 'driver', 'porter', 'backup'], a.role)) as place from assignments a
      where a.org_id = d.org_id and a.departure_id = d.id and a.staff_id = u.staff_id and a.status in ${statuses.binding}
    ) crew on true
    where d.org_id = ${orgId} and (${isOut} or ${hasJustEnded})
    order by d.id, u.id`.execute(tx)
  return rows
}

interface FixRow {
  readonly sessionId: string
  readonly at: Date
  readonly lat: number
  readonly lng: number
  readonly accuracyM: number | null
  readonly speedMps: number | null
}

export type SessionFix = Omit<Fix, 'rank'> & { readonly sessionId: string }

const fixOf = ({ at, ...row }: FixRow): SessionFix => ({ ...row, at: at.getTime(), isValid: true })

const usable = sql`p.valid and coalesce(p.accuracy_m, 0) <= ${sql.lit(maxAccuracyM)}`

/** All positions of some sessions, thinned as the evidence would (`evidence.ts`): a day of one device has 50,000. */
export async function selectAllFixes(tx: Tx, orgId: string, sessionIds: readonly string[]): Promise<SessionFix[]> {
  const { rows } = await sql<FixRow>`
    select distinct on (p.duty_session_id, floor(extract(epoch from p.recorded_at) / 10)) p.duty_session_id as "sessionId", p.recorded_at as at,
      p.lat, p.lng, p.accuracy_m as "accuracyM", p.speed_mps as "speedMps"
    from positions p where p.org_id = ${orgId} and p.duty_session_id = any (${[...sessionIds]}::uuid[]) and ${usable}
    order by p.duty_session_id, floor(extract(epoch from p.recorded_at) / 10), coalesce(p.accuracy_m, 25), p.recorded_at`.execute(
    tx,
  )
  return rows.map(fixOf)
}

/** A phone may have been without a network for as long as this. */
const oldestNews = sql`interval '4 days'`

/**
 * Positions that have come in since a moment, however old they are. Of all sessions: with a condition on theirs the planner would read whole days by
 * session instead of the last pages by the time at which they came in.
 */
export async function selectNewFixes(tx: Tx, orgId: string, since: Date): Promise<SessionFix[]> {
  const { rows } = await sql<FixRow>`
    select p.duty_session_id as "sessionId", p.recorded_at as at, p.lat, p.lng, p.accuracy_m as "accuracyM", p.speed_mps as "speedMps"
    from positions p where p.org_id = ${orgId} and p.received_at > ${since} and p.recorded_at > app_now() - ${oldestNews} and ${usable}`.execute(
    tx,
  )
  return rows.map(fixOf)
}

/** The current state of a departure's stop, with its place. */
interface StopRow {
  readonly departureId: string
  readonly startsAt: Date
  readonly endsAt: Date
  readonly startedAt: Date | null
  readonly isWalk: boolean
  readonly isOut: boolean
  readonly id: string
  readonly kind: StopPlan['kind']
  readonly dayIndex: number
  readonly status: StatusOf<'departure_stops'>
  readonly plannedArriveAt: Date
  readonly plannedDepartAt: Date
  readonly actualArriveAt: Date | null
  readonly actualDepartAt: Date | null
  readonly source: string | null
  readonly departSource: string | null
  readonly withdrawnAt: Date | null
  readonly slackMin: number
  readonly optional: boolean
  readonly travelMode: TravelMode | null
  readonly lat: number
  readonly lng: number
  readonly enterM: number
  readonly exitM: number
  readonly dwellS: number
  readonly routedStopId: string | null
  readonly routedAt: Date | null
  readonly routedSeenAt: Date | null
}

export interface TrackedDeparture {
  readonly id: string
  /** False once it has ended: what really happened may still become known, and nothing more is expected. */
  readonly isOut: boolean
  readonly plan: DeparturePlan
  /** What a router has answered about the way to the next stop. */
  readonly routed: RoutedWay | null
  readonly taps: readonly Tap[]
  readonly stops: readonly StopRow[]
}

/** Locks departures as marking a stop does, in the order of their ids, so that no mark comes between reading and writing. */
export async function lockTracked(tx: Tx, orgId: string, ids: readonly string[]): Promise<TrackedDeparture[]> {
  await sql`select id from departures where org_id = ${orgId} and id = any (${[...ids]}::uuid[]) order by id for no key update`.execute(
    tx,
  )
  const { rows } = await sql<StopRow>`
    select d.id as "departureId", d.starts_at as "startsAt", d.ends_at as "endsAt", d.actual_start_at as "startedAt", t.kind = 'walking' as "isWalk",
      ${isOut} as "isOut", s.id, s.kind, s.day_index as "dayIndex", s.status, s.planned_arrive_at as "plannedArriveAt", s.planned_depart_at as "plannedDepartAt",
      s.actual_arrive_at as "actualArriveAt", s.actual_depart_at as "actualDepartAt", s.source, s.depart_source as "departSource",
      s.withdrawn_at as "withdrawnAt", s.slack_min as "slackMin", s.optional,
      s.travel_mode as "travelMode", p.lat, p.lng, p.enter_m as "enterM", p.exit_m as "exitM",
      p.dwell_s as "dwellS", r.stop_id as "routedStopId", r.routed_at as "routedAt", r.routed_seen_at as "routedSeenAt"
    from departures d join tours t on t.org_id = d.org_id and t.id = d.tour_id
    join departure_stops s on s.org_id = d.org_id and s.departure_id = d.id join places p on p.org_id = s.org_id and p.id = s.place_id
    left join departure_reach r on r.org_id = d.org_id and r.departure_id = d.id
    where d.org_id = ${orgId} and d.id = any (${[...ids]}::uuid[]) order by d.id, s.stop_order`.execute(tx)
  return [...Map.groupBy(rows, ({ departureId }) => departureId)].map(([id, stops]) => ({
    id,
    stops,
    isOut: stops[0]?.isOut ?? false,
    plan: planOf(stops),
    routed: routedOf(stops[0] as StopRow),
    taps: stops.flatMap(tapsOf),
  }))
}

const routedOf = ({ routedStopId, routedAt, routedSeenAt }: StopRow): RoutedWay | null =>
  routedStopId === null || routedAt === null || routedSeenAt === null
    ? null
    : { stopId: routedStopId, arriveAt: routedAt.getTime(), seenAt: routedSeenAt.getTime() }

function planOf(stops: readonly StopRow[]): DeparturePlan {
  const { startsAt, endsAt, startedAt, isWalk } = stops[0] as StopRow
  return {
    startsAt: startsAt.getTime(),
    endsAt: endsAt.getTime(),
    startedAt: startedAt?.getTime() ?? null,
    stops: stops.map((stop) => ({
      ...stop,
      mode: modeOf(stop.travelMode, isWalk),
      plannedArriveAt: stop.plannedArriveAt.getTime(),
      plannedDepartAt: stop.plannedDepartAt.getTime(),
    })),
  }
}

/** What people have marked at a stop, read from its row. */
function tapsOf(stop: StopRow): Tap[] {
  const { id: stopId, actualArriveAt, actualDepartAt, source, departSource, withdrawnAt } = stop
  if (stop.status === 'skipped') return [{ stopId, kind: 'skipped', at: 0 }]
  const taps: Tap[] = []
  const hasEnteredArrival = actualArriveAt !== null && source !== 'gps'
  if (hasEnteredArrival) taps.push({ stopId, kind: 'arrived', at: actualArriveAt.getTime() })
  // marked again since: that counts
  else if (withdrawnAt !== null) taps.push({ stopId, kind: 'withdrawn', at: withdrawnAt.getTime() })
  if (actualDepartAt !== null && (departSource ?? source) !== 'gps') {
    taps.push({ stopId, kind: 'departed', at: actualDepartAt.getTime() })
  }
  return taps
}

interface ArrivalChange {
  readonly id: string
  /** Null undoes an arrival that came from positions. */
  readonly at: Date | null
}

export interface StopChanges {
  readonly arrivals: readonly ArrivalChange[]
  readonly departures: readonly { readonly id: string; readonly at: Date }[]
}

/** What positions say otherwise than the rows. What a person marked is never among it. */
export function changesOf(stops: readonly StopRow[], found: Arrivals['stops']): StopChanges {
  const arrivals: ArrivalChange[] = []
  const departures: { id: string; at: Date }[] = []
  for (const [index, row] of stops.entries()) {
    const visit = found[index]
    if (!visit || row.status === 'skipped') continue
    const { id, status, source } = row
    if (row.actualArriveAt === null || source === 'gps') {
      const at = newsOf(visit.arrivedBy, visit.arrivedAt, row.actualArriveAt, Math.floor)
      if (at) arrivals.push({ id, at })
      // a departure proves the arrival: only an arrival without one can be undone
      else if (status === 'arrived' && visit.arrivedAt === null) arrivals.push({ id, at: null })
    }
    if (row.actualDepartAt === null || row.departSource === 'gps') {
      const at = newsOf(visit.leftBy, visit.leftAt, row.actualDepartAt, Math.ceil)
      if (at) departures.push({ id, at })
    }
  }
  return { arrivals, departures }
}

/** A moment that positions say and that is not written yet, in whole seconds; rounded away from the stay, so that nobody leaves before they came. */
function newsOf(
  by: Visit['arrivedBy'],
  at: number | null,
  known: Date | null,
  round: (seconds: number) => number,
): Date | null {
  if (at === null || by !== 'position') return null
  const second = new Date(round(at / 1000) * 1000)
  return second.getTime() === known?.getTime() ? null : second
}

/** Arrivals before departures: a stop that was left in the same minute goes through both statuses. */
export async function writeStopChanges(tx: Tx, orgId: string, { arrivals, departures }: StopChanges): Promise<void> {
  await sql`select set_config('app.arriving', 'on', true)`.execute(tx)
  await sql`
    update departure_stops s set actual_arrive_at = e.at, source = case when e.at is not null then 'gps' end,
      status = case when s.status = 'departed' then s.status when e.at is null then 'planned' else 'arrived' end
    from jsonb_to_recordset(${JSON.stringify(arrivals)}::jsonb) as e (id uuid, at timestamptz)
    where s.org_id = ${orgId} and s.id = e.id`.execute(tx)
  await sql`
    update departure_stops s set actual_depart_at = e.at, depart_source = 'gps', status = 'departed'
    from jsonb_to_recordset(${JSON.stringify(departures)}::jsonb) as e (id uuid, at timestamptz)
    where s.org_id = ${orgId} and s.id = e.id`.execute(tx)
  await sql`select set_config('app.arriving', 'off', true)`.execute(tx)
}

export interface ReachRow {
  readonly departure_id: string
  readonly stop_id: string
  readonly reach_at: Date
  readonly means: 'at_least' | 'expected'
  readonly seen_at: Date
  readonly lat: number
  readonly lng: number
}

/** Writes how far the departures are from their next stops; of those that are at a stop or have not been seen, what was known goes. */
export async function writeReach(
  tx: Tx,
  orgId: string,
  ids: readonly string[],
  rows: readonly ReachRow[],
): Promise<void> {
  await sql`delete from departure_reach where org_id = ${orgId} and departure_id = any (${[...ids]}::uuid[])
    and departure_id <> all (${rows.map((row) => row.departure_id)}::uuid[])`.execute(tx)
  await sql`
    insert into departure_reach (org_id, departure_id, stop_id, reach_at, means, seen_at, lat, lng)
    select ${orgId}, e.departure_id, e.stop_id, e.reach_at, e.means, e.seen_at, e.lat, e.lng
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as e (departure_id uuid, stop_id uuid, reach_at timestamptz, means text, seen_at timestamptz,
      lat double precision, lng double precision)
    on conflict (org_id, departure_id) do update set stop_id = excluded.stop_id, reach_at = excluded.reach_at, means = excluded.means,
      seen_at = excluded.seen_at, lat = excluded.lat, lng = excluded.lng,
      routed_at = case when departure_reach.stop_id = excluded.stop_id then departure_reach.routed_at end,
      routed_seen_at = case when departure_reach.stop_id = excluded.stop_id then departure_reach.routed_seen_at end`.execute(
    tx,
  )
}
