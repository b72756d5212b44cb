import { takeBackMinutes } from '@tour-ops/contract/bookings/bookings'
import { changeParty, restoreParty, takesSeats } from '@tour-ops/contract/bookings/party'
import { refuse } from '@tour-ops/contract/refusals'
import { sql } from 'kysely'
import type { MemberCall } from '../../context.ts'
import { promoteWaitlist } from '../../platform/operations/seats.ts'
import { tellingChange } from '../../platform/operations/tell-guests.ts'
import { verb } from '../../platform/verb.ts'
import { lockBooking } from './bookings-changes.ts'
import { fitToKinds } from './bookings-party.ts'
import { selectBooking, type SoldUnit } from './bookings-store.ts'
import { restoreGuests } from './restore-booking.ts'
import { isStillAhead, requireSeats } from './seat-rules.ts'

/** The first value of each column that the change of the party wrote, as the audit log has it. */
interface Before {
  requestId: string
  values: { pax?: number; units: SoldUnit[] }
}

/** Columns of a booking that a change of its party writes. */
const columns = ['units', 'pax', 'amount_total_minor', 'cancellation_fee_minor', 'cancellation_fee_reason'] as const

/** Makes a party again what it was before it became smaller, larger, or had other kinds of seats. */
export const restoreSeats = verb(restoreParty, async (call, { id, version }) => {
  const { booking, departure } = await lockBooking(call, id, version)
  const before = await selectBefore(call, id)
  if (!before || !isStillAhead(departure.status, booking.status)) throw refuse('cancellation_stays')
  const pax = before.values.pax ?? booking.pax
  if (takesSeats(booking.status)) await requireSeats(call, departure, pax - booking.pax, true)
  await tellingChange(call, booking, true, async () => {
    await sql`update bookings b set (${sql.join(columns.map((column) => sql.ref(column)))}) =
        (select ${sql.join(columns.map((column) => sql.ref(`x.${column}`)))} from jsonb_populate_record(b, ${JSON.stringify(before.values)}::jsonb) x)
      where b.org_id = ${call.orgId} and b.id = ${id}`.execute(call.tx)
    await sql`select set_config('app.restored_booking_id', ${id}, true)`.execute(call.tx)
    await restoreGuests(call, id, departure.id, before.requestId)
    await restoreKinds(call, id, before.requestId)
    await sql`select set_config('app.restored_booking_id', '', true)`.execute(call.tx)
    // who was named since then has a seat of a kind that was booked before
    await fitToKinds(call, id, before.values.units, pax)
  })
  // who waits may fit now that it is smaller
  if (pax < booking.pax) await promoteWaitlist(call, departure.id)
  return selectBooking(call, id)
})

/** Undefined where the last that happened to the booking is not that its party changed, or too long ago. */
async function selectBefore({ tx, orgId }: MemberCall, id: string): Promise<Before | undefined> {
  const { rows } = await sql<Before>`
    select last.request_id as "requestId", (select jsonb_object_agg(d.key, d.value -> 0) from jsonb_each(last.diff) d
      where d.key = any (${[...columns]}::text[])) as values
    from (select e.request_id, e.action, e.diff, e.at from audit_entries e where e.org_id = ${orgId} and e.entity_type = 'bookings'
      and e.entity_id = ${id} order by e.id desc limit 1) last
    where last.action = ${changeParty.name} and last.request_id is not null
      and last.diff ? 'units'
      and last.at > app_now() - make_interval(mins => ${takeBackMinutes})`.execute(tx)
  return rows[0]
}

/** Guests who stayed have again the kind of seat, and need what they needed, before the request, which may have changed it more than once. */
export async function restoreKinds({ tx, orgId }: MemberCall, bookingId: string, requestId: string): Promise<void> {
  await sql`update manifest_entries m set unit_type = coalesce(was.kind, m.unit_type),
      trip_dietary = case when was.dietary is null then m.trip_dietary else was.dietary #>> '{}' end,
      trip_mobility = case when was.mobility is null then m.trip_mobility else was.mobility #>> '{}' end
    from (
      select e.entity_id, (array_agg(e.diff #>> '{unit_type,0}' order by e.id) filter (where e.diff ? 'unit_type'))[1] as kind,
        (array_agg(e.diff #> '{trip_dietary,0}' order by e.id) filter (where e.diff ? 'trip_dietary'))[1] as dietary,
        (array_agg(e.diff #> '{trip_mobility,0}' order by e.id) filter (where e.diff ? 'trip_mobility'))[1] as mobility
      from audit_entries e where e.org_id = ${orgId} and e.entity_type = 'manifest_entries' and e.request_id = ${requestId} and e.op = 'update'
        and e.diff ?| array['unit_type', 'trip_dietary', 'trip_mobility'] group by e.entity_id) was
    where m.org_id = ${orgId} and m.booking_id = ${bookingId} and was.entity_id = m.id::text`.execute(tx)
}
