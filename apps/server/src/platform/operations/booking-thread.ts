import { type threadAuthors, threadShown } from '@tour-ops/contract/bookings/booking-thread'
import type { PhoneChannel } from '@tour-ops/contract/notifications/phone-channels'
import { sql } from 'kysely'
import type { Tx } from '../db/database.ts'
import { newId } from '../ids.ts'

/** A message between a party and the office. */
export interface ThreadRow {
  readonly id: string
  readonly author: (typeof threadAuthors)[number]
  readonly body: string
  /** By which the guest answered a text; null for what was written on a page. */
  readonly channel: PhoneChannel | null
  readonly at: Date
  /** Who answered for the office, where they are still a member. */
  readonly writtenBy: string | null
  readonly isUnread: boolean
}

/** A message `g` of a party that nobody of the office has read. */
export const isUnread = sql<boolean>`(g.author = 'guest' and g.read_at is null)`

/** The latest messages of a booking, the oldest of them first. */
export async function selectThread(tx: Tx, orgId: string, bookingId: string): Promise<ThreadRow[]> {
  const { rows } = await sql<ThreadRow>`
    select g.id, g.author, g.body, g.channel, g.created_at as at, m.name as "writtenBy", ${isUnread} as "isUnread"
    from booking_messages g left join members m on m.org_id = g.org_id and m.user_id = g.user_id
    where g.org_id = ${orgId} and g.booking_id = ${bookingId} order by g.created_at desc, g.id desc limit ${threadShown}`.execute(
    tx,
  )
  return rows.toReversed()
}

interface NewThreadMessage {
  /** Null for the party. */
  readonly userId: string | null
  readonly body: string
  readonly channel?: PhoneChannel | null
}

/** Writes for the party, or for the office by one of its people. */
export async function insertThreadMessage(
  tx: Tx,
  orgId: string,
  bookingId: string,
  { userId, body, channel = null }: NewThreadMessage,
): Promise<void> {
  await sql`insert into booking_messages (org_id, id, booking_id, author, user_id, body, channel)
    values (${orgId}, ${newId()}, ${bookingId}, ${userId === null ? 'guest' : 'office'}, ${userId}, ${body}, ${channel})`.execute(
    tx,
  )
}
