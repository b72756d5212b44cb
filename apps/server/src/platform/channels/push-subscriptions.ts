import { sql } from 'kysely'
import type { Tx } from '../db/database.ts'

/** A browser, as a notice is sent to it. */
export interface PushSubscriptionRow {
  readonly endpoint: string
  readonly p256dh: string
  readonly auth: string
}

/** Where a delivery goes, and what a press on it opens; undefined where the browser takes no more notices. */
export async function selectPushTarget(
  tx: Tx,
  orgId: string,
  deliveryId: string,
): Promise<(PushSubscriptionRow & { readonly id: string; readonly link: string }) | undefined> {
  const { rows } = await sql<PushSubscriptionRow & { id: string; link: string }>`
    select s.id, s.endpoint, s.p256dh, s.auth, coalesce(d.link, '/') as link
    from deliveries d join push_subscriptions s on s.org_id = d.org_id and s.id = d.push_subscription_id
    where d.org_id = ${orgId} and d.id = ${deliveryId}`.execute(tx)
  return rows[0]
}

/** What a push service said is over. */
export async function endPushSubscription(tx: Tx, orgId: string, id: string): Promise<void> {
  await sql`delete from push_subscriptions where org_id = ${orgId} and id = ${id}`.execute(tx)
}
