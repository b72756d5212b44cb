import { getRequestListener } from '@hono/node-server'
import { AppError } from '@tour-ops/contract/errors'
import { startPath } from '@tour-ops/contract/start'
import { refuse } from '@tour-ops/contract/refusals'
import type { Hono } from 'hono'
import { isLoopback } from '../loopback.ts'
import type { LiveRoutes } from '../live/live-http.ts'
import { callableNameIn } from './callables.ts'
import { clientAddressHeader } from './client-address.ts'
import type { Documents } from './documents.ts'
import { sendText, type Exchange, type Handler } from './exchange.ts'
import { type ProbeParts, probes } from './probes.ts'
import { rateLimit } from './rate-limits.ts'
import { dropDocumentHeaders } from './security-headers.ts'
import { sendFile, type StaticFiles } from './static-files.ts'
import { sendError, sendTooMany } from './wire-error.ts'

/** Everything that answers requests. `main` puts it together. */
export interface ApplicationParts extends ProbeParts {
  readonly staticFiles: StaticFiles
  readonly documents: Documents
  readonly callables: Handler
  /** One answer for a start; null where starts are not answered in one. */
  readonly start: Handler | null
  readonly files: Handler
  /** What phones and trackers send: `/track/{token}`. */
  readonly track: Handler
  /** Feeds for calendars that cannot sign in: `/calendar/{token}.ics`. */
  readonly calendar: Handler
  /** Warnings of a weather service: `/weather/{token}`. */
  readonly weather: Handler
  /** What mail programs say for guests: `/unsubscribe/{organization}/{delivery}/{proof}`. */
  readonly unsubscribe: Handler
  /** What providers of SMS and WhatsApp say back: `/phone/{organization}/{channel}`. */
  readonly phoneAnswers: Handler
  /** Asks for the passcode of a guest's page: `/share/{token}`. False where the page is to be shown. */
  readonly passcode: (exchange: Exchange) => Promise<boolean>
  /** Live documents, the stream included. */
  readonly live: LiveRoutes
  /** Sign-in and tokens, as web `Request` handlers. */
  readonly identity: Hono
}

/** Longest body of a request to the identity routes. */
const identityBodyLimitBytes = 64 * 1024

/**
 * Attempts to prove who somebody is, as opposed to the many harmless requests to the same library. The backend exchange is
 * not among them: it takes tokens that were signed already, on every page load.
 */
const credentialPath =
  /^\/api\/auth\/(sign-in|sign-up|siwe|request-password-reset|forget-password|reset-password|change-password|verify-password|send-verification-email|waitlist)\b/

/** Answers every address of the product. */
export function applicationHandler(parts: ApplicationParts): Handler {
  const { config, metrics, services, staticFiles, documents } = parts
  const perIp = rateLimit(config.rateLimits.perIpPerMinute)
  const identityPerIp = rateLimit(config.rateLimits.identityPerIpPerMinute)
  const probe = probes(parts)
  const identity = getRequestListener(parts.identity.fetch, { overrideGlobalObjects: false })

  const api: Handler = (exchange) => {
    const { path, method, ip } = exchange
    let waitMs = perIp.take(ip ?? '')
    let bucket = 'ip'
    if (waitMs === 0 && method === 'POST' && credentialPath.test(path)) {
      waitMs = identityPerIp.take(ip ?? '')
      bucket = 'identity'
    }
    if (waitMs > 0) {
      exchange.route = 'rate limited'
      metrics.rateLimited.inc({ bucket })
      return sendTooMany(exchange, waitMs, services.log)
    }
    if (path.startsWith('/api/files/')) return parts.files(exchange)
    if (path === `/api${startPath}` && parts.start) {
      passAddressOn(exchange)
      return parts.start(exchange)
    }
    if (callableNameIn(path) !== undefined) return parts.callables(exchange)
    if (parts.live.handles(path)) return parts.live.handler(exchange)
    exchange.route = 'identity'
    if (refuseBody(exchange, parts)) return
    passAddressOn(exchange)
    return identity(exchange.request, exchange.response)
  }

  const page: Handler = (exchange) => {
    const { path, method } = exchange
    const machine = probe(path)
    if (machine) exchange.route = 'probe'
    if (method !== 'GET' && method !== 'HEAD') {
      return sendText(exchange, 405, 'Only GET is answered here.\n', { allow: 'GET, HEAD' })
    }
    if (machine) return machine(exchange)
    const file = documents.payload(path) ?? (isDocument(path) ? undefined : staticFiles.find(path))
    if (file) {
      exchange.route = 'static'
      return sendFile(exchange, file)
    }
    sendDocument(exchange, documents)
  }

  return async (exchange) => {
    const { path } = exchange
    if (config.demo && !isLoopback(hostOf(exchange))) return sendText(exchange, 403, foreignName)
    if (config.demo && isForwarded(exchange)) return sendText(exchange, 403, forwardedDemo)
    if (path.startsWith('/api/')) return api(exchange)
    if (path.startsWith('/track/')) return parts.track(exchange)
    if (path.startsWith('/calendar/')) return parts.calendar(exchange)
    if (path.startsWith('/weather/')) return parts.weather(exchange)
    if (path.startsWith('/unsubscribe/')) return parts.unsubscribe(exchange)
    if (path.startsWith('/phone/')) return parts.phoneAnswers(exchange)
    if (path.startsWith('/share/')) {
      // The address of a guest's page is its secret: nobody lists it.
      exchange.response.setHeader('x-robots-tag', 'noindex, nofollow')
      if (await parts.passcode(exchange)) return
    }
    return page(exchange)
  }
}

