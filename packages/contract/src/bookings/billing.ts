import * as z from 'zod/mini'
import { callable } from '../callable.ts'
import { ById, Id, Instant, LocalDate, optionalText, text, write } from '../fields.ts'
import { locales } from '../locales.ts'
import { channelKinds } from '../notifications/notifications.ts'
import { hasStatus, soldStatuses, statusesOf } from '../state-machines.ts'
import { unitTypes } from '../units.ts'
import type { BookingRow } from './bookings.ts'
import { PaymentMethod } from './payments.ts'
import { taxSchemes } from './tax-schemes.ts'

export const billingKinds = ['invoice', 'credit_note', 'receipt'] as const

/** An amount that a credit note or the receipt of a refund has with a minus. */
const Signed = z.int()

/** Who a document is made out to. */
export const Buyer = z.object({
  name: text(120, 'contact_missing'),
  /** Postal, of several lines. */
  address: optionalText(400),
  taxNumber: optionalText(40),
})
export type Buyer = z.output<typeof Buyer>

const BuyerThen = z.object({
  name: z.string(),
  address: z.nullable(z.string()),
  taxNumber: z.nullable(z.string()),
})

/** Who issued it. */
const Seller = z.object({ ...BuyerThen.shape, note: z.nullable(z.string()) })
export type Seller = z.output<typeof Seller>

/** What an invoice states of one rate; net and tax are the gross amount. */
const TaxLine = z.object({
  /** What the organization calls its tax; null is the usual name in the language of the document. */
  name: z.nullable(z.string()),
  /** Hundredths of a percent; 0 is exempt. */
  rateBp: z.int(),
  netMinor: Signed,
  taxMinor: Signed,
  grossMinor: Signed,
})
export type TaxLine = z.output<typeof TaxLine>

/** What it was issued for. */
const TourThen = z.object({
  name: z.string(),
  departureCode: z.string(),
  /** Local day of the start. */
  localDate: LocalDate,
  bookingRef: z.string(),
})
export type TourThen = z.output<typeof TourThen>

/** A line as it was on issuing; the amounts of all lines are the total. */
const BillingLine = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('unit'),
    unitType: z.enum(unitTypes),
    quantity: z.int(),
    priceMinor: Signed,
    amountMinor: Signed,
  }),
  /** What was agreed on beyond the price list, or off it, and why. */
  /** What is kept of seats that were given up; why it is another fee than the tour asks is for the office. */
  z.object({ kind: z.literal('fee'), amountMinor: Signed }),
  z.object({ kind: z.literal('difference'), reason: z.nullable(z.string()), amountMinor: Signed }),
  z.object({
    kind: z.literal('payment'),
    method: z.nullable(PaymentMethod),
    receivedOn: LocalDate,
    reference: z.nullable(z.string()),
    amountMinor: Signed,
  }),
])
export type BillingLine = z.output<typeof BillingLine>

/** An invoice, a credit note that takes one back, or the receipt of a payment or refund. It never changes. */
export const BillingDocument = z.object({
  id: Id,
  bookingId: Id,
  kind: z.enum(billingKinds),
  /** `INV-00012`: each kind counts by itself, without gaps. */
  number: z.string(),
  locale: z.enum(locales),
  currency: z.string(),
  totalMinor: Signed,
  buyerName: z.string(),
  /** Day in the zone that the organization had. */
  issuedOn: LocalDate,
  issuedByName: z.nullable(z.string()),
  /** Of a credit note: why the invoice was taken back. */
  reason: z.nullable(z.string()),
  /** Of a credit note: its invoice. */
  cancelsNumber: z.nullable(z.string()),
  /** Of an invoice: the credit note that took it back; null while it is in force. */
  cancelledByNumber: z.nullable(z.string()),
  /** Of a receipt. */
  paymentId: z.nullable(Id),
})
export type BillingDocument = z.output<typeof BillingDocument>

/** Whether a booking has something to be billed: its seats, or the fee when it was cancelled. */
export const isBillable = (booking: Pick<BookingRow, 'status' | 'cancellationFeeMinor'>): boolean =>
  hasStatus(soldStatuses, booking.status) || (booking.status === 'cancelled' && booking.cancellationFeeMinor > 0)

