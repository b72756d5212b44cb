import { confirmBooking, extendHold, offerBooking, rejectBooking } from '@tour-ops/contract/bookings/bookings'
import { takesSeats } from '@tour-ops/contract/bookings/party'
import { restoreStatus } from '@tour-ops/contract/bookings/restore-status'
import { refuse } from '@tour-ops/contract/refusals'
import { type StatusOf, statusesOf } from '@tour-ops/contract/state-machines'
import { sql } from 'kysely'
import type { MemberCall } from '../../context.ts'
import { promoteWaitlist } from '../../platform/operations/seats.ts'
import { tellTakenBack, withdrawOffer } from '../../platform/operations/tell-guests.ts'
import { verb } from '../../platform/verb.ts'
import { restoreColumns, selectLastOf, selectValuesBefore } from './before-request.ts'
import { lockBooking } from './bookings-changes.ts'
import { selectBooking, type BookingRecord } from './bookings-store.ts'
import { restoreGuests } from './restore-booking.ts'
import { takeOffNamed } from './restore-names.ts'
import { isStillAhead } from './seat-rules.ts'

type Status = StatusOf<'bookings'>

/** What can be undone, and the status that it gives: a party that another call happens to offer seats is not meant. */
const undoable: Readonly<Record<string, Status>> = {
  [confirmBooking.name]: 'confirmed',
  [rejectBooking.name]: 'rejected',
  [offerBooking.name]: 'on_hold',
  [extendHold.name]: 'on_hold',
}

/** What these write of a booking. Money stays where it is: it was received. */
const columns = ['status', 'expires_at', 'confirmed_at', 'cancel_reason', 'waitlist_rank', 'offered_at'] as const

/** Makes a booking what it was before its status was changed, or its hold extended. See docs/decisions/0181. */
export const restoreLastStatus = verb(restoreStatus, async (call, { id, version }) => {
  const { booking, departure } = await lockBooking(call, id, version)
  const before = await selectBefore(call, booking)
  if (!before || !isStillAhead(departure.status, before.status)) throw refuse('cancellation_stays')
  await sql`select set_config('app.restored_booking_id', ${id}, true)`.execute(call.tx)
  await restoreColumns(
    call,
    { id, values: before.values },
    columns.filter((column) => column in before.values),
  )
  await restoreGuests(call, id, departure.id, before.requestId)
  await sql`select set_config('app.restored_booking_id', '', true)`.execute(call.tx)
  // those of an ended hold who came back with it
  if (before.status === 'expired') await takeOffNamed(call, id, before.requestId)
  if (booking.status === 'confirmed') await tellTakenBack(call, id)
  else if (before.status === 'waitlisted') await withdrawOffer(call, id)
  // one that waits again is not offered the same seats at once
  const isFreed = takesSeats(booking.status) && !takesSeats(before.status) && before.status !== 'waitlisted'
  if (isFreed) await promoteWaitlist(call, departure.id)
  return selectBooking(call, id)
})

interface Before {
  readonly requestId: string
  readonly status: Status
  readonly values: Readonly<Record<string, unknown>>
}

/** Undefined where anything followed, it is too long ago, or the hold that it would be has run out by now. */
async function selectBefore(call: MemberCall, { id, status }: BookingRecord): Promise<Before | undefined> {
  const last = await selectLastOf(call, id, Object.keys(undoable))
  if (!last || undoable[last.action] !== status || (await isInvoicedSince(call, id, last.requestId))) return undefined
  const values = await selectValuesBefore(call, id, last.requestId)
  const was = statusesOf('bookings').find((one) => one === values['status']) ?? status
  const ends = values['expires_at']
  const isOver = was === 'on_hold' && (typeof ends !== 'string' || new Date(ends) <= call.clock.now())
  return isOver ? undefined : { requestId: last.requestId, status: was, values }
}

/** Whether a document has been issued for it meanwhile: that is taken back first, by its own rules. */
async function isInvoicedSince({ tx, orgId }: MemberCall, id: string, requestId: string): Promise<boolean> {
  const { rows } = await sql`
    select from billing_documents d where d.org_id = ${orgId} and d.booking_id = ${id} and d.issued_at >= (
      select min(e.at) from audit_entries e where e.org_id = ${orgId} and e.entity_type = 'bookings' and e.entity_id = ${id}
        and e.request_id = ${requestId}) limit 1`.execute(tx)
  return rows.length > 0
}
