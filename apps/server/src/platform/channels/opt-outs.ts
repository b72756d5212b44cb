import { optionalKinds } from '@tour-ops/contract/notifications/opt-outs'
import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../db/database.ts'
import { newId } from '../ids.ts'
import { judgeMessages } from './judge-messages.ts'

/** Whether the owner of an address, of the same organization, wants only the e-mails that are needed. */
export const isOptedOut = (orgId: RawBuilder<unknown>, address: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql<boolean>`exists (select from opt_outs o where o.org_id = ${orgId} and o.channel = 'email' and o.address = ${folded(address)})`

/** As addresses are compared. */
const folded = (address: RawBuilder<unknown>) => sql`lower(${address} collate "C")`

/** What the contact of a booking has said of e-mails. */
export interface ContactEmails {
  readonly address: string
  readonly isOptedOut: boolean
}

/** Undefined for a booking that is out of reach, or whose contact has no e-mail address. */
export async function selectContactEmails(
  tx: Tx,
  orgId: string,
  bookingId: string,
): Promise<ContactEmails | undefined> {
  const { rows } = await sql<ContactEmails>`
    select b.contact_email as address, ${isOptedOut(sql.ref('b.org_id'), sql.ref('b.contact_email'))} as "isOptedOut"
    from bookings b where b.org_id = ${orgId} and b.id::text = ${bookingId} and b.contact_email is not null`.execute(tx)
  return rows[0]
}

/** Writes that the contact of a booking wants only what is needed, or everything again. @returns undefined as `selectContactEmails`. */
export async function writeOptOut(
  tx: Tx,
  orgId: string,
  bookingId: string,
  wanted: boolean,
): Promise<ContactEmails | undefined> {
  const contact = await selectContactEmails(tx, orgId, bookingId)
  if (!contact || contact.isOptedOut === wanted) return contact
  const { address } = contact
  if (wanted) await insertOptOut(tx, orgId, { address, bookingId })
  else {
    await sql`delete from opt_outs where org_id = ${orgId} and channel = 'email' and address = ${folded(sql`${address}::text`)}`.execute(
      tx,
    )
  }
  return { ...contact, isOptedOut: wanted }
}

interface Said {
  readonly address: string
  /** Of what the e-mail was about, or where it was said. */
  readonly bookingId: string | null
}

const insertOptOut = (tx: Tx, orgId: string, { address, bookingId }: Said): Promise<unknown> =>
  sql`insert into opt_outs (org_id, id, channel, address, booking_id)
    values (${orgId}, ${newId()}, 'email', ${folded(sql`${address}::text`)}, ${bookingId})
    on conflict (org_id, channel, address) do nothing`.execute(tx)

/** Writes that whoever got an e-mail wants only what is needed, whatever the address of the booking is by now. @returns false where the e-mail is not known. */
export async function optOutOfDelivery(tx: Tx, orgId: string, deliveryId: string): Promise<boolean> {
  const { rows } = await sql<Said>`
    select recipient as address, booking_id as "bookingId" from deliveries
    where org_id = ${orgId} and id = ${deliveryId} and channel = 'email'`.execute(tx)
  if (!rows[0]) return false
  await insertOptOut(tx, orgId, rows[0])
  return true
}

/** Whether a message is of a kind that guests can do without. @param kind Column. */
const isOptional = (kind: RawBuilder<unknown>) => sql<boolean>`${kind} = any (${optionalKinds}::text[])`

/**
 * Holds back what is due and goes to somebody who wants only what is needed, also where they said so after it was written. Messages are locked
 * first: see `lockMessageOf`.
 */
export async function holdBackUnwanted(tx: Tx, orgId: string): Promise<void> {
  const isUnwanted = sql`d.org_id = ${orgId} and d.status = 'queued' and coalesce(d.next_attempt_at, d.created_at) <= app_now()
    and d.channel = 'email' and ${isOptedOut(sql.ref('d.org_id'), sql.ref('d.recipient'))}`
  const { rows } = await sql<{ id: string }>`
    select m.id from messages m where m.org_id = ${orgId} and ${isOptional(sql.ref('m.kind'))}
      and m.id in (select d.message_id from deliveries d where ${isUnwanted})
    order by m.id for no key update`.execute(tx)
  if (rows.length === 0) return
  const messages = sql`any (${rows.map(({ id }) => id)}::uuid[])`
  await sql`update deliveries d set status = 'suppressed', suppressed_reason = 'opted_out'
    where d.message_id = ${messages} and ${isUnwanted}`.execute(tx)
  await judgeMessages(tx, orgId, sql`m.id = ${messages}`)
}
