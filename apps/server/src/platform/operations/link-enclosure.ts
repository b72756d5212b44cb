import { withLinkLine } from '@tour-ops/contract/notifications/link-line'
import { sql } from 'kysely'
import type { Tx } from '../db/database.ts'
import { linkDeparture } from './link-end.ts'
import { type KnownReader, selectReaders } from './link-readers.ts'
import { issueToken } from './link-tokens.ts'
import { opensNow } from './open-link.ts'
import { readdress } from './readdress.ts'

/** A message that carries a link, as it is about to leave. */
interface LinkMessage {
  readonly deliveryId: string
  readonly kind: string
  readonly linkId: string
  readonly body: string
}

/**
 * Puts an address of a link where a text has a place for it, on a line of its own. Each message has an address of its own, which is stored nowhere. It
 * goes where its reader is reached by now.
 *
 * @returns `outdated` for a link that opens nothing by now, and for whoever it is not for any more.
 */
export async function withAddressOf(
  tx: Tx,
  orgId: string,
  publicUrl: string,
  { deliveryId, kind, linkId, body }: LinkMessage,
): Promise<{ body: string; to: string } | 'outdated' | 'opted_out' | 'said_stop'> {
  const { rows } = await sql<{ opens: boolean }>`
    select ${opensNow} as opens from shared_links l ${linkDeparture} where l.org_id = ${orgId} and l.id = ${linkId}`.execute(
    tx,
  )
  if (!rows[0]?.opens) return 'outdated'
  const to = await selectAddress(tx, orgId, deliveryId, await selectReaders(tx, orgId, linkId))
  if (to === null) return 'outdated'
  const unwanted = await readdress(tx, orgId, deliveryId, kind, to)
  if (unwanted !== null) return unwanted
  const { path } = await issueToken(tx, orgId, linkId, null)
  return { to, body: withLinkLine(body, new URL(path, publicUrl).href) }
}

interface Addressed {
  readonly recipient: string
  readonly channel: string
  readonly bookingId: string | null
  readonly travelerId: string | null
  readonly staffId: string | null
}

/** Where somebody whom a delivery is for is reached by now, on the channel it was written for; null where they are none of the readers any more. */
async function selectAddress(
  tx: Tx,
  orgId: string,
  deliveryId: string,
  readers: readonly KnownReader[],
): Promise<string | null> {
  const { rows } = await sql<Addressed>`
    select recipient, channel, booking_id as "bookingId", traveler_id as "travelerId", staff_id as "staffId"
    from deliveries where org_id = ${orgId} and id = ${deliveryId}`.execute(tx)
  const [delivery] = rows
  const reader = delivery && readers.find((one) => one.channel === delivery.channel && isFor(delivery, one))
  return reader?.to ?? null
}

/** Whoever is known as a person may have another address by now; contacts of a supplier are known by theirs. */
function isFor(delivery: Addressed, reader: KnownReader): boolean {
  if (reader.supplierId !== null) return reader.to.toLowerCase() === delivery.recipient.toLowerCase()
  return (['bookingId', 'travelerId', 'staffId'] as const).some(
    (id) => reader[id] !== null && reader[id] === delivery[id],
  )
}
