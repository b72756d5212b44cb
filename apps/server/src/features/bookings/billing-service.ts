import { isDeepStrictEqual } from 'node:util'
import {
  cancelInvoice,
  getBillingDocument,
  isInForce,
  issueInvoice,
  issueReceipt,
  listBillingDocuments,
  type PrintedDocument,
} from '@tour-ops/contract/bookings/billing'
import { getSharedDocument } from '@tour-ops/contract/links/shared-page'
import type { Payment } from '@tour-ops/contract/bookings/payments'
import { refuse } from '@tour-ops/contract/refusals'
import { sql } from 'kysely'
import type { MemberCall } from '../../context.ts'
import { localDateOf } from '../../platform/local-time.ts'
import { emailLocale } from '../../platform/operations/guest-emails.ts'
import { linkOver, openLink } from '../../platform/operations/open-link.ts'
import { selectSentDocument } from '../../platform/operations/sent-documents.ts'
import { notFound } from '../../platform/optimistic-lock.ts'
import { organizationZone } from '../../platform/organization-zone.ts'
import { verb, type Verb } from '../../platform/verb.ts'
import { linesOf, takenBack } from './billing-lines.ts'
import {
  type BilledBooking,
  type BillingCall,
  insertDocument,
  type NewDocument,
  selectBilled,
  selectDocument,
  selectDocuments,
  type StoredDocument,
} from './billing-store.ts'
import { taxesOf, taxesTakenBack } from './billing-taxes.ts'
import { selectPayments } from './payments-store.ts'

const list = verb(listBillingDocuments, async (call, { bookingId }) => {
  const booking = await selectBilled(call, bookingId)
  const documents = await selectDocuments(call, sql<boolean>`d.booking_id = ${bookingId}`)
  const invoice = documents.find(isInForce)
  const latest = documents.find(({ kind }) => kind === 'invoice')
  return {
    documents: documents.map(rowOf),
    isOutdated: invoice !== undefined && isOutdated(invoice, booking),
    buyer: latest?.buyer ?? buyerOf(booking),
    hasSellerAddress: booking.seller.address !== null,
  }
})

const rowOf = ({
  seller: _seller,
  buyer: _buyer,
  tour: _tour,
  lines: _lines,
  taxScheme: _scheme,
  taxes: _taxes,
  isVoid: _void,
  ...row
}: StoredDocument) => row

/** Whether an invoice that is issued now would say something else: price, seats, departure or day. A tour that got another name is the same. */
const isOutdated = ({ lines, currency, tour }: StoredDocument, booking: BilledBooking): boolean =>
  !booking.isBillable ||
  currency !== booking.currency ||
  tour.departureCode !== booking.departureCode ||
  tour.localDate !== booking.localDate ||
  !isDeepStrictEqual(lines, linesOf(booking))

const get = verb(getBillingDocument, async (call, { id }) => ({
  ...(await print(call, await selectDocument(call, id))),
  sent: await selectSentDocument(call.tx, call.orgId, id),
}))

/** What the office prints is what the guest opens. @throws AppError `not-found` for documents of other bookings, and on other links. */
const getOnLink = verb(getSharedDocument, async (call, { token, id }) => {
  const link = await openLink(call, token)
  if (link.kind !== 'booking_guest' || !link.scopes.documents) throw linkOver()
  const guest = { tx: call.tx, clock: call.clock, orgId: link.orgId }
  return print(guest, await selectDocument(guest, id, sql<boolean>`d.booking_id = ${link.bookingId}::uuid`))
})

/** With what is so by now. */
async function print(call: BillingCall, document: StoredDocument): Promise<PrintedDocument> {
  const booking = await selectBilled(call, document.bookingId)
  const due = booking.isOnAccount ? 0 : Math.max(0, document.totalMinor - booking.paidMinor)
  const settled = { on: await today(call), paidMinor: booking.paidMinor, dueMinor: due }
  return { ...document, settled: isInForce(document) && booking.isBillable ? settled : null }
}

