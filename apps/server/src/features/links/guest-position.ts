import type { SharedPage } from '@tour-ops/contract/links/shared-page'
import { staleMs } from '@tour-ops/contract/tracking/arrivals/arrivals'
import { maxAccuracyM } from '@tour-ops/contract/tracking/arrivals/evidence'
import { sql } from 'kysely'
import type { Tx } from '../../platform/db/database.ts'
import { iso } from '../../platform/list-query.ts'
import type { OpenLink } from '../../platform/operations/open-link.ts'
import { statuses } from '../../platform/operations/status-sets.ts'

interface SeenRow {
  readonly lat: number
  readonly lng: number
  readonly seenAt: Date
}

/**
 * Where the tour was as long ago as the link says, and as precisely: of the person or vehicle on duty with the newest position before that. Null where the link does not show it,
 * before boarding and after the end, and without a position. A guest who asks again and again learns which squares they were
 * in, and no more.
 */
export async function selectGuestPosition(
  tx: Tx,
  { orgId, departureId, scopes, delayS, blurM }: OpenLink,
): Promise<SharedPage['position']> {
  if (!scopes.position || !scopes.map) return null
  const { rows } = await sql<SeenRow>`
    select seen.lat, seen.lng, seen.recorded_at as "seenAt"
    from departures d join duty_sessions u on u.org_id = d.org_id and u.departure_id = d.id
      and u.status = 'open' and u.tracked_from is not null and u.break_started_at is null
    cross join lateral (
      select p.lat, p.lng, p.recorded_at from positions p
      where p.org_id = u.org_id and p.duty_session_id = u.id and p.valid and coalesce(p.accuracy_m, 0) <= ${sql.lit(maxAccuracyM)}
        and p.recorded_at <= app_now() - make_interval(secs => ${delayS}::int)
        and p.recorded_at > app_now() - make_interval(secs => ${delayS}::int + ${sql.lit(staleMs / 1000)})
      order by p.recorded_at desc limit 1) seen
    where d.org_id = ${orgId} and d.id = ${departureId} and d.status in ${statuses.running}
    order by seen.recorded_at desc limit 1`.execute(tx)
  const seen = rows[0]
  return seen ? { ...blurred(seen, blurM), radiusM: blurM, seenAt: iso(seen.seenAt) } : null
}

/** Meters of one degree of latitude. */
const degreeM = 111_320

/** The middle of the square of a fixed grid, whose corners are `meters` away: the same for every position inside of it. */
function blurred({ lat, lng }: SeenRow, meters: number): { lat: number; lng: number } {
  const step = (meters * Math.SQRT2) / degreeM
  const row = Math.floor(lat / step)
  const middle = Math.min(89.9, Math.max(-89.9, (row + 0.5) * step))
  const across = step / Math.cos((middle * Math.PI) / 180)
  return { lat: rounded(middle), lng: rounded((Math.floor(lng / across) + 0.5) * across) }
}

/** Five digits are a meter. */
const rounded = (degrees: number): number => Number(degrees.toFixed(5))
