import { optionalKinds } from '@tour-ops/contract/notifications/opt-outs'
import type { GuestChannel } from '@tour-ops/contract/notifications/phone-channels'
import { refuse } from '@tour-ops/contract/refusals'
import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../db/database.ts'
import { newId } from '../ids.ts'
import { judgeMessages } from './judge-messages.ts'
import { reachedAt, reachedBy } from './phone-channels.ts'

/** Whether the owner of an address, of the same organization, wants only what is needed by that channel. */
const isOptedOut = (
  orgId: RawBuilder<unknown>,
  address: RawBuilder<unknown>,
  channel: RawBuilder<unknown>,
): RawBuilder<boolean> =>
  sql<boolean>`exists (select from opt_outs o where o.org_id = ${orgId} and o.channel = ${channel} and o.address = ${folded(address)})`

/** Why a message of a kind does not go to an address: its owner wrote STOP, or does without such messages; null: it goes. @param kind Column or text. */
export const unwantedReason = (
  orgId: RawBuilder<unknown>,
  address: RawBuilder<unknown>,
  channel: RawBuilder<unknown>,
  kind: RawBuilder<unknown>,
): RawBuilder<'said_stop' | 'opted_out' | null> =>
  sql<
    'said_stop' | 'opted_out' | null
  >`(select case when o.is_by_text then 'said_stop' else 'opted_out' end from opt_outs o
    where o.org_id = ${orgId} and o.channel = ${channel} and o.address = ${folded(address)} and (o.is_by_text or ${isOptional(kind)}))`

/** As addresses are compared. */
const folded = (address: RawBuilder<unknown>) => sql`lower(${address} collate "C")`

/** Of a booking `b`, by the channel that reaches its contact. */
export const isContactOptedOut: RawBuilder<boolean> = isOptedOut(sql.ref('b.org_id'), reachedAt, reachedBy)

/** What the contact of a booking has said of what they get by the channel that reaches them. */
export interface ContactChoice {
  readonly channel: GuestChannel
  readonly address: string
  readonly isOptedOut: boolean
  /** They wrote STOP themselves. */
  readonly isByText: boolean
}

/** Undefined for a booking that is out of reach, or whose contact cannot be reached. */
export async function selectContactChoice(
  tx: Tx,
  orgId: string,
  bookingId: string,
): Promise<ContactChoice | undefined> {
  const { rows } = await sql<ContactChoice>`
    select ${reachedBy} as channel, ${reachedAt} as address, ${isContactOptedOut} as "isOptedOut",
      exists (select from opt_outs o where o.org_id = b.org_id and o.channel = ${reachedBy} and o.address = ${folded(reachedAt)} and o.is_by_text) as "isByText"
    from bookings b where b.org_id = ${orgId} and b.id::text = ${bookingId} and ${reachedBy} is not null`.execute(tx)
  return rows[0]
}

/** Writes that the contact of a booking wants only what is needed, or everything again. @returns undefined as `selectContactChoice`. */
export async function writeOptOut(
  tx: Tx,
  orgId: string,
  bookingId: string,
  wanted: boolean,
): Promise<ContactChoice | undefined> {
  const contact = await selectContactChoice(tx, orgId, bookingId)
  if (!contact || contact.isOptedOut === wanted) return contact
  // a STOP is lifted where it was said, and the provider keeps to it as well
  if (contact.isByText) throw refuse('said_stop')
  const { channel, address } = contact
  await optAddress(tx, orgId, { channel, address, bookingId }, wanted)
  return { ...contact, isOptedOut: wanted, isByText: false }
}

interface Said {
  readonly channel: GuestChannel
  readonly address: string
  /** Of what the e-mail was about, or where it was said. */
  readonly bookingId: string | null
  /** Its owner wrote STOP. */
  readonly isByText?: boolean
}

/** Writes that the owner of an address wants only what is needed by that channel, or everything again. */
export async function optAddress(tx: Tx, orgId: string, said: Said, wanted: boolean): Promise<void> {
  const { channel, address, bookingId, isByText = false } = said
  const compared = folded(sql`${address}::text`)
  if (wanted) {
    await sql`insert into opt_outs (org_id, id, channel, address, booking_id, is_by_text)
      values (${orgId}, ${newId()}, ${channel}, ${compared}, ${bookingId}, ${isByText})
      on conflict (org_id, channel, address) do update set is_by_text = true where excluded.is_by_text and not opt_outs.is_by_text`.execute(
      tx,
    )
  } else {
    await sql`delete from opt_outs where org_id = ${orgId} and channel = ${channel} and address = ${compared}`.execute(
      tx,
    )
  }
}

/** Writes that whoever got an e-mail wants only what is needed, whatever the address of the booking is by now. @returns false where the e-mail is not known. */
export async function optOutOfDelivery(tx: Tx, orgId: string, deliveryId: string): Promise<boolean> {
  const { rows } = await sql<Said>`
    select channel, recipient as address, booking_id as "bookingId" from deliveries
    where org_id = ${orgId} and id = ${deliveryId} and channel = 'email'`.execute(tx)
  if (!rows[0]) return false
  await optAddress(tx, orgId, rows[0], true)
  return true
}

/** Whether a message is of a kind that guests can do without. @param kind Column. */
const isOptional = (kind: RawBuilder<unknown>) => sql<boolean>`${kind} = any (${optionalKinds}::text[])`

/**
 * Holds back what is due and goes to somebody who does without it, or who wrote STOP, also where they said so after it was written. Messages are
 * locked first: see `lockMessageOf`.
 */
export async function holdBackUnwanted(tx: Tx, orgId: string): Promise<void> {
  const reason = unwantedReason(sql.ref('d.org_id'), sql.ref('d.recipient'), sql.ref('d.channel'), sql.ref('m.kind'))
  const isDue = sql`d.org_id = ${orgId} and d.status = 'queued' and coalesce(d.next_attempt_at, d.created_at) <= app_now()`
  const { rows } = await sql<{ id: string }>`
    select m.id from messages m where m.org_id = ${orgId} and exists (
      select from deliveries d where d.message_id = m.id and ${isDue} and ${reason} is not null)
      and m.id in (select d.message_id from deliveries d where ${isDue})
    order by m.id for no key update`.execute(tx)
  if (rows.length === 0) return
  const messages = sql`any (${rows.map(({ id }) => id)}::uuid[])`
  await sql`update deliveries d set status = 'suppressed', suppressed_reason = ${reason} from messages m
    where m.org_id = d.org_id and m.id = d.message_id and d.message_id = ${messages} and ${isDue} and ${reason} is not null`.execute(
    tx,
  )
  await judgeMessages(tx, orgId, sql`m.id = ${messages}`)
}
