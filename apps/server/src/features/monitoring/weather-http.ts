import { refuse } from '@tour-ops/contract/refusals'
import { WeatherCancellation, WeatherReport } from '@tour-ops/contract/monitoring/weather-warnings'
import { sql } from 'kysely'
import type { Services } from '../../context.ts'
import { checkCallData } from '../../platform/call-data.ts'
import { fieldIssuesOf } from '../../platform/field-errors.ts'
import { jsonOf, readBody } from '../../platform/http/body.ts'
import { withinDeadline } from '../../platform/http/deadline.ts'
import { type Handler, sendJson, sendText } from '../../platform/http/exchange.ts'
import { rateLimit } from '../../platform/http/rate-limits.ts'
import { sendTooMany } from '../../platform/http/wire-error.ts'
import { newId } from '../../platform/ids.ts'
import type { Metrics } from '../../platform/metrics.ts'
import { hashOfToken } from '../../platform/operations/address-token.ts'
import { writeReport } from './weather-reports.ts'

/** An outline of 100 corners and the longest texts are a sixth of it. */
const bodyLimitBytes = 64 * 1024
/** Services report a handful of warnings an hour. */
const reportsPerMinute = 60

const reportPath = /^\/weather\/([A-Za-z0-9_-]{43})\/?$/

interface Source {
  readonly orgId: string
  readonly id: string
}

/**
 * `POST /weather/{token}` with a `WeatherReport` as JSON, answered by what became of it. Unknown and ended addresses are answered alike. See
 * docs/decisions/0138.
 */
export function weatherHandler({ services, metrics }: { services: Services; metrics: Metrics }): Handler {
  const strangers = rateLimit(services.config.rateLimits.perIpPerMinute)
  const perSource = rateLimit(reportsPerMinute)

  return withinDeadline(services.log, async (exchange) => {
    exchange.route = 'weather'
    const { method, path, ip } = exchange
    if (method !== 'POST') return sendText(exchange, 405, 'Warnings are sent with POST.\n', { allow: 'POST' })
    const token = reportPath.exec(path)?.[1]
    const source = token === undefined ? undefined : await sourceOf(services, token)
    // counted where nobody is known, so that guessing is slow and services behind one address are not
    const waitMs = source ? perSource.take(source.id) : strangers.take(ip ?? '')
    if (waitMs > 0) {
      metrics.rateLimited.inc({ bucket: 'weather' })
      return sendTooMany(exchange, waitMs, services.log)
    }
    if (!source) return sendText(exchange, 404, 'Not found.\n')
    exchange.orgId = source.orgId
    const report = reportOf(jsonOf(await readBody(exchange.request, bodyLimitBytes)))
    const outcome = await services.db.transaction(scopeOf(source, services.clock), (tx) =>
      writeReport(tx, source.orgId, report),
    )
    sendJson(exchange, 200, { result: { id: report.id, outcome } })
  })
}

/** @throws AppError `invalid-argument`, with the fields. */
function reportOf(content: unknown): WeatherReport | WeatherCancellation {
  checkCallData(content)
  const isCancelled = typeof content === 'object' && content !== null && Object(content).cancelled === true
  const parsed = (isCancelled ? WeatherCancellation : WeatherReport).safeParse(content)
  if (!parsed.success) throw refuse('entries_refused', undefined, { fields: fieldIssuesOf(parsed.error) })
  return parsed.data
}

const scopeOf = ({ orgId, id }: { orgId: string | null; id: string | null }, clock: Services['clock']) =>
  ({
    orgId,
    actor: { kind: id === null ? 'system' : 'api', id },
    action: 'weather-report',
    requestId: newId(),
    clock,
  }) as const

const sourceOf = ({ db, clock }: Services, token: string): Promise<Source | undefined> =>
  db.transaction(scopeOf({ orgId: null, id: null }, clock), async (tx) => {
    const { rows } = await sql<Source>`
      select org_id as "orgId", id from weather_source_of_token(${hashOfToken(token)})`.execute(tx)
    return rows[0]
  })
