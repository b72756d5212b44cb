import { accuracyOf, type Evidence, type Fix } from './evidence.ts'
import { metersBetween } from './travel.ts'

/** A device represents the group only when all better ones have been silent for this long. See docs/domain.md, "Phones of guides". */
const handOverMs = 10 * 60_000
/** A position far from the one before is accepted once others there have confirmed it for this long. */
const confirmMs = 60_000
/** Two positions may be this far apart at any speed, in addition to their own accuracy. */
const toleranceM = 50

/**
 * The positions that arrivals are read from, in order: one device at a time, nothing from the future, no jumps.
 *
 * @param now Milliseconds; what a device dates later counts once that moment has come.
 * @param limitMps Who is faster has jumped.
 */
export function trustedFixes({ fixes }: Evidence, now: number, limitMps: number): Fix[] {
  const trusted: Fix[] = []
  const heard: number[] = []
  let doubtful: Fix[] = []
  for (const fix of fixes) {
    if (fix.at > now || isSpokenFor(fix, heard)) continue
    heard[fix.rank] = fix.at
    const last = trusted.at(-1)
    if (last === undefined || isWithinReach(last, fix, limitMps)) {
      trusted.push(fix)
      doubtful = []
      continue
    }
    const other = doubtful.at(-1)
    if (other === undefined || !isWithinReach(other, fix, limitMps)) doubtful = []
    doubtful.push(fix)
    if (fix.at - (doubtful[0]?.at ?? fix.at) < confirmMs) continue
    trusted.push(...doubtful)
    doubtful = []
  }
  return trusted
}

function isSpokenFor({ rank, at }: Fix, heard: readonly number[]): boolean {
  for (let better = 0; better < rank; better += 1) {
    const last = heard[better]
    if (last !== undefined && at - last < handOverMs) return true
  }
  return false
}

function isWithinReach(from: Fix, to: Fix, limitMps: number): boolean {
  const reach = (Math.max(0, to.at - from.at) / 1000) * limitMps + toleranceM + accuracyOf(from) + accuracyOf(to)
  // most positions are a few meters apart: degrees are enough to see that, with 111 km each
  if ((Math.abs(to.lat - from.lat) + Math.abs(to.lng - from.lng)) * 111_320 <= reach) return true
  return metersBetween(from, to) <= reach
}
