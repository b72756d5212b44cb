import { whereaboutsOf } from '@tour-ops/contract/departures/stop-progress'
import {
  carryDelay,
  type DelayedStop,
  type Progress,
  type Reach,
} from '@tour-ops/contract/tracking/arrivals/carry-delay'
import { sql } from 'kysely'
import type { Tx } from '../../platform/db/database.ts'
import { isFresh, writeEstimates } from '../../platform/operations/estimates.ts'

export interface StopRecord extends DelayedStop {
  id: string
  version: number
  departureId: string
  order: number
  placeName: string
  optional: boolean
  headcountRequired: boolean
  counted: boolean
  /** Who says that they came; of the other one, that they left. */
  source: string | null
  departSource: string | null
}

export async function selectRunSheet(tx: Tx, orgId: string, departureId: string): Promise<StopRecord[]> {
  const { rows } = await sql<StopRecord>`
    select s.id, s.version, s.departure_id as "departureId", s.stop_order as "order", s.kind, p.name as "placeName", s.optional,
      s.headcount_required as "headcountRequired", s.headcount_actual is not null as counted, s.status, s.slack_min as "slackMin",
      s.planned_arrive_at as "plannedArriveAt", s.planned_depart_at as "plannedDepartAt", s.actual_arrive_at as "actualArriveAt",
      s.actual_depart_at as "actualDepartAt", s.source, s.depart_source as "departSource"
    from departure_stops s join places p on p.org_id = s.org_id and p.id = s.place_id
    where s.org_id = ${orgId} and s.departure_id = ${departureId} order by s.stop_order`.execute(tx)
  return rows
}

/**
 * Estimates all stops of a departure again, from what was marked, from where it was seen and from the time that has passed, and writes what differs.
 *
 * @returns seconds that the departure is late.
 */
export async function rewriteEstimates(tx: Tx, orgId: string, departureId: string, now: Date): Promise<number> {
  const { reachAt, reachMeans, reachStopId, ...progress } = await selectProgress(tx, orgId, departureId)
  const stops = await selectRunSheet(tx, orgId, departureId)
  const { here, next } = whereaboutsOf(stops, progress.startedAt)
  // of a position that was on the way to another stop nothing follows
  const isOnTheWayThere = here === -1 && reachStopId !== null && stops[next]?.id === reachStopId
  const reach = isOnTheWayThere && reachAt && reachMeans ? { at: reachAt, means: reachMeans } : null
  const carried = carryDelay(stops, { ...progress, now, reach })
  await writeEstimates(tx, orgId, {
    stops: stops.map((stop, index) => ({
      id: stop.id,
      eta_at: carried.stops[index]?.etaAt ?? null,
      delay_seconds: carried.stops[index]?.delaySeconds ?? 0,
    })),
    departures: [{ id: departureId, delay_seconds: carried.delaySeconds }],
  })
  return carried.delaySeconds
}

interface KnownProgress extends Omit<Progress, 'now' | 'reach'> {
  readonly reachAt: Date | null
  readonly reachMeans: Reach['means'] | null
  readonly reachStopId: string | null
}

async function selectProgress(tx: Tx, orgId: string, departureId: string): Promise<KnownProgress> {
  const { rows } = await sql<KnownProgress>`
    select d.starts_at as "startsAt", d.ends_at as "endsAt", d.actual_start_at as "startedAt", r.reach_at as "reachAt", r.means as "reachMeans",
      r.stop_id as "reachStopId"
    from departures d left join departure_reach r on r.org_id = d.org_id and r.departure_id = d.id
      and ${isFresh}
    where d.org_id = ${orgId} and d.id = ${departureId} for no key update of d`.execute(tx)
  const [progress] = rows
  if (!progress) throw new Error(`There is no departure ${departureId}.`)
  return progress
}
