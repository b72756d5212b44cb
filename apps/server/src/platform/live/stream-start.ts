import { DatabaseError } from '@tour-ops/contract/database-codes'
import type { DocumentSnapshot, ListenRequest } from '@tour-ops/contract/live/documents'
import { recentChangesMs } from '@tour-ops/contract/live/live-paths'
import type { Caller } from '../../context.ts'
import type { Database, Tx } from '../db/database.ts'
import { timelineSql } from '../db/primary.ts'
import { selectCollection, selectDocuments } from './documents-store.ts'
import { snapshotOfEventId, type RowPlace } from './feed-position.ts'
import { changesSnapshot, documentFrame, frameText } from './live-frames.ts'
import { positionsIn, selectPositions } from './live-positions.ts'
import { asLivePerson, requireMembership } from './live-person.ts'
import { laneOf, resolveTargets, type RefusedTarget, type ResolvedTarget } from './listen-targets.ts'
import { ListenStream, type StreamSink } from './listen-stream.ts'
import type { ChangeRow } from './read-changes.ts'
import type { StreamHub } from './stream-hub.ts'

export interface StreamStartParts {
  readonly db: Database
  readonly hub: StreamHub
  readonly epoch: string
}

/** A client that missed more than this starts again: reading the lists again is cheaper than repeating every change. */
const backlogLimit = 5_000

/**
 * Opens a stream: registered first, so that nothing is missed; then what the client missed or never had; then live.
 *
 * @param sinkOf Begins the answer. Not called when the request is refused.
 * @throws DatabaseError `permission-denied` for somebody who is no member of the organization of their token.
 */
export async function startStream(
  parts: StreamStartParts,
  caller: Caller,
  request: ListenRequest,
  { lastEventId, takesTables }: { readonly lastEventId: string | undefined; readonly takesTables: boolean },
  sinkOf: () => StreamSink,
): Promise<ListenStream> {
  const person = await asLivePerson(parts.db, caller, { action: 'live-listen' }, async (_tx, found) => found)
  requireMembership(caller, person)
  const { accepted, refused } = resolveTargets(request.targets, person)
  const stream = new ListenStream({ person, sessionId: caller.sessionId, takesTables }, accepted, sinkOf(), parts.epoch)
  parts.hub.add(stream)
  try {
    await new StreamStart(parts, stream, accepted).run(request, lastEventId, refused)
  } catch (error) {
    parts.hub.remove(stream)
    throw error
  }
  return stream
}

class StreamStart {
  readonly #parts: StreamStartParts
  readonly #stream: ListenStream
  readonly #accepted: readonly ResolvedTarget[]

  constructor(parts: StreamStartParts, stream: ListenStream, accepted: readonly ResolvedTarget[]) {
    this.#parts = parts
    this.#stream = stream
    this.#accepted = accepted
  }

  async run(request: ListenRequest, lastEventId: string | undefined, refused: readonly RefusedTarget[]): Promise<void> {
    const { hub } = this.#parts
    const registeredAt = hub.safePosition()
    const missed = lastEventId ? await this.#missedSince(lastEventId) : undefined
    const known = missed ? new Set(request.known ?? request.targets) : new Set<string>()
    // positions are in no log: missed ones are replaced by starting again
    const fresh = this.#accepted.filter(({ target }) => !known.has(target) || positionsIn(target))
    const hello = frameText({ event: 'hello', data: { fresh: fresh.map(({ target }) => target) } })
    const refusals = refused.map((data) => frameText({ event: 'refused', data }))
    if (missed) {
      await this.#stream.writeStart([hello, ...refusals])
      await this.#sendLanes(lanesOfRows(missed))
    } else {
      const opening = lastEventId ? [frameText({ event: 'reset', data: {} }), hello] : [hello]
      await this.#stream.writeStart([...opening, ...refusals], registeredAt)
    }
    await this.#sendFresh(fresh)
    for (let noted = this.#stream.takeNoted(); noted.size > 0; noted = this.#stream.takeNoted()) {
      await this.#sendLanes(new Map([...noted].map(([lane, { ids, last }]) => [lane, { ids: [...ids], last }])))
    }
    const current = frameText({ event: 'current', data: { targets: fresh.map(({ target }) => target) } })
    this.#stream.goLive(current, hub.safePosition())
  }

