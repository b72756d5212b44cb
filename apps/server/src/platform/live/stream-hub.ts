import { DatabaseError } from '@tour-ops/contract/database-codes'
import { livePingMs } from '@tour-ops/contract/live/documents'
import { changesWindowMs } from '@tour-ops/contract/live/live-paths'
import type { Logger } from 'pino'
import type { Database } from '../db/database.ts'
import { reportOutage } from '../outages.ts'
import { readDocumentsOfAll } from './documents-store.ts'
import { earlierOf, type FeedPosition, type RowPlace } from './feed-position.ts'
import { Lanes, type LaneBatch } from './lanes.ts'
import { changesSnapshot, documentFrame, frameText, type PathFrame } from './live-frames.ts'
import { asLivePerson } from './live-person.ts'
import { positionsIn } from './live-positions.ts'
import { isTopicLane, laneOf } from './listen-targets.ts'
import type { ListenStream } from './listen-stream.ts'
import type { ChangeRow } from './read-changes.ts'

/** Everything that may go out about a lane, or undefined when it could not be read. */
type Ready = readonly PathFrame[] | undefined

/** At 25 listeners it is the usual window, at 500 a second. */
const windowMsPerListener = 2
const longestWindowMs = 1_000

const pingText = frameText({ event: 'ping', data: {} })

/** All open streams of this process. Each change is read and serialized once, however many listen. */
export class StreamHub {
  readonly #db: Database
  readonly #log: Logger
  readonly #feedPosition: () => FeedPosition
  readonly #streams = new Set<ListenStream>()
  readonly #byLane = new Map<string, Set<ListenStream>>()
  readonly #lanes: Lanes<Ready>
  readonly #pinging: NodeJS.Timeout
  /** Positions that listeners know, as text by path, for each collection. */
  readonly told = new Map<string, Map<string, string>>()

