import type { BillingLine } from '@tour-ops/contract/bookings/billing'
import type { BilledBooking } from './billing-store.ts'

type Priced = Pick<
  BilledBooking,
  'units' | 'totalMinor' | 'priceReason' | 'discountCode' | 'discountMinor' | 'feeMinor'
>

/** What a booking costs, line by line: its seats as they were sold, what a discount code took off, what is kept of those that were given up, and what was agreed on beyond that. */
export function linesOf({
  units,
  totalMinor,
  priceReason,
  discountCode,
  discountMinor,
  feeMinor,
}: Priced): BillingLine[] {
  const seats: BillingLine[] = units.map(({ unitType, qty, priceMinor = 0 }) => ({
    kind: 'unit' as const,
    unitType,
    quantity: qty,
    priceMinor,
    amountMinor: qty * priceMinor,
  }))
  const known: BillingLine[] = [
    ...seats,
    ...(discountMinor > 0
      ? [{ kind: 'difference' as const, reason: discountCode, amountMinor: 0 - discountMinor }]
      : []),
    ...(feeMinor > 0 ? [{ kind: 'fee' as const, amountMinor: feeMinor }] : []),
  ]
  const difference = totalMinor - known.reduce((sum, { amountMinor }) => sum + amountMinor, 0)
  if (difference === 0) return known
  return [...known, { kind: 'difference', reason: priceReason, amountMinor: difference }]
}

/** The same lines taken back. Never minus zero, which JSON does not know. */
export const takenBack = (lines: readonly BillingLine[]): BillingLine[] =>
  lines.map((line) => ({
    ...line,
    amountMinor: 0 - line.amountMinor,
    ...(line.kind === 'unit' && { quantity: 0 - line.quantity }),
  }))
