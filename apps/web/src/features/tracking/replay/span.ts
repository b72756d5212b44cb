import type { Placed } from './position-at.ts'

/** Milliseconds since 1970. */
export interface Span {
  readonly from: number
  readonly to: number
}

const minute = 60_000
/** Distances of the marks on the time axis. */
const steps = [1, 5, 10, 15, 30, 60, 120, 180, 240, 360].map((minutes) => minutes * minute)
const mostMarks = 6

/** From the first to the last position of all; the span asked for where there is none. */
export function spanOf(tracks: readonly { readonly points: readonly Pick<Placed, 'at'>[] }[], otherwise: Span): Span {
  const ends = tracks.flatMap(({ points }) => [points[0]?.at ?? [], points.at(-1)?.at ?? []].flat())
  if (ends.length === 0) return otherwise
  const [from, to] = [Math.min(...ends), Math.max(...ends)]
  // it ends with the last position, also where there is only one
  return { from: Math.min(from, to - minute), to }
}

/** Whole times of the clock within a span, a few. @param offsetMs Of the zone that the times are in from UTC. */
export function timeMarks({ from, to }: Span, offsetMs: number): number[] {
  const step = steps.find((each) => (to - from) / each <= mostMarks) ?? 360 * minute
  const marks: number[] = []
  for (let at = Math.ceil((from + offsetMs) / step) * step - offsetMs; at <= to; at += step) marks.push(at)
  return marks
}

/** Where a moment is on an axis of the whole span, for a style. */
export const shareOf = (at: number, { from, to }: Span): string => `${((at - from) / (to - from)) * 100}%`
