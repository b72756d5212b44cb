import {
  databaseCodes,
  DatabaseError,
  databaseWireStatusOf,
  type DatabaseCode,
} from '@tour-ops/contract/database-codes'
import { documentRequests, ListenRequest, type DocumentRequestName } from '@tour-ops/contract/live/documents'
import { takesPositionTables } from '@tour-ops/contract/live/position-table'
import { AppError } from '@tour-ops/contract/errors'
import type { ServerResponse } from 'node:http'
import type { Logger } from 'pino'
import type { ZodMiniType } from 'zod/mini'
import type { Caller } from '../../context.ts'
import { checkCallData } from '../call-data.ts'
import { streamsPerPerson } from '../person-limits.ts'
import { callBodyLimitBytes, jsonOf, readBody } from '../http/body.ts'
import { accepts } from '../http/encodings.ts'
import { sendJson, type Exchange, type Handler } from '../http/exchange.ts'
import { refusalOf, reportOutage, retryAfterOf } from '../outages.ts'
import { onceByCommitKey } from './commit-keys.ts'
import { DeflatedStream } from './deflated.ts'
import { documentVerbs } from './documents-requests.ts'
import type { LiveServer } from './live.ts'
import { asLivePerson, requireMembership } from './live-person.ts'
import type { StreamSink } from './listen-stream.ts'
import { startStream } from './stream-start.ts'

export interface LiveHttpParts {
  readonly live: LiveServer
  readonly log: Logger
  /** @throws AppError `unauthenticated` */
  readonly verifyBackendToken: (bearer: string) => Promise<Caller>
  /** Most streams of this process; the next is told to retry later. */
  readonly maxStreams?: number
  /** Most streams of one person in this process. */
  readonly maxStreamsPerPerson?: number
}

interface StreamParts extends LiveHttpParts {
  /** How many streams each person has here. */
  readonly streamsOf: Map<string, number>
}

export interface LiveRoutes {
  /** Whether an address is one of these. */
  handles(path: string): boolean
  readonly handler: Handler
}

const listenPath = '/api/live/listen'
const documentsPath = /^\/api\/documents:(\w+)$/
/** 1,000 are measured; the limit is there so that a leak in a client does not end the process. */
const defaultMaxStreams = 5_000
/** A token without a readable end is trusted no longer than a backend token lives. */
const unknownExpiryMs = 3_600_000
/** Longest time of one request to the documents. Source: spec, section 9, "request timeout 45 s". */
const requestTimeoutMs = 45_000

/**
 * `POST /api/live/listen` and `POST /api/documents:{get|batchGet|runQuery|count|commit}`, on the raw request and response: a
 * stream through the web framework costs twice the memory.
 */
export function mountLive(given: LiveHttpParts): LiveRoutes {
  const parts: StreamParts = { ...given, streamsOf: new Map() }
  return {
    handles: (path) => path === listenPath || documentsPath.test(path),
    handler: async (exchange) => {
      const name = documentsPath.exec(exchange.path)?.[1]
      exchange.route = name === undefined ? 'live-listen' : isRequestName(name) ? `documents:${name}` : 'unknown call'
      try {
        if (name === undefined) await listen(parts, exchange)
        else await answerRequest(parts, exchange, name)
      } catch (error) {
        sendDatabaseError(exchange, error, parts.log)
      }
    },
  }
}

const isRequestName = (name: string): name is DocumentRequestName => Object.hasOwn(documentRequests, name)

async function answerRequest(parts: LiveHttpParts, exchange: Exchange, name: string): Promise<void> {
  if (!isRequestName(name)) throw new DatabaseError('unimplemented', 'There is no such request.')
  const { caller } = await authenticate(parts, exchange)
  const body = await readJson(exchange)
  const request = parse(documentRequests[name], (body as { data?: unknown } | null)?.data)
  const signal = AbortSignal.any([callerGone(exchange.response), AbortSignal.timeout(requestTimeoutMs)])
  const scope = { action: `documents-${name}`, requestId: exchange.id, signal }
  const result = await asLivePerson(parts.live.db, caller, scope, (tx, person) => {
    requireMembership(caller, person)
    const { commit } = documentVerbs
    if (name === 'commit')
      return onceByCommitKey(tx, person, request, () => commit(tx, person, parse(documentRequests.commit, request)))
    const run = documentVerbs[name] as (...given: [typeof tx, typeof person, unknown]) => Promise<unknown>
    return run(tx, person, request)
  })
  sendJson(exchange, 200, { result })
}

async function listen(parts: StreamParts, exchange: Exchange): Promise<void> {
  const { live, maxStreams = defaultMaxStreams } = parts
  const { caller, expiresAtMs } = await authenticate(parts, exchange)
  const request = parse(ListenRequest, await readJson(exchange))
  if (live.openStreams() >= maxStreams) {
    throw new DatabaseError('resource-exhausted', 'Too many people are connected. Try again in a minute.')
  }
  const lastEventId = exchange.request.headers['last-event-id']
  const resume = typeof lastEventId === 'string' && lastEventId !== '' ? lastEventId : undefined
  const release = takeStream(parts, caller.userId)
  const takesTables = exchange.request.headers.accept === takesPositionTables
  const reader = { lastEventId: resume, takesTables }
  const stream = await startStream(live, caller, request, reader, () => openEventStream(exchange)).catch(
    (error: unknown) => {
      release()
      throw error
    },
  )
  // The server ends what the token no longer allows; the client reconnects with a new one and misses nothing.
  const expiry = setTimeout(() => stream.end(), Math.max(0, expiresAtMs - Date.now()))
  const leave = () => {
    clearTimeout(expiry)
    release()
    live.hub.remove(stream)
  }
  if (exchange.response.destroyed || exchange.response.closed) leave()
  else exchange.response.once('close', leave)
}

