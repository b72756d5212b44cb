import type { PrintedDocument } from '@tour-ops/contract/bookings/billing'
import { expect, test } from 'vitest'
import { overwriteGetLocale } from '../../paraglide/runtime.js'
import { m } from '../../paraglide/messages.js'
import { formatMoney } from '../../ui/format.ts'
import { paperTexts } from './billing-texts.ts'

const invoice: PrintedDocument = {
  id: '0195e5a0-0000-7000-8000-000000000001',
  bookingId: '0195e5a0-0000-7000-8000-000000000002',
  kind: 'invoice',
  number: 'INV-00012',
  locale: 'de',
  currency: 'EUR',
  totalMinor: 20_000,
  buyerName: 'Ōkafor',
  issuedOn: '2030-07-01',
  issuedByName: null,
  reason: null,
  cancelsNumber: null,
  cancelledByNumber: null,
  paymentId: null,
  seller: { name: 'Aurora ehf.', address: 'Laugavegur 1\n101 Reykjavík', taxNumber: 'IS 1', note: null },
  buyer: { name: 'Ōkafor', address: null, taxNumber: null },
  tour: { name: 'Golden Circle', departureCode: 'GOLD-1', localDate: '2030-07-14', bookingRef: 'AUR-1' },
  lines: [
    { kind: 'unit', unitType: 'adult', quantity: 2, priceMinor: 8900, amountMinor: 17_800 },
    { kind: 'difference', reason: 'With lunch', amountMinor: 2200 },
  ],
  taxScheme: 'none',
  taxes: [],
  settled: { on: '2030-07-02', paidMinor: 5000, dueMinor: 15_000 },
  isVoid: false,
}

/** Amounts have spaces that do not break. */
const plain = (text: string): string => text.replaceAll(/\s/g, ' ')

test('a document speaks the language of its guest, with its formats, and the page its own again afterwards', () => {
  overwriteGetLocale(() => 'es')
  const texts = paperTexts(invoice)
  expect(texts.title).toBe('Rechnung')
  expect(texts.seller).toEqual(['Aurora ehf.', 'Laugavegur 1', '101 Reykjavík', 'Steuernummer: IS 1'])
  expect(texts.lines.map(({ what, amount }) => [what, plain(amount)])).toEqual([
    ['Erwachsene', '178,00 €'],
    ['Preis nach Vereinbarung: With lunch', '22,00 €'],
  ])
  expect(texts.sums.map(([label, amount]) => [label, plain(amount)])).toEqual([
    ['Gesamtbetrag', '200,00 €'],
    ['Bezahlt bis 02.07.2030', '50,00 €'],
    ['Offen', '150,00 €'],
  ])
  expect(m.bookings_paper_invoice()).toBe('Factura')
  overwriteGetLocale(() => 'en')
  expect(m.bookings_paper_invoice()).toBe('Invoice')
  expect(formatMoney(100, 'EUR')).toBe('€1.00')
})

test('an invoice states net, tax and gross of each rate in the language of its guest, and a margin scheme its note alone', () => {
  const reduced = { name: null, rateBp: 810, netMinor: 16_466, taxMinor: 1334, grossMinor: 17_800 }
  const rates = [reduced, { name: null, rateBp: 0, netMinor: 2200, taxMinor: 0, grossMinor: 2200 }]
  const { taxes, scheme } = paperTexts({ ...invoice, taxScheme: 'included', taxes: rates })
  expect(taxes?.columns).toEqual(['Steuersatz', 'Nettobetrag', 'Steuer', 'Bruttobetrag'])
  expect(taxes?.rows.map((row) => row.map(plain))).toEqual([
    ['MwSt. 8,1 %', '164,66 €', '13,34 €', '178,00 €'],
    ['Steuerfrei', '22,00 €', '0,00 €', '22,00 €'],
  ])
  expect(scheme).toBeNull()
  const named = paperTexts({ ...invoice, taxScheme: 'included', taxes: [{ ...reduced, name: 'VSK' }] })
  expect(plain(named.taxes?.rows[0]?.[0] ?? '')).toBe('VSK 8,1 %')
  const margin = paperTexts({ ...invoice, locale: 'es', taxScheme: 'margin' })
  expect([margin.taxes, margin.scheme]).toEqual([null, 'Régimen especial de las agencias de viajes'])
})

test('a credit note says what it cancels and why, a cancelled invoice by what, and neither asks for money', () => {
  const credit = { ...invoice, locale: 'en', kind: 'credit_note', settled: null, totalMinor: -20_000 } as const
  const texts = paperTexts({ ...credit, cancelsNumber: 'INV-00012', reason: 'Another company pays' })
  expect(texts.title).toBe('Credit note')
  expect(texts.notice).toBe('Cancels invoice INV-00012. Reason: Another company pays')
  expect(texts.sums).toHaveLength(1)
  const cancelled = paperTexts({ ...invoice, locale: 'en', settled: null, cancelledByNumber: 'CN-00001' })
  expect(cancelled.notice).toBe('Cancelled by CN-00001')
})

test('the receipt of a refund says so, and one whose payment was voided too', () => {
  const line = {
    kind: 'payment',
    method: 'cash',
    receivedOn: '2030-07-01',
    reference: 'Till 3',
    amountMinor: -500,
  } as const
  const receipt = { ...invoice, locale: 'en', kind: 'receipt', settled: null, totalMinor: -500, lines: [line] } as const
  const texts = paperTexts({ ...receipt, lines: [line], isVoid: true })
  expect(texts.title).toBe('Receipt of refund')
  expect(texts.lines[0]?.what).toBe('Cash, 1 Jul 2030, Till 3')
  expect(texts.notice).toBe('The payment of this receipt was voided.')
})
