import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Services } from '../../context.ts'
import { withinDeadline } from '../../platform/http/deadline.ts'
import { type Exchange, type Handler, sendText } from '../../platform/http/exchange.ts'
import { rateLimit } from '../../platform/http/rate-limits.ts'
import { sendTooMany } from '../../platform/http/wire-error.ts'
import { newId } from '../../platform/ids.ts'
import type { Metrics } from '../../platform/metrics.ts'
import { hashOfToken } from '../../platform/operations/address-token.ts'
import { calendarText } from './calendar-text.ts'
import { type Feed, selectFeed } from './feed-departures.ts'

/** Calendars ask every quarter of an hour at most; several people may have the same feed. */
const requestsPerMinute = 60

const feedPath = /^\/calendar\/([A-Za-z0-9_-]{43})\.ics$/

interface Directory {
  readonly orgId: string
  readonly id: string
}

/** `GET /calendar/{token}.ics`. Unknown and ended addresses are answered alike, so that an answer reveals nothing. */
export function calendarHandler({ services, metrics }: { services: Services; metrics: Metrics }): Handler {
  const strangers = rateLimit(services.config.rateLimits.perIpPerMinute)
  const perFeed = rateLimit(requestsPerMinute)

  return withinDeadline(services.log, async (exchange) => {
    exchange.route = 'calendar'
    // the address is a secret: nobody lists it
    exchange.response.setHeader('x-robots-tag', 'noindex, nofollow')
    const { method, path, ip } = exchange
    if (method !== 'GET' && method !== 'HEAD')
      return sendText(exchange, 405, 'Calendars are read with GET.\n', { allow: 'GET, HEAD' })
    const token = feedPath.exec(path)?.[1]
    const found = token === undefined ? undefined : await directoryOf(services, token)
    // counted where nobody is known, so that guessing is slow and calendar services behind one address are not
    const waitMs = found ? perFeed.take(`${found.orgId} ${found.id}`) : strangers.take(ip ?? '')
    if (waitMs > 0) {
      metrics.rateLimited.inc({ bucket: 'calendar' })
      return sendTooMany(exchange, waitMs, services.log)
    }
    const feed = found && (await feedOf(services, found))
    if (!found || !feed) return sendText(exchange, 404, 'Not found.\n')
    exchange.orgId = found.orgId
    sendCalendar(exchange, calendarText(feed, services.config.publicUrl))
  })
}

const scopeOf = (orgId: string | null, clock: Services['clock']) =>
  ({ orgId, actor: { kind: 'system', id: null }, action: 'calendar-feed', requestId: newId(), clock }) as const

const directoryOf = ({ db, clock }: Services, token: string): Promise<Directory | undefined> =>
  db.transaction(scopeOf(null, clock), async (tx) => {
    const { rows } = await sql<Directory>`
      select org_id as "orgId", id from calendar_feed_of_token(${hashOfToken(token)})`.execute(tx)
    return rows[0]
  })

const feedOf = ({ db, clock }: Services, { orgId, id }: Directory): Promise<Feed | undefined> =>
  db.transaction(scopeOf(orgId, clock), (tx) => selectFeed(tx, orgId, id))

function sendCalendar(exchange: Exchange, text: string): void {
  const { request, response } = exchange
  const etag = `"${createHash('sha256').update(text).digest('base64url')}"`
  // asked every time, so that an ended address is ended for everybody; what is unchanged is not sent again
  const headers = { etag, 'cache-control': 'private, no-cache' }
  if (isNamed(etag, request.headers['if-none-match'])) {
    response.writeHead(304, headers)
    response.end()
    return
  }
  sendText(exchange, 200, text, {
    ...headers,
    'content-type': 'text/calendar; charset=utf-8',
    'content-disposition': 'inline; filename="departures.ics"',
  })
}

/** Whether `if-none-match` names this tag, by the weak comparison. Source: RFC 9110, 13.1.2. */
const isNamed = (etag: string, asked: string | undefined): boolean =>
  asked?.trim() === '*' || (asked ?? '').split(',').some((each) => each.trim().replace(/^W\//, '') === etag)
