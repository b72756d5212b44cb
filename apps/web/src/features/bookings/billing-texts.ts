import type { BillingDocument, BillingLine, PrintedDocument, TaxLine } from '@tour-ops/contract/bookings/billing'
import { m } from '../../paraglide/messages.js'
import { formatLocalDate, formatMoney, formatNumber, formatPercent } from '../../ui/format.ts'
import { inLocale } from '../../ui/in-locale.ts'
import { unitLabel } from '../../records/unit-labels.ts'
import { methodLabel } from './payment-labels.ts'

/** What kind of document it is, in the language of the reader. */
export const billingTitle = ({ kind, totalMinor }: Pick<BillingDocument, 'kind' | 'totalMinor'>): string => {
  if (kind === 'invoice') return m.bookings_paper_invoice()
  if (kind === 'credit_note') return m.bookings_paper_credit_note()
  return totalMinor < 0 ? m.bookings_paper_refund() : m.bookings_paper_receipt()
}

/** All that is printed, in the language of the document. */
export interface PaperTexts {
  readonly title: string
  /** Next to the title. */
  readonly facts: readonly (readonly [label: string, value: string])[]
  readonly buyerLabel: string
  /** Name, address and tax number, a line each. */
  readonly seller: readonly string[]
  readonly buyer: readonly string[]
  readonly tour: string
  readonly columns: readonly [what: string, quantity: string, price: string, amount: string]
  readonly lines: readonly PaperLine[]
  /** The last ones: total, what is paid, what is due. */
  readonly sums: readonly (readonly [label: string, amount: string])[]
  /** What each rate is of the total; null where no tax is stated. */
  readonly taxes: TaxTexts | null
  /** What the law asks a seller under a margin scheme to print. */
  readonly scheme: string | null
  /** What a reader has to know first: cancelled, void, or what it cancels. */
  readonly notice: string | null
  /** "Page 1 of 2", with line breaks for the numbers. */
  readonly pages: string
}

interface TaxTexts {
  readonly columns: readonly [rate: string, net: string, tax: string, gross: string]
  readonly rows: readonly (readonly [rate: string, net: string, tax: string, gross: string])[]
}

interface PaperLine {
  readonly what: string
  readonly quantity: string
  readonly price: string
  readonly amount: string
}

/** The texts of a document, in its own language whatever that of the screen is. */
export const paperTexts = (document: PrintedDocument): PaperTexts =>
  inLocale(document.locale, () => {
    const { seller, buyer, tour, lines, currency } = document
    return {
      title: billingTitle(document),
      facts: factsOf(document),
      buyerLabel: m.bookings_paper_buyer(),
      seller: linesOfParty(seller),
      buyer: linesOfParty(buyer),
      tour: `${tour.name}, ${formatLocalDate(tour.localDate)} (${tour.departureCode})`,
      columns: [
        m.bookings_paper_what(),
        m.bookings_paper_quantity(),
        m.bookings_paper_price(),
        m.bookings_paper_amount(),
      ],
      lines: lines.map((line) => paperLine(line, currency)),
      sums: sumsOf(document),
      taxes: taxTexts(document),
      scheme: document.taxScheme === 'margin' ? m.bookings_paper_margin() : null,
      notice: noticeOf(document),
      pages: m.ui_page_of({ page: '\n', of: '\n' }),
    }
  })

const factsOf = ({ number, issuedOn, tour }: PrintedDocument): PaperTexts['facts'] => [
  [m.bookings_paper_number(), number],
  [m.bookings_paper_date(), formatLocalDate(issuedOn)],
  [m.bookings_booking(), tour.bookingRef],
]

const linesOfParty = ({ name, address, taxNumber }: PrintedDocument['buyer']): string[] => [
  name,
  ...(address?.split('\n') ?? []),
  ...(taxNumber === null ? [] : [m.bookings_paper_tax_number({ number: taxNumber })]),
]

function paperLine(line: BillingLine, currency: string): PaperLine {
  const amount = formatMoney(line.amountMinor, currency)
  if (line.kind === 'unit') {
    const { unitType, quantity, priceMinor } = line
    return {
      what: unitLabel(unitType),
      quantity: formatNumber(quantity),
      price: formatMoney(priceMinor, currency),
      amount,
    }
  }
  return { what: otherText(line), quantity: '', price: '', amount }
}

function otherText(line: Exclude<BillingLine, { kind: 'unit' }>): string {
  if (line.kind === 'payment') return paymentText(line)
  return line.kind === 'fee' ? m.bookings_fee() : differenceText(line)
}

const paymentText = ({ method, receivedOn, reference }: BillingLine & { kind: 'payment' }): string =>
  [methodLabel({ method, isImported: false }), formatLocalDate(receivedOn), reference].filter(Boolean).join(', ')

const differenceText = ({ reason }: BillingLine & { kind: 'difference' }): string =>
  reason === null ? m.bookings_paper_difference() : m.bookings_paper_difference_because({ reason })

function sumsOf({ totalMinor, currency, settled }: PrintedDocument): PaperTexts['sums'] {
  const total = [m.bookings_paper_total(), formatMoney(totalMinor, currency)] as const
  if (!settled) return [total]
  return [
    total,
    [m.bookings_paper_paid({ day: formatLocalDate(settled.on) }), formatMoney(settled.paidMinor, currency)],
    [m.bookings_due(), formatMoney(settled.dueMinor, currency)],
  ]
}

const taxTexts = ({ taxes, currency }: PrintedDocument): TaxTexts | null =>
  taxes.length === 0
    ? null
    : {
        columns: [
          m.bookings_paper_tax_rate(),
          m.bookings_paper_net(),
          m.bookings_paper_tax(),
          m.bookings_paper_gross(),
        ],
        rows: taxes.map((line) => [
          rateText(line),
          formatMoney(line.netMinor, currency),
          formatMoney(line.taxMinor, currency),
          formatMoney(line.grossMinor, currency),
        ]),
      }

function rateText({ name, rateBp }: TaxLine): string {
  if (rateBp === 0) return m.bookings_paper_exempt()
  const rate = formatPercent(rateBp / 10_000, 2)
  return name === null ? m.bookings_paper_vat({ rate }) : `${name} ${rate}`
}

function noticeOf({ cancelledByNumber, cancelsNumber, reason, isVoid }: PrintedDocument): string | null {
  if (cancelledByNumber !== null) return m.bookings_invoice_cancelled_by({ number: cancelledByNumber })
  if (cancelsNumber !== null) return m.bookings_paper_cancels({ number: cancelsNumber, reason: reason ?? '' })
  return isVoid ? m.bookings_paper_void() : null
}
