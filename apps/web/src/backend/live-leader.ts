import { DatabaseError, type DatabaseCode } from '@tour-ops/contract/database-codes'
import type { DocumentSnapshot, LiveFrame } from '@tour-ops/contract/live/documents'
import type { ChannelPart, DocumentsEnvironment, LockManagerPart } from './documents-environment.ts'
import type { DocumentsConnection, DocumentsState } from './documents-port.ts'
import type { TokenSource } from './documents-wire.ts'
import { framesIn } from './event-frames.ts'
import { LiveStream, type ResumePosition } from './live-stream.ts'
import { isVirtual, type TargetStore } from './target-store.ts'

/** How a tab gets its frames: over its own stream, or through the tab that holds the stream for all. */
export interface LiveLink {
  setTargets(targets: readonly string[]): void
  close(): void
}

export interface LiveLinkOptions {
  readonly url: string
  readonly token: TokenSource
  readonly env: DocumentsEnvironment
  readonly store: TargetStore
  readonly onState: (state: DocumentsState) => void
}

/** A stream for this tab alone: where Web Locks are missing. */
export function ownStream({ url, token, env, store, onState }: LiveLinkOptions): LiveLink {
  let state: DocumentsState = { connection: 'reconnecting', lastEventAt: null }
  const become = (change: Partial<DocumentsState>) => {
    state = { ...state, ...change }
    onState(state)
  }
  const stream = new LiveStream({
    url,
    token,
    env,
    onFrames: (frames) => {
      store.apply(frames)
      become({ lastEventAt: env.now() })
    },
    onConnection: (connection) => become({ connection }),
    onRefused: (error) => store.refuseAll(error),
  })
  return {
    setTargets: (targets) => {
      store.retain(targets)
      stream.setTargets(targets)
    },
    close: () => stream.close(),
  }
}

/** What the tabs of one person and organization send each other. `tab` is the sender, or the only one addressed. */
type TabMessage =
  | { readonly kind: 'leader' }
  | {
      readonly kind: 'want'
      readonly tab: string
      readonly targets: readonly string[]
      readonly held: readonly string[]
    }
  | { readonly kind: 'bye'; readonly tab: string }
  /** As text: a browser copies that a hundred times faster than what is read from it. */
  | { readonly kind: 'frames'; readonly text: string; readonly lastEventId: string | null }
  | {
      readonly kind: 'catch-up'
      readonly tab: string
      readonly target: string
      readonly documents: readonly DocumentSnapshot[]
    }
  | { readonly kind: 'state'; readonly state: DocumentsState }
  | { readonly kind: 'refused'; readonly code: DatabaseCode; readonly message: string }

/** The tab that holds the stream: opens what any tab wants and passes every frame on. */
class Leader {
  readonly #options: LiveLinkOptions
  readonly #locks: LockManagerPart
  readonly #name: string
  readonly #say: (message: TabMessage) => void
  readonly #stream: LiveStream
  readonly #tabs = new Map<string, readonly string[]>()
  #own: readonly string[]
  #state: DocumentsState

