import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../db/database.ts'

/**
 * Locks the message of a delivery until the transaction ends, in a separate statement: the next statement then sees what the previous holder of
 * the lock wrote. Call it before changing the status of a delivery.
 *
 * @param within Condition over the message `m`, for who may reach it.
 * @returns id of the message; null where there is no such delivery in reach.
 */
export async function lockMessageOf(
  tx: Tx,
  orgId: string,
  deliveryId: string,
  within: RawBuilder<unknown> = sql`true`,
): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    select m.id from messages m
    where m.org_id = ${orgId} and m.id = (select d.message_id from deliveries d where d.org_id = ${orgId} and d.id = ${deliveryId})
      and ${within}
    for no key update`.execute(tx)
  return rows[0]?.id ?? null
}
