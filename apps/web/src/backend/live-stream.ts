import { takesPositionTables } from '@tour-ops/contract/live/position-table'
import { DatabaseError } from '@tour-ops/contract/database-codes'
import type { ListenRequest, LiveFrame } from '@tour-ops/contract/live/documents'
import type { DocumentsEnvironment } from './documents-environment.ts'
import type { DocumentsConnection } from './documents-port.ts'
import { databaseErrorOf, errorOfResponse, type TokenSource } from './documents-wire.ts'
import { framesIn, readEvents } from './event-frames.ts'
import { documentTimings, reconnectDelayMs } from './reconnect.ts'

/** Targets that change together (a screen being mounted, tabs answering a new leader) make one request. */
const reopenDebounceMs = 30
/** A stream that the server ended on purpose is opened again within this time, spread over its clients. */
const plannedReopenMs = 250

export interface LiveStreamOptions {
  readonly url: string
  readonly token: TokenSource
  readonly env: DocumentsEnvironment
  /** What came together; it is handled together, since a thousand positions come at once. `text` is what the frames were read from. */
  onFrames(frames: readonly LiveFrame[], lastEventId: string | null, text: string): void
  onConnection(connection: DocumentsConnection): void
  /** The server refuses this person altogether; nothing is tried again until the targets change. */
  onRefused(error: DatabaseError): void
}

/** Where to continue: the last event seen, and the targets whose state is held as of that event. */
export interface ResumePosition {
  readonly lastEventId: string | null
  readonly held: readonly string[]
}

type TimerName = 'open' | 'idle' | 'offline' | 'silence'

/** One listen stream that stays open: reopened on loss and on new targets, resumed where it was. */
export class LiveStream {
  readonly #options: LiveStreamOptions
  #wanted: readonly string[] = []
  #opened: ReadonlySet<string> = new Set()
  #held: Set<string>
  #lastEventId: string | null
  #attempt = 0
  #helloAt: number | undefined
  #connection: DocumentsConnection = 'reconnecting'
  #current: AbortController | undefined
  #closed = false
  readonly #timers: Partial<Record<TimerName, unknown>> = {}
  readonly #stopOnline: () => void

  constructor(options: LiveStreamOptions, resume: ResumePosition = { lastEventId: null, held: [] }) {
    this.#options = options
    this.#lastEventId = resume.lastEventId
    this.#held = new Set(resume.held)
    this.#stopOnline = options.env.onOnline(() => this.#retryNow())
  }