/**
 * Demo passwords are published, so a page elsewhere must not reach them by giving this computer another name
 * (DNS rebinding): the demo answers to this computer's names only.
 */
const foreignName = 'The demo answers only under the names of this computer: 127.0.0.1 or localhost.\n'

/** A proxy in front that is not configured would open the demo to others. */
const forwardedDemo =
  'The demo answers to this computer only, and a proxy forwarded this request. Set DEMO=off and TRUST_PROXY.\n'

const isForwarded = ({ request: { headers } }: Exchange): boolean =>
  ['forwarded', 'x-forwarded-for', 'x-forwarded-host'].some((name) => headers[name] !== undefined)

function hostOf({ request }: Exchange): string {
  const host = request.headers.host
  return host === undefined ? 'localhost' : (URL.parse(`http://${host}`)?.hostname ?? host)
}

/** The build's own pages are templates: they go out through `documents`, with the page configuration in them. */
const isDocument = (path: string): boolean => path === '/' || path.endsWith('/') || path.endsWith('/index.html')

/** A script or picture that is gone gets a plain 404: a page in its place would hide a chunk that failed to load. */
function sendDocument(exchange: Exchange, documents: Documents): void {
  const { path, request, response } = exchange
  exchange.route = 'document'
  const wantsPage =
    !/^\/(assets|builds|tiles)\//.test(path) && /text\/html|\*\/\*/.test(request.headers.accept ?? '*/*')
  const found = wantsPage ? documents.at(path, request.url?.split('?', 2)[1] ?? '') : undefined
  if (found?.link) response.setHeader('link', found.link)
  if (found) sendFile(exchange, found.file, found.status)
  // Open sea has no tile; a 404 for it would be an error in every browser's console.
  else if (/^\/tiles\/\d+\/\d+\/\d+\.pbf$/.test(path)) sendNothing(exchange)
  else if (wantsPage) sendText(exchange, 404, 'The screens are not built: run "npm start", which builds them.\n')
  else sendText(exchange, 404, 'Not found.\n')
}

function sendNothing({ response }: Exchange): void {
  dropDocumentHeaders(response)
  response.writeHead(204, { 'cache-control': 'public, max-age=86400' })
  response.end()
}

/** The identity library reads bodies to their end, so their length is asked before. True when the answer is out. */
function refuseBody(exchange: Exchange, { services }: ApplicationParts): boolean {
  const { method, request } = exchange
  if (method === 'GET' || method === 'HEAD') return false
  const length = request.headers['content-length']
  if (length === undefined && request.headers['transfer-encoding'] === undefined) return false
  if (length !== undefined && Number(length) <= identityBodyLimitBytes) return false
  const refused =
    length === undefined
      ? new AppError('invalid-argument', 'Say how long the content is (content-length).')
      : refuse('body_too_large', { limitBytes: identityBodyLimitBytes })
  sendError(exchange, refused, services.log)
  return true
}

const requestIdHeader = 'x-request-id'

function passAddressOn({ request, ip, id }: Exchange): void {
  const drop = new Set([clientAddressHeader, requestIdHeader])
  const kept = request.rawHeaders.flatMap((value, index, all) => {
    const name = all[index - (index % 2)] ?? ''
    return drop.has(name.toLowerCase()) ? [] : [value]
  })
  request.rawHeaders.splice(
    0,
    request.rawHeaders.length,
    ...kept,
    clientAddressHeader,
    ip ?? 'unknown',
    requestIdHeader,
    id,
  )
  request.headers[clientAddressHeader] = ip ?? 'unknown'
  request.headers[requestIdHeader] = id
}
