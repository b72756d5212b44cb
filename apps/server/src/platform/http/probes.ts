import { createHash, timingSafeEqual } from 'node:crypto'
import { reportOutage } from '../outages.ts'
import type { Config } from '../../config.ts'
import type { Services } from '../../context.ts'
import type { Metrics } from '../metrics.ts'
import { isPrivateAddress } from './client-address.ts'
import { sendJson, sendText, type Exchange, type Handler } from './exchange.ts'

/** A database that needs longer for `select 1` is not ready. */
const databaseAnswerMs = 2_000

/** What the endpoints for machines report. */
export interface ProbeParts {
  readonly config: Config
  readonly services: Services
  readonly metrics: Metrics
  /** The text of `/openapi.json`. */
  readonly openApi: string
  readonly isClosing: () => boolean
}

/** The addresses for machines: `/healthz`, `/readyz`, `/metrics`, `/openapi.json`; undefined for every other address. */
export function probes(parts: ProbeParts): (path: string) => Handler | undefined {
  const answers = new Map<string, Handler>([
    ['/healthz', (exchange) => health(exchange, parts)],
    ['/readyz', (exchange) => readiness(exchange, parts)],
    ['/metrics', (exchange) => metrics(exchange, parts)],
    ['/openapi.json', (exchange) => description(exchange, parts)],
  ])
  return (path) => answers.get(path)
}

function description(exchange: Exchange, { openApi }: ProbeParts): void {
  sendText(exchange, 200, openApi, { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-cache' })
}

/** The process answers, and so does what it started itself: a database elsewhere says nothing about this process. */
function health(exchange: Exchange, { services }: ProbeParts): void {
  if (services.db.isRunning()) return sendJson(exchange, 200, { status: 'ok' })
  sendJson(exchange, 503, { status: 'the database is being started again' }, { 'retry-after': '1' })
}

async function readiness(exchange: Exchange, { services, isClosing }: ProbeParts): Promise<void> {
  const status = isClosing() ? 'closing' : (await databaseAnswers(services)) ? 'ready' : 'the database does not answer'
  sendJson(exchange, status === 'ready' ? 200 : 503, { status })
}

async function databaseAnswers({ db, log }: ProbeParts['services']): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const tooLate = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${databaseAnswerMs} ms`)), databaseAnswerMs)
  })
  try {
    await Promise.race([db.pool.query('select 1'), tooLate])
    return true
  } catch (error) {
    if (!reportOutage(log, error)) log.warn({ err: error }, 'not ready: the database does not answer')
    return false
  } finally {
    clearTimeout(timer)
  }
}

/** Figures reveal to a stranger how busy an operator is: they are for this computer, private networks, or anyone who has the token. */
async function metrics(exchange: Exchange, { config, metrics: { registry } }: ProbeParts): Promise<void> {
  if (!mayReadMetrics(exchange, config.metricsToken)) {
    sendText(exchange, 403, 'Metrics are for private networks, or for the bearer METRICS_TOKEN.\n')
    return
  }
  sendText(exchange, 200, await registry.metrics(), { 'content-type': registry.contentType })
}

function mayReadMetrics({ ip, request }: Exchange, token: string | null): boolean {
  if (token === null) return isPrivateAddress(ip)
  const given = /^Bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? ''
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(given), digest(token))
}
