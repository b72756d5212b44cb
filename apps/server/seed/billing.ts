import { issueInvoice, issueReceipt } from '@tour-ops/contract/bookings/billing'
import { listBookings } from '@tour-ops/contract/bookings/bookings'
import { listPayments } from '@tour-ops/contract/bookings/payments'
import type { Person } from './person.ts'

/** Parties that asked for an invoice. */
const billedParties = 12

/** Invoices of the parties that were confirmed last, and the receipts of what they paid. */
export async function seedBilling(manager: Person, now: Date): Promise<void> {
  const { rows } = await manager.at(now).call(listBookings, {
    filters: { status: ['confirmed'], paymentStatus: ['paid', 'deposit'] },
    sort: [{ by: 'createdAt', descending: true }],
    size: billedParties,
  })
  for (const { id: bookingId, contact, sellerName } of rows) {
    await manager.call(issueInvoice, { bookingId, buyer: { name: sellerName ?? contact.name } })
    const { payments } = await manager.call(listPayments, { bookingId })
    for (const { id, voidedAt } of payments) {
      if (voidedAt === null) await manager.call(issueReceipt, { paymentId: id })
    }
  }
}
