import type { billingKinds, BillingDocument, Buyer, PrintedDocument, Seller } from '@tour-ops/contract/bookings/billing'
import type { Locale } from '@tour-ops/contract/locales'
import { sql, type RawBuilder } from 'kysely'
import type { Call, MemberCall } from '../../context.ts'
import { newId } from '../../platform/ids.ts'
import { notFound } from '../../platform/optimistic-lock.ts'
import { memberName } from '../../platform/private-fields.ts'
import { statuses } from '../../platform/operations/status-sets.ts'
import type { StatedTax, TaxSettings } from './billing-taxes.ts'
import type { SoldUnit } from './bookings-store.ts'

/** A member, or a guest on the link of a booking, who does not learn which member issued something. */
export type BillingCall = MemberCall | GuestCall
type GuestCall = Pick<Call, 'tx' | 'clock'> & { readonly orgId: string }

/** A document with everything that it says. */
export type StoredDocument = BillingDocument &
  Pick<PrintedDocument, 'seller' | 'buyer' | 'tour' | 'lines' | 'taxScheme' | 'taxes' | 'isVoid'>

/**
 * Documents, newest first.
 *
 * @param which Condition on `d`, the table `billing_documents`.
 */
export async function selectDocuments(call: BillingCall, which: RawBuilder<boolean>): Promise<StoredDocument[]> {
  const { rows } = await sql<StoredDocument>`
    select d.id, d.booking_id as "bookingId", d.kind, d.number, d.locale, d.currency, d.total_minor as "totalMinor", d.buyer ->> 'name' as "buyerName",
      d.issued_on as "issuedOn", ${'role' in call ? memberName(call, 'by_member') : sql<null>`null::text`} as "issuedByName", d.reason, cancelled.number as "cancelsNumber",
      credit.number as "cancelledByNumber", d.payment_id as "paymentId", d.seller, d.buyer, d.tour, d.lines,
      d.tax_scheme as "taxScheme", d.taxes, p.voided_at is not null as "isVoid"
    from billing_documents d
    left join billing_documents cancelled on cancelled.org_id = d.org_id and cancelled.id = d.cancels_id
    left join billing_documents credit on credit.org_id = d.org_id and credit.cancels_id = d.id
    left join payments p on p.org_id = d.org_id and p.id = d.payment_id
    left join members by_member on by_member.org_id = d.org_id and by_member.user_id = d.issued_by
    where d.org_id = ${call.orgId} and ${which}
    order by d.issued_at desc, d.kind desc, d.sequence desc`.execute(call.tx)
  return rows
}

/** @param which As in `selectDocuments`. @throws AppError `not-found`. */
export async function selectDocument(
  call: BillingCall,
  id: string,
  which: RawBuilder<boolean> = sql<boolean>`true`,
): Promise<StoredDocument> {
  const [document] = await selectDocuments(call, sql<boolean>`d.id = ${id} and ${which}`)
  if (!document) throw notFound('billing_document')
  return document
}

/** A booking as documents name it. */
export interface BilledBooking {
  readonly id: string
  /** See `isBillable`. */
  readonly isBillable: boolean
  readonly bookingRef: string
  readonly contactName: string
  readonly locale: string
  readonly currency: string
  /** What it costs by now: of a cancelled one the fee. */
  readonly totalMinor: number
  readonly feeMinor: number
  readonly paidMinor: number
  /** Whether an agent settles it. */
  readonly isOnAccount: boolean
  readonly priceReason: string | null
  readonly discountCode: string | null
  readonly discountMinor: number
  /** None of a cancelled one. A unit that was stored without a price is free. */
  readonly units: readonly (Pick<SoldUnit, 'unitType' | 'qty'> & Partial<SoldUnit>)[]
  readonly tourName: string
  readonly departureCode: string
  readonly localDate: string
  readonly seller: Seller
  readonly tax: TaxSettings
}

/** @throws AppError `not-found`, also outside the caller's reach. */
export async function selectBilled(call: BillingCall, id: string): Promise<BilledBooking> {
  const { rows } = await sql<BilledBooking>`
    select b.id, (b.status in ${statuses.sold} or b.status = 'cancelled' and b.cancellation_fee_minor > 0) as "isBillable", b.booking_ref as "bookingRef", b.contact_name as "contactName",
      coalesce(b.contact_locale, s.locale) as locale, b.currency, owed_minor(b.status, b.amount_total_minor, b.cancellation_fee_minor) as "totalMinor",
      b.cancellation_fee_minor as "feeMinor", b.amount_paid_minor as "paidMinor",
      b.payment_status = 'agent_credit' as "isOnAccount", b.price_reason as "priceReason", b.discount_code as "discountCode", b.discount_minor as "discountMinor",
      case b.status when 'cancelled' then '[]' else b.units end as units, t.name as "tourName",
      d.code as "departureCode", d.local_date as "localDate",
      jsonb_build_object('name', coalesce(s.general ->> 'legalName', o.name), 'address', s.general ->> 'address', 'taxNumber', s.general ->> 'taxNumber',
        'note', s.general ->> 'invoiceNote') as seller,
      jsonb_build_object('scheme', coalesce(s.general ->> 'taxScheme', 'none'), 'name', s.general ->> 'taxName',
        'percent', coalesce((s.general ->> 'taxPercent')::float8, 0), 'fees', coalesce(s.general ->> 'feeTax', 'taxed')) as tax
    from bookings b join departures d on d.org_id = b.org_id and d.id = b.departure_id join tours t on t.org_id = d.org_id and t.id = d.tour_id
      join org_settings s on s.org_id = b.org_id join organizations o on o.org_id = b.org_id
    where b.org_id = ${call.orgId} and b.id = ${id}`.execute(call.tx)
  if (!rows[0]) throw notFound('booking')
  return rows[0]
}

/** A document to be issued; the schema gives it its number. */
export interface NewDocument {
  readonly bookingId: string
  readonly kind: (typeof billingKinds)[number]
  readonly locale: Locale
  readonly currency: string
  readonly totalMinor: number
  readonly seller: Seller
  readonly buyer: Buyer
  readonly tour: PrintedDocument['tour']
  readonly lines: PrintedDocument['lines']
  /** A receipt states none. */
  readonly stated?: StatedTax
  readonly issuedOn: string
  readonly cancelsId?: string
  readonly paymentId?: string
  readonly reason?: string
}

/** @returns its id and number. */
export async function insertDocument(call: MemberCall, one: NewDocument): Promise<{ id: string; number: string }> {
  const { rows } = await sql<{ id: string; number: string }>`
    insert into billing_documents (org_id, id, booking_id, kind, locale, currency, total_minor, seller, buyer, tour, lines, tax_scheme, taxes, cancels_id, payment_id, reason,
      issued_on, issued_by)
    values (${call.orgId}, ${newId()}, ${one.bookingId}, ${one.kind}, ${one.locale}, ${one.currency}, ${one.totalMinor}, ${JSON.stringify(one.seller)},
      ${JSON.stringify(one.buyer)}, ${JSON.stringify(one.tour)}, ${JSON.stringify(one.lines)},
      ${one.stated?.taxScheme ?? 'none'}, ${JSON.stringify(one.stated?.taxes ?? [])}, ${one.cancelsId ?? null}, ${one.paymentId ?? null},
      ${one.reason ?? null}, ${one.issuedOn}, ${call.caller.userId})
    returning id, number`.execute(call.tx)
  const [issued] = rows
  if (!issued) throw new Error('An insert returns its row')
  return issued
}