  setTargets(targets: readonly string[]): void {
    this.#wanted = targets
    if (targets.length === 0) {
      this.#start('idle', () => this.#drop(), documentTimings.idleCloseMs)
      return
    }
    this.#stop('idle')
    const isBackingOff = this.#attempt > 0 && this.#current === undefined && this.#timers.open !== undefined
    if (!isBackingOff && targets.some((target) => !this.#opened.has(target))) {
      this.#start('open', () => void this.#open(), reopenDebounceMs)
    }
  }

  /** Another tab holds these as of the last event; they need no snapshot. */
  hold(targets: readonly string[]): void {
    targets.forEach((target) => this.#held.add(target))
  }

  close(): void {
    this.#closed = true
    this.#stopOnline()
    this.#drop()
    this.#stop('idle')
  }

  async #open(renewToken = false): Promise<void> {
    if (this.#closed || this.#wanted.length === 0) return
    this.#current?.abort()
    const mine = new AbortController()
    this.#current = mine
    this.#expectLife()
    this.#watchSilence(mine)
    try {
      const body = await this.#request(mine.signal, renewToken)
      await this.#read(body, mine)
      if (this.#current === mine) this.#end()
    } catch (error) {
      if (this.#current === mine) this.#fail(databaseErrorOf(error), renewToken)
    }
  }

  async #request(signal: AbortSignal, renewToken: boolean): Promise<ReadableStream<Uint8Array>> {
    const { env, url, token } = this.#options
    const bearer = await token(renewToken)
    const targets = [...this.#wanted]
    this.#opened = new Set(targets)
    this.#held = new Set([...this.#held].filter((target) => this.#opened.has(target)))
    const resume = this.#lastEventId
    const body: ListenRequest = resume ? { targets, known: [...this.#held] } : { targets }
    const response = await env.fetch(url, {
      method: 'POST',
      signal,
      headers: {
        'content-type': 'application/json',
        accept: takesPositionTables,
        authorization: `Bearer ${bearer}`,
        ...(resume ? { 'last-event-id': resume } : {}),
      },
      body: JSON.stringify(body),
    })
    if (!response.ok || !response.body) throw await errorOfResponse(response)
    return response.body
  }

  async #read(body: ReadableStream<Uint8Array>, mine: AbortController): Promise<void> {
    for await (const text of readEvents(body, () => this.#watchSilence(mine))) {
      if (this.#current !== mine) return
      const { frames, lastId } = framesIn(text)
      this.#lastEventId = lastId ?? this.#lastEventId
      for (const frame of frames) this.#note(frame)
      this.#options.onFrames(frames, this.#lastEventId, text)
    }
  }

  #note(frame: LiveFrame): void {
    if (frame.event === 'hello') {
      this.#helloAt = this.#options.env.now()
      this.#stop('offline')
      this.#announce('live')
    } else if (frame.event === 'current') {
      this.hold(frame.data.targets)
    } else if (frame.event === 'reset') {
      this.#held.clear()
    }
  }

  /** The server ended a working stream: the token expired, the process stops, a membership changed. */
  #end(): void {
    const hasWorked = this.#lose()
    if (this.#wanted.length === 0) return
    const delayMs = hasWorked ? Math.random() * plannedReopenMs : this.#backOff()
    this.#start('open', () => void this.#open(), delayMs)
  }

  #fail(error: DatabaseError, renewedToken: boolean): void {
    this.#lose()
    if (error.code === 'unauthenticated' && !renewedToken) {
      void this.#open(true)
      return
    }
    this.#announce(this.#connection === 'offline' ? 'offline' : 'reconnecting')
    this.#expectLife()
    if (error.code === 'permission-denied' || error.code === 'invalid-argument') {
      this.#options.onRefused(error)
      return
    }
    this.#start('open', () => void this.#open(), this.#backOff())
  }

  #backOff(): number {
    const delayMs = reconnectDelayMs(this.#attempt)
    this.#attempt += 1
    return delayMs
  }

  /** Returns whether the stream had worked; one that ends right after its greeting counts as a failed attempt. */
  #lose(): boolean {
    const hasWorked =
      this.#helloAt !== undefined && this.#options.env.now() - this.#helloAt >= documentTimings.firstReconnectMs
    if (hasWorked) this.#attempt = 0
    this.#helloAt = undefined
    this.#current = undefined
    this.#opened = new Set()
    this.#stop('silence')
    return hasWorked
  }

  /** No listener is left: the connection is closed, the position in the change log is kept. */
  #drop(): void {
    this.#current?.abort()
    this.#lose()
    this.#held.clear()
    this.#stop('open')
    this.#stop('offline')
  }

  #retryNow(): void {
    if (this.#closed || this.#current || this.#wanted.length === 0) return
    this.#attempt = 0
    this.#start('open', () => void this.#open(), 0)
  }

  /** From the first attempt that does not succeed at once, the state says `offline` after the online-state timeout. */
  #expectLife(): void {
    if (this.#timers.offline !== undefined || this.#connection === 'offline') return
    this.#start('offline', () => this.#announce('offline'), documentTimings.onlineStateMs)
  }

  #watchSilence(mine: AbortController): void {
    const silent = new DatabaseError('deadline-exceeded', 'The server has been silent for too long.')
    this.#start('silence', () => mine.abort(silent), documentTimings.requestMs)
  }

  #announce(connection: DocumentsConnection): void {
    if (this.#connection === connection) return
    this.#connection = connection
    this.#options.onConnection(connection)
  }

  #start(name: TimerName, run: () => void, delayMs: number): void {
    this.#stop(name)
    this.#timers[name] = this.#options.env.setTimeout(() => {
      this.#timers[name] = undefined
      run()
    }, delayMs)
  }

  #stop(name: TimerName): void {
    if (this.#timers[name] !== undefined) this.#options.env.clearTimeout(this.#timers[name])
    this.#timers[name] = undefined
  }
}
