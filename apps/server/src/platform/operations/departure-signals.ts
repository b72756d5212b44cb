import type { StopSource } from '@tour-ops/contract/departures/run-sheet'
import type { EstimateBasis } from '@tour-ops/contract/tracking/last-signal'
import { type RawBuilder, sql } from 'kysely'
import type { MemberCall } from '../../context.ts'
import { iso, isoOrNull } from '../list-query.ts'
import { isFresh } from './estimates.ts'
import { positionsOnDuty } from './positions-on-duty.ts'
import { quietUntilNow } from './signal-gap.ts'
import { isAhead, stopsInOrder } from './stops-in-order.ts'

// What the estimates of departures `d` rest on and when their phones were heard, for lists of them: one statement for all.

/** The newest position of those who are on duty for departures `d`, `seen`. */
const seenJoin = (orgId: string, ids: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  left join (
    select distinct on (u.departure_id) u.departure_id, n.recorded_at as at, n.battery_pct as battery
    from ${positionsOnDuty(sql`u.org_id = ${orgId} and u.departure_id = any (${ids})`)}
    order by u.departure_id, n.recorded_at desc
  ) seen on seen.departure_id = d.id`

/** The last stop of departures `d` that was marked as reached or left, `mark`. */
const markJoin = (orgId: string, ids: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  left join (
    select distinct on (s.departure_id) s.departure_id, coalesce(s.depart_source, s.source) as source,
      coalesce(s.actual_depart_at, s.actual_arrive_at) as at
    from departure_stops s
    where s.org_id = ${orgId} and s.departure_id = any (${ids}) and s.status in ('arrived', 'departed') and s.actual_arrive_at is not null
    order by s.departure_id, s.stop_order desc
  ) mark on mark.departure_id = d.id`

/** Joins what `signalColumns` names, except for `reachJoin`. @param ids SQL array with the ids of the departures. */
export const signalJoins = (orgId: string, ids: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`${seenJoin(orgId, ids)} ${markJoin(orgId, ids)}`

/** Where departures `d` were seen on the way to their next stop, `stop`. */
export const reachJoin = (orgId: string): RawBuilder<unknown> => sql`
  left join departure_reach r on r.org_id = ${orgId} and r.departure_id = d.id and r.stop_id = stop.id and stop.eta_at is not null and ${isFresh}`

export interface SignalRecord {
  quietUntil: Date | null
  lastFixAt: Date | null
  batteryPct: number | null
  reachSeenAt: Date | null
  markSource: StopSource | null
  markedAt: Date | null
}

export const signalColumns: RawBuilder<unknown> = sql`${quietUntilNow} as "quietUntil", seen.at as "lastFixAt", seen.battery as "batteryPct",
  r.seen_at as "reachSeenAt", mark.source as "markSource", mark.at as "markedAt"`

export const lastSignalOf = ({ quietUntil, lastFixAt, batteryPct }: SignalRecord) => ({
  quietUntil: isoOrNull(quietUntil),
  lastFixAt: isoOrNull(lastFixAt),
  batteryPct,
})

/** Where they were seen on the way there; else the last mark, from which the delay is carried on. */
export function basisOf({ reachSeenAt, markSource, markedAt }: SignalRecord): EstimateBasis {
  if (reachSeenAt) return { source: 'gps', at: iso(reachSeenAt) }
  return markSource && markedAt ? { source: markSource, at: iso(markedAt) } : null
}

interface DepartureSignal extends ReturnType<typeof lastSignalOf> {
  readonly departureId: string
  readonly basis: EstimateBasis
}

/** The signals of departures that are under way. */
export async function selectSignals(
  { tx, orgId }: MemberCall,
  departureIds: readonly string[],
): Promise<DepartureSignal[]> {
  if (departureIds.length === 0) return []
  const ids = sql`${[...departureIds]}::uuid[]`
  const { rows } = await sql<SignalRecord & { departureId: string }>`
    select d.id as "departureId", ${signalColumns}
    from departures d ${signalJoins(orgId, ids)}
    left join (
      select distinct on (s.departure_id) s.departure_id, s.id, s.eta_at from ${stopsInOrder(orgId, ids)}
      where ${isAhead} order by s.departure_id, s.number
    ) stop on stop.departure_id = d.id
    ${reachJoin(orgId)}
    where d.org_id = ${orgId} and d.id = any (${ids}) order by d.id`.execute(tx)
  return rows.map((row) => ({ departureId: row.departureId, basis: basisOf(row), ...lastSignalOf(row) }))
}