/** The booking is locked first: its price stays what the invoice says, and of two at once the second sees the first. */
const issue = verb(issueInvoice, async (call, { bookingId, buyer, replaces }) => {
  await lockBooking(call, bookingId)
  const booking = await selectBilled(call, bookingId)
  if (!booking.isBillable) throw refuse('invoice_not_sold')
  const documents = await selectDocuments(call, sql<boolean>`d.booking_id = ${bookingId}`)
  const invoice = documents.find(isInForce)
  if (invoice && replaces === undefined) throw refuse('invoice_in_force')
  if (replaces) {
    if (!documents.some(({ id }) => id === replaces.id)) throw notFound('billing_document')
    if (invoice?.id !== replaces.id) throw refuse('invoice_cancelled')
    await credit(call, invoice, replaces.reason)
  }
  const lines = linesOf(booking)
  const stated = taxesOf(lines, booking.tax)
  return insertDocument(call, { ...(await headOf(call, booking)), kind: 'invoice', buyer, lines, stated })
})

const cancel = verb(cancelInvoice, async (call, { id, reason }) => {
  const { bookingId } = await selectDocument(call, id)
  await lockBooking(call, bookingId)
  const invoice = await selectDocument(call, id)
  if (!isInForce(invoice)) throw refuse('invoice_cancelled')
  return credit(call, invoice, reason)
})

/** What the invoice says with the other sign; only who issues it, and when, is of today. */
async function credit(call: MemberCall, invoice: StoredDocument, reason: string) {
  const { bookingId, locale, currency, seller, buyer, tour } = invoice
  return insertDocument(call, {
    bookingId,
    kind: 'credit_note',
    locale,
    currency,
    seller,
    buyer,
    tour,
    totalMinor: 0 - invoice.totalMinor,
    lines: takenBack(invoice.lines),
    stated: taxesTakenBack(invoice),
    issuedOn: await today(call),
    cancelsId: invoice.id,
    reason,
  })
}

const receipt = verb(issueReceipt, async (call, { paymentId }) => {
  const bookingId = await bookingOfPayment(call, paymentId)
  await lockBooking(call, bookingId)
  const [known] = await selectDocuments(call, sql<boolean>`d.payment_id = ${paymentId}`)
  if (known) return { id: known.id, number: known.number }
  const payment = await selectPayment(call, paymentId)
  if (payment.voidedAt !== null) throw refuse('payment_voided')
  const booking = await selectBilled(call, bookingId)
  const totalMinor = payment.kind === 'payment' ? payment.amountMinor : -payment.amountMinor
  const { method, receivedOn, reference, currency } = payment
  return insertDocument(call, {
    ...(await headOf(call, booking)),
    kind: 'receipt',
    buyer: buyerOf(booking),
    currency,
    totalMinor,
    lines: [{ kind: 'payment', method, receivedOn, reference, amountMinor: totalMinor }],
    paymentId,
  })
})

const buyerOf = ({ contactName }: BilledBooking) => ({ name: contactName, address: null, taxNumber: null })

/** What every document of a booking begins with. */
async function headOf(
  call: MemberCall,
  booking: BilledBooking,
): Promise<Pick<NewDocument, 'bookingId' | 'locale' | 'currency' | 'totalMinor' | 'seller' | 'tour' | 'issuedOn'>> {
  const { id, locale, currency, totalMinor, seller, tourName, departureCode, localDate, bookingRef } = booking
  return {
    bookingId: id,
    locale: emailLocale(locale),
    currency,
    totalMinor,
    seller,
    tour: { name: tourName, departureCode, localDate, bookingRef },
    issuedOn: await today(call),
  }
}

const today = async (call: BillingCall): Promise<string> => localDateOf(call.clock.now(), await organizationZone(call))

/** @throws AppError `not-found`. */
async function lockBooking(call: MemberCall, id: string): Promise<void> {
  const { rows } = await sql<{ id: string }>`select id from bookings
    where org_id = ${call.orgId} and id = ${id} for no key update`.execute(call.tx)
  if (!rows[0]) throw notFound('booking')
}

async function bookingOfPayment(call: MemberCall, id: string): Promise<string> {
  const { rows } = await sql<{ bookingId: string }>`
    select booking_id as "bookingId" from payments where org_id = ${call.orgId} and id = ${id}`.execute(call.tx)
  if (!rows[0]) throw notFound('payment')
  return rows[0].bookingId
}

async function selectPayment(call: MemberCall, id: string): Promise<Payment> {
  const [payment] = await selectPayments(call, await organizationZone(call), sql<boolean>`p.id = ${id}`)
  if (!payment) throw notFound('payment')
  return payment
}

export const billingVerbs: Verb[] = [list, get, getOnLink, issue, cancel, receipt]
