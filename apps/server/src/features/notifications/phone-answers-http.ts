import type { IncomingHttpHeaders } from 'node:http'
import type { Services } from '../../context.ts'
import { ownAnswerOf, type PhoneAnswer } from '../../platform/channels/phone-answers.ts'
import { type PhoneChannelRow, selectPhoneChannel, targetOf } from '../../platform/channels/phone-channels.ts'
import { isSignedByTwilio, twilioAnswerOf } from '../../platform/channels/twilio-callbacks.ts'
import { checkCallData } from '../../platform/call-data.ts'
import { jsonOf, readBody } from '../../platform/http/body.ts'
import { withinDeadline } from '../../platform/http/deadline.ts'
import { type Exchange, type Handler, sendJson, sendText } from '../../platform/http/exchange.ts'
import { rateLimit } from '../../platform/http/rate-limits.ts'
import { refusalOfSigned } from '../../platform/http/webhook-signature.ts'
import { sendTooMany } from '../../platform/http/wire-error.ts'
import { newId } from '../../platform/ids.ts'
import type { Metrics } from '../../platform/metrics.ts'
import { type AnswerOutcome, takePhoneAnswer } from './phone-answers.ts'

/** The longest text of WhatsApp in a form, each byte written as three. */
const bodyLimitBytes = 64 * 1024

const answersPath = /^\/phone\/([A-Za-z0-9_-]{1,80})\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/

/** What came, and which channel it came to. */
interface Request {
  readonly row: PhoneChannelRow
  readonly secret: string
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
  /** As the other side knows it. */
  readonly address: URL
  readonly nowMs: number
}

/** How an adapter proves a request, reads it, and is answered. */
interface Reader {
  /** Null where it is proved, else why it is not. */
  readonly refusal: (request: Request) => string | null
  readonly answer: (request: Request) => PhoneAnswer | null
  readonly send: (exchange: Exchange, outcome: AnswerOutcome) => void
}

const formOf = ({ body }: Request) => new URLSearchParams(body.toString('utf8'))

const twilio: Reader = {
  refusal: (request) => {
    const { secret, address, headers } = request
    const signature = headers['x-twilio-signature']
    if (typeof signature !== 'string') return 'not signed'
    return isSignedByTwilio(secret, address, formOf(request), signature) ? null : 'signed with another token'
  },
  answer: (request) => twilioAnswerOf(formOf(request), request.address.searchParams.get('delivery')),
  // nothing is sent back by the provider
  send: (exchange) =>
    sendText(exchange, 200, '<?xml version="1.0" encoding="UTF-8"?><Response/>', {
      'content-type': 'text/xml; charset=utf-8',
    }),
}

const header = (headers: IncomingHttpHeaders, name: string): string | undefined => {
  const value = headers[name]
  return typeof value === 'string' ? value : undefined
}

const own: Reader = {
  refusal: ({ secret, headers, body, nowMs }) =>
    refusalOfSigned(
      secret,
      {
        id: header(headers, 'webhook-id'),
        timestamp: header(headers, 'webhook-timestamp'),
        signatures: header(headers, 'webhook-signature'),
        body: body.toString('utf8'),
      },
      nowMs,
    ),
  answer: ({ headers, body, row }) => {
    const content = jsonOf(body)
    checkCallData(content)
    return ownAnswerOf(content, header(headers, 'webhook-id') ?? '', row.channel)
  },
  send: (exchange, outcome) => sendJson(exchange, 200, { result: { outcome } }),
}

const readers = { twilio, webhook: own }

/**
 * `POST /phone/{organization}/{channel}`: what the provider of SMS or WhatsApp says back, signed with the secret of that channel. See docs/adapters.md
 * and docs/decisions/0145.
 */
export function phoneAnswersHandler({ services, metrics }: { services: Services; metrics: Metrics }): Handler {
  const { log, config, clock } = services
  const strangers = rateLimit(config.rateLimits.perIpPerMinute)

  /** True when the answer is out: counted where nobody is proved, so that guessing is slow and a provider that sends thousands is not. */
  const isTooMany = (exchange: Exchange): boolean => {
    const waitMs = strangers.take(exchange.ip ?? '')
    if (waitMs <= 0) return false
    metrics.rateLimited.inc({ bucket: 'phone' })
    sendTooMany(exchange, waitMs, log)
    return true
  }

  return withinDeadline(log, async (exchange) => {
    exchange.route = 'phone'
    const { method, path, request } = exchange
    if (method !== 'POST') return sendText(exchange, 405, 'Use POST.\n', { allow: 'POST' })
    const [, orgId = '', id = ''] = answersPath.exec(path) ?? []
    const row = id === '' ? undefined : await rowOf(services, orgId, id)
    if (!row) return isTooMany(exchange) ? undefined : sendText(exchange, 404, 'Not found.\n')
    exchange.orgId = orgId
    const asked: Request = {
      row,
      secret: targetOf(services.sealed, orgId, row).secret,
      headers: request.headers,
      body: await readBody(request, bodyLimitBytes),
      address: new URL(request.url ?? '', config.publicUrl),
      nowMs: clock.now().getTime(),
    }
    const reader = readers[row.adapter]
    const refusal = reader.refusal(asked)
    if (refusal !== null) {
      if (isTooMany(exchange)) return
      log.warn({ orgId, channel: row.channel, reason: refusal }, 'an answer of a provider was refused')
      return sendText(exchange, 403, 'The signature is not valid.\n')
    }
    const answer = reader.answer(asked)
    if (!answer) return sendNothingKnown(exchange, row, reader)
    const outcome = await services.db.transaction(scopeOf(services, orgId, row.id), (tx) =>
      takePhoneAnswer({ ...services, tx, orgId }, row, answer),
    )
    if (outcome === 'unknown' || outcome === 'too_many')
      log.info({ orgId, channel: row.channel, kind: answer.kind, outcome }, 'an answer of a provider was not stored')
    reader.send(exchange, outcome)
  })
}

/** The provider sends statuses of no interest too; an own service has made a mistake. */
function sendNothingKnown(exchange: Exchange, row: PhoneChannelRow, reader: Reader): void {
  if (row.adapter === 'twilio') return reader.send(exchange, 'unknown')
  sendText(exchange, 400, 'Send a message.receipt or a message.received, see docs/adapters.md.\n')
}

const scopeOf = ({ clock }: Services, orgId: string, id: string | null) =>
  ({
    orgId,
    actor: { kind: id === null ? 'system' : 'api', id },
    action: 'phone-answer',
    requestId: newId(),
    clock,
  }) as const

const rowOf = (services: Services, orgId: string, id: string): Promise<PhoneChannelRow | undefined> =>
  services.db.transaction(scopeOf(services, orgId, null), (tx) => selectPhoneChannel(tx, orgId, id))
