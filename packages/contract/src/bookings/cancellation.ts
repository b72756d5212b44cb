import * as z from 'zod/mini'
import { whole } from '../fields.ts'
import { endedStatuses, hasStatus, type StatusOf } from '../state-machines.ts'

/** What the rule of a tour says today. */
export const CancellationRule = z.object({
  /** Days from today to the start, both local to the tour; negative when it has passed. */
  daysBefore: z.int(),
  /** Null where the tour has no steps: all goes back. */
  refundPercent: z.nullable(whole(0, 100)),
})
export type CancellationRule = z.output<typeof CancellationRule>

/** What is kept of an amount in minor units. */
export const feeMinorOf = (amountMinor: number, { refundPercent }: CancellationRule): number =>
  amountMinor - Math.round((amountMinor * (refundPercent ?? 100)) / 100)

interface Cancelled {
  readonly status: StatusOf<'bookings'>
  readonly departureStatus: StatusOf<'departures'>
}

/** What is kept of seats that guests give up and that cost `amountMinor`: nothing before they were confirmed, or of a departure that does not run. */
export const partFeeMinor = (
  { status, departureStatus }: Cancelled,
  amountMinor: number,
  rule: CancellationRule,
): number => (status !== 'confirmed' || departureStatus === 'cancelled' ? 0 : feeMinorOf(amountMinor, rule))

interface Priced {
  readonly status: StatusOf<'bookings'>
  readonly amountTotalMinor: number
  readonly cancellationFeeMinor: number
}

/** Reasons for which a guest pays nothing, whatever the rule says: nothing of it is their doing. */
const freeReasons: readonly string[] = ['departure_cancelled', 'duplicate']

/** Whether a guest who cancels pays by the rule at all. */
export const isFeeByRule = ({ departureStatus }: Pick<Cancelled, 'departureStatus'>, reason: string): boolean =>
  departureStatus !== 'cancelled' && !freeReasons.includes(reason)

/** What is kept of a booking that is cancelled, unless somebody decides otherwise: what was kept before, and by the rule a part of the rest. */
export function proposedFeeMinor(booking: Cancelled & Priced, reason: string, rule: CancellationRule): number {
  const { amountTotalMinor, cancellationFeeMinor: kept } = booking
  if (!isFeeByRule(booking, reason)) return 0
  return kept + partFeeMinor(booking, amountTotalMinor - kept, rule)
}

/** What a booking costs by now, in minor units: of one that has ended without a tour only what was kept. The schema has the same rule: `owed_minor`. */
export const owedMinor = ({ status, amountTotalMinor, cancellationFeeMinor }: Priced): number =>
  hasStatus(endedStatuses, status) ? cancellationFeeMinor : amountTotalMinor

interface Paid extends Priced {
  readonly amountPaidMinor: number
  readonly paymentStatus: string
}

/** What is still to be paid of what is owed, and what is to go back, in minor units. Bookings on an agent's account are settled elsewhere until they end. */
export function balanceOf(booking: Paid): { dueMinor: number; refundMinor: number } {
  if (booking.paymentStatus === 'agent_credit' && !hasStatus(endedStatuses, booking.status)) {
    return { dueMinor: 0, refundMinor: 0 }
  }
  const openMinor = owedMinor(booking) - booking.amountPaidMinor
  return { dueMinor: Math.max(0, openMinor), refundMinor: Math.max(0, -openMinor) }
}
