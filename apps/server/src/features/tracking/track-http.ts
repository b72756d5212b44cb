import { AppError } from '@tour-ops/contract/errors'
import { refuse } from '@tour-ops/contract/refusals'
import { type DutyFixesTaken, maxFixesOfRequest } from '@tour-ops/contract/tracking/duty-fixes'
import type { TrackingProtocol } from '@tour-ops/contract/tracking/devices'
import type { Services } from '../../context.ts'
import { jsonOf, readBody } from '../../platform/http/body.ts'
import { withinDeadline } from '../../platform/http/deadline.ts'
import { type Exchange, type Handler, sendJson, sendText } from '../../platform/http/exchange.ts'
import { rateLimit } from '../../platform/http/rate-limits.ts'
import { sendTooMany } from '../../platform/http/wire-error.ts'
import type { Metrics } from '../../platform/metrics.ts'
import { hashOfToken } from '../../platform/operations/address-token.ts'
import type { Parsed } from './fix.ts'
import { isDutyBatch, parseDutyBatch, sizeOfBatch } from './parsers/duty-page.ts'
import { isTraccarJson, parseOsmandParameters, parseTraccarJson } from './parsers/osmand.ts'
import { isEncrypted, isOwnTracks, parseOwnTracks } from './parsers/owntracks.ts'
import { PositionQueue } from './position-queue.ts'
import { SenderDirectory } from './sender-directory.ts'
import type { Dropped } from './write-positions.ts'

/** 500 fixes of the duty page are 75 kB. */
const bodyLimitBytes = 256 * 1024
/** Requests of one device a minute: a phone that reconnects sends hundreds, one fix each. */
const requestsPerMinute = 1_200
/** Batches of one device a minute. */
const batchesPerMinute = 120

const trackedPath = /^\/track\/([A-Za-z0-9_-]{43})\/?$/

/** A request, read: what is in it, and how its sender wants to be answered. */
interface Message {
  readonly protocol: TrackingProtocol
  readonly parsed: Parsed
  readonly answer: (exchange: Exchange, dropped: Dropped) => void
}

/**
 * `GET` and `POST /track/{token}`: one address for OsmAnd, Traccar Client, OwnTracks and the duty page, distinguished by what they send
 * (docs/decisions/0050). A fix that is not stored is answered as one that is, so that no phone sends it again.
 */
export function trackHandler({ services, metrics }: { services: Services; metrics: Metrics }): Handler {
  const queue = new PositionQueue(services)
  const directory = new SenderDirectory(services)
  const strangers = rateLimit(services.config.rateLimits.perIpPerMinute)
  const perDevice = rateLimit(requestsPerMinute)
  const batches = rateLimit(batchesPerMinute)
  metrics.gauge('positions_waiting', 'Fixes that are not written yet', () => queue.waiting)

  const handle: Handler = async (exchange) => {
    exchange.route = 'track'
    const { method, path, ip } = exchange
    if (method !== 'GET' && method !== 'POST')
      return sendText(exchange, 405, 'Positions are sent with GET or POST.\n', { allow: 'GET, POST' })
    const token = trackedPath.exec(path)?.[1]
    const tokenHash = token && hashOfToken(token).toString('hex')
    const sender = tokenHash === undefined ? undefined : await directory.find(tokenHash)
    // counted where nobody is known, so that guessing is slow and phones behind one address are not
    const waitMs = sender ? perDevice.take(sender.deviceId) : strangers.take(ip ?? '')
    if (waitMs > 0) return tooMany(exchange, waitMs)
    if (!sender) throw await ended(tokenHash)
    exchange.orgId = sender.orgId
    const receivedAt = services.clock.now()
    const message = await readMessage(exchange, receivedAt)
    if (message === 'encrypted') return sendText(exchange, 422, encrypted)
    const { protocol, parsed, answer } = message
    const batchWaitMs = protocol === 'duty_page' ? batches.take(sender.deviceId) : 0
    if (batchWaitMs > 0) return tooMany(exchange, batchWaitMs)
    try {
      answer(exchange, await queue.take({ sender, protocol, receivedAt, parsed }))
    } catch (error) {
      if (!(error instanceof AppError) || error.details['reason'] !== 'device_not_paired') throw error
      directory.forget(sender)
      throw await ended(sender.tokenHash)
    }
  }

  /** A phone that is no longer paired must not continue saying that it is visible: the answer says who ended it. */
  const ended = async (tokenHash: string | undefined): Promise<AppError> =>
    refuse('device_not_paired', { ended: tokenHash === undefined ? undefined : await directory.endOf(tokenHash) })

  const tooMany = (exchange: Exchange, waitMs: number): void => {
    metrics.rateLimited.inc({ bucket: 'track' })
    sendTooMany(exchange, waitMs, services.log)
  }

  return withinDeadline(services.log, handle)
}

const encrypted =
  'This server cannot read encrypted OwnTracks messages. Leave the encryption key in the app empty; the connection is encrypted.\n'

async function readMessage(exchange: Exchange, receivedAt: Date): Promise<Message | 'encrypted'> {
  const { request, method } = exchange
  const query = request.url?.split('?', 2)[1] ?? ''
  const body = method === 'POST' ? await readBody(request, bodyLimitBytes) : Buffer.alloc(0)
  const isJson =
    /\bjson\b/i.test(request.headers['content-type'] ?? '') || /^\s*[[{]/.test(body.toString('latin1', 0, 100))
  if (body.length === 0 || !isJson) {
    const parameters = new URLSearchParams(`${query}&${body.toString('utf8')}`)
    return { protocol: 'osmand', parsed: parseOsmandParameters(parameters, receivedAt), answer: withNothing }
  }
  const content = jsonOf(body)
  if (isEncrypted(content)) return 'encrypted'
  if (isOwnTracks(content)) return { protocol: 'owntracks', parsed: parseOwnTracks(content), answer: withEmptyList }
  if (isTraccarJson(content))
    return { protocol: 'osmand', parsed: parseTraccarJson(content, receivedAt), answer: withNothing }
  if (!isDutyBatch(content))
    throw new AppError('invalid-argument', 'This is neither OsmAnd, nor OwnTracks, nor a batch of fixes.')
  if (sizeOfBatch(content) > maxFixesOfRequest)
    throw new AppError('invalid-argument', `At most ${maxFixesOfRequest} fixes at once.`)
  return dutyBatch(parseDutyBatch(content))
}

const withNothing = (exchange: Exchange): void => sendText(exchange, 200, '')
/** What the app shows of others; there is nothing to say. */
const withEmptyList = (exchange: Exchange): void => sendJson(exchange, 200, [])

const dutyBatch = (parsed: Parsed): Message => ({
  protocol: 'duty_page',
  parsed,
  answer: (exchange, dropped) => {
    const taken: DutyFixesTaken = {
      received: parsed.fixes.length + parsed.malformed,
      lastRecordedAt: parsed.fixes.at(-1)?.recordedAt.toISOString() ?? null,
      dropped,
    }
    sendJson(exchange, 200, { result: taken })
  },
})
