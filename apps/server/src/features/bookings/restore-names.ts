import { nameGuests } from '@tour-ops/contract/bookings/bookings'
import { restoreNames } from '@tour-ops/contract/bookings/party'
import { refuse } from '@tour-ops/contract/refusals'
import { sql } from 'kysely'
import type { MemberCall } from '../../context.ts'
import { touchBooking } from '../../platform/operations/named-guests.ts'
import { verb } from '../../platform/verb.ts'
import { selectLastRequest } from './before-request.ts'
import { lockBooking } from './bookings-changes.ts'
import { selectBooking } from './bookings-store.ts'
import { restoreRooms } from './move-back.ts'
import { restoreGuests } from './restore-booking.ts'
import { isStillAhead } from './seat-rules.ts'

/** Puts those on the manifest again who were on it before guests were named. Profiles that were made for new names stay. */
export const restoreNamed = verb(restoreNames, async (call, { id, version }) => {
  const { booking, departure } = await lockBooking(call, id, version)
  const requestId = await selectLastRequest(call, id, nameGuests.name)
  if (requestId === undefined || !isStillAhead(departure.status, booking.status)) throw refuse('cancellation_stays')
  await takeOffNamed(call, id, requestId)
  await sql`select set_config('app.restored_booking_id', ${id}, true)`.execute(call.tx)
  await restoreGuests(call, id, departure.id, requestId)
  await sql`select set_config('app.restored_booking_id', '', true)`.execute(call.tx)
  await restoreRooms(call, id, requestId)
  await touchBooking(call, id)
  return selectBooking(call, id)
})

/** Those who were named by a request leave, with their rooms. */
export async function takeOffNamed({ tx, orgId }: MemberCall, id: string, requestId: string): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    update manifest_entries m set status = 'cancelled' where m.org_id = ${orgId} and m.booking_id = ${id} and m.status = 'expected'
      and exists (select from audit_entries e where e.org_id = m.org_id and e.entity_type = 'manifest_entries' and e.entity_id = m.id::text
        and e.request_id = ${requestId} and e.op = 'insert') returning m.id`.execute(tx)
  await sql`delete from room_assignments where org_id = ${orgId} and manifest_entry_id = any (${rows.map((row) => row.id)}::uuid[])`.execute(
    tx,
  )
}
