import type { Point } from '@tour-ops/contract/tracking/arrivals/travel'
import { sql } from 'kysely'
import type { Tx } from '../db/database.ts'
import type { OrganizationSweep } from '../jobs/housekeeping.ts'
import { markAllStaffDue } from '../operations/alert-dues.ts'
import type { WayAnswers } from './ask-ways.ts'
import type { Router, RouterQuestion } from './router.ts'

/** Ways stored for an organization: 140 places, each with each. */
export const maxRoadWays = 20_000
/** Roads are built and closed: what is older is asked again. */
const keptDays = 90

interface RouterRow {
  readonly kind: Router['kind'] | null
  readonly address: string | null
}

/** The router of an organization; null where it has none. */
export async function selectRouter(tx: Tx, orgId: string): Promise<Router | null> {
  const { rows } = await sql<RouterRow>`
    select router_kind as kind, router_address as address from org_settings where org_id = ${orgId}`.execute(tx)
  const { kind, address } = rows[0] ?? { kind: null, address: null }
  return kind === null || address === null ? null : { kind, address }
}

/** How many more ways may be stored. */
export async function roomForWays(tx: Tx, orgId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from road_ways where org_id = ${orgId}`.execute(tx)
  return Math.max(0, maxRoadWays - (rows[0]?.count ?? 0))
}

/** Whether `w`, a row of `road_ways`, leads from the one place to the other. */
export const isWayOf = (from: string, to: string) => sql`
  w.from_lat = ${sql.ref(`${from}.lat`)} and w.from_lng = ${sql.ref(`${from}.lng`)}
    and w.to_lat = ${sql.ref(`${to}.lat`)} and w.to_lng = ${sql.ref(`${to}.lng`)}`

/**
 * Stores what a router said, unless the organization has another one by now. The settings are locked meanwhile: a router that is changed at
 * the same moment finds the rows and removes them, and two writers never exceed the limit together. Alerts about rest are evaluated again where
 * crew may drive one of them.
 */
export async function writeRoadWays(
  tx: Tx,
  orgId: string,
  router: Router,
  answers: WayAnswers<RouterQuestion>['answers'],
): Promise<void> {
  if (answers.length === 0) return
  const { rows } = await sql<{ orgId: string }>`
    select org_id as "orgId" from org_settings where org_id = ${orgId} and router_kind = ${router.kind} and router_address = ${router.address}
    for no key update`.execute(tx)
  if (rows.length === 0) return
  const ways = answers.slice(0, await roomForWays(tx, orgId)).map(({ question: { from, to, mode }, way }) => ({
    mode,
    ...ends(from, to),
    seconds: way && Math.round(way.seconds),
    meters: way && Math.round(way.meters),
  }))
  await sql`
    insert into road_ways (org_id, mode, from_lat, from_lng, to_lat, to_lng, seconds, meters)
    select ${orgId}, e.* from jsonb_to_recordset(${JSON.stringify(ways)}::jsonb) as e (mode text, from_lat double precision, from_lng double precision,
      to_lat double precision, to_lng double precision, seconds integer, meters integer)
    on conflict (org_id, mode, from_lat, from_lng, to_lat, to_lng) do update set seconds = excluded.seconds, meters = excluded.meters,
      asked_at = excluded.asked_at`.execute(tx)
  if (ways.some(({ mode }) => mode === 'drive')) await markAllStaffDue(tx, orgId)
}

const ends = (from: Point, to: Point) => ({
  from_lat: from.lat,
  from_lng: from.lng,
  to_lat: to.lat,
  to_lng: to.lng,
})

/** Ways that are due to be asked again, every night. */
export const oldRoadWays: OrganizationSweep = {
  action: 'road-ways-forget',
  run: async (tx, orgId) => {
    const { numAffectedRows = 0n } = await sql`
      delete from road_ways where org_id = ${orgId} and asked_at < app_now() - make_interval(days => ${keptDays}::int)`.execute(
      tx,
    )
    if (numAffectedRows > 0n) await markAllStaffDue(tx, orgId)
  },
}
