import type { SharedPayment } from '@tour-ops/contract/links/shared-page'
import { sql } from 'kysely'
import type { Tx } from '../../platform/db/database.ts'
import type { OpenLink } from '../../platform/operations/open-link.ts'
import { selectToldBooking } from '../../platform/operations/told-booking.ts'

/** What the party of a link still pays at the start, in the organization's words; null where it does not want that said, or nothing is due. */
export async function selectGuestPayment(tx: Tx, { orgId, kind, subjectId }: OpenLink): Promise<SharedPayment | null> {
  if (kind !== 'booking_guest') return null
  const { rows } = await sql<{ note: string | null }>`
    select general ->> 'payAtStart' as note from org_settings where org_id = ${orgId}`.execute(tx)
  const note = rows[0]?.note
  if (!note) return null
  const booking = await selectToldBooking(tx, orgId, subjectId)
  if (!booking?.isGoing || booking.dueMinor === 0) return null
  return { dueMinor: booking.dueMinor, currency: booking.currency, note }
}
