import http from 'node:http'
import type { AddressInfo } from 'node:net'
import type { LiveFrame } from '@tour-ops/contract/live/documents'
import { AppError } from '@tour-ops/contract/errors'
import { pino } from 'pino'
import type { Caller } from '../src/context.ts'
import type { Exchange } from '../src/platform/http/exchange.ts'
import { mountLive } from '../src/platform/live/live-http.ts'
import type { LiveServer } from '../src/platform/live/live.ts'

// For tests: a server with nothing but the live routes, tokens that say who they are, and a client that stores what it receives.

export interface LiveTestServer {
  readonly url: string
  /** Sends a request to `documents:{name}`. */
  request(token: string, name: string, data: unknown): Promise<{ status: number; body: Record<string, unknown> }>
  listen(token: string, targets: readonly string[], options?: ListenOptions): Promise<TestListener>
  close(): Promise<void>
}

export interface ListenOptions {
  readonly lastEventId?: string
  readonly known?: readonly string[]
  /** What `fetch` accepts, without it. */
  readonly acceptEncoding?: string
  /** None said without it. */
  readonly accept?: string
}

export interface HeardFrame {
  readonly id: string | null
  readonly frame: LiveFrame
}

export interface TestListener {
  readonly status: number
  /** How it travels; null where it is plain text. */
  readonly encoding: string | null
  readonly frames: HeardFrame[]
  lastEventId(): string
  /** Waits until a frame passes, checking earlier ones as well. */
  until(passes: (frame: LiveFrame) => boolean, withinMs?: number): Promise<LiveFrame>
  /** Resolves when the server has ended the stream. */
  readonly ended: Promise<void>
  cut(): void
}

/** An unsigned token: the test server accepts it. */
export const testToken = (
  caller: Pick<Caller, 'userId' | 'orgId'> & Partial<Pick<Caller, 'sessionId'>>,
  expiresInMs = 3_600_000,
): string => {
  const claims = {
    sub: caller.userId,
    org: caller.orgId,
    sid: caller.sessionId ?? null,
    exp: (Date.now() + expiresInMs) / 1000,
  }
  return `test.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.none`
}

async function verifyTestToken(token: string): Promise<Caller> {
  if (!token.startsWith('test.')) throw new AppError('unauthenticated', 'Not a token of this test.')
  const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as {
    sub: string
    org: string | null
    sid: string | null
  }
  return { userId: claims.sub, orgId: claims.org, email: null, name: null, sessionId: claims.sid }
}

export async function startLiveTestServer(live: LiveServer): Promise<LiveTestServer> {
  const routes = mountLive({ live, log: pino({ level: 'silent' }), verifyBackendToken: verifyTestToken })
  const server = http.createServer((request, response) => {
    const exchange: Exchange = {
      request,
      response,
      id: 'test-request',
      ip: null,
      method: request.method ?? 'GET',
      path: request.url ?? '/',
      startedMs: 0,
      route: '',
      userId: null,
      orgId: null,
      code: null,
    }
    void routes.handler(exchange)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    async request(token, name, data) {
      const response = await fetch(`${url}/api/documents:${name}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ data }),
      })
      return { status: response.status, body: (await response.json()) as Record<string, unknown> }
    },
    listen: (token, targets, options) => listenTo(url, token, targets, options),
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

export async function listenTo(
  url: string,
  token: string,
  targets: readonly string[],
  { lastEventId, known, acceptEncoding, accept }: ListenOptions = {},
): Promise<TestListener> {
  const cutter = new AbortController()
  const response = await fetch(`${url}/api/live/listen`, {
    method: 'POST',
    signal: cutter.signal,
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      ...(lastEventId ? { 'last-event-id': lastEventId } : {}),
      ...(acceptEncoding ? { 'accept-encoding': acceptEncoding } : {}),
      ...(accept ? { accept } : {}),
    },
    body: JSON.stringify({ targets, ...(known ? { known } : {}) }),
  })
  const frames: HeardFrame[] = []
  const waiting = new Set<() => void>()
  const ended = readFrames(response, (heard) => {
    frames.push(heard)
    for (const look of waiting) look()
  })
  return {
    status: response.status,
    encoding: response.headers.get('content-encoding'),
    frames,
    lastEventId: () => frames.findLast(({ id }) => id !== null)?.id ?? '',
    until: (passes, withinMs = 10_000) => untilHeard(frames, waiting, passes, withinMs),
    ended,
    cut: () => cutter.abort(),
  }
}

function untilHeard(
  frames: readonly HeardFrame[],
  waiting: Set<() => void>,
  passes: (frame: LiveFrame) => boolean,
  withinMs: number,
): Promise<LiveFrame> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => {
      waiting.delete(look)
      reject(
        new Error(`Not heard in ${withinMs} ms. Heard: ${frames.map(({ frame }) => JSON.stringify(frame)).join(' ')}`),
      )
    }, withinMs)
    const look = () => {
      const found = frames.find(({ frame }) => passes(frame))
      if (!found) return
      clearTimeout(late)
      waiting.delete(look)
      resolve(found.frame)
    }
    waiting.add(look)
    look()
  })
}

async function readFrames(response: Response, onFrame: (heard: HeardFrame) => void): Promise<void> {
  if (!response.body || response.status !== 200) return
  const decoder = new TextDecoder()
  let rest = ''
  try {
    for await (const chunk of response.body) {
      rest += decoder.decode(chunk as Uint8Array, { stream: true })
      const blocks = rest.split('\n\n')
      rest = blocks.pop() ?? ''
      for (const block of blocks) {
        const lines = new Map(
          block.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
        )
        const data: unknown = JSON.parse(lines.get('data') ?? '{}')
        onFrame({ id: lines.get('id') ?? null, frame: { event: lines.get('event'), data } as LiveFrame })
      }
    }
  } catch (error) {
    // the listener was cut on purpose, or its server was killed: both end the stream
    if (!(error instanceof Error)) throw error
  }
}
