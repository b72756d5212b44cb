import type { BillingLine, PrintedDocument, TaxLine } from '@tour-ops/contract/bookings/billing'
import type { feeTaxes, taxSchemes } from '@tour-ops/contract/bookings/tax-schemes'

/** Which tax the invoices of an organization state. */
export interface TaxSettings {
  readonly scheme: (typeof taxSchemes)[number]
  readonly name: string | null
  /** With at most two decimals. */
  readonly percent: number
  readonly fees: (typeof feeTaxes)[number]
}

/** What a document states of tax. */
export type StatedTax = Pick<PrintedDocument, 'taxScheme' | 'taxes'>

/** The tax that an invoice with these lines states; amounts contain it. */
export function taxesOf(lines: readonly BillingLine[], { scheme, name, percent, fees }: TaxSettings): StatedTax {
  if (scheme !== 'included') return { taxScheme: scheme, taxes: [] }
  const rateBp = Math.round(percent * 100)
  const grosses = new Map<number, number>()
  for (const { kind, amountMinor } of lines) {
    const rate = kind === 'fee' && fees === 'exempt' ? 0 : rateBp
    grosses.set(rate, (grosses.get(rate) ?? 0) + amountMinor)
  }
  const rates = [...grosses].toSorted(([one], [other]) => other - one)
  return { taxScheme: scheme, taxes: rates.map(([rate, gross]) => taxLine(name, rate, gross)) }
}

/** Rounded half away from zero as the schema does, with whole numbers, which have no error at a half. */
function taxLine(name: string | null, rateBp: number, grossMinor: number): TaxLine {
  const whole = BigInt(10_000 + rateBp)
  const size = BigInt(Math.abs(grossMinor)) * BigInt(rateBp)
  const tax = Number((2n * size + whole) / (2n * whole))
  const taxMinor = grossMinor < 0 ? 0 - tax : tax
  return { name, rateBp, netMinor: grossMinor - taxMinor, taxMinor, grossMinor }
}

/** What the credit note of a document states. Never minus zero, which JSON does not know. */
export const taxesTakenBack = ({ taxScheme, taxes }: StatedTax): StatedTax => ({
  taxScheme,
  taxes: taxes.map(({ name, rateBp, netMinor, taxMinor, grossMinor }) => ({
    name,
    rateBp,
    netMinor: 0 - netMinor,
    taxMinor: 0 - taxMinor,
    grossMinor: 0 - grossMinor,
  })),
})
