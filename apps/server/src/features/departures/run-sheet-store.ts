import { carryDelay, type DelayedStop, type Progress } from '@tour-ops/contract/tracking/arrivals/carry-delay'
import { sql } from 'kysely'
import type { Tx } from '../../platform/db/database.ts'

export interface StopRecord extends DelayedStop {
  id: string
  version: number
  departureId: string
  order: number
  placeName: string
  optional: boolean
  headcountRequired: boolean
  counted: boolean
}

export async function selectRunSheet(tx: Tx, orgId: string, departureId: string): Promise<StopRecord[]> {
  const { rows } = await sql<StopRecord>`
    select s.id, s.version, s.departure_id as "departureId", s.stop_order as "order", s.kind, p.name as "placeName", s.optional,
      s.headcount_required as "headcountRequired", s.headcount_actual is not null as counted, s.status, s.slack_min as "slackMin",
      s.planned_arrive_at as "plannedArriveAt", s.planned_depart_at as "plannedDepartAt", s.actual_arrive_at as "actualArriveAt",
      s.actual_depart_at as "actualDepartAt"
    from departure_stops s join places p on p.org_id = s.org_id and p.id = s.place_id
    where s.org_id = ${orgId} and s.departure_id = ${departureId} order by s.stop_order`.execute(tx)
  return rows
}

/**
 * Estimates all stops of a departure anew, from what was marked and from the time that has passed, and writes what differs.
 *
 * @returns seconds that the departure is late.
 */
export async function rewriteEstimates(tx: Tx, orgId: string, departureId: string, now: Date): Promise<number> {
  const progress = await selectProgress(tx, orgId, departureId)
  const stops = await selectRunSheet(tx, orgId, departureId)
  const carried = carryDelay(stops, { ...progress, now })
  const estimates = stops.map((stop, index) => ({
    id: stop.id,
    eta_at: carried.stops[index]?.etaAt ?? null,
    delay_seconds: carried.stops[index]?.delaySeconds ?? 0,
  }))
  await writeEstimates(tx, orgId, departureId, { estimates, delaySeconds: carried.delaySeconds })
  return carried.delaySeconds
}

interface Estimates {
  readonly estimates: readonly { id: string; eta_at: Date | null; delay_seconds: number }[]
  readonly delaySeconds: number
}

/** Without new versions and audit entries: see the migration `0117_estimates.sql`. */
async function writeEstimates(
  tx: Tx,
  orgId: string,
  departureId: string,
  { estimates, delaySeconds }: Estimates,
): Promise<void> {
  await sql`select set_config('app.estimating', 'on', true)`.execute(tx)
  await sql`
    update departure_stops s set eta_at = e.eta_at, delay_seconds = e.delay_seconds, eta_computed_at = app_now()
    from jsonb_to_recordset(${JSON.stringify(estimates)}::jsonb) as e (id uuid, eta_at timestamptz, delay_seconds int)
    where s.org_id = ${orgId} and s.id = e.id and (s.eta_at, s.delay_seconds) is distinct from (e.eta_at, e.delay_seconds)`.execute(
    tx,
  )
  await sql`update departures set delay_seconds = ${delaySeconds}
    where org_id = ${orgId} and id = ${departureId} and delay_seconds <> ${delaySeconds}`.execute(tx)
  await sql`select set_config('app.estimating', 'off', true)`.execute(tx)
}

async function selectProgress(tx: Tx, orgId: string, departureId: string): Promise<Omit<Progress, 'now'>> {
  const { rows } = await sql<Omit<Progress, 'now'>>`
    select starts_at as "startsAt", ends_at as "endsAt", actual_start_at as "startedAt"
    from departures where org_id = ${orgId} and id = ${departureId} for no key update`.execute(tx)
  const [progress] = rows
  if (!progress) throw new Error(`There is no departure ${departureId}.`)
  return progress
}
