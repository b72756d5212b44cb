import type { TrackGap } from './tracks.ts'

interface Placed {
  /** Milliseconds since 1970. */
  readonly at: number
  readonly lat: number
  readonly lng: number
}

/** The pieces of a line between its gaps. */
export function piecesOf<P extends Pick<Placed, 'at'>>(
  points: readonly P[],
  gaps: readonly Pick<TrackGap, 'from'>[],
): P[][] {
  const before = new Set(gaps.map(({ from }) => from))
  const pieces: P[][] = []
  let piece: P[] = []
  for (const point of points) {
    piece.push(point)
    if (!before.has(point.at)) continue
    pieces.push(piece)
    piece = []
  }
  return piece.length > 0 ? [...pieces, piece] : pieces
}

/** Longitude, latitude. */
type Position = [number, number]

export interface TrackLines {
  /** Where it is known. */
  readonly pieces: readonly Position[][]
  /** The straight way where there was no signal; nothing across breaks and the time off duty. */
  readonly silent: readonly (readonly [Position, Position])[]
}

const positionOf = ({ lng, lat }: Placed): Position => [lng, lat]

/** A track as lines of a map. */
export function linesOf(points: readonly Placed[], gaps: readonly TrackGap[]): TrackLines {
  const byTime = new Map(points.map((point) => [point.at, point]))
  return {
    // one position between two gaps is no line
    pieces: piecesOf(points, gaps)
      .filter(({ length }) => length > 1)
      .map((piece) => piece.map(positionOf)),
    silent: gaps.flatMap(({ from, to, reason }) => {
      const [start, end] = [byTime.get(from), byTime.get(to)]
      return reason === 'no_signal' && start && end ? [[positionOf(start), positionOf(end)] as const] : []
    }),
  }
}
