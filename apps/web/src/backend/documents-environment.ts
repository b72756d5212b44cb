import { randomId } from './random-id.ts'

/** The part of Web Locks that the leader election uses. */
export interface LockManagerPart {
  request(name: string, options: { signal?: AbortSignal }, whileHeld: () => Promise<void>): Promise<void>
}

/** The part of a BroadcastChannel that the tabs talk through. */
export interface ChannelPart {
  post(message: unknown): void
  close(): void
}

/** What the documents adapter takes from the browser; tests bring their own. */
export interface DocumentsEnvironment {
  readonly fetch: typeof globalThis.fetch
  now(): number
  setTimeout(run: () => void, delayMs: number): unknown
  clearTimeout(timer: unknown): void
  newId(): string
  /** Missing on plain HTTP; every tab then opens its own stream. */
  readonly locks: LockManagerPart | undefined
  openChannel(name: string, onMessage: (message: unknown) => void): ChannelPart
  /** Reports when the network is back, so that nobody waits out a long pause. */
  onOnline(run: () => void): () => void
}

function openBroadcastChannel(name: string, onMessage: (message: unknown) => void): ChannelPart {
  const channel = new BroadcastChannel(name)
  channel.addEventListener('message', (event: MessageEvent<unknown>) => onMessage(event.data))
  return {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a BroadcastChannel has no target origin
    post: (message) => channel.postMessage(message),
    close: () => channel.close(),
  }
}

/** `navigator.locks` exists in secure contexts only. */
export function browserEnvironment(): DocumentsEnvironment {
  const locks: LockManager | undefined = 'locks' in navigator ? navigator.locks : undefined
  return {
    fetch: (input, init) => fetch(input, init),
    now: () => Date.now(),
    setTimeout: (run, delayMs) => setTimeout(run, delayMs),
    clearTimeout: (timer) => clearTimeout(timer as ReturnType<typeof setTimeout>),
    newId: randomId,
    locks: locks && {
      request: async (name, options, whileHeld) => {
        await locks.request(name, options, whileHeld)
      },
    },
    openChannel: openBroadcastChannel,
    onOnline: (run) => {
      window.addEventListener('online', run)
      return () => window.removeEventListener('online', run)
    },
  }
}
