import type { LiveFrame } from '@tour-ops/contract/live/documents'
import type { DocumentsEnvironment, LockManagerPart } from './documents-environment.ts'

// For tests in Node: a browser with several tabs, and a server whose streams the test writes itself.

/** One open listen stream, seen from the server. */
export interface ServedStream {
  readonly body: { readonly targets: readonly string[]; readonly known?: readonly string[] }
  readonly lastEventId: string | null
  readonly bearer: string
  isOpen: boolean
  send(frame: LiveFrame, id?: string): void
  end(): void
  /** The connection breaks. */
  cut(): void
}

export interface FakeServer {
  readonly fetch: typeof globalThis.fetch
  readonly streams: ServedStream[]
  readonly requests: { readonly name: string; readonly data: unknown; readonly bearer: string }[]
  /** What the next requests get; an error is a broken connection, `never` a server that holds its answer back. The last one stays. */
  answers: (Response | Error | 'never')[]
  /** The stream that is open; fails when there is not exactly one. */
  open(): ServedStream
}

export const refusal = (status: number, code: string): Response =>
  Response.json({ error: { status: code, message: code.toLowerCase() } }, { status })

export function fakeServer(): FakeServer {
  const server: FakeServer = {
    streams: [],
    requests: [],
    answers: [],
    fetch: async (input, init) => {
      const url = input instanceof Request ? input.url : input.toString()
      const headers = new Headers(init?.headers)
      const bearer = headers.get('authorization')?.slice('Bearer '.length) ?? ''
      const body = JSON.parse(typeof init?.body === 'string' ? init.body : '{}') as { data: unknown }
      const [next] = server.answers
      if (server.answers.length > 1) server.answers.shift()
      if (!url.endsWith('/live/listen')) {
        server.requests.push({ name: url.slice(url.lastIndexOf(':') + 1), data: body.data, bearer })
      }
      if (next instanceof Error) throw next
      if (next === 'never') {
        const { promise, reject } = Promise.withResolvers<Response>()
        init?.signal?.addEventListener('abort', ({ target }) => reject((target as AbortSignal).reason))
        return promise
      }
      if (next) return next.clone()
      if (url.endsWith('/live/listen')) return serveStream(server, headers, body, bearer, init?.signal ?? undefined)
      return Response.json({ result: {} })
    },
    open() {
      const open = server.streams.filter(({ isOpen }) => isOpen)
      if (open.length !== 1 || !open[0]) throw new Error(`${open.length} streams are open`)
      return open[0]
    },
  }
  return server
}

function serveStream(
  server: FakeServer,
  headers: Headers,
  body: unknown,
  bearer: string,
  signal: AbortSignal | undefined,
): Response {
  const encoder = new TextEncoder()
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined
  const readable = new ReadableStream<Uint8Array>({ start: (given) => void (controller = given) })
  const close = (how: (given: ReadableStreamDefaultController<Uint8Array>) => void) => {
    if (!stream.isOpen || !controller) return
    stream.isOpen = false
    how(controller)
  }
  const stream: ServedStream = {
    body: body as ServedStream['body'],
    lastEventId: headers.get('last-event-id'),
    bearer,
    isOpen: true,
    send: (frame, id) => {
      const text = `${id ? `id: ${id}\n` : ''}event: ${frame.event}\ndata: ${JSON.stringify(frame.data)}\n\n`
      controller?.enqueue(encoder.encode(text))
    },
    end: () => close((given) => given.close()),
    cut: () => close((given) => given.error(new TypeError('network error'))),
  }
  signal?.addEventListener('abort', () => close((given) => given.error(signal.reason)))
  server.streams.push(stream)
  return new Response(readable, { status: 200 })
}

interface Waiting {
  grant(): void
  readonly owner: string
}

/** The tabs of one browser: locks and channels that they share. */
export class FakeBrowser {
  readonly #locks = new Map<string, Waiting[]>()
  readonly #channels = new Map<string, Set<{ readonly tab: string; hear(message: unknown): void }>>()
  readonly #gone = new Set<string>()

  /** The environment of a tab. Without locks it is a browser on plain HTTP. */
  tab(
    name: string,
    server: FakeServer,
    options: { locks?: boolean } = {},
  ): DocumentsEnvironment & { readonly goOnline: () => void } {
    const online = new Set<() => void>()
    let ids = 0
    return {
      fetch: server.fetch,
      now: () => Date.now(),
      setTimeout: (run, delayMs) => setTimeout(() => this.#gone.has(name) || run(), delayMs),
      clearTimeout: (timer) => clearTimeout(timer as ReturnType<typeof setTimeout>),
      newId: () => `id-of-tab-${name}-${(ids += 1)}`,
      locks: options.locks === false ? undefined : this.#locksOf(name),
      openChannel: (channel, onMessage) => this.#join(channel, name, onMessage),
      onOnline: (run) => {
        online.add(run)
        return () => online.delete(run)
      },
      goOnline: () => online.forEach((run) => run()),
    }
  }

  /** The tab dies without a word: its locks are free, its channels silent. */
  kill(name: string): void {
    this.#gone.add(name)
    for (const members of this.#channels.values()) {
      for (const member of members) if (member.tab === name) members.delete(member)
    }
    for (const [lock, waiting] of this.#locks) {
      const wasHeld = waiting[0]?.owner === name
      this.#locks.set(
        lock,
        waiting.filter(({ owner }) => owner !== name),
      )
      if (wasHeld) this.#locks.get(lock)?.[0]?.grant()
    }
  }

  #locksOf(owner: string): LockManagerPart {
    return {
      request: (lock, { signal }, whileHeld) =>
        new Promise<void>((resolve, reject) => {
          const leave = () => {
            const waiting = this.#locks.get(lock) ?? []
            const wasFirst = waiting[0] === mine
            this.#locks.set(
              lock,
              waiting.filter((other) => other !== mine),
            )
            if (wasFirst) this.#locks.get(lock)?.[0]?.grant()
          }
          let isGranted = false
          const mine: Waiting = {
            owner,
            grant: () => {
              isGranted = true
              queueMicrotask(() => void whileHeld().then(leave).then(resolve, reject))
            },
          }
          signal?.addEventListener('abort', () => {
            if (isGranted) return
            leave()
            reject(new DOMException('aborted', 'AbortError'))
          })
          const waiting = this.#locks.get(lock) ?? []
          this.#locks.set(lock, [...waiting, mine])
          if (waiting.length === 0) mine.grant()
        }),
    }
  }

  #join(channel: string, tab: string, onMessage: (message: unknown) => void) {
    const members = this.#channels.get(channel) ?? new Set()
    this.#channels.set(channel, members)
    const mine = { tab, hear: onMessage }
    members.add(mine)
    return {
      post: (message: unknown) => {
        const copy: unknown = structuredClone(message)
        for (const member of members) {
          if (member === mine) continue
          queueMicrotask(() => {
            if (members.has(member)) member.hear(copy)
          })
        }
      },
      close: () => members.delete(mine),
    }
  }
}
