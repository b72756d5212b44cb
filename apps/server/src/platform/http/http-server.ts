import { randomUUID } from 'node:crypto'
import http, { type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Config } from '../../config.ts'
import type { Metrics } from '../metrics.ts'
import { clientAddress } from './client-address.ts'
import { sendJson, type Exchange, type Handler } from './exchange.ts'
import { securityHeaders } from './security-headers.ts'
import { sendError } from './wire-error.ts'

/** How long a stop waits for requests that are under way. */
const lastRequestsMs = 10_000
/** Longest time for the head of a request, and for all of it; an upload chunk on a slow line needs the second. */
const headTimeoutMs = 20_000
const requestTimeoutMs = 300_000
/** Longer than the idle time of usual load balancers (60 s), so that they close first. */
const keepAliveMs = 65_000

export interface HttpServer {
  readonly port: number
  /** Until this is called everything but `/healthz` is answered with 503. */
  serve(handler: Handler): void
  /** True from the moment `close` was called. */
  readonly isClosing: boolean
  /**
   * Goes on answering for `drainSeconds`, with `connection: close` in every answer, so that load balancers and clients learn
   * to send them elsewhere. Then takes no new ones, lets those under way finish (at most 10 s) and closes what is left.
   *
   * @param endStreams Ends answers that have no end of their own.
   */
  close(endStreams?: () => Promise<void> | void): Promise<void>
}

/** Listens at once, so that a probe during start-up gets an answer instead of hanging. */
export async function startHttpServer(config: Config, log: Logger, metrics: Metrics): Promise<HttpServer> {
  const headers = securityHeaders(config)
  let handler: Handler = starting
  let closing = false
  let underWay = 0
  let onDrained: (() => void) | undefined
  const listener = (request: IncomingMessage, response: ServerResponse): void => {
    const exchange = newExchange(request, response, config)
    underWay += 1
    for (const [name, value] of headers) response.setHeader(name, value)
    response.setHeader('x-request-id', exchange.id)
    if (closing) response.setHeader('connection', 'close')
    response.once('close', () => {
      underWay -= 1
      record(exchange, log, metrics)
      if (underWay === 0) onDrained?.()
    })
    void answer(handler, exchange, log)
  }
  const server = http.createServer(
    { headersTimeout: headTimeoutMs, requestTimeout: requestTimeoutMs, keepAliveTimeout: keepAliveMs, noDelay: true },
    listener,
  )
  metrics.gauge('http_requests_under_way', 'Requests and open streams', () => underWay)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(config.port, config.host, () => {
      server.off('error', reject)
      resolve()
    })
  })
  return {
    port: (server.address() as AddressInfo).port,
    serve: (next) => {
      handler = next
    },
    get isClosing() {
      return closing
    },
    async close(endStreams) {
      closing = true
      if (config.drainSeconds > 0) await sleep(config.drainSeconds * 1000)
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      await endStreams?.()
      server.closeIdleConnections()
      await drained()
      server.closeAllConnections()
      await closed
    },
  }

  function drained(): Promise<void> {
    if (underWay === 0) return Promise.resolve()
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        log.warn({ underWay }, 'requests were cut off at the end of the waiting time')
        resolve()
      }, lastRequestsMs)
      onDrained = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }
}

function newExchange(request: IncomingMessage, response: ServerResponse, config: Config): Exchange {
  const url = request.url ?? '/'
  const query = url.indexOf('?')
  return {
    request,
    response,
    id: requestId(request, config.trustProxy > 0),
    ip: clientAddress(request, config.trustProxy),
    method: request.method ?? 'GET',
    path: query === -1 ? url : url.slice(0, query),
    startedMs: performance.now(),
    route: 'unknown',
    userId: null,
    orgId: null,
    code: null,
  }
}

/** A proxy's own id is kept, so that its log and ours can be laid side by side; a stranger's is not trusted. */
function requestId(request: IncomingMessage, trusted: boolean): string {
  const given = request.headers['x-request-id']
  return trusted && typeof given === 'string' && /^[\w.-]{8,128}$/.test(given) ? given : randomUUID()
}

async function answer(handler: Handler, exchange: Exchange, log: Logger): Promise<void> {
  try {
    await handler(exchange)
  } catch (error) {
    sendError(exchange, error, log)
  }
}

const starting: Handler = (exchange) => {
  exchange.route = 'starting'
  const alive = exchange.path === '/healthz'
  sendJson(exchange, alive ? 200 : 503, { status: 'starting' }, alive ? {} : { 'retry-after': '1' })
}

/** Source of 499: spec, section 8; the caller went away before the answer was written. */
function record(exchange: Exchange, log: Logger, metrics: Metrics): void {
  const { response, method, route, id, ip, userId, orgId, code } = exchange
  const status = response.writableFinished ? response.statusCode : 499
  const seconds = (performance.now() - exchange.startedMs) / 1000
  metrics.observeRequest(method, route, status, seconds)
  const quiet = route === 'static' || route === 'document' || route === 'probe' || route === 'track'
  const level = status === 500 ? 'error' : quiet ? 'debug' : 'info'
  log[level](
    { requestId: id, method, route, status, durationMs: Math.round(seconds * 1000), ip, userId, orgId, code },
    'request',
  )
}
