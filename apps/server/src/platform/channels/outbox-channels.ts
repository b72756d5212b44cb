import { sql } from 'kysely'
import type { Clock } from '../clock.ts'
import type { Database, Tx } from '../db/database.ts'
import { newId } from '../ids.ts'
import type { Channels, Outgoing, OutgoingToMany } from './channels.ts'
import { subjectLine } from './email-text.ts'

export interface OutboxOptions {
  readonly db: Database
  readonly clock: Clock
  readonly delivery: Channels['delivery']
}

/** Channels that write into the outbox tables; the courier takes it from there. */
export function outboxChannels({ db, clock, delivery }: OutboxOptions): Channels {
  return {
    delivery,
    async send(tx, message) {
      if (tx) return write(tx, message)
      await db.transaction(
        {
          orgId: message.orgId,
          actor: { kind: 'system', id: null },
          action: `send-${message.kind}`,
          requestId: newId(),
          clock,
        },
        (own) => write(own, message),
      )
    },
    sendToMany: writeDeliveries,
  }
}

const write = (tx: Tx, message: Outgoing): Promise<void> =>
  message.orgId === null ? writeEmail(tx, message) : writeDelivery(tx, message.orgId, message)

/** The table wakes the courier itself. */
async function writeEmail(tx: Tx, { channel, kind, to, subject, body }: Outgoing): Promise<void> {
  if (channel !== 'email') throw new Error(`A message without an organization goes by e-mail, not by ${channel}.`)
  await sql`insert into identity.mails (id, kind, recipient, subject, body)
    values (${newId()}, ${kind}, ${to.toLowerCase()}, ${subjectLine(subject ?? '')}, ${body})`.execute(tx)
}

/** Nothing is written twice for the same occasion of a rule. */
async function writeDelivery(tx: Tx, orgId: string, message: Outgoing): Promise<void> {
  const {
    kind,
    channel,
    to,
    body,
    locale,
    departureId,
    linkId,
    about,
    rule,
    said,
    party,
    dueAt,
    push,
    recipient = {},
  } = message
  const subject = message.subject === undefined ? null : subjectLine(message.subject)
  const messageId = newId()
  const { rows } =
    await sql`insert into messages (org_id, id, source, status, kind, subject, body, locale, departure_id, counts, created_by,
      rule_id, subject_type, subject_id, occurrence, said, said_before, pax, owes, link_id)
    values (${orgId}, ${messageId}, ${rule ? 'rule' : 'system'}, 'sending', ${kind}, ${subject}, ${body}, ${locale ?? null},
      ${departureId ?? null}, ${JSON.stringify({ recipients: 1 })}, app_user_id(),
      ${rule?.id ?? null}, ${about?.subjectType ?? null}, ${about?.subjectId ?? null}, ${rule?.occurrence ?? null},
      ${said ? JSON.stringify(said.now) : null}::jsonb, ${said ? JSON.stringify(said.before) : null}::jsonb,
      ${party?.pax ?? null}, ${party?.owes ?? null}, ${linkId ?? null})
    on conflict (org_id, rule_id, subject_type, subject_id, occurrence) where rule_id is not null do nothing returning id`.execute(
      tx,
    )
  if (rows.length === 0) return
  await sql`insert into deliveries
      (org_id, id, message_id, recipient, channel, subject, body, traveler_id, staff_id, supplier_id, user_id, booking_id, push_subscription_id, link, next_attempt_at)
    values (${orgId}, ${newId()}, ${messageId}, ${to}, ${channel}, ${subject}, ${body}, ${recipient.travelerId ?? null},
      ${recipient.staffId ?? null}, ${recipient.supplierId ?? null}, ${recipient.userId ?? null}, ${about?.subjectId ?? null},
      ${push?.subscriptionId ?? null}, ${push?.link ?? null}, ${dueAt ? sql`${dueAt}::timestamptz` : sql`app_now()`})`.execute(
    tx,
  )
  await sql`select pg_notify('outbox', ${orgId})`.execute(tx)
}

/** One statement for all of them. */
async function writeDeliveries(tx: Tx, message: OutgoingToMany): Promise<string> {
  const { orgId, kind, subject, body, locale, departureId, audience, texts, dueAt, recipients } = message
  const messageId = newId()
  await sql`insert into messages (org_id, id, source, status, kind, subject, body, locale, departure_id, audience, texts, counts, created_by)
    values (${orgId}, ${messageId}, 'manual', 'sending', ${kind}, ${subjectLine(subject)}, ${body}, ${locale}, ${departureId},
      ${JSON.stringify(audience)}::jsonb, ${JSON.stringify(texts)}::jsonb, ${JSON.stringify({ recipients: recipients.length })}, app_user_id())`.execute(
    tx,
  )
  const rows = recipients.map((each) => ({ ...each, id: newId(), subject: subjectLine(each.subject) }))
  await sql`insert into deliveries (org_id, id, message_id, recipient, channel, subject, body, booking_id, language, next_attempt_at)
    select ${orgId}, r.id, ${messageId}, r."to", r.channel, r.subject, r.body, r."bookingId", r.language, ${dueAt}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (id uuid, channel text, "to" text, subject text, body text, "bookingId" uuid, language text)`.execute(
    tx,
  )
  await sql`select pg_notify('outbox', ${orgId})`.execute(tx)
  return messageId
}
