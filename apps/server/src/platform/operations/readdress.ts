import { sql } from 'kysely'
import { unwantedReason } from '../channels/opt-outs.ts'
import type { Tx } from '../db/database.ts'

/**
 * An address that was corrected meanwhile, perhaps because the first attempt failed, is the one that counts.
 *
 * @returns why it is not sent, where its owner does without messages of the kind.
 */
export async function readdress(
  tx: Tx,
  orgId: string,
  deliveryId: string,
  kind: string,
  to: string,
): Promise<'opted_out' | 'said_stop' | null> {
  const { rows } = await sql<{ reason: 'opted_out' | 'said_stop' | null }>`
    update deliveries d set recipient = ${to} where org_id = ${orgId} and id = ${deliveryId} and recipient <> ${to}
    returning ${unwantedReason(sql.ref('d.org_id'), sql.ref('d.recipient'), sql.ref('d.channel'), sql`${kind}::text`)} as reason`.execute(
    tx,
  )
  return rows[0]?.reason ?? null
}
