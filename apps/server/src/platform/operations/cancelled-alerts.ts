import { departureCancelledNote } from '@tour-ops/contract/monitoring/alerts'
import { sql } from 'kysely'
import type { Tx } from '../db/database.ts'
import { statuses } from './status-sets.ts'

/** What continues without the tour: somebody who calls for help, and guests whom a message did not reach. */
const staysOpen = ['sos', 'message_failed'] as const

/**
 * Closes what is open about departures that were cancelled: none of it applies any longer. Guests who are still to be moved are no alert;
 * the overview lists them until somebody decides.
 *
 * @param departureIds Of which; what else there is of them stays.
 * @returns How many were closed.
 */
export async function closeAlertsOfCancelled(tx: Tx, orgId: string, departureIds: readonly string[]): Promise<number> {
  const moot = sql`a.org_id = ${orgId} and a.departure_id = any (${[...departureIds]}::uuid[]) and a.kind <> all (${[...staysOpen]}::text[])
    and exists (select from departures d where d.org_id = a.org_id and d.id = a.departure_id and d.status = 'cancelled')`
  // A snoozed alert is reopened first: that is the only legal way.
  await sql`update alerts a set status = 'open', snoozed_until = null, snoozed_stop_id = null where ${moot} and a.status = 'snoozed'`.execute(
    tx,
  )
  const { numAffectedRows } =
    await sql`update alerts a set status = 'resolved', resolved_at = app_now(), resolution = 'auto',
      resolution_note = ${departureCancelledNote} where ${moot} and a.status in ${statuses.standing}`.execute(tx)
  return Number(numAffectedRows ?? 0n)
}
