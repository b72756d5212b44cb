import type { Given, Out } from '@tour-ops/contract/callable'
import {
  type getOutboxPace,
  type listOutbox,
  maxNamedDepartures,
  type OutboxRow,
} from '@tour-ops/contract/notifications/notifications'
import { sql, type RawBuilder } from 'kysely'
import type { MemberCall } from '../../context.ts'
import { lockMessageOf } from '../../platform/channels/lock-message.ts'
import { allOf, type Condition, iso, isoOrNull, isOneOf, orderBy } from '../../platform/list-query.ts'
import { selectPage } from '../../platform/select-page.ts'

type Input = Given<typeof listOutbox>

interface Row extends Omit<OutboxRow, 'createdAt' | 'dueAt' | 'sentAt' | 'deliveredAt'> {
  createdAt: Date
  dueAt: Date | null
  sentAt: Date | null
  deliveredAt: Date | null
}

/**
 * Deliveries of the organization; for administrators also the e-mails of the identity service to its members. Their text opens
 * accounts, so it is left out where a mail server delivers it. Where none does, administrators of the installation's first
 * organization also read the e-mails to people who belong to no organization yet, since nobody else can hand them over.
 * Invitations carry a link too: only those who may invite read them. See docs/decisions/0017.
 */
const everything = (call: MemberCall): RawBuilder<unknown> => {
  const manages = call.role === 'admin'
  const isReadHere = call.channels.delivery === 'outbox'
  const newcomers = isReadHere ? sql`union all ${identityEmails('emails_to_newcomers', true)}` : sql``
  const emails = manages ? sql`union all ${identityEmails('letters', isReadHere)} ${newcomers}` : sql``
  return sql`
    select d.id::text as id, 'organization' as source, m.kind, d.channel, d.recipient as "to", coalesce(d.subject, m.subject) as subject,
      case when m.kind = 'invitation' and not ${manages} then null else coalesce(d.body, m.body) end as body,
      d.status, d.error, d.suppressed_reason, d.attempts::int as attempts, d.created_at, d.sent_at, d.delivered_at, m.departure_id,
      case when d.status = 'queued' then d.next_attempt_at end as due_at, case when d.status = 'queued' then d.quiet_zone end as quiet_zone,
      case when m.source = 'manual' and d.status = 'queued' and d.attempts = 0 then m.id end as message_id,
      case when m.texts is not null then m.audience end as audience
    from deliveries d join messages m on m.org_id = d.org_id and m.id = d.message_id
    where d.org_id = ${call.orgId} and ${isInLog(call)}
    ${emails}`
}

/** Whether a message `m` is in the log: not the notices that somebody with scope `own` wrote to colleagues, which are about no departure. */
const isInLog = ({ scope }: MemberCall): RawBuilder<boolean> =>
  scope === 'all' ? sql<boolean>`true` : sql<boolean>`m.departure_id is not null`

const identityEmails = (from: 'letters' | 'emails_to_newcomers', withText: boolean): RawBuilder<unknown> => sql`
    select l.id, 'identity', l.kind, 'email', l.recipient, l.subject, case when ${withText} then l.body end,
      l.status, l.error, null, l.attempts, l.created_at, l.sent_at, null, null, null, null, null, null
    from identity.${sql.raw(from)}() l`

/** Which departures a delivery `o` was written for; null where it is about none. The codes are those that the reader may see. */
const meant = (orgId: string): RawBuilder<unknown> => sql`
  case when jsonb_array_length(o.audience -> 'departureIds') > 0 then jsonb_build_object(
    'departures', (select coalesce(jsonb_agg(jsonb_build_object('id', chosen.id, 'code', chosen.code) order by chosen.code, chosen.id), '[]') from (
      select d.id, d.code from departures d where d.org_id = ${orgId}
        and d.id in (select id::uuid from jsonb_array_elements_text(o.audience -> 'departureIds') as given(id))
      order by d.code, d.id limit ${maxNamedDepartures}) chosen),
    'count', jsonb_array_length(o.audience -> 'departureIds'),
    'onlyAboard', coalesce((o.audience ->> 'onlyAboard')::boolean, false)) end`

/** Of the chosen departures; what was written to the guests of several is about each of them. */
const isAbout = (ids: readonly string[] | undefined): Condition =>
  ids && ids.length > 0
    ? sql`(o.departure_id = any (${[...ids]}::uuid[]) or o.audience -> 'departureIds' ?| ${[...ids]}::text[])`
    : undefined

const sortColumns = { createdAt: sql`o.created_at`, to: sql`o."to"`, status: sql`o.status`, kind: sql`o.kind` }

export async function selectOutbox(call: MemberCall, input: Input): Promise<{ rows: OutboxRow[]; total: number }> {
  const { filters = {}, q } = input
  const where = allOf([
    isOneOf(sql`o.status`, filters.status),
    isOneOf(sql`o.channel`, filters.channel),
    isOneOf(sql`o.source`, filters.source),
    isAbout(filters.departureId),
    q !== '' &&
      sql`searchable(o."to" || ' ' || coalesce(o.subject, '') || ' ' || o.kind) like '%' || searchable(${q}) || '%'`,
  ])
  const found = await selectPage<Row>(call.tx, {
    columns: sql`o.id, o.source, o.kind, ${meant(call.orgId)} as meant, o.channel, o."to", o.subject, o.body, o.status, o.error, o.suppressed_reason as "suppressedReason", o.attempts,
      o.message_id as "messageId", o.due_at as "dueAt", o.quiet_zone as "quietZone", o.created_at as "createdAt", o.sent_at as "sentAt", o.delivered_at as "deliveredAt"`,
    from: sql`from (${everything(call)}) o where ${where}`,
    order: orderBy(input.sort, sortColumns, sql`o.created_at desc, o.id desc`),
    page: input,
  })
  return { total: found.total, rows: found.rows.map(asAnswer) }
}

