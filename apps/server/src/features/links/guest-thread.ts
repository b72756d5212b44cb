import type { SharedThread } from '@tour-ops/contract/links/shared-page'
import { refuse } from '@tour-ops/contract/refusals'
import type { Tx } from '../../platform/db/database.ts'
import { iso } from '../../platform/list-query.ts'
import type { NoticeCall } from '../../platform/notices.ts'
import { selectThread } from '../../platform/operations/booking-thread.ts'
import { writeAsGuest } from '../../platform/operations/guest-writes.ts'
import { linkOver, type OpenLink, partyOf } from '../../platform/operations/open-link.ts'

/** Messages between the party of a link and the office; null on other links. Whoever answered is not named to guests. */
export async function selectGuestThread(tx: Tx, link: OpenLink): Promise<SharedThread | null> {
  const bookingId = partyOf(link)
  if (bookingId === null || !link.scopes.messages) return null
  const rows = await selectThread(tx, link.orgId, bookingId)
  return { messages: rows.map(({ id, author, body, at }) => ({ id, author, body, at: iso(at) })) }
}

/**
 * Writes what the party says, see `writeAsGuest`.
 *
 * @throws AppError `not-found` on other links; `aborted`, reason `too_many_messages`.
 */
export async function writeGuestMessage(call: NoticeCall, link: OpenLink, body: string): Promise<SharedThread> {
  const bookingId = partyOf(link)
  if (bookingId === null || !link.scopes.messages) throw linkOver()
  if (!(await writeAsGuest(call, bookingId, { body }))) throw refuse('too_many_messages')
  const thread = await selectGuestThread(call.tx, link)
  if (!thread) throw linkOver()
  return thread
}
