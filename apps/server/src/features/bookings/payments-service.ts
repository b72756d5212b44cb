import { createHash } from 'node:crypto'
import { listPayments, type Payment, recordPayment, voidPayment } from '@tour-ops/contract/bookings/payments'
import type { Out } from '@tour-ops/contract/callable'
import { fieldError } from '@tour-ops/contract/field-rules'
import { refuse } from '@tour-ops/contract/refusals'
import { sql } from 'kysely'
import type { MemberCall } from '../../context.ts'
import { localDateOf } from '../../platform/local-time.ts'
import { notFound } from '../../platform/optimistic-lock.ts'
import { organizationZone } from '../../platform/organization-zone.ts'
import { verb, type Verb } from '../../platform/verb.ts'
import { selectRecord } from './bookings-store.ts'
import { insertPayment, selectPayments } from './payments-store.ts'

const list = verb(listPayments, async (call, { bookingId }) => {
  await selectRecord(call, bookingId)
  const zone = await organizationZone(call)
  return {
    today: localDateOf(call.clock.now(), zone),
    payments: await selectPayments(call, zone, sql<boolean>`p.booking_id = ${bookingId}`),
  }
})

/** The booking is locked first: of two refunds at once the second sees what the first has left. */
const record = verb(recordPayment, async (call, { clientEventId, receivedOn, ...wanted }) => {
  const id = clientEventId && idOfEvent(call, clientEventId)
  const paid = await lockPaid(call, wanted.bookingId)
  const again = id === undefined ? undefined : await findPayment(call, id)
  if (again) {
    if (again.bookingId !== wanted.bookingId) throw refuse('payment_differs')
    return recordedOf(call, again.id)
  }
  const zone = await organizationZone(call)
  if (wanted.kind === 'refund' && wanted.amountMinor > paid) throw fieldError('amountMinor', 'refund_above_paid')
  const recorded = await insertPayment(call, { ...wanted, id, receivedAt: await momentOf(call, receivedOn, zone) })
  if (recorded === null) throw refuse('payment_differs')
  return recordedOf(call, recorded)
})

const reverse = verb(voidPayment, async (call, { id, reason }) => {
  const known = await findPayment(call, id)
  if (!known) throw notFound('payment')
  const paid = await lockPaid(call, known.bookingId)
  const payment = await onePayment(call, id)
  if (payment.voidedAt !== null) throw refuse('payment_voided')
  if (payment.kind === 'payment' && payment.amountMinor > paid) throw refuse('payment_refunded')
  await sql`update payments set voided_at = app_now(), voided_by = ${call.caller.userId}, void_reason = ${reason}
    where org_id = ${call.orgId} and id = ${id}`.execute(call.tx)
  return recordedOf(call, id)
})

/** The same event has the same id, which nobody else chooses: RFC 9562, section 5.8 (version 8). */
function idOfEvent({ orgId }: MemberCall, clientEventId: string): string {
  const hex = createHash('sha256').update(`${orgId} payment ${clientEventId}`).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

/** Locks a booking. @returns what is paid for it, in minor units. @throws AppError `not-found`. */
async function lockPaid(call: MemberCall, bookingId: string): Promise<number> {
  const { rows } = await sql<{ paid: number }>`select amount_paid_minor as paid from bookings
    where org_id = ${call.orgId} and id = ${bookingId} for no key update`.execute(call.tx)
  if (!rows[0]) throw notFound('booking')
  return rows[0].paid
}

async function findPayment(call: MemberCall, id: string): Promise<{ id: string; bookingId: string } | undefined> {
  const { rows } = await sql<{ id: string; bookingId: string }>`
    select id, booking_id as "bookingId" from payments where org_id = ${call.orgId} and id = ${id}`.execute(call.tx)
  return rows[0]
}

/** The payment, and the booking in the version that it has now. */
async function recordedOf(call: MemberCall, id: string): Promise<Out<typeof recordPayment>> {
  const { rows } = await sql<{ id: string; version: number }>`
    select b.id, b.version from payments p join bookings b on b.org_id = p.org_id and b.id = p.booking_id
    where p.org_id = ${call.orgId} and p.id = ${id}`.execute(call.tx)
  const [booking] = rows
  if (!booking) throw notFound('payment')
  return { payment: await onePayment(call, id), booking }
}

async function onePayment(call: MemberCall, id: string): Promise<Payment> {
  const [payment] = await selectPayments(call, await organizationZone(call), sql<boolean>`p.id = ${id}`)
  if (!payment) throw notFound('payment')
  return payment
}

/** Now, or noon of an earlier day. @throws AppError `invalid-argument` on `receivedOn` for a day to come. */
async function momentOf(call: MemberCall, day: string | undefined, zone: string): Promise<Date> {
  const now = call.clock.now()
  const today = localDateOf(now, zone)
  if (day === undefined || day === today) return now
  if (day > today) throw fieldError('receivedOn', 'mark_in_future')
  const { rows } = await sql<{ at: Date }>`select (${day}::date + time '12:00') at time zone ${zone} as at`.execute(
    call.tx,
  )
  return rows[0]?.at ?? now
}

export const paymentsVerbs: Verb[] = [list, record, reverse]
