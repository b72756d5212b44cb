import type pg from 'pg'
import { newId } from '../src/platform/ids.ts'
import { withoutTriggers } from './former-rows.ts'

export type DeliveryStatus = 'sent' | 'failed' | 'queued' | 'suppressed'

/** Writes a message and its deliveries as they were at some time, bypassing the state machines. The queued ones are due. */
export async function addMessage(
  ownerPool: pg.Pool,
  orgId: string,
  status: string,
  deliveries: readonly DeliveryStatus[],
): Promise<{ id: string; deliveries: string[] }> {
  const made = { id: newId(), deliveries: deliveries.map(() => newId()) }
  await withoutTriggers(ownerPool, async (client) => {
    await client.query(
      `insert into messages (org_id, id, source, status, kind) values ($1, $2, 'system', $3, 'other')`,
      [orgId, made.id, status],
    )
    for (const [index, delivery] of deliveries.entries()) {
      await client.query(
        `insert into deliveries (org_id, id, message_id, recipient, channel, status, next_attempt_at)
         values ($1, $2, $3, $4, 'email', $5, now())`,
        [orgId, made.deliveries[index], made.id, `guest${index}@example.com`, delivery],
      )
    }
  })
  return made
}
