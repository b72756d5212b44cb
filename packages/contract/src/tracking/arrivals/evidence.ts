import type { Point } from './travel.ts'

/** A position as a device reported it. */
export interface Fix extends Point {
  /** When the device took it, milliseconds since 1970. */
  readonly at: number
  /** Radius in meters within which the device is with 68 %; null where it does not say. */
  readonly accuracyM: number | null
  readonly speedMps: number | null
  /** False for what the ingest has marked as impossible (a jump, a clock that is wrong). */
  readonly isValid: boolean
  /** Which device of the departure this is, best first: 0 is the lead guide's phone. Each device has a number of its own. */
  readonly rank: number
}

/**
 * What is stored of the positions of one departure: of each device the best one of each ten seconds, in order. Plain values, so that it can
 * be stored. Which position is the best one does not depend on what came first, therefore the order and the grouping of arrivals, and
 * repetitions, change nothing. A day of 14 hours is at most 5,040 positions a device.
 */
export interface Evidence {
  readonly fixes: Fix[]
}

const slotMs = 10_000
/** Positions less exact than this say nothing. See docs/domain.md, "Arrivals". */
export const maxAccuracyM = 100
/** How exact a device is taken to be that does not say. */
const unknownAccuracyM = 25

export const noEvidence = (): Evidence => ({ fixes: [] })

/**
 * Adds positions in whatever order they come; the evidence is changed in place.
 *
 * @returns whether anything changed: if not, there is nothing to compute again.
 */
export function addFixes({ fixes }: Evidence, more: readonly Fix[]): boolean {
  let isChanged = false
  for (const fix of more) {
    if (!fix.isValid || accuracyOf(fix) > maxAccuracyM) continue
    const index = placeFor(fixes, fix)
    const there = fixes[index]
    if (there === undefined || compareSlots(there, fix) !== 0) fixes.splice(index, 0, fix)
    else if (isBetter(fix, there)) fixes[index] = fix
    else continue
    isChanged = true
  }
  return isChanged
}

export const accuracyOf = ({ accuracyM }: Fix): number => accuracyM ?? unknownAccuracyM

const compareSlots = (a: Fix, b: Fix): number =>
  Math.floor(a.at / slotMs) - Math.floor(b.at / slotMs) || a.rank - b.rank

/** Index of the position with the same time slot and device, else where it belongs. Mostly the end. */
function placeFor(fixes: readonly Fix[], fix: Fix): number {
  let low = 0
  let high = fixes.length
  const last = fixes[high - 1]
  if (last !== undefined && compareSlots(last, fix) <= 0) return compareSlots(last, fix) === 0 ? high - 1 : high
  while (low < high) {
    const middle = (low + high) >> 1
    if (compareSlots(fixes[middle] as Fix, fix) < 0) low = middle + 1
    else high = middle
  }
  return low
}

/** The more exact one, then the earlier one; the rest only decides between two that a device should never have sent. */
function isBetter(a: Fix, b: Fix): boolean {
  const order =
    accuracyOf(a) - accuracyOf(b) ||
    a.at - b.at ||
    a.lat - b.lat ||
    a.lng - b.lng ||
    (a.speedMps ?? -1) - (b.speedMps ?? -1)
  return order < 0
}
