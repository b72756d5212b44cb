import type { CancellationRule } from '@tour-ops/contract/bookings/cancellation'
import { fieldError } from '@tour-ops/contract/field-rules'
import type { StatusOf } from '@tour-ops/contract/state-machines'
import { type CancellationStep, refundPercentOf } from '@tour-ops/contract/tours/cancellation-steps'
import { sql } from 'kysely'
import type { SeatCall } from '../../platform/operations/seat-call.ts'
import { notFound } from '../../platform/optimistic-lock.ts'

interface RuleRow {
  steps: CancellationStep[]
  daysBefore: number
  departureStatus: StatusOf<'departures'>
}

/** What the tour of a departure says today of guests who cancel; by the database's clock and the tour's calendar. */
export async function selectCancellationRule(
  { tx, orgId }: SeatCall,
  departureId: string,
): Promise<CancellationRule & Pick<RuleRow, 'departureStatus'>> {
  const { rows } = await sql<RuleRow>`
    select t.cancellation_steps as steps, d.local_date - (app_now() at time zone d.time_zone)::date as "daysBefore", d.status as "departureStatus"
    from departures d join tours t on t.org_id = d.org_id and t.id = d.tour_id where d.org_id = ${orgId} and d.id = ${departureId}`.execute(
    tx,
  )
  const [row] = rows
  if (!row) throw notFound('departure')
  const { steps, daysBefore, departureStatus } = row
  return { daysBefore, refundPercent: refundPercentOf(steps, daysBefore), departureStatus }
}

interface WantedFee {
  /** Undefined: what the rule says. */
  readonly feeMinor?: number | undefined
  readonly feeReason: string | null
}

/**
 * What is kept of seats that are given up: what the rule says, or something else, for a reason.
 *
 * @param atMost What they cost. Minor units, as all here.
 * @throws AppError `invalid-argument` on `feeMinor` for more than that, and on `feeReason` for another fee without a reason.
 */
export function keptFeeOf(
  { feeMinor, feeReason }: WantedFee,
  proposed: number,
  atMost: number,
): { readonly feeMinor: number; readonly reason: string | null } {
  if (feeMinor === undefined || feeMinor === proposed) return { feeMinor: proposed, reason: feeReason }
  if (feeMinor > atMost) throw fieldError('feeMinor', 'fee_above_price')
  if (feeReason === null) throw fieldError('feeReason', 'fee_reason_missing')
  return { feeMinor, reason: feeReason }
}
