import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../db/database.ts'

/**
 * Ends messages of which no delivery waits any more. Lock them before their deliveries change, see `lockMessageOf`: of two who end the last
 * deliveries at the same moment, the second then sees what the first wrote.
 *
 * @param ids Of messages `m`, as a condition: `m.id = …`.
 */
export async function judgeMessages(tx: Tx, orgId: string, ids: RawBuilder<unknown>): Promise<void> {
  const deliveries = sql`from deliveries d where d.org_id = m.org_id and d.message_id = m.id`
  // counting all of them is left to the last one
  await sql`update messages m set status = message_status(m.org_id, m.id), sent_at = app_now()
    where m.org_id = ${orgId} and ${ids} and m.status = 'sending'
      and not exists (select ${deliveries} and d.status = 'queued') and exists (select ${deliveries})`.execute(tx)
}

/** Judges messages again whose deliveries had ended: a provider said later that one of them did not arrive. Lock them before, as above. */
export async function judgeSentMessages(tx: Tx, orgId: string, ids: RawBuilder<unknown>): Promise<void> {
  const judged = sql`message_status(m.org_id, m.id)`
  await sql`update messages m set status = ${judged}
    where m.org_id = ${orgId} and ${ids} and m.status in ('sent', 'partly_failed') and ${judged} in ('partly_failed', 'failed') and ${judged} <> m.status`.execute(
    tx,
  )
}
