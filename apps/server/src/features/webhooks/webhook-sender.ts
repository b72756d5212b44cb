import { maxWebhookAnswer } from '@tour-ops/contract/webhooks/webhooks'
import type { Services } from '../../context.ts'
import type { Tx } from '../../platform/db/database.ts'
import { askOutside, OutsideError } from '../../platform/http/outside-request.ts'
import { signedHeaders } from '../../platform/http/webhook-signature.ts'
import { newId } from '../../platform/ids.ts'
import { insideOrganization } from '../../platform/jobs/housekeeping.ts'
import { reportOutage } from '../../platform/outages.ts'
import type { Outcome } from './judge-answer.ts'
import { notifyOfOff } from './off-notice.ts'
import { openSecrets, signersAt } from './webhook-secrets.ts'
import { type Attempt, type Due, type Held, recordAttempt, takeNext } from './webhook-queue.ts'

/** Looks without being woken: retries are due, or a wake-up was lost. */
const lookEveryMs = 5_000
/** Endpoints that a process sends to at once; one that does not answer holds its place for as long as an attempt takes. */
const queuesAtOnce = 20
const timeoutMs = 10_000

interface Queue {
  readonly org_id: string
  readonly endpoint_id: string
}

/**
 * Sends what is queued for webhooks: each queue by one process at a time, in order, and none waits for another. What was sent and not recorded,
 * because a process was killed in between, is sent again under the same id.
 */
export class WebhookSender {
  readonly #services: Services
  readonly #running = new Map<string, Promise<void>>()
  readonly #stopping = new AbortController()
  #stopListening: (() => Promise<void>) | null = null
  #timer: NodeJS.Timeout | null = null

  constructor(services: Services) {
    this.#services = services
  }

  async start(): Promise<void> {
    this.#stopListening = await this.#services.db.listen('webhooks', () => void this.#look())
    this.#timer = setInterval(() => void this.#look(), lookEveryMs).unref()
    void this.#look()
  }

  /** What is on its way is given up, and sent again by the next process. */
  async stop(): Promise<void> {
    if (this.#timer) clearInterval(this.#timer)
    this.#stopping.abort()
    await this.#stopListening?.()
    await Promise.all(this.#running.values())
  }

  /** Sends everything that is due now. */
  async sendDue(): Promise<void> {
    await this.#begin()
    while (this.#running.size > 0) await Promise.all(this.#running.values())
  }

  async #look(): Promise<void> {
    try {
      await this.#begin()
    } catch (error) {
      this.#report(error)
    }
  }

  /** Begins with every queue that is due, as far as there is room. */
  async #begin(): Promise<void> {
    if (this.#stopping.signal.aborted) return
    const { db, clock } = this.#services
    const { rows } = await db.pool.query<Queue>('select org_id, endpoint_id from webhook_queues_due($1)', [clock.now()])
    for (const { org_id: orgId, endpoint_id: endpointId } of rows) {
      if (this.#running.size >= queuesAtOnce) return
      if (!this.#running.has(endpointId))
        this.#running.set(endpointId, this.#work({ orgId, endpointId, ticket: newId() }))
    }
  }

  /** One after the other until nothing is due; then looks again, for what came in meanwhile. */
  async #work(held: Held): Promise<void> {
    try {
      let due = await this.#inside(held, (tx) => takeNext(tx, held))
      while (due) {
        const attempt = await this.#attempt(held, due)
        if (!attempt) break
        due = await this.#inside(held, (tx) => this.#record(tx, held, attempt))
      }
      this.#running.delete(held.endpointId)
      await this.#begin()
    } catch (error) {
      this.#running.delete(held.endpointId)
      this.#report(error)
    }
  }

  async #record(tx: Tx, held: Held, attempt: Attempt): Promise<Due | null> {
    const { clock, live } = this.#services
    const recorded = await recordAttempt(tx, held, attempt, clock.now())
    if (!recorded) return null
    if (recorded.off) await notifyOfOff({ ...this.#services, tx, orgId: held.orgId }, attempt.due.url, recorded.off)
    const next = await takeNext(tx, held)
    // a long queue is shown when it is through, and not with each of its rows
    if (!next || recorded.verdict !== 'delivered') await live.announce(tx, 'webhook_endpoints', [held.endpointId])
    return next
  }

  /** Null when the process stops. */
  async #attempt({ orgId, endpointId }: Held, due: Due): Promise<Attempt | null> {
    const { sealed, clock, config } = this.#services
    const secrets = openSecrets(sealed, orgId, endpointId, due.secrets)
    if (!secrets) return { due, outcome: { fault: 'unsigned' }, durationMs: 0 }
    const { eventId, body, url } = due
    const now = clock.now()
    const begun = performance.now()
    const ended = (outcome: Outcome): Attempt => ({ due, outcome, durationMs: Math.round(performance.now() - begun) })
    try {
      const { status, headers, bytes } = await askOutside({
        url: new URL(url),
        text: body,
        headers: {
          'user-agent': 'tour-operations',
          ...signedHeaders(signersAt(secrets, now), { id: eventId, body, now }),
        },
        trustedHosts: config.webhookHosts,
        timeoutMs,
        maxBytes: maxWebhookAnswer,
        isCut: true,
        signal: this.#stopping.signal,
      })
      return ended({ status, body: storable(bytes), retryAfter: headers['retry-after'] })
    } catch (error) {
      if (this.#stopping.signal.aborted) return null
      return ended({ fault: error instanceof OutsideError && error.fault === 'private' ? 'private' : 'silent' })
    }
  }

  #inside<T>({ orgId }: Held, run: (tx: Tx) => Promise<T>): Promise<T> {
    return insideOrganization(this.#services, orgId, 'webhooks-send', run)
  }

  #report(error: unknown): void {
    const { log } = this.#services
    if (!reportOutage(log, error)) log.warn({ err: error }, 'webhooks could not be sent')
  }
}

/** An answer may be anything; the database takes no null characters. */
const storable = (bytes: Buffer): string => bytes.toString('utf8').replaceAll('\0', '')
