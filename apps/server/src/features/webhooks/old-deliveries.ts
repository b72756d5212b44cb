import { sql } from 'kysely'
import type { OrganizationSweep } from '../../platform/jobs/housekeeping.ts'

/** How long the log of webhooks goes back, days. What waited so long for an endpoint that is off is given up with it. */
const logDays = 30

/** Deletes what was sent to webhooks long ago. */
export const oldWebhookDeliveries: OrganizationSweep = {
  action: 'webhooks-forget',
  run: (tx, orgId) =>
    sql`delete from webhook_deliveries where org_id = ${orgId} and created_at < app_now() - make_interval(days => ${logDays})`.execute(
      tx,
    ),
}
