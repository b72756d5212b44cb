import { maxWebhookAnswer } from '@tour-ops/contract/webhooks/webhooks'
import { sql } from 'kysely'
import type { Tx } from '../../platform/db/database.ts'
import { failingDays, maxAttempts, type Outcome, pauseSeconds, type Verdict, verdictOf } from './judge-answer.ts'

/** A queue that somebody works on. */
export interface Held {
  readonly orgId: string
  readonly endpointId: string
  /** Of whoever works on it. */
  readonly ticket: string
}

/** What is sent next. */
export interface Due {
  readonly id: string
  readonly url: string
  readonly secrets: Buffer
  readonly eventId: string
  readonly body: string
  readonly attempts: number
}

/** Longer than an attempt takes; then whoever held the queue was killed, and another one sends. */
const holdSeconds = 30

/** Takes a queue, or holds it for longer, and reads what is first in it. Gives it back where nothing is due. */
export async function takeNext(tx: Tx, { orgId, endpointId, ticket }: Held): Promise<Due | null> {
  const { rows: taken } = await sql<{ url: string; secrets: Buffer }>`
    update webhook_queues q set taken_by = ${ticket}, taken_until = app_now() + make_interval(secs => ${holdSeconds})
    from webhook_endpoints w where w.org_id = q.org_id and w.id = q.endpoint_id and w.is_on
      and q.org_id = ${orgId} and q.endpoint_id = ${endpointId} and coalesce(q.paused_until, app_now()) <= app_now()
      and (q.taken_by = ${ticket} or coalesce(q.taken_until, app_now()) <= app_now())
    returning w.url, q.secrets_sealed as secrets`.execute(tx)
  const { rows } = taken[0] ? await selectFirst(tx, orgId, endpointId) : { rows: [] }
  if (taken[0] && rows[0]) return { ...taken[0], ...rows[0] }
  await sql`update webhook_queues set taken_by = null, taken_until = null
    where org_id = ${orgId} and endpoint_id = ${endpointId} and taken_by = ${ticket}`.execute(tx)
  return null
}

const selectFirst = (tx: Tx, orgId: string, endpointId: string) =>
  sql<Omit<Due, 'url' | 'secrets'>>`
    select id, event_id as "eventId", body::text as body, attempts::int as attempts from webhook_deliveries
    where org_id = ${orgId} and endpoint_id = ${endpointId} and status = 'queued' and next_attempt_at <= app_now()
    order by seq limit 1`.execute(tx)

/** What was tried. */
export interface Attempt {
  readonly due: Due
  readonly outcome: Outcome
  readonly durationMs: number
}

/** Why an endpoint is switched off. */
export type OffReason = 'gone' | 'failing'

export interface Recorded {
  readonly verdict: Verdict
  readonly off: OffReason | null
}

/**
 * Writes what came of an attempt, and what it means for the endpoint.
 *
 * @returns null when somebody else has the queue by now, whose attempts count.
 */
export async function recordAttempt(tx: Tx, held: Held, attempt: Attempt, now: Date): Promise<Recorded | null> {
  const { orgId, endpointId, ticket } = held
  const verdict = verdictOf(attempt.outcome)
  const attempts = attempt.due.attempts + 1
  const pause = pauseSeconds(attempts, attempt.outcome, now)
  const { rows } = await sql<{ isLost: boolean }>`
    update webhook_queues set
      failing_since = case when ${verdict === 'failing'} then coalesce(failing_since, app_now()) end,
      paused_until = case when ${verdict === 'failing'} then app_now() + make_interval(secs => ${pause}) end
    where org_id = ${orgId} and endpoint_id = ${endpointId} and taken_by = ${ticket}
    returning coalesce(failing_since <= app_now() - make_interval(days => ${failingDays}), false) as "isLost"`.execute(
    tx,
  )
  const [queue] = rows
  if (!queue) return null
  await recordAnswer(tx, orgId, attempt, { status: statusAfter(verdict, attempts), attempts, pause })
  const off = verdict === 'gone' ? 'gone' : queue.isLost ? 'failing' : null
  if (off) {
    await sql`update webhook_endpoints set is_on = false, off_reason = ${off}
      where org_id = ${orgId} and id = ${endpointId} and is_on`.execute(tx)
  }
  return { verdict, off }
}

function statusAfter(verdict: Verdict, attempts: number): 'delivered' | 'failed' | 'queued' {
  if (verdict === 'delivered') return 'delivered'
  return verdict === 'gone' || attempts >= maxAttempts ? 'failed' : 'queued'
}

async function recordAnswer(
  tx: Tx,
  orgId: string,
  { due, outcome, durationMs }: Attempt,
  { status, attempts, pause }: { status: string; attempts: number; pause: number },
): Promise<void> {
  const answer = 'fault' in outcome ? null : outcome
  await sql`
    update webhook_deliveries set status = ${status}, attempts = ${attempts}, attempted_at = app_now(), duration_ms = ${durationMs},
      next_attempt_at = app_now() + make_interval(secs => ${pause}), answer_status = ${answer?.status ?? null},
      answer_body = ${answer?.body.slice(0, maxWebhookAnswer) ?? null}, fault = ${'fault' in outcome ? outcome.fault : null}
    where org_id = ${orgId} and id = ${due.id} and status = 'queued'`.execute(tx)
}
