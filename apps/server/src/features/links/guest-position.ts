import type { SharedPage } from '@tour-ops/contract/links/shared-page'
import { staleMs } from '@tour-ops/contract/tracking/arrivals/arrivals'
import { maxAccuracyM } from '@tour-ops/contract/tracking/arrivals/evidence'
import { sql } from 'kysely'
import type { Tx } from '../../platform/db/database.ts'
import { iso } from '../../platform/list-query.ts'
import type { AnyLink, OpenLink } from '../../platform/operations/open-link.ts'
import { statuses } from '../../platform/operations/status-sets.ts'

interface SeenRow {
  readonly id: string
  readonly lat: number
  readonly lng: number
  readonly seenAt: Date
}

type Seeing = Pick<AnyLink, 'orgId' | 'scopes' | 'delayS' | 'blurM'>

/** The same for one departure; null without a position. */
export async function selectGuestPosition(tx: Tx, link: OpenLink): Promise<SharedPage['position']> {
  return (await selectPositions(tx, link, [link.departureId])).get(link.departureId) ?? null
}

/**
 * Where departures were as long ago as the link says, and as precisely: of the person or vehicle on duty with the newest position before that. Not where the link does not show it,
 * before boarding and after the end, and without a position. A reader who asks again and again learns which squares they were
 * in, and no more.
 */
export async function selectPositions(
  tx: Tx,
  { orgId, scopes, delayS, blurM }: Seeing,
  departureIds: readonly string[],
): Promise<Map<string, NonNullable<SharedPage['position']>>> {
  if (!scopes.position || !scopes.map || departureIds.length === 0) return new Map()
  const { rows } = await sql<SeenRow>`
    select distinct on (d.id) d.id, seen.lat, seen.lng, seen.recorded_at as "seenAt"
    from departures d join duty_sessions u on u.org_id = d.org_id and u.departure_id = d.id
      and u.status = 'open' and u.tracked_from is not null and u.break_started_at is null
    cross join lateral (
      select p.lat, p.lng, p.recorded_at from positions p
      where p.org_id = u.org_id and p.duty_session_id = u.id and p.valid and coalesce(p.accuracy_m, 0) <= ${sql.lit(maxAccuracyM)}
        and p.recorded_at <= app_now() - make_interval(secs => ${delayS}::int)
        and p.recorded_at > app_now() - make_interval(secs => ${delayS}::int + ${sql.lit(staleMs / 1000)})
      order by p.recorded_at desc limit 1) seen
    where d.org_id = ${orgId} and d.id = any (${[...departureIds]}::uuid[]) and d.status in ${statuses.running}
    order by d.id, seen.recorded_at desc`.execute(tx)
  return new Map(
    rows.map((seen) => [seen.id, { ...blurred(seen, blurM), radiusM: blurM, seenAt: iso(seen.seenAt) }] as const),
  )
}

/** Meters of one degree of latitude. */
const degreeM = 111_320

/** The middle of the square of a fixed grid, whose corners are `meters` away: the same for every position inside of it. */
function blurred({ lat, lng }: Pick<SeenRow, 'lat' | 'lng'>, meters: number): { lat: number; lng: number } {
  const step = (meters * Math.SQRT2) / degreeM
  const row = Math.floor(lat / step)
  const middle = Math.min(89.9, Math.max(-89.9, (row + 0.5) * step))
  const across = step / Math.cos((middle * Math.PI) / 180)
  return { lat: rounded(middle), lng: rounded((Math.floor(lng / across) + 0.5) * across) }
}

/** Five digits are a meter. */
const rounded = (degrees: number): number => Number(degrees.toFixed(5))
