import { piecesOf } from '@tour-ops/contract/tracking/track-pieces'
import type { Track, TrackPoint } from '@tour-ops/contract/tracking/tracks'

export const graphMeasures = ['speed', 'altitude', 'battery'] as const
export type GraphMeasure = (typeof graphMeasures)[number]

/** Milliseconds since 1970. */
export interface Span {
  readonly from: number
  readonly to: number
}

const minute = 60_000
/** Distances of the marks on the time axis. */
const steps = [1, 5, 10, 15, 30, 60, 120, 180, 240, 360].map((minutes) => minutes * minute)
const mostMarks = 6

const values: Record<GraphMeasure, (point: TrackPoint) => number | null> = {
  speed: ({ speedMps }) => speedMps,
  altitude: ({ altitudeM }) => altitudeM,
  battery: ({ batteryPct }) => batteryPct,
}

/** From the first to the last position of all; the span asked for where there is none. */
export function spanOf(tracks: readonly Pick<Track, 'points'>[], otherwise: Span): Span {
  const ends = tracks.flatMap(({ points }) => [points[0]?.at ?? [], points.at(-1)?.at ?? []].flat())
  if (ends.length === 0) return otherwise
  const [from, to] = [Math.min(...ends), Math.max(...ends)]
  // it ends with the last position, also where there is only one
  return { from: Math.min(from, to - minute), to }
}

/** Whole times of the clock within a span, a few. @param offsetMs Of the reader's zone from UTC. */
export function timeMarks({ from, to }: Span, offsetMs: number): number[] {
  const step = steps.find((each) => (to - from) / each <= mostMarks) ?? 360 * minute
  const marks: number[] = []
  for (let at = Math.ceil((from + offsetMs) / step) * step - offsetMs; at <= to; at += step) marks.push(at)
  return marks
}

export interface GraphLine {
  /** One line of values for each piece of the track between its gaps. */
  readonly pieces: readonly (readonly (readonly [at: number, value: number])[])[]
}

export const lineOf = ({ points, gaps }: Pick<Track, 'points' | 'gaps'>, measure: GraphMeasure): GraphLine => ({
  pieces: piecesOf(points, gaps)
    .map((piece) =>
      piece.flatMap((point) => {
        const value = values[measure](point)
        return value === null ? [] : [[point.at, value] as const]
      }),
    )
    .filter((piece) => piece.length > 0),
})

/** Lowest and highest value of a graph; null where nothing is known. A battery is always shown from empty to full, a speed from zero. */
export function rangeOf(lines: readonly GraphLine[], measure: GraphMeasure): { low: number; high: number } | null {
  let [low, high] = [Infinity, -Infinity]
  for (const { pieces } of lines)
    for (const [, value] of pieces.flat()) [low, high] = [Math.min(low, value), Math.max(high, value)]
  if (low > high) return null
  if (measure === 'battery') return { low: 0, high: 100 }
  if (measure === 'speed') return { low: 0, high: Math.max(high, 1) }
  return { low: Math.floor(low / 10) * 10, high: Math.max(Math.ceil(high / 10) * 10, Math.floor(low / 10) * 10 + 10) }
}

/** Width and height of the drawing, whatever its size on screen. */
export const graphBox = { width: 1000, height: 100 } as const

/** The line as the `d` of a path in `graphBox`; one point alone is a short dash. */
export function pathOf(
  { pieces }: GraphLine,
  { from, to }: Span,
  { low, high }: { low: number; high: number },
): string {
  const x = (at: number) => (((at - from) / (to - from)) * graphBox.width).toFixed(1)
  const y = (value: number) => (graphBox.height - ((value - low) / (high - low)) * graphBox.height).toFixed(1)
  return pieces
    .map((piece) => {
      const line = piece.map(([at, value]) => `${x(at)} ${y(value)}`).join('L')
      return piece.length === 1 ? `M${line}h1` : `M${line}`
    })
    .join('')
}
