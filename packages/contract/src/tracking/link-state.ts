/** Whether and how fresh the position of a person or vehicle is. See docs/domain.md, "Phones of guides". */
export const linkStates = ['live', 'stale', 'offline', 'no_device', 'no_fix_yet', 'off_duty'] as const
export type LinkState = (typeof linkStates)[number]
/** What a position alone can say. */
export type Signal = Extract<LinkState, 'live' | 'stale' | 'offline'>

/** How often a device reports where it does not say, seconds. */
export const usualIntervalS = 15
/** Seconds at least, or this many of the device's own intervals where that is longer. */
export const staleAfter = { seconds: 120, intervals: 2.5 } as const
export const offlineAfter = { seconds: 600, intervals: 4 } as const

const msOf = ({ seconds, intervals }: { seconds: number; intervals: number }, intervalS: number): number =>
  Math.max(seconds, intervals * intervalS) * 1000

/** The longest time between two positions of a device that is no gap, ms. */
export const longestSilenceMs = (intervalS: number): number => msOf(staleAfter, intervalS)

/** @param ageMs Since the position was recorded. */
export function signalOfAge(ageMs: number, intervalS: number = usualIntervalS): Signal {
  if (ageMs < msOf(staleAfter, intervalS)) return 'live'
  return ageMs < msOf(offlineAfter, intervalS) ? 'stale' : 'offline'
}
