import type { BillingLine } from '@tour-ops/contract/bookings/billing'
import type { BilledBooking } from './billing-store.ts'

/** What a booking costs, line by line: its seats as they were sold, and what was agreed on beyond that. */
export function linesOf({
  units,
  totalMinor,
  priceReason,
}: Pick<BilledBooking, 'units' | 'totalMinor' | 'priceReason'>): BillingLine[] {
  const seats = units.map(({ unitType, qty, priceMinor = 0 }) => ({
    kind: 'unit' as const,
    unitType,
    quantity: qty,
    priceMinor,
    amountMinor: qty * priceMinor,
  }))
  const difference = totalMinor - seats.reduce((sum, { amountMinor }) => sum + amountMinor, 0)
  if (difference === 0) return seats
  return [...seats, { kind: 'difference', reason: priceReason, amountMinor: difference }]
}

/** The same lines taken back. Never minus zero, which JSON does not know. */
export const takenBack = (lines: readonly BillingLine[]): BillingLine[] =>
  lines.map((line) => ({
    ...line,
    amountMinor: 0 - line.amountMinor,
    ...(line.kind === 'unit' && { quantity: 0 - line.quantity }),
  }))