const asAnswer = (row: Row): OutboxRow => ({
  id: row.id,
  messageId: row.messageId,
  source: row.source,
  kind: row.kind,
  meant: row.meant,
  channel: row.channel,
  to: row.to,
  subject: row.subject,
  body: row.body,
  status: row.status,
  error: row.error,
  suppressedReason: row.suppressedReason,
  attempts: row.attempts,
  createdAt: iso(row.createdAt),
  dueAt: isoOrNull(row.dueAt),
  quietZone: row.quietZone,
  sentAt: isoOrNull(row.sentAt),
  deliveredAt: isoOrNull(row.deliveredAt),
})

type OutboxFigures = Pick<Out<typeof listOutbox>, 'figures' | 'outages'>

/** What waits with words of the other side and was not tried is what nobody could take. */
const isHeldUp = sql`o.status = 'queued' and o.attempts = 0 and o.error is not null`

export async function selectOutboxFigures(call: MemberCall): Promise<OutboxFigures> {
  const { rows } = await sql<OutboxFigures['figures']>`
    select (count(*) filter (where o.sent_at > app_now() - interval '24 hours'))::int as "sent24h",
      (count(*) filter (where o.status = 'failed'))::int as failed, (count(*) filter (where o.status = 'queued'))::int as queued,
      (select count(*)::int from opt_outs p where p.org_id = ${call.orgId}) as "optedOut"
    from (${everything(call)}) o`.execute(call.tx)
  const { rows: outages } = await sql<OutboxFigures['outages'][number]>`
    select o.channel, max(o.error) as error, count(*)::int as waiting from (${everything(call)}) o where ${isHeldUp}
    group by o.channel order by o.channel`.execute(call.tx)
  return { figures: rows[0] ?? { sent24h: 0, failed: 0, queued: 0, optedOut: 0 }, outages }
}

interface PaceRow {
  isDay: boolean
  ended: number
  delivered: number
  medianSeconds: number | null
}

/**
 * How much arrived, and how fast. The week is read by itself, over the index of status and time: joined with the periods at once the whole table was read, which
 * took 1.7 s of a million deliveries instead of 0.09 s.
 */
export async function selectOutboxPace(call: MemberCall): Promise<Omit<Out<typeof getOutboxPace>, 'asOf'>> {
  // without a mail server nobody receives e-mails
  const staysHere = call.channels.delivery === 'outbox' ? ['in_app', 'email'] : ['in_app']
  // who sees everything need not look at the messages
  const isSeen =
    call.scope === 'all'
      ? sql<boolean>`true`
      : sql<boolean>`exists (select from messages m where m.org_id = d.org_id and m.id = d.message_id and ${isInLog(call)})`
  const { rows } = await sql<PaceRow>`
    with ended as materialized (
      select d.status, d.created_at, extract(epoch from coalesce(d.delivered_at, d.sent_at) - d.created_at)::float8 as took from deliveries d
      where d.org_id = ${call.orgId} and d.status in ('sent', 'delivered', 'read', 'failed') and d.created_at > app_now() - interval '7 days'
        and d.channel <> all (${staysHere}::text[]) and ${isSeen}
    )
    select period.days = 1 as "isDay", count(d.status)::int as ended, (count(d.status) filter (where d.status <> 'failed'))::int as delivered,
      percentile_cont(0.5) within group (order by d.took) filter (where d.status <> 'failed') as "medianSeconds"
    from (values (1), (7)) period (days) left join ended d on d.created_at > app_now() - make_interval(days => period.days)
    group by period.days`.execute(call.tx)
  const of = (isDay: boolean) => {
    const { ended = 0, delivered = 0, medianSeconds = null } = rows.find((row) => row.isDay === isDay) ?? {}
    return { ended, delivered, medianSeconds }
  }
  return { day: of(true), week: of(false) }
}

/** Undefined when there is no such delivery in reach, or it has not failed. */
export async function requeueDelivery(call: MemberCall, id: string): Promise<string | undefined> {
  const messageId = await lockMessageOf(call.tx, call.orgId, id, isInLog(call))
  if (messageId === null) return undefined
  const { rows } = await sql<{ id: string }>`
    update deliveries set status = 'queued', attempts = 0, error = null, next_attempt_at = app_now()
    where org_id = ${call.orgId} and id = ${id} and status = 'failed' returning id`.execute(call.tx)
  if (!rows[0]) return undefined
  // the message is judged again when its last delivery has ended
  await sql`update messages set status = 'sending' where org_id = ${call.orgId} and id = ${messageId} and status in ('partly_failed', 'failed')`.execute(
    call.tx,
  )
  await sql`select pg_notify('outbox', ${call.orgId})`.execute(call.tx)
  return id
}
