import { metersBetween } from '@tour-ops/contract/tracking/arrivals/travel'
import type { Fix } from './fix.ts'

/** Where a device was, as needed to detect a jump. */
export type Place = Pick<Fix, 'recordedAt' | 'lat' | 'lng' | 'accuracyM'>

/** What is remembered of a device between two fixes. */
export interface Trail {
  readonly trusted: Place
  /** A place too far away to accept, which the next fix may confirm. */
  readonly doubted?: Place
}

/** Faster than any train or boat, m/s; flights are no part of a duty. */
const fastestMps = 120
/** Shorter ways are the receiver's error and no jump, m. */
const shortestJumpM = 300

/** Whether nobody gets from one place to the other in the time between them, whichever was first. */
function isJump(from: Place, to: Place): boolean {
  const wayM = metersBetween(from, to) - (from.accuracyM ?? 0) - (to.accuracyM ?? 0)
  const seconds = Math.abs(to.recordedAt.getTime() - from.recordedAt.getTime()) / 1000
  return wayM > shortestJumpM && wayM > seconds * fastestMps
}

/**
 * Whether a fix is accepted after the previous ones. A jump is stored and marked; where the next fix is near it, the device was
 * right and the place before it wrong.
 */
export function judge(
  trail: Trail | undefined,
  fix: Fix,
): { readonly isValid: boolean; readonly trail: Trail | undefined } {
  if (!fix.isValid) return { isValid: false, trail }
  if (!trail) return { isValid: true, trail: { trusted: fix } }
  const { trusted, doubted } = trail
  const isNewer = fix.recordedAt >= trusted.recordedAt
  if (!isJump(trusted, fix)) return { isValid: true, trail: isNewer ? { trusted: fix } : trail }
  if (!isNewer) return { isValid: false, trail }
  const isConfirmed = doubted !== undefined && fix.recordedAt > doubted.recordedAt && !isJump(doubted, fix)
  return isConfirmed ? { isValid: true, trail: { trusted: fix } } : { isValid: false, trail: { trusted, doubted: fix } }
}
