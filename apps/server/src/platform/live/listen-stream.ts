import { eventIdOf, type FeedPosition, type RowPlace } from './feed-position.ts'
import type { LaneBatch } from './lanes.ts'
import { withId, type PathFrame } from './live-frames.ts'
import type { LiveReader } from './live-person.ts'
import type { ResolvedTarget } from './listen-targets.ts'

/** Where frames go: a response that is open. */
export interface StreamSink {
  /** False when the reader is behind. */
  write(text: string): boolean
  /** Bytes that the reader has not taken yet. */
  readonly waitingBytes: number
  /** Resolves when the reader has caught up or is gone. */
  drained(): Promise<void>
  end(): void
  destroy(): void
}

/** A reader that is this far behind is cut off; it reconnects with its last event id. */
const slowReaderBytes = 1024 * 1024

/** Changes of a lane that were not sent to a stream yet. */
export interface NotedChanges {
  readonly ids: Set<string>
  last: RowPlace
}

/** One open listen stream. While it starts, changes are noted and not sent, so that none overtakes the snapshot. */
export class ListenStream {
  /** As they were when the stream began, or was last checked. */
  person: LiveReader
  /** The backend session that opened it, and with which it ends; null where another service keeps sessions. */
  readonly sessionId: string | null
  readonly lanes: ReadonlyMap<string, ReadonlySet<string> | 'all'>
  /** Whether its reader takes positions by columns. */
  readonly takesTables: boolean
  readonly #sink: StreamSink
  readonly #epoch: string
  #noted: Map<string, NotedChanges> | undefined = new Map()
  /** Values of the time in which the stream starts. */
  readonly #values = new Map<string, string>()
  #sent: FeedPosition | undefined
  #wroteAt = Date.now()
  isClosed = false

  constructor(
    { person, sessionId, takesTables }: Pick<ListenStream, 'person' | 'sessionId' | 'takesTables'>,
    targets: readonly ResolvedTarget[],
    sink: StreamSink,
    epoch: string,
  ) {
    this.person = person
    this.sessionId = sessionId
    this.takesTables = takesTables
    this.#sink = sink
    this.#epoch = epoch
    this.lanes = lanesOf(targets)
  }

  /** Frames of a lane that this stream asked for. */
  pick(lane: string, frames: readonly PathFrame[]): PathFrame[] {
    const paths = this.lanes.get(lane)
    if (!paths) return []
    return paths === 'all' ? [...frames] : frames.filter(({ path }) => paths.has(path))
  }

  /** A change that went out to everybody: sent on, or noted while the stream starts. */
  deliver({ lane, entityIds, last }: LaneBatch, frames: readonly PathFrame[], position: FeedPosition): void {
    if (this.#noted) {
      const noted = this.#noted.get(lane) ?? { ids: new Set(), last }
      entityIds.forEach((id) => noted.ids.add(id))
      noted.last = last
      this.#noted.set(lane, noted)
      return
    }
    const mine = this.pick(lane, frames)
    if (mine.length > 0)
      this.#write(
        this.#stamped(
          mine.map(({ text }) => text),
          position,
        ),
      )
  }

  /**
   * Values that are in no change log, and so without a place in it: sent on, or noted by their path while the stream starts.
   *
   * @param all What somebody who listens to the whole lane gets, made once for everybody.
   */
  deliverValues(lane: string, frames: readonly PathFrame[], all: () => string): void {
    if (this.#noted) for (const { path, text } of this.pick(lane, frames)) this.#values.set(path, text)
    else if (this.lanes.get(lane) === 'all') this.#write(all())
    else this.#writeAll(this.pick(lane, frames).map(({ text }) => text))
  }

  /** What was noted since the last time; empty when the stream may go live. */
  takeNoted(): ReadonlyMap<string, NotedChanges> {
    const noted = this.#noted ?? new Map<string, NotedChanges>()
    if (this.#noted) this.#noted = new Map()
    return noted
  }

  /** From here on changes are sent at once. Call it in the same turn in which `takeNoted` gave nothing. */
  goLive(frame: string, position: FeedPosition): void {
    this.#noted = undefined
    this.#writeAll([...this.#values.values()])
    this.#values.clear()
    this.#write(this.#stamped([frame], position))
  }

  /** Part of the start: waits for a reader who is behind instead of cutting them off. */
  async writeStart(frames: readonly string[], position?: FeedPosition): Promise<void> {
    if (frames.length === 0 || this.isClosed) return
    const text = position ? this.#stamped(frames, position) : frames.join('')
    this.#wroteAt = Date.now()
    if (!this.#sink.write(text)) await this.#sink.drained()
  }

  /** A sign of life, for a stream that is up to date and has been silent; the end of one that is refused from now on. */
  ping(text: string, position: FeedPosition, silentMs: number): void {
    const { factorDueAt } = this.person
    if (factorDueAt && factorDueAt.getTime() <= Date.now()) return this.end()
    if (!this.#noted && Date.now() - this.#wroteAt >= silentMs) this.#write(this.#stamped([text], position))
  }

  /** Ends after what has been written; the client reconnects. */
  end(): void {
    if (this.isClosed) return
    // what is written to a response after its end ends the process
    this.isClosed = true
    this.#sink.end()
  }

  #writeAll(texts: readonly string[]): void {
    if (texts.length > 0) this.#write(texts.join(''))
  }

  #write(text: string): void {
    if (this.isClosed) return
    this.#wroteAt = Date.now()
    if (!this.#sink.write(text) && this.#sink.waitingBytes > slowReaderBytes) this.#sink.destroy()
  }

  /** The id is on the last frame: a reader who is disconnected in between gets the others again. Positions never go back. */
  #stamped(frames: readonly string[], position: FeedPosition): string {
    if (!this.#sent || position.read > this.#sent.read) this.#sent = position
    const last = frames.at(-1) ?? ''
    return frames.slice(0, -1).join('') + withId(eventIdOf(this.#epoch, this.#sent), last)
  }
}

function lanesOf(targets: readonly ResolvedTarget[]): Map<string, Set<string> | 'all'> {
  const lanes = new Map<string, Set<string> | 'all'>()
  for (const { lanes: wanted, path } of targets) {
    for (const lane of wanted) {
      const present = lanes.get(lane)
      if (path === undefined) lanes.set(lane, 'all')
      else if (present !== 'all') lanes.set(lane, (present ?? new Set()).add(path))
    }
  }
  return lanes
}
