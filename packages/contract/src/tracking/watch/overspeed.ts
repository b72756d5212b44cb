import { accuracyOf, type Fix } from '../arrivals/evidence.ts'
import { metersBetween } from '../arrivals/travel.ts'
import type { Streak } from './streak.ts'

/** Ours: shorter than this is overtaking, or one wrong position. */
const lastsMs = 60_000
/** Ours: what is over stays a finding for this long, so that an evaluation sees it. */
const recentMs = 5 * 60_000
/** Positions farther apart say nothing about the speed between them. */
const nextToMs = 2 * 60_000
/** Ours: faster than this is a train or a plane, and no vehicle of an operator. */
const vehicleKmh = 180

export interface Overspeed extends Streak {
  /** The highest speed. */
  readonly kmh: number
}

/** The newest stretch on which a vehicle was faster than its limit for a minute; null when there was none within the last five minutes. */
export function overspeedOf(fixes: readonly Fix[], limitKmh: number, now: number): Overspeed | null {
  let run: Overspeed | null = null
  for (let index = fixes.length - 1; index >= 0; index -= 1) {
    const fix = fixes[index] as Fix
    const kmh = speedAt(fix, fixes[index - 1])
    const isFast = kmh !== null && kmh > limitKmh && kmh <= vehicleKmh
    if (run !== null && (!isFast || run.since - fix.at > nextToMs)) {
      if (lasts(run)) return run
      run = null
    }
    if (run === null && now - fix.at > recentMs) return null
    if (isFast) run = withFix(run, fix, kmh)
  }
  return run !== null && lasts(run) ? run : null
}

const lasts = ({ since, last }: Overspeed): boolean => last.at - since >= lastsMs

const withFix = (run: Overspeed | null, fix: Fix, kmh: number): Overspeed => ({
  since: fix.at,
  last: run?.last ?? fix,
  kmh: Math.max(run?.kmh ?? 0, Math.round(kmh)),
})

/** What the device says, else the way since the position before, less what both may be wrong by. */
function speedAt(fix: Fix, before: Fix | undefined): number | null {
  if (fix.speedMps !== null) return fix.speedMps * 3.6
  if (before === undefined || fix.at - before.at > nextToMs || fix.at === before.at) return null
  const meters = metersBetween(before, fix) - accuracyOf(before) - accuracyOf(fix)
  return Math.max(0, (meters / (fix.at - before.at)) * 3600)
}
