import { endedStatuses, hasStatus } from '@tour-ops/contract/state-machines'
import { problem, type Warning } from './import-problems.ts'
import type { PartyProblem } from './plan-booking.ts'
import type { BatchFacts } from './batch-facts.ts'
import type { Claims } from './claims.ts'
import { type BookingFacts } from './plan-store.ts'
import { type PlannedRow, type StagedRow, untouched, type WritePlan } from './plan-types.ts'
import { isReferenced } from './row-values.ts'

interface CancelContext {
  readonly facts: Pick<BatchFacts, 'bookingOf' | 'entriesOfBooking'>
  readonly memory: { readonly claims: Claims }
  readonly headerOf: (field: string) => string | null
}

/**
 * Lines that say that their booking is cancelled. It is found by its reference only, so that no other booking of a guest is taken for it; where
 * there is none, nothing happens.
 */
export function planCancelled(
  { facts, memory, headerOf }: CancelContext,
  rows: readonly StagedRow[],
): PlannedRow[] | PartyProblem {
  const values = rows[0]?.values ?? {}
  const booking = isReferenced(values) ? facts.bookingOf(values) : undefined
  if (!booking) return rows.map((row) => ({ ...untouched(row), warnings: [noBooking(headerOf('status'))] }))
  if (hasStatus(endedStatuses, booking.status)) return rows.map((row) => ofBooking(row, booking))
  if (booking.status !== 'confirmed') {
    return { code: 'cancel_not_confirmed', field: 'status', params: { status: booking.status } }
  }
  const entries = facts.entriesOfBooking(booking.id)
  if (entries.some(({ entryStatus }) => entryStatus !== 'expected' && entryStatus !== 'no_show')) {
    return { code: 'cancel_aboard', field: 'status', params: {} }
  }
  const plan = {
    id: booking.id,
    isNew: false,
    version: booking.version,
    set: { status: 'cancelled', cancel_reason: 'other' },
    was: { status: booking.status, cancel_reason: null, cancelled_at: null, import_batch_id: booking.importBatchId },
  }
  const leaving = entries
    .filter(({ entryStatus }) => entryStatus === 'expected')
    .map(({ entryId, entryVersion, entryImportBatchId }) => ({
      id: entryId,
      version: entryVersion,
      batch: entryImportBatchId,
    }))
  const changes = [{ field: 'status', before: booking.status, after: 'cancelled' }]
  return rows.map((row, at) => {
    const taken = at === 0 ? memory.claims.take(`b ${booking.id}`, row, plan) : undefined
    const write: WritePlan = taken ? { booking: taken, cancel: leaving } : {}
    return { ...ofBooking(row, booking), outcome: 'change', changes, write }
  })
}

const noBooking = (column: string | null): Warning => ({ ...problem('cancelled_unknown', column), result: 'left_out' })

const ofBooking = (row: StagedRow, booking: BookingFacts): PlannedRow => ({
  ...untouched(row),
  departureCode: booking.departureCode,
  departureId: booking.departureId,
  bookingId: booking.id,
})
