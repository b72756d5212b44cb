import { piecesOf } from '@tour-ops/contract/tracking/track-pieces'
import type { Track, TrackPoint } from '@tour-ops/contract/tracking/tracks'
import type { Span } from '../../tracking/index.ts'

export const graphMeasures = ['speed', 'altitude', 'battery'] as const
export type GraphMeasure = (typeof graphMeasures)[number]

const values: Record<GraphMeasure, (point: TrackPoint) => number | null> = {
  speed: ({ speedMps }) => speedMps,
  altitude: ({ altitudeM }) => altitudeM,
  battery: ({ batteryPct }) => batteryPct,
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
