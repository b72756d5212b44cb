import type { paymentKinds, paymentMethods, Payment } from '@tour-ops/contract/bookings/payments'
import { sql, type RawBuilder } from 'kysely'
import type { MemberCall } from '../../context.ts'
import { newId } from '../../platform/ids.ts'
import { iso, isoOrNull } from '../../platform/list-query.ts'
import { memberName } from '../../platform/private-fields.ts'
import { selectRecord } from './bookings-store.ts'

type PaymentRow = Omit<Payment, 'recordedAt' | 'voidedAt'> & { recordedAt: Date; voidedAt: Date | null }

/**
 * Payments and refunds, newest first.
 *
 * @param zone IANA zone in which days are counted.
 * @param which Condition on `p`, the table `payments`.
 */
export async function selectPayments(call: MemberCall, zone: string, which: RawBuilder<boolean>): Promise<Payment[]> {
  const { rows } = await sql<PaymentRow>`
    select p.id, p.kind, p.method, p.amount_minor as "amountMinor", p.currency, (p.received_at at time zone ${zone})::date as "receivedOn", p.reference,
      p.note, p.created_at as "recordedAt", ${memberName(call, 'by_member')} as "recordedByName", p.import_batch_id is not null as "isImported",
      p.voided_at as "voidedAt", ${memberName(call, 'void_member')} as "voidedByName", p.void_reason as "voidReason"
    from payments p
    left join members by_member on by_member.org_id = p.org_id and by_member.user_id = p.recorded_by
    left join members void_member on void_member.org_id = p.org_id and void_member.user_id = p.voided_by
    where p.org_id = ${call.orgId} and ${which}
    order by p.received_at desc, p.created_at desc, p.id desc`.execute(call.tx)
  return rows.map((row) => ({ ...row, recordedAt: iso(row.recordedAt), voidedAt: isoOrNull(row.voidedAt) }))
}

/** A payment to be recorded, in the currency of its booking. */
export interface NewPayment {
  readonly id?: string | undefined
  readonly bookingId: string
  readonly kind: (typeof paymentKinds)[number]
  readonly method: (typeof paymentMethods)[number] | null
  readonly amountMinor: number
  readonly receivedAt: Date
  readonly reference?: string | null
  readonly note?: string | null
}

/** @returns its id; null where the id is taken already. */
export async function insertPayment(call: MemberCall, payment: NewPayment): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    insert into payments (org_id, id, booking_id, kind, method, amount_minor, currency, received_at, reference, note, recorded_by)
    select b.org_id, ${payment.id ?? newId()}, b.id, ${payment.kind}, ${payment.method}, ${payment.amountMinor}, b.currency, ${payment.receivedAt},
      ${payment.reference ?? null}, ${payment.note ?? null}, ${call.caller.userId}
    from bookings b where b.org_id = ${call.orgId} and b.id = ${payment.bookingId}
    on conflict (org_id, id) do nothing returning id`.execute(call.tx)
  return rows[0]?.id ?? null
}

/** What is paid when a booking is confirmed; nothing for an amount of 0. */
export async function payAtOnce(
  call: MemberCall,
  bookingId: string,
  { amountPaidMinor, paidBy = null }: { amountPaidMinor: number; paidBy?: NewPayment['method'] | undefined },
): Promise<void> {
  if (amountPaidMinor === 0) return
  const receivedAt = call.clock.now()
  await insertPayment(call, { bookingId, kind: 'payment', method: paidBy, amountMinor: amountPaidMinor, receivedAt })
}

/** Money that was paid for one booking counts for another: paid back here, with the reference of the other. Nothing for an amount of 0. */
export const payOut = (call: MemberCall, from: string, to: string, amountMinor: number): Promise<void> =>
  payBetween(call, 'refund', from, to, amountMinor)

/** The other half of `payOut`: paid there. */
export const payIn = (call: MemberCall, to: string, from: string, amountMinor: number): Promise<void> =>
  payBetween(call, 'payment', to, from, amountMinor)

async function payBetween(
  call: MemberCall,
  kind: 'payment' | 'refund',
  bookingId: string,
  otherId: string,
  amountMinor: number,
): Promise<void> {
  if (amountMinor === 0) return
  const { bookingRef: reference } = await selectRecord(call, otherId)
  await insertPayment(call, { bookingId, kind, method: null, amountMinor, receivedAt: call.clock.now(), reference })
}
