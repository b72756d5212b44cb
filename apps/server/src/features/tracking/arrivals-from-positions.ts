import { arrivalsOf, type Arrivals } from '@tour-ops/contract/tracking/arrivals/arrivals'
import { addFixes, type Evidence, noEvidence } from '@tour-ops/contract/tracking/arrivals/evidence'
import type { Clock } from '../../platform/clock.ts'
import type { Tx } from '../../platform/db/database.ts'
import type { OrganizationSweep } from '../../platform/jobs/housekeeping.ts'
import { writeEstimates } from '../../platform/operations/estimates.ts'
import {
  changesOf,
  lockTracked,
  type ReachRow,
  selectAllFixes,
  selectNewFixes,
  selectTrackedSessions,
  type SessionFix,
  type TrackedDeparture,
  type TrackedSession,
  writeReach,
  writeStopChanges,
} from './arrivals-store.ts'
import { findOnTheWay, type KnownWays } from './findings-from-positions.ts'

/** What a process remembers of the positions of one organization, so that it reads each of them once. */
interface Memory {
  /** Positions that came in before this have been read. */
  readUntil: Date
  readonly departures: Map<string, { readonly sessions: string; readonly evidence: Evidence }>
  readonly ways: KnownWays
}

/** A transaction that wrote positions may commit so much later than it says it began. */
const overlapMs = 2 * 60_000

/**
 * Writes what positions say about arrivals and departures, never over a person's mark, and the estimates that follow. Run once a minute for
 * every organization, before overdue departures are estimated. What a process remembers is made again from the table of positions
 * after a restart, or when the minute before ran in another process. See docs/domain.md, "Arrivals".
 */
export function arrivalsFromPositions(clock: Clock): OrganizationSweep {
  const memories = new Map<string, Memory>()
  return {
    action: 'departures-arrivals',
    run: async (tx, orgId) => {
      const memory = memories.get(orgId) ?? { readUntil: new Date(0), departures: new Map(), ways: new Map() }
      memories.set(orgId, memory)
      try {
        return await writeArrivals(tx, orgId, clock.now(), memory)
      } catch (error) {
        // what was read may not have been worked into anything
        memories.delete(orgId)
        throw error
      }
    },
  }
}

/** @returns how many departures were checked. */
async function writeArrivals(tx: Tx, orgId: string, now: Date, memory: Memory): Promise<number> {
  const sessions = await selectTrackedSessions(tx, orgId)
  await readFixes(tx, orgId, sessions, memory)
  memory.readUntil = new Date(now.getTime() - overlapMs)
  const seen = [...memory.departures].filter(([, { evidence }]) => evidence.fixes.length > 0).map(([id]) => id)
  if (seen.length === 0) return 0
  const departures = await lockTracked(tx, orgId, seen)
  const found = departures.map((departure) => ({ departure, arrivals: arrivalsNow(departure, memory, now) }))
  await writeFound(tx, orgId, found)
  await findOnTheWay(tx, orgId, {
    seen: found.map((each) => ({ ...each, evidence: evidenceOf(memory, each.departure.id) })),
    now: now.getTime(),
    knownWays: memory.ways,
  })
  return found.length
}

/** Reads what is new of departures that are known, and everything of those that are not, or that have another crew than before. */
async function readFixes(
  tx: Tx,
  orgId: string,
  sessions: readonly TrackedSession[],
  { readUntil, departures }: Memory,
): Promise<void> {
  const byDeparture = Map.groupBy(sessions, ({ departureId }) => departureId)
  for (const id of departures.keys()) if (!byDeparture.has(id)) departures.delete(id)
  const known: TrackedSession[] = []
  const others: TrackedSession[] = []
  for (const [id, crew] of byDeparture) {
    const description = JSON.stringify(crew)
    if (departures.get(id)?.sessions === description) known.push(...crew)
    else {
      departures.set(id, { sessions: description, evidence: noEvidence() })
      others.push(...crew)
    }
  }
  if (known.length > 0) addTo(departures, known, await selectNewFixes(tx, orgId, readUntil))
  if (others.length > 0) addTo(departures, others, await selectAllFixes(tx, orgId, idsOf(others)))
}

const idsOf = (sessions: readonly TrackedSession[]): string[] => sessions.map(({ sessionId }) => sessionId)

function addTo(
  departures: Memory['departures'],
  sessions: readonly TrackedSession[],
  fixes: readonly SessionFix[],
): void {
  const bySession = new Map(sessions.map((session) => [session.sessionId, session]))
  for (const { sessionId, ...fix } of fixes) {
    const session = bySession.get(sessionId)
    const departure = session && departures.get(session.departureId)
    if (session && departure) addFixes(departure.evidence, [{ ...fix, rank: session.rank }])
  }
}

const evidenceOf = ({ departures }: Memory, id: string): Evidence => departures.get(id)?.evidence ?? noEvidence()

const arrivalsNow = ({ id, plan, taps, routed }: TrackedDeparture, memory: Memory, now: Date): Arrivals =>
  arrivalsOf({ plan, taps, routed, evidence: evidenceOf(memory, id), now: now.getTime() })

interface Found {
  readonly departure: TrackedDeparture
  readonly arrivals: Arrivals
}

async function writeFound(tx: Tx, orgId: string, found: readonly Found[]): Promise<void> {
  const changes = found.map(({ departure, arrivals }) => changesOf(departure.stops, arrivals.stops))
  const arrivals = changes.flatMap((change) => change.arrivals)
  const departures = changes.flatMap((change) => change.departures)
  if (arrivals.length > 0 || departures.length > 0) await writeStopChanges(tx, orgId, { arrivals, departures })
  const out = found.filter(({ departure }) => departure.isOut)
  await writeReach(
    tx,
    orgId,
    found.map(({ departure }) => departure.id),
    out.flatMap(reachOf),
  )
  await writeEstimates(tx, orgId, {
    stops: out.flatMap((each) =>
      each.arrivals.stops.map(({ id, etaAt, delaySeconds }) => ({
        id,
        eta_at: etaAt === null ? null : new Date(etaAt),
        delay_seconds: delaySeconds,
      })),
    ),
    departures: out.map(({ departure, arrivals: { delaySeconds } }) => ({
      id: departure.id,
      delay_seconds: delaySeconds,
    })),
  })
}

function reachOf({ departure, arrivals: { reach } }: Found): ReachRow[] {
  if (reach === null) return []
  const { at, means, stopId, seenAt, from } = reach
  return [{ departure_id: departure.id, stop_id: stopId, reach_at: at, means, seen_at: new Date(seenAt), ...from }]
}