/**
 * Counts a stream of a person before it starts, so that many at once are counted as well. The newest is refused: were the oldest
 * ended instead, its tab would reconnect and end the next one, endlessly.
 *
 * @returns gives the place back.
 */
function takeStream({ streamsOf, maxStreamsPerPerson = streamsPerPerson }: StreamParts, userId: string): () => void {
  const open = streamsOf.get(userId) ?? 0
  if (open >= maxStreamsPerPerson) {
    throw new DatabaseError(
      'resource-exhausted',
      `You have ${maxStreamsPerPerson} tabs open. Close some, and load this one again.`,
    )
  }
  streamsOf.set(userId, open + 1)
  return () => {
    const left = (streamsOf.get(userId) ?? 1) - 1
    if (left > 0) streamsOf.set(userId, left)
    else streamsOf.delete(userId)
  }
}

async function authenticate(
  { verifyBackendToken }: LiveHttpParts,
  exchange: Exchange,
): Promise<{ caller: Caller; expiresAtMs: number }> {
  if (exchange.method !== 'POST') throw new DatabaseError('invalid-argument', 'Documents are asked for with POST.')
  const bearer = /^Bearer ([\w.~+/=-]+)$/i.exec(exchange.request.headers.authorization ?? '')?.[1]
  if (bearer === undefined) throw new DatabaseError('unauthenticated', 'Sign in to go on.')
  const caller = await verifyBackendToken(bearer)
  exchange.userId = caller.userId
  exchange.orgId = caller.orgId
  return { caller, expiresAtMs: expiryOf(bearer) }
}

/** The `exp` of a token that has been verified already, epoch milliseconds. */
function expiryOf(bearer: string): number {
  try {
    const claims: unknown = JSON.parse(Buffer.from(bearer.split('.')[1] ?? '', 'base64url').toString('utf8'))
    if (typeof claims === 'object' && claims !== null && 'exp' in claims && typeof claims.exp === 'number') {
      return claims.exp * 1000
    }
  } catch {
    // an opaque token: its end is not written in it
  }
  return Date.now() + unknownExpiryMs
}

async function readJson(exchange: Exchange): Promise<unknown> {
  return jsonOf(await readBody(exchange.request, callBodyLimitBytes))
}

function parse<Schema extends ZodMiniType>(schema: Schema, given: unknown): Schema['_zod']['output'] {
  checkCallData(given)
  const parsed = schema.safeParse(given)
  if (parsed.success) return parsed.data
  const fields = parsed.error.issues.map((issue) => issue.path.join('.'))
  throw new DatabaseError('invalid-argument', 'The request has not the shape of its kind.', { details: { fields } })
}

function callerGone(response: ServerResponse): AbortSignal {
  const gone = new AbortController()
  response.once('close', () => {
    if (!response.writableFinished) gone.abort(new AppError('cancelled', 'The caller went away.'))
  })
  return gone.signal
}

/** Compressed where the reader understands it: positions of a thousand phones are half a megabyte a second, and a fourteenth of it travels. */
function openEventStream({ request, response }: Exchange): StreamSink {
  const deflated = accepts(request.headers['accept-encoding'], 'deflate') ? new DeflatedStream() : null
  response.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    ...(deflated && { 'content-encoding': 'deflate', vary: 'accept-encoding' }),
    'cache-control': 'no-cache, no-transform',
    // nginx would otherwise keep events back until its buffer is full
    'x-accel-buffering': 'no',
  })
  response.socket?.setNoDelay(true)
  if (deflated) response.write(DeflatedStream.opening)
  return {
    write: (text) => response.write(deflated ? deflated.add(text) : text),
    get waitingBytes() {
      return response.writableLength
    },
    drained: () =>
      new Promise((resolve) => {
        const done = () => {
          response.off('drain', done)
          response.off('close', done)
          resolve()
        }
        if (response.destroyed) resolve()
        else response.once('drain', done).once('close', done)
      }),
    end: () => response.end(deflated?.ending()),
    destroy: () => response.destroy(),
  }
}

/** Answers with a refusal under the sixteen database codes. What was not thrown on purpose stays in the log. */
function sendDatabaseError(exchange: Exchange, thrown: unknown, log: Logger): void {
  const { code, message, details } = toDatabaseError(thrown)
  exchange.code = code
  if (!reportOutage(log, thrown) && (code === 'internal' || code === 'unknown'))
    log.error({ err: thrown, requestId: exchange.id }, 'documents failed')
  if (exchange.response.headersSent) {
    exchange.response.destroy()
    return
  }
  const body = { status: databaseWireStatusOf(code), message, details: { ...details, requestId: exchange.id } }
  const retryAfter = code === 'unavailable' ? (retryAfterOf(refusalOf(thrown)) ?? '1') : undefined
  sendJson(exchange, databaseCodes[code].httpStatus, { error: body }, retryAfter ? { 'retry-after': retryAfter } : {})
}

function toDatabaseError(thrown: unknown): { code: DatabaseCode; message: string; details: Record<string, unknown> } {
  if (thrown instanceof DatabaseError)
    return { code: thrown.code, message: thrown.message, details: { ...thrown.details } }
  const { code, message, details } = refusalOf(thrown)
  return { code, message, details: { ...details } }
}
