import { nameGuests, takeBackMinutes } from '@tour-ops/contract/bookings/bookings'
import { restoreNames } from '@tour-ops/contract/bookings/party'
import { refuse } from '@tour-ops/contract/refusals'
import { sql } from 'kysely'
import type { MemberCall } from '../../context.ts'
import { touchBooking } from '../../platform/operations/named-guests.ts'
import { verb } from '../../platform/verb.ts'
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

/**
 * The request in which something was done to a booking.
 *
 * @param action Name of its callable.
 * @returns undefined where it is not the last that happened to the booking and its guests, or too long ago.
 */
export async function selectLastRequest(
  { tx, orgId }: MemberCall,
  id: string,
  action: string,
): Promise<string | undefined> {
  const { rows } = await sql<{ requestId: string }>`
    select last.request_id as "requestId"
    from (select e.request_id, e.action, e.at from audit_entries e where e.org_id = ${orgId}
      and (e.entity_type = 'bookings' and e.entity_id = ${id} or e.entity_type = 'manifest_entries'
        and e.entity_id in (select m.id::text from manifest_entries m where m.org_id = ${orgId} and m.booking_id = ${id}))
      order by e.id desc limit 1) last
    where last.action = ${action} and last.request_id is not null
      and last.at > app_now() - make_interval(mins => ${takeBackMinutes})`.execute(tx)
  return rows[0]?.requestId
}

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
