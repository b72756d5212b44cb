import type { PhoneChannel } from '@tour-ops/contract/notifications/phone-channels'
import { sql } from 'kysely'
import type { Tx } from '../db/database.ts'
import { judgeMessages, judgeSentMessages } from './judge-messages.ts'
import { lockMessageOf } from './lock-message.ts'
import type { PhoneReceipt, ReceiptState } from './phone-answers.ts'

/** Statuses of a delivery that went well, in their order; each follows the one before. */
const goodStatuses = ['queued', 'sent', 'delivered', 'read'] as const

interface Delivery {
  readonly status: string
  readonly providerId: string | null
}

const isUuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/**
 * Writes what became of a text. Receipts come twice and in any order: an earlier status changes nothing any more, and a text that has arrived
 * does not fail. One that waits for another attempt is not sent again when the first has been taken after all.
 *
 * @returns false where there is no such text by that channel.
 */
export async function writeReceipt(
  tx: Tx,
  orgId: string,
  channel: PhoneChannel,
  receipt: PhoneReceipt,
): Promise<boolean> {
  const id = await findDelivery(tx, orgId, channel, receipt)
  const messageId = id && (await lockMessageOf(tx, orgId, id))
  if (!id || !messageId) return false
  const { rows } = await sql<Delivery>`
    select status, provider_id as "providerId" from deliveries where org_id = ${orgId} and id = ${id}`.execute(tx)
  const [delivery] = rows
  if (!delivery) return false
  for (const status of stepsTo(receipt, delivery)) await step(tx, orgId, id, status, receipt)
  const message = sql`m.id = ${messageId}`
  await judgeMessages(tx, orgId, message)
  await judgeSentMessages(tx, orgId, message)
  return true
}

async function findDelivery(
  tx: Tx,
  orgId: string,
  channel: PhoneChannel,
  { deliveryId, providerId }: PhoneReceipt,
): Promise<string | undefined> {
  const own = deliveryId !== null && isUuid.test(deliveryId) ? deliveryId : null
  const { rows } = await sql<{ id: string }>`
    select id from deliveries where org_id = ${orgId} and channel = ${channel} and id = ${own}
    union all select id from deliveries where org_id = ${orgId} and channel = ${channel} and provider_id = ${providerId}
    limit 1`.execute(tx)
  return rows[0]?.id
}

/** The statuses to go through, as the states of a delivery allow it. */
function stepsTo(
  { state, providerId }: PhoneReceipt,
  { status, providerId: known }: Delivery,
): readonly ReceiptState[] {
  const at = goodStatuses.findIndex((one) => one === status)
  if (at === -1) return []
  // of an earlier attempt, where another one was taken since
  const isOfOther = known !== null && known !== providerId
  if (state === 'failed') return at <= 1 && !(isOfOther && status === 'sent') ? ['failed'] : []
  return (['sent', 'delivered', 'read'] as const).slice(at, goodStatuses.indexOf(state))
}

const step = (
  tx: Tx,
  orgId: string,
  id: string,
  status: ReceiptState,
  { providerId, reason }: PhoneReceipt,
): Promise<unknown> =>
  sql`update deliveries set status = ${status}, provider_id = ${providerId}, error = ${reason},
      sent_at = coalesce(sent_at, app_now()),
      delivered_at = case when ${status} = 'delivered' then app_now() else delivered_at end,
      read_at = case when ${status} = 'read' then app_now() else read_at end
    where org_id = ${orgId} and id = ${id}`.execute(tx)
