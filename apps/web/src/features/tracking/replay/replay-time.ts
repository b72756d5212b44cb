import type { Span } from './span.ts'

/** How much faster than it was. */
export const replaySpeeds = [1, 2, 5, 10, 30, 60] as const
export type ReplaySpeed = (typeof replaySpeeds)[number]

export const within = (at: number, { from, to }: Span): number => Math.min(to, Math.max(from, at))

/** Where a replay is after it was moved; null is the end of the span. */
export const movedTo = (at: number, span: Span): number | null => (at >= span.to ? null : within(at, span))

/** A frame that took longer was none: the tab was hidden, or the computer slept, and nobody saw that time. */
const longestFrameMs = 500

/** Where a replay is that has played on for one frame. @param ms Of the clock on the wall since the frame before. */
export const playedOn = (at: number, ms: number, speed: ReplaySpeed, span: Span): number | null =>
  movedTo(at + Math.min(longestFrameMs, Math.max(0, ms)) * speed, span)