/** Whether it is an invoice that no credit note has taken back. */
export const isInForce = ({ kind, cancelledByNumber }: Pick<BillingDocument, 'kind' | 'cancelledByNumber'>): boolean =>
  kind === 'invoice' && cancelledByNumber === null

/** One document with all that is printed on it, and what is paid and due by now. */
export const Printed = z.object({
  ...BillingDocument.shape,
  seller: Seller,
  buyer: BuyerThen,
  tour: TourThen,
  lines: z.array(BillingLine),
  taxScheme: z.enum(taxSchemes),
  /** Highest rate first; empty unless the prices include tax. */
  taxes: z.array(TaxLine),
  /** Of an invoice in force: what its booking says today. Null for all others. */
  settled: z.nullable(z.object({ on: LocalDate, paidMinor: Signed, dueMinor: Signed })),
  /** Of a receipt whose payment was voided since. */
  isVoid: z.boolean(),
})
export type PrintedDocument = z.output<typeof Printed>

/** The message with which a document was sent to the guest last. */
const SentDocument = z.object({
  /** E-mail address or phone number. */
  to: z.string(),
  channel: z.enum(channelKinds),
  status: z.enum(statusesOf('deliveries')),
  /** When it left; null while it waits, and where it could not be delivered. */
  sentAt: z.nullable(Instant),
})
export type SentDocument = z.output<typeof SentDocument>

export const listBillingDocuments = callable({
  name: 'billing-list',
  kind: 'read',
  permission: 'bookings:read',
  summary: 'Invoices, credit notes and receipts of a booking, newest first.',
  input: z.object({ bookingId: Id }),
  output: z.object({
    documents: z.array(BillingDocument),
    /** Whether the invoice in force says something else than the booking does by now, or the booking is not sold any more. */
    isOutdated: z.boolean(),
    /** What a new invoice begins with. */
    buyer: BuyerThen,
    /** Whether the organization has given its address, without which an invoice is worth little. */
    hasSellerAddress: z.boolean(),
  }),
  topics: [
    'billing_documents',
    'bookings',
    'departures',
    'members',
    'org_settings',
    'organizations',
    'payments',
    'tours',
  ],
})

export const getBillingDocument = callable({
  name: 'billing-document',
  kind: 'read',
  permission: 'bookings:read',
  summary: 'One document with all that is printed on it, and what is paid and due by now.',
  input: ById,
  output: z.object({
    ...Printed.shape,
    /** Null where it was never sent. */
    sent: z.nullable(SentDocument),
  }),
  topics: [
    'billing_documents',
    'bookings',
    'deliveries',
    'departures',
    'members',
    'messages',
    'org_settings',
    'organizations',
    'payments',
    'tours',
  ],
})
const Issued = z.object({ id: Id, number: z.string() })

export const issueInvoice = callable({
  name: 'billing-issue-invoice',
  kind: 'write',
  permission: 'bookings:manage',
  summary:
    'Issues the invoice of a confirmed booking, or of the fee of a cancelled one. While another one is in force it has to be named in `replaces`: it is taken back by a credit note in the same step.',
  input: write({
    bookingId: Id,
    buyer: Buyer,
    replaces: z.optional(z.object({ id: Id, reason: text(200, 'reason_missing') })),
  }),
  output: Issued,
  writes: ['billing_documents'],
})

export const cancelInvoice = callable({
  name: 'billing-cancel-invoice',
  kind: 'write',
  permission: 'bookings:manage',
  summary: 'Takes an invoice back by a credit note over the same amount.',
  input: write({ id: Id, reason: text(200, 'reason_missing') }),
  output: Issued,
  writes: ['billing_documents'],
})

export const issueReceipt = callable({
  name: 'billing-issue-receipt',
  kind: 'write',
  permission: 'bookings:manage',
  summary: 'Issues the receipt of a payment or a refund; of one that has a receipt, that one.',
  input: write({ paymentId: Id }),
  output: Issued,
  writes: ['billing_documents'],
})
