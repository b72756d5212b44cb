import type { Arrivals } from '@tour-ops/contract/tracking/arrivals/arrivals'
import type { Evidence } from '@tour-ops/contract/tracking/arrivals/evidence'
import { speedLimitMps } from '@tour-ops/contract/tracking/arrivals/travel'
import { trustedFixes } from '@tour-ops/contract/tracking/arrivals/trusted-fixes'
import { type Way, wayFindingsOf } from '@tour-ops/contract/tracking/watch/way-findings'
import type { Tx } from '../../platform/db/database.ts'
import { selectAlertRules } from '../../platform/operations/alert-limits.ts'
import type { TrackedDeparture } from './arrivals-store.ts'
import { selectNoGoAreas, selectWatched, selectWays, wayLimitsOf, writeFindings } from './findings-store.ts'

/** The drawn ways that a process has read, by revision: they never change. */
export type KnownWays = Map<string, readonly Way[]>

interface Seen {
  readonly departure: TrackedDeparture
  readonly arrivals: Arrivals
  readonly evidence: Evidence
}

/** Writes what positions say against the plan of the departures that are out, and clears those of the others. See docs/domain.md, "Alerts". */
export async function findOnTheWay(
  tx: Tx,
  orgId: string,
  { seen, now, knownWays }: { seen: readonly Seen[]; now: number; knownWays: KnownWays },
): Promise<void> {
  const ids = seen.map(({ departure }) => departure.id)
  const watched = await selectWatched(tx, orgId, ids)
  await readWays(
    tx,
    orgId,
    [...watched.values()].map(({ revisionId }) => revisionId),
    knownWays,
  )
  const limits = await selectAlertRules(tx, orgId)
  const areas = await selectNoGoAreas(tx, orgId)
  const found = seen.flatMap(({ departure: { id, isOut, plan }, arrivals, evidence }) => {
    const about = watched.get(id)
    if (!isOut || about === undefined) return []
    const fixes = trustedFixes(evidence, now, speedLimitMps(plan.stops.map(({ mode }) => mode)))
    const ways = knownWays.get(about.revisionId) ?? []
    return wayFindingsOf({ plan, arrivals, fixes, ways, areas, limits: wayLimitsOf(about, limits), now }).map(
      (finding) => ({ ...finding, departureId: id }),
    )
  })
  await writeFindings(tx, orgId, ids, found)
}

/** Keeps those that are in use, and reads what is missing. */
async function readWays(tx: Tx, orgId: string, revisionIds: readonly string[], knownWays: KnownWays): Promise<void> {
  const used = new Set(revisionIds)
  for (const id of knownWays.keys()) if (!used.has(id)) knownWays.delete(id)
  const missing = [...used].filter((id) => !knownWays.has(id))
  for (const [id, ways] of await selectWays(tx, orgId, missing)) knownWays.set(id, ways)
}