  /** The changes after an event id; undefined when they are no longer available: another database, pruned, or too many. */
  async #missedSince(lastEventId: string): Promise<ChangeRow[] | undefined> {
    const { db, epoch } = this.#parts
    const seen = snapshotOfEventId(epoch, lastEventId)
    if (!seen) return undefined
    const { rows: kept } = await db.pool.query<{ areKept: boolean }>({
      name: 'live-changes-are-kept',
      // this process may not have noticed yet that another server is the primary
      text: `select changes_are_kept_since($1::pg_snapshot) and $2 like '%-' || coalesce(${timelineSql}, 'null') as "areKept"`,
      values: [seen, epoch],
    })
    if (!kept[0]?.areKept) return undefined
    const { userId, orgId } = this.#stream.person
    const owners = orgId ? [orgId, `users/${userId}`] : [`users/${userId}`]
    const { rows } = await db.pool.query<ChangeRow>({
      name: 'live-read-missed',
      text: `select tx::text, seq::text, org_id as owner, topic, entity_id as "entityId" from changes_of($1, $2::pg_snapshot, $3)`,
      values: [owners, seen, backlogLimit + 1],
    })
    return rows.length > backlogLimit ? undefined : rows
  }

  async #sendLanes(lanes: ReadonlyMap<string, { ids: readonly string[]; last: RowPlace }>): Promise<void> {
    for (const [lane, { ids, last }] of lanes) {
      const wanted = this.#stream.lanes.get(lane)
      if (!wanted) continue
      const frames = await this.#parts.hub.prepare(lane, ids, last)
      if (!frames) throw new DatabaseError('unavailable', 'The documents could not be read.')
      await this.#stream.writeStart(this.#stream.pick(lane, frames).map(({ text }) => text))
    }
  }

  /** Snapshots of stored targets, and for topics what changed while the stream was on its way here. */
  async #sendFresh(fresh: readonly ResolvedTarget[]): Promise<void> {
    const stored = fresh.filter(({ kind }) => kind === 'stored')
    const topics = fresh.filter(({ kind }) => kind === 'virtual').flatMap(({ lanes }) => lanes)
    if (stored.length > 0) await this.#sendSnapshots(stored)
    if (topics.length > 0) await this.#sendRecent(topics)
  }

  async #sendSnapshots(targets: readonly ResolvedTarget[]): Promise<void> {
    const { person, sessionId } = this.#stream
    const reader = { ...person, sessionId }
    const documents = await asLivePerson(this.#parts.db, reader, { action: 'live-listen' }, async (tx) => {
      const stored = targets.filter(({ target }) => !positionsIn(target))
      const single = stored.flatMap(({ path }) => path ?? [])
      const found = single.length > 0 ? await selectDocuments(tx, single) : []
      for (const { path, target } of stored) {
        if (path === undefined) found.push(...(await selectCollection(tx, target)))
      }
      return [...found, ...(await this.#positionsOf(tx, targets))]
    })
    const frames = documents.filter(({ data }) => data !== null).map((document) => documentFrame(document).text)
    await this.#stream.writeStart(frames)
  }

  async #positionsOf(tx: Tx, targets: readonly ResolvedTarget[]): Promise<DocumentSnapshot[]> {
    const found: DocumentSnapshot[] = []
    for (const { target, lanes } of targets) {
      const asked = positionsIn(target)
      if (!asked) continue
      const positions = await selectPositions(tx, asked.orgId, asked.subjectIds)
      const frames = positions.map((position) => documentFrame(position))
      for (const lane of lanes) this.#parts.hub.notePositions(lane, frames)
      found.push(...positions)
    }
    return found
  }

  async #sendRecent(lanes: readonly string[]): Promise<void> {
    const { orgId } = this.#stream.person
    const { rows } = await this.#parts.db.pool.query<Omit<ChangeRow, 'owner'>>({
      name: 'live-read-recent',
      text: `select tx::text, seq::text, topic, entity_id as "entityId" from recent_changes($1, $2, $3)`,
      values: [orgId, lanes.map((lane) => lane.slice(lane.lastIndexOf('/') + 1)), recentChangesMs / 1000],
    })
    const recent = lanesOfRows(rows.map((row) => ({ ...row, owner: orgId ?? '' })))
    const frames = [...recent].map(([lane, { ids, last }]) => documentFrame(changesSnapshot(lane, ids, last)).text)
    await this.#stream.writeStart(frames)
  }
}

/** Rows of the log gathered by lane, ids in the order of their last change. */
function lanesOfRows(rows: readonly ChangeRow[]): Map<string, { ids: string[]; last: RowPlace }> {
  const gathered = new Map<string, { ids: Set<string>; last: RowPlace }>()
  for (const row of rows) {
    const lane = laneOf(row)
    const present = gathered.get(lane) ?? { ids: new Set<string>(), last: row }
    present.ids.delete(row.entityId)
    present.ids.add(row.entityId)
    present.last = row
    gathered.set(lane, present)
  }
  return new Map(
    [...gathered].map(([lane, { ids, last }]) => [lane, { ids: [...ids], last: { tx: last.tx, seq: last.seq } }]),
  )
}