  constructor(
    options: LiveLinkOptions & { locks: LockManagerPart; name: string; say: (message: TabMessage) => void },
    own: readonly string[],
    resume: ResumePosition,
    state: DocumentsState,
  ) {
    this.#options = options
    this.#locks = options.locks
    this.#name = options.name
    this.#say = options.say
    this.#own = own
    this.#state = state
    this.#stream = new LiveStream(
      {
        ...options,
        onFrames: (frames, lastEventId, text) => this.#pass(frames, lastEventId, text),
        onConnection: (connection) => this.#become({ connection }),
        onRefused: (error) => {
          options.store.refuseAll(error)
          this.#say({ kind: 'refused', code: error.code, message: error.message })
        },
      },
      resume,
    )
    this.#say({ kind: 'leader' })
    this.#refresh()
  }

  setOwn(targets: readonly string[]): void {
    this.#own = targets
    this.#refresh()
  }

  close(): void {
    this.#stream.close()
  }

  hear(message: TabMessage): void {
    if (message.kind === 'bye') this.#forget(message.tab)
    if (message.kind !== 'want') return
    if (!this.#tabs.has(message.tab)) this.#watch(message.tab)
    this.#tabs.set(message.tab, message.targets)
    // What changed since the last event is in the change log; stored documents this tab has not seen begin with a snapshot.
    this.#stream.hold(message.held.filter(isVirtual))
    this.#say({ kind: 'state', state: this.#state })
    for (const target of message.targets) {
      const documents = this.#options.store.documentsOf(target)
      if (documents && !message.held.includes(target)) {
        this.#say({ kind: 'catch-up', tab: message.tab, target, documents })
      }
    }
    this.#refresh()
  }

  #pass(frames: readonly LiveFrame[], lastEventId: string | null, text: string): void {
    this.#options.store.apply(frames)
    this.#say({ kind: 'frames', text, lastEventId })
    this.#become({ lastEventAt: this.#options.env.now() })
  }

  #become(change: { connection?: DocumentsConnection; lastEventAt?: number }): void {
    const isNews = change.connection !== undefined && change.connection !== this.#state.connection
    this.#state = { ...this.#state, ...change }
    this.#options.onState(this.#state)
    if (isNews) this.#say({ kind: 'state', state: this.#state })
  }

  #refresh(): void {
    const targets = [...new Set([...this.#own, ...[...this.#tabs.values()].flat()])]
    this.#options.store.retain(targets)
    this.#stream.setTargets(targets)
  }

  /** A tab holds a lock while it lives: getting it means that the tab is gone, for whatever reason. */
  #watch(tab: string): void {
    void this.#locks.request(tabLock(this.#name, tab), {}, async () => this.#forget(tab))
  }

  #forget(tab: string): void {
    if (this.#tabs.delete(tab)) this.#refresh()
  }
}

const tabLock = (name: string, tab: string): string => `${name}:tab:${tab}`

/**
 * One stream for all tabs of a browser: the tab that gets the Web Lock opens it and serves the others over a BroadcastChannel.
 * When that tab closes, the next one resumes from the last event that it received.
 *
 * @param name Names person and organization; tabs of another do not hear each other.
 */
export function sharedStream(name: string, locks: LockManagerPart, options: LiveLinkOptions): LiveLink {
  const { env, store, onState } = options
  const tab = env.newId()
  const ended = new AbortController()
  const untilEnded = new Promise<void>((resolve) => ended.signal.addEventListener('abort', () => resolve()))
  let leader: Leader | undefined
  let targets: readonly string[] = []
  let lastEventId: string | null = null
  let state: DocumentsState = { connection: 'reconnecting', lastEventAt: null }

  const become = (next: DocumentsState) => {
    state = next
    onState(state)
  }
  const say = (message: TabMessage) => {
    if (!ended.signal.aborted || message.kind === 'bye') channel.post(message)
  }
  const want = () => say({ kind: 'want', tab, targets, held: store.held() })

  const follow = (message: TabMessage) => {
    if (message.kind === 'leader') want()
    else if (message.kind === 'state') become(message.state)
    else if (message.kind === 'refused') store.refuseAll(new DatabaseError(message.code, message.message))
    else if (message.kind === 'catch-up' && message.tab === tab) store.adopt(message.target, message.documents)
    else if (message.kind === 'frames') {
      lastEventId = message.lastEventId
      store.apply(framesIn(message.text).frames)
      become({ ...state, lastEventAt: env.now() })
    }
  }

  const channel: ChannelPart = env.openChannel(name, (message) => {
    if (ended.signal.aborted) return
    if (leader) leader.hear(message as TabMessage)
    else follow(message as TabMessage)
  })

  const hold = (lock: string, whileHeld: () => Promise<void>) => {
    locks.request(lock, { signal: ended.signal }, whileHeld).catch((error: unknown) => {
      if (!ended.signal.aborted) throw error // waiting for a lock ends with this error when the tab leaves
    })
  }
  hold(tabLock(name, tab), () => untilEnded)
  hold(name, async () => {
    if (ended.signal.aborted) return
    leader = new Leader(
      { ...options, onState: become, locks, name, say },
      targets,
      { lastEventId, held: store.held() },
      state,
    )
    await untilEnded
    leader.close()
  })
  want()

  return {
    setTargets: (next) => {
      targets = next
      if (leader) {
        leader.setOwn(next)
        return
      }
      store.retain(next)
      want()
    },
    close: () => {
      say({ kind: 'bye', tab })
      ended.abort()
      channel.close()
    },
  }
}
