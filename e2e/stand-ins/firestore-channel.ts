import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { grpcCodes, Refusal, type Auth, type FirestoreStore } from './firestore-store.ts'
import { listenStream, writeStream, type RpcStream } from './firestore-streams.ts'

/** A noop now and then keeps the client from giving the channel up. */
const noopEveryMs = 30_000
/** The last message gets out before the channel closes. */
const closeAfterMs = 20

interface BackChannel {
  readonly response: ServerResponse
  /** False where the client reads whole answers only. */
  readonly isStreaming: boolean
}

/** One WebChannel session: a forward channel of posted messages and a back channel that is held open. */
class Session {
  readonly id = randomUUID()
  /** Messages that the client has not acknowledged: a channel that it gives up may have taken messages that never arrived. */
  #pending: [number, unknown[]][] = []
  readonly #onEnd: () => void
  readonly #noop: NodeJS.Timeout
  readonly #stream: RpcStream
  #sent = 0
  /** The last message that the present back channel has taken. */
  #written = 0
  #back: BackChannel | undefined

  constructor(open: (send: (message: object) => void) => RpcStream, onEnd: () => void) {
    this.#onEnd = onEnd
    this.#stream = open((message) => this.#send([message]))
    this.#noop = setInterval(() => this.#send(['noop']), noopEveryMs)
    this.#noop.unref()
  }

  /** `[is there a back channel, last message, bytes that wait]`, as the client reads it. */
  get status(): unknown[] {
    return [this.#back ? 1 : 0, this.#sent, this.#sent > this.#written ? 1 : 0]
  }

  take(body: string): void {
    const form = new URLSearchParams(body)
    for (let index = 0; index < Number(form.get('count') ?? 0); index += 1) {
      const text = form.get(`req${index}___data__`)
      if (text) this.#takeOne(JSON.parse(text) as object)
    }
  }

  /** @param received The last message that the client has. */
  attach(back: BackChannel, received: number): void {
    this.#back?.response.end()
    this.#back = back
    this.#pending = this.#pending.filter(([index]) => index > received)
    this.#written = received
    back.response.writeHead(200)
    back.response.flushHeaders()
    back.response.on('close', () => {
      if (this.#back === back) this.#back = undefined
    })
    this.#flush()
  }

  end(): void {
    clearInterval(this.#noop)
    this.#stream.close()
    this.#back?.response.end()
    this.#onEnd()
  }

  #takeOne(message: object): void {
    try {
      this.#stream.take(message)
    } catch (error) {
      const status = error instanceof Refusal ? error.status : 'INTERNAL'
      const code = grpcCodes[status]?.[1] ?? 500
      this.#send([[{ error: { code, status, message: String(error instanceof Error ? error.message : error) } }]])
      setTimeout(() => this.end(), closeAfterMs)
    }
  }

  #send(messages: unknown[]): void {
    this.#sent += 1
    this.#pending.push([this.#sent, messages.flat()])
    this.#flush()
  }

  #flush(): void {
    const back = this.#back
    if (!back || this.#sent === this.#written) return
    back.response.write(chunkOf(this.#pending.filter(([index]) => index > this.#written)))
    this.#written = this.#sent
    if (back.isStreaming) return
    back.response.end()
    this.#back = undefined
  }
}

const chunkOf = (value: unknown): string => {
  const text = JSON.stringify(value)
  return `${text.length}\n${text}`
}

/**
 * The browser SDK's transport for `Listen` and `Write`. There is no public description: it does what the SDK named in
 * `apps/web/package.json` needs, and was checked against that one alone.
 */
export function channelHandler(store: FirestoreStore, authOf: (bearer: string | undefined) => Auth) {
  const sessions = new Map<string, Session>()

  const open = (rpc: string, headers: string | null): Session => {
    const auth = authOf(/^authorization:(.*)$/im.exec(headers ?? '')?.[1]?.trim())
    const session: Session = new Session(
      (send) => (rpc === 'Listen' ? listenStream : writeStream)(store, auth, send),
      () => sessions.delete(session.id),
    )
    sessions.set(session.id, session)
    return session
  }

  return {
    /** Breaks every channel, as a network that goes away. */
    cutAll(): void {
      for (const session of sessions.values()) session.end()
    },
    handle(rpc: string, request: IncomingMessage, response: ServerResponse, url: URL, body: string): void {
      response.setHeader('content-type', 'text/plain; charset=utf-8')
      response.setHeader('cache-control', 'no-cache')
      const sid = url.searchParams.get('SID')
      if (!sid) {
        const session = open(rpc, new URLSearchParams(body).get('headers') ?? url.searchParams.get('$httpHeaders'))
        response.setHeader('x-http-session-id', session.id)
        response.end(chunkOf([[0, ['c', session.id, '', 8, 14, noopEveryMs]]]))
        session.take(body)
        return
      }
      const session = sessions.get(sid)
      if (!session) {
        response.writeHead(400).end('Unknown SID')
      } else if (url.searchParams.get('TYPE') === 'terminate') {
        session.end()
        response.end()
      } else if (request.method === 'GET') {
        session.attach(
          { response, isStreaming: url.searchParams.get('CI') !== '1' },
          Number(url.searchParams.get('AID') ?? 0),
        )
      } else {
        session.take(body)
        response.end(chunkOf(session.status))
      }
    },
  }
}
