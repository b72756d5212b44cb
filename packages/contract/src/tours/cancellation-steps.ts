import * as z from 'zod/mini'
import { whole } from '../fields.ts'

/** `{ daysBefore: 7, refundPercent: 50 }`: who cancels seven days before the start or earlier gets half of it back. */
export const CancellationStep = z.object({ daysBefore: whole(0, 365), refundPercent: whole(0, 100) })
export type CancellationStep = z.output<typeof CancellationStep>

export const maxCancellationSteps = 8

/** The earliest first; who is later than the last gets nothing back. Without steps all goes back. */
export const CancellationSteps = z
  .array(CancellationStep)
  .check(z.maxLength(maxCancellationSteps), z.refine(areFalling, { error: 'cancellation_steps_fall' }))

function areFalling(steps: readonly CancellationStep[]): boolean {
  return steps.every(({ daysBefore, refundPercent }, at) => {
    const above = steps[at - 1]
    return above === undefined || (daysBefore < above.daysBefore && refundPercent <= above.refundPercent)
  })
}

/** What goes back to who cancels today; null without steps. */
export function refundPercentOf(steps: readonly CancellationStep[], daysBefore: number): number | null {
  if (steps.length === 0) return null
  return steps.find((step) => daysBefore >= step.daysBefore)?.refundPercent ?? 0
}
