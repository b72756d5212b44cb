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
