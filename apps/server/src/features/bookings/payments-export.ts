import type { Payment } from '@tour-ops/contract/bookings/payments'
import { exportPayments } from '@tour-ops/contract/bookings/payments-export'
import { sql } from 'kysely'
import { csvFile } from '../../platform/csv.ts'
import { fractionDigits } from '../../platform/currency-digits.ts'
import { isoOrNull } from '../../platform/list-query.ts'
import { organizationZone } from '../../platform/organization-zone.ts'
import { memberName } from '../../platform/private-fields.ts'
import { verb, type Verb } from '../../platform/verb.ts'

interface ExportedPayment extends Pick<
  Payment,
  'kind' | 'method' | 'amountMinor' | 'currency' | 'receivedOn' | 'reference' | 'note' | 'recordedByName' | 'voidReason'
> {
  voidedAt: Date | null
  bookingRef: string
  externalRef: string | null
  contactName: string
  tourName: string
  departureCode: string
  localDate: string
  receiptNumber: string | null
  invoiceNumber: string | null
}

/** What a row adds to the sum of the file, so that this is what the ledger says: refunds are taken off, voided ones count nothing. */
const counted = ({ kind, amountMinor, voidedAt }: ExportedPayment): number =>
  voidedAt !== null ? 0 : kind === 'payment' ? amountMinor : 0 - amountMinor

const decimal = (minor: number, currency: string): number => minor / 10 ** fractionDigits(currency)

/** Voided payments are in the file too: an earlier file may have had them as good ones. The audit log says who took which days away. */
const exportAll = verb(exportPayments, async (call, { from, to }) => {
  const zone = await organizationZone(call)
  const { rows } = await sql<ExportedPayment>`
    select p.kind, p.method, p.amount_minor as "amountMinor", p.currency, (p.received_at at time zone ${zone})::date as "receivedOn", p.reference, p.note,
      ${memberName(call, 'by_member')} as "recordedByName", p.voided_at as "voidedAt", p.void_reason as "voidReason", b.booking_ref as "bookingRef",
      b.external_ref as "externalRef", b.contact_name as "contactName", t.name as "tourName", d.code as "departureCode", d.local_date as "localDate",
      receipt.number as "receiptNumber", invoice.number as "invoiceNumber"
    from payments p
    join bookings b on b.org_id = p.org_id and b.id = p.booking_id
    join departures d on d.org_id = b.org_id and d.id = b.departure_id
    join tours t on t.org_id = d.org_id and t.id = d.tour_id
    left join members by_member on by_member.org_id = p.org_id and by_member.user_id = p.recorded_by
    left join billing_documents receipt on receipt.org_id = p.org_id and receipt.payment_id = p.id
    left join billing_documents invoice on invoice.org_id = p.org_id and invoice.booking_id = p.booking_id and invoice.kind = 'invoice'
      and not exists (select from billing_documents c where c.org_id = invoice.org_id and c.cancels_id = invoice.id)
    where p.org_id = ${call.orgId} and p.received_at >= ${from}::date::timestamp at time zone ${zone}
      and p.received_at < (${to}::date + 1)::timestamp at time zone ${zone}
    order by p.received_at, p.id`.execute(call.tx)
  const taken = JSON.stringify({ from, to, rows: rows.length })
  await sql`select record_event(${exportPayments.name}, 'payments', '*', ${taken}::jsonb)`.execute(call.tx)
  return csvFile<ExportedPayment>(
    `payments-${from}-${to}`,
    {
      received_on: (row) => row.receivedOn,
      kind: (row) => row.kind,
      method: (row) => row.method,
      amount: (row) => decimal(counted(row), row.currency),
      currency: (row) => row.currency,
      amount_minor: counted,
      reference: (row) => row.reference,
      receipt: (row) => row.receiptNumber,
      invoice: (row) => row.invoiceNumber,
      booking_ref: (row) => row.bookingRef,
      external_ref: (row) => row.externalRef,
      contact: (row) => row.contactName,
      tour: (row) => row.tourName,
      departure_code: (row) => row.departureCode,
      local_date: (row) => row.localDate,
      recorded_by: (row) => row.recordedByName,
      note: (row) => row.note,
      voided_at: (row) => isoOrNull(row.voidedAt),
      void_reason: (row) => row.voidReason,
      voided_amount: (row) => (row.voidedAt === null ? null : decimal(row.amountMinor, row.currency)),
    },
    rows,
  )
})

export const paymentsExportVerbs: Verb[] = [exportAll]
