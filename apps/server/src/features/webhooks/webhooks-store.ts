import type { Given, Out } from '@tour-ops/contract/callable'
import type {
  listWebhookDeliveries,
  listWebhooks,
  Webhook,
  WebhookDelivery,
} from '@tour-ops/contract/webhooks/webhooks'
import { sql } from 'kysely'
import type { MemberCall } from '../../context.ts'
import { allOf, iso, isoOrNull, isOneOf, isOneOfIds, orderBy } from '../../platform/list-query.ts'
import { selectPage } from '../../platform/select-page.ts'

type Moments = 'secretMadeAt' | 'lastAttemptAt' | 'failingSince' | 'nextAttemptAt'

interface EndpointRow extends Omit<Webhook, Moments> {
  secretMadeAt: Date
  lastAttemptAt: Date | null
  failingSince: Date | null
  nextAttemptAt: Date | null
}

/** Every endpoint with how sending to it is going, in the order in which they were added. */
export async function selectWebhooks(call: MemberCall): Promise<Out<typeof listWebhooks>> {
  const { rows } = await sql<EndpointRow>`
    select w.id, w.version, w.url, w.description, w.event_kinds as events, w.is_on as "isOn", w.off_reason as "offReason",
      w.secret_hint as "secretHint", w.secret_made_at as "secretMadeAt", l.attempted_at as "lastAttemptAt", l.status as "lastStatus",
      q.failing_since as "failingSince", case when w.is_on then q.paused_until end as "nextAttemptAt",
      (select count(*)::int from webhook_deliveries d where d.org_id = w.org_id and d.endpoint_id = w.id and d.status = 'queued') as queued
    from webhook_endpoints w join webhook_queues q on q.org_id = w.org_id and q.endpoint_id = w.id
    left join lateral (select d.attempted_at, d.status from webhook_deliveries d
      where d.org_id = w.org_id and d.endpoint_id = w.id and d.attempted_at is not null order by d.attempted_at desc limit 1) l on true
    where w.org_id = ${call.orgId} order by w.created_at, w.id`.execute(call.tx)
  return {
    rows: rows.map((row) => ({
      ...row,
      secretMadeAt: iso(row.secretMadeAt),
      lastAttemptAt: isoOrNull(row.lastAttemptAt),
      failingSince: isoOrNull(row.failingSince),
      nextAttemptAt: isoOrNull(row.nextAttemptAt),
    })),
  }
}

interface DeliveryRow extends Omit<WebhookDelivery, 'createdAt' | 'attemptedAt' | 'dueAt'> {
  createdAt: Date
  attemptedAt: Date | null
  dueAt: Date | null
}

/** The log, the newest first. */
export async function selectDeliveries(
  call: MemberCall,
  input: Given<typeof listWebhookDeliveries>,
): Promise<Out<typeof listWebhookDeliveries>> {
  const { filters = {}, q } = input
  const where = allOf([
    sql`d.org_id = ${call.orgId}`,
    isOneOfIds(sql`d.endpoint_id`, filters.endpointId),
    isOneOf(sql`d.status`, filters.status),
    isOneOf(sql`d.kind`, filters.kind),
    q !== '' && sql`searchable(d.body::text) like '%' || searchable(${q}) || '%'`,
  ])
  const { rows, total } = await selectPage<DeliveryRow>(call.tx, {
    columns: sql`d.id, d.endpoint_id as "endpointId", w.url, d.event_id as "eventId", d.kind, d.body::text as body, d.status, d.attempts::int as attempts,
      d.created_at as "createdAt", d.attempted_at as "attemptedAt",
      case when d.status = 'queued' and w.is_on then greatest(d.next_attempt_at, q.paused_until) end as "dueAt",
      d.answer_status::int as "answerStatus", d.answer_body as "answerBody", d.fault, d.duration_ms as "durationMs"`,
    from: sql`from webhook_deliveries d join webhook_endpoints w on w.org_id = d.org_id and w.id = d.endpoint_id
      join webhook_queues q on q.org_id = d.org_id and q.endpoint_id = d.endpoint_id where ${where}`,
    order: orderBy(input.sort, { createdAt: sql`d.created_at` }, sql`d.created_at desc, d.seq desc`),
    page: input,
  })
  return {
    total,
    rows: rows.map((row) => ({
      ...row,
      createdAt: iso(row.createdAt),
      attemptedAt: isoOrNull(row.attemptedAt),
      dueAt: isoOrNull(row.dueAt),
    })),
  }
}
