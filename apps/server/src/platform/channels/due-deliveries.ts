import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../db/database.ts'
import type { ChannelKind } from './channels.ts'
import { attemptsAfter, errorOf, nextStatus, type Outcome, pauseSeconds } from './delivery-outcome.ts'
import { judgeMessages } from './judge-messages.ts'
import type { HomeZones } from './home-zones.ts'
import { isQuiet } from './quiet-hours.ts'

/** Messages taken at once; of those, `mailsAtOnce` are on their way at a time, and a crash repeats at most as many. */
export const batchSize = 50

/** A delivery that is taken now. */
export interface Due {
  readonly id: string
  /** Of an organization's delivery. */
  readonly messageId?: string
  readonly to: string
  readonly channel: ChannelKind
  readonly subject: string | null
  readonly body: string | null
  readonly attempts: number
  /** Of the organization, for its own e-mails. */
  readonly senderName?: string | null
  readonly replyTo?: string | null
}

/** A delivery, and what became of it. */
export interface Ended {
  readonly due: Due
  readonly outcome: Outcome
}

/** What the organization's settings say about its e-mails. */
const ownRule = (orgId: string, name: 'senderName' | 'replyTo'): RawBuilder<string | null> =>
  sql`(select s.notification_rules ->> ${name} from org_settings s where s.org_id = ${orgId}) as ${sql.ref(name)}`

/** Counts an attempt of each; `nextMs` tells when another one is due. @param resting Channels of which nothing is taken. */
export async function takeDue(
  tx: Tx,
  orgId: string,
  resting: readonly ChannelKind[],
  homes: HomeZones,
): Promise<{ readonly due: Due[]; readonly nextMs: number }> {
  const isTaken = sql`channel <> all (${resting}::text[])`
  const { rows: due } = await sql<Due>`
    update deliveries set attempts = attempts + 1, next_attempt_at = app_now() + interval '2 minutes', quiet_zone = null
    where org_id = ${orgId} and id in (
      select v.id from deliveries v where v.org_id = ${orgId} and v.status = 'queued' and coalesce(v.next_attempt_at, v.created_at) <= app_now()
        -- what came in since others were told to wait
        and not ${isQuiet(homes)} and v.${isTaken}
      order by v.next_attempt_at limit ${batchSize} for update skip locked)
    returning id, message_id as "messageId", recipient as "to", channel, subject, body, attempts, ${ownRule(orgId, 'senderName')}, ${ownRule(orgId, 'replyTo')}`.execute(
    tx,
  )
  const { rows } = await sql<{ waitMs: number | null }>`
    select ceil(extract(epoch from min(next_attempt_at) - app_now()) * 1000)::float8 as "waitMs" from deliveries
    where org_id = ${orgId} and status = 'queued' and ${isTaken}`.execute(tx)
  return { due, nextMs: Math.max(0, rows[0]?.waitMs ?? Infinity) }
}

/**
 * Writes what became of deliveries; a message is done when none of its deliveries waits any more. Messages are locked first, so that
 * deliveries of them that end or are sent again at the same moment are judged one after another.
 */
export async function recordOutcomes(tx: Tx, orgId: string, ended: readonly Ended[]): Promise<void> {
  const rows = ended.map(({ due: { id, attempts }, outcome }) => ({
    id,
    status: nextStatus(outcome, attempts),
    error: errorOf(outcome),
    providerId: outcome.status === 'sent' ? outcome.providerId : null,
    reason: outcome.status === 'suppressed' ? outcome.reason : null,
    attempts: attemptsAfter(outcome, attempts),
    pause: pauseSeconds(outcome, attempts),
  }))
  const messages = sql`m.id = any (${ended.flatMap(({ due }) => due.messageId ?? [])}::uuid[])`
  await sql`select from messages m where m.org_id = ${orgId} and ${messages} order by m.id for no key update`.execute(
    tx,
  )
  await sql`
    update deliveries d set status = r.status, error = r.error, provider_id = r."providerId", suppressed_reason = r.reason, attempts = r.attempts,
      sent_at = case when r.status = 'sent' then app_now() end, next_attempt_at = app_now() + make_interval(secs => r.pause)
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as r (id uuid, status text, error text, "providerId" text, reason text, attempts int, pause int)
    where d.org_id = ${orgId} and d.id = r.id and d.status = 'queued'`.execute(tx)
  await judgeMessages(tx, orgId, messages)
}