  constructor(db: Database, log: Logger, feedPosition: () => FeedPosition) {
    this.#db = db
    this.#log = log
    this.#feedPosition = feedPosition
    this.#lanes = new Lanes<Ready>({
      windowMs: (lane) => this.#windowMs(lane),
      prepare: ({ lane, entityIds, last }) => this.prepare(lane, entityIds, last),
      deliver: (batch, ready) => this.#deliver(batch, ready),
    })
    this.#pinging = setInterval(() => this.#ping(), livePingMs / 4)
  }

  get size(): number {
    return this.#streams.size
  }

  /** Every change up to here has gone out to the streams that wanted it: the position for a client to resume from. */
  safePosition(): FeedPosition {
    const waiting = this.#lanes.oldestWaiting()
    return waiting ? earlierOf(waiting, this.#feedPosition()) : this.#feedPosition()
  }

  add(stream: ListenStream): void {
    this.#streams.add(stream)
    for (const lane of stream.lanes.keys()) {
      const listeners = this.#byLane.get(lane)
      if (listeners) listeners.add(stream)
      else this.#byLane.set(lane, new Set([stream]))
    }
  }

  remove(stream: ListenStream): void {
    stream.isClosed = true
    this.#streams.delete(stream)
    for (const lane of stream.lanes.keys()) {
      const listeners = this.#byLane.get(lane)
      listeners?.delete(stream)
      if (listeners?.size === 0) this.#byLane.delete(lane)
    }
  }

  /** What the feed found. Lanes that nobody listens to cost nothing. */
  take(rows: readonly ChangeRow[], before: FeedPosition): void {
    for (const row of rows) {
      const lane = laneOf(row)
      if (this.#byLane.has(lane)) this.#lanes.add(lane, row.entityId, row, before)
      if (row.topic === 'members') void this.#checkMembership(row.owner, row.entityId)
      if (row.topic === 'org_settings') void this.#checkMembership(row.owner)
      if (row.topic === 'sessions') this.#endOfSession(row.entityId)
    }
    this.#lanes.start()
  }

  /** The frames of a lane as it is now. */
  async prepare(lane: string, entityIds: readonly string[], last: RowPlace): Promise<Ready> {
    if (isTopicLane(lane)) return [documentFrame(changesSnapshot(lane, entityIds, last))]
    try {
      return (await readDocumentsOfAll(this.#db.pool, entityIds)).map((document) => documentFrame(document))
    } catch (error) {
      if (!reportOutage(this.#log, error))
        this.#log.warn({ err: error, lane }, 'changed documents could not be read; their listeners come back for them')
      return undefined
    }
  }

  /** Collections of positions that somebody listens to here. */
  positionLanes(): readonly string[] {
    return [...this.#byLane.keys()].filter((lane) => positionsIn(lane))
  }

  /** A stream begins with these positions: when one of them is gone, it has to be notified of that. */
  notePositions(lane: string, frames: readonly PathFrame[]): void {
    const told = this.told.get(lane) ?? new Map<string, string>()
    for (const { path, text } of frames) if (!told.has(path)) told.set(path, text)
    this.told.set(lane, told)
  }

  /** Values that are in no change log, in one message for each stream. */
  deliverValues(lane: string, frames: readonly PathFrame[], asTable: () => string): void {
    let [all, table]: (string | undefined)[] = []
    for (const stream of this.#byLane.get(lane) ?? []) {
      stream.deliverValues(lane, frames, () =>
        stream.takesTables ? (table ??= asTable()) : (all ??= frames.map(({ text }) => text).join('')),
      )
    }
  }

  /** Ends every stream after what was already queued for it; the clients reconnect, elsewhere if this process stops. */
  endAll(): void {
    for (const stream of this.#streams) stream.end()
  }

  /** Another server is the primary: what waits was read from positions that are not valid there. The clients read everything again. */
  beginAgain(): void {
    this.#lanes.forget()
    this.endAll()
  }

  close(): void {
    clearInterval(this.#pinging)
    this.#lanes.close()
    this.endAll()
  }

  /**
   * Everyone who is notified of a topic reads again: the more listeners, the longer changes are collected, so that an office of any size asks
   * about as often in all. Documents carry their content and go out as before.
   */
  #windowMs(lane: string): number {
    const listeners = this.#byLane.get(lane)?.size ?? 0
    return isTopicLane(lane)
      ? Math.min(Math.max(changesWindowMs, listeners * windowMsPerListener), longestWindowMs)
      : changesWindowMs
  }

  #deliver(batch: LaneBatch, ready: Ready): void {
    const listeners = this.#byLane.get(batch.lane)
    if (!listeners) return
    const position = this.safePosition()
    for (const stream of listeners) {
      if (ready) stream.deliver(batch, ready, position)
      else stream.end()
    }
  }

  #ping(): void {
    const position = this.safePosition()
    for (const stream of this.#streams) stream.ping(pingText, position, livePingMs)
  }

  /** Signing out, here or from another device, ends what the session listens to; the client finds out why when it reconnects. */
  #endOfSession(sessionId: string): void {
    for (const stream of this.#streams) if (stream.sessionId === sessionId) stream.end()
  }

  /**
   * Removal and any other change of membership end the streams that were opened before it, and so does a second factor that the organization
   * asks for from now on. See ARCHITECTURE.md, "Where the specification is silent".
   *
   * @param userId Everybody of the organization without it.
   */
  async #checkMembership(orgId: string, userId?: string): Promise<void> {
    const theirs = [...this.#streams].filter(
      ({ person }) => person.orgId === orgId && (userId === undefined || person.userId === userId),
    )
    for (const stream of theirs) {
      if (!(await this.#isUnchanged(stream))) stream.end()
    }
  }

  /** False where a stream has to begin again; its client finds out why when it reconnects. */
  async #isUnchanged(stream: ListenStream): Promise<boolean> {
    const { person, sessionId } = stream
    const reader = { userId: person.userId, orgId: person.orgId, sessionId }
    try {
      const now = await asLivePerson(this.#db, reader, { action: 'live-listen' }, async (_tx, found) => found)
      if (now.role !== person.role || now.staffId !== person.staffId) return false
      stream.person = now
      return true
    } catch (error) {
      if (!(error instanceof DatabaseError) && !reportOutage(this.#log, error))
        this.#log.warn({ err: error, ...reader }, 'a membership could not be read; its streams end')
      return false
    }
  }
}
