import { emailsFragment } from '@tour-ops/contract/notifications/opt-outs'
import type { Services } from '../../context.ts'
import { isProof } from '../../platform/channels/one-click.ts'
import { optOutOfDelivery } from '../../platform/channels/opt-outs.ts'
import { readBody } from '../../platform/http/body.ts'
import { withinDeadline } from '../../platform/http/deadline.ts'
import { type Exchange, type Handler, sendText } from '../../platform/http/exchange.ts'
import { rateLimit } from '../../platform/http/rate-limits.ts'
import { sendTooMany } from '../../platform/http/wire-error.ts'
import { newId } from '../../platform/ids.ts'
import type { Metrics } from '../../platform/metrics.ts'

/** A form of one field, also as several parts. */
const bodyLimitBytes = 4096

const address = /^\/unsubscribe\/([A-Za-z0-9_-]{1,80})\/([0-9a-f-]{36})\/([A-Za-z0-9_-]{43})$/
const guestPage = /^\/share\/[A-Za-z0-9_-]+$/

/**
 * `POST /unsubscribe/{organization}/{delivery}/{proof}`: a mail program says for its owner that they want only the e-mails that are needed. Opening the address
 * changes nothing and leads to the page of the choice. Source: RFC 8058.
 */
export function unsubscribeHandler({ services, metrics }: { services: Services; metrics: Metrics }): Handler {
  const perIp = rateLimit(services.config.rateLimits.perIpPerMinute)

  return withinDeadline(services.log, async (exchange) => {
    exchange.route = 'unsubscribe'
    exchange.response.setHeader('x-robots-tag', 'noindex, nofollow')
    const { method, path, ip, request } = exchange
    const waitMs = perIp.take(ip ?? '')
    if (waitMs > 0) {
      metrics.rateLimited.inc({ bucket: 'unsubscribe' })
      return sendTooMany(exchange, waitMs, services.log)
    }
    const [, orgId, deliveryId, proof] = address.exec(path) ?? []
    if (!orgId || !deliveryId || !proof || !isProof(services.config.secret, orgId, deliveryId, proof))
      return sendText(exchange, 404, 'Not found.\n')
    exchange.orgId = orgId
    if (method === 'GET' || method === 'HEAD') return toPage(exchange)
    if (method !== 'POST') return sendText(exchange, 405, 'Use POST.\n', { allow: 'GET, HEAD, POST' })
    const body = (await readBody(request, bodyLimitBytes)).toString('utf8')
    if (!saysOneClick(body)) return sendText(exchange, 400, 'Post List-Unsubscribe=One-Click.\n')
    const isKnown = await services.db.transaction(
      {
        orgId,
        actor: { kind: 'system', id: null },
        action: 'emails-unsubscribe',
        requestId: newId(),
        clock: services.clock,
      },
      (tx) => optOutOfDelivery(tx, orgId, deliveryId),
    )
    if (!isKnown) return sendText(exchange, 404, 'Not found.\n')
    sendText(exchange, 200, 'You get only the e-mails that are needed for your booking.\n')
  })
}

/** As a form, or as a form of parts: both are allowed. */
const saysOneClick = (body: string): boolean =>
  new URLSearchParams(body).get('List-Unsubscribe') === 'One-Click' ||
  /name="?List-Unsubscribe"?[^\n]*\r?\n\r?\n\s*One-Click\s/.test(body)

function toPage(exchange: Exchange): void {
  const page = new URLSearchParams(exchange.request.url?.split('?', 2)[1] ?? '').get('page') ?? ''
  if (!guestPage.test(page)) return sendText(exchange, 404, 'Not found.\n')
  exchange.response.writeHead(303, { location: `${page}#${emailsFragment}` })
  exchange.response.end()
}
