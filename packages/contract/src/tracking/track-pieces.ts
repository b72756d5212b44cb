import type { TrackGap, TrackPoint } from './tracks.ts'

/** The pieces of a line between its gaps. */
export function piecesOf<P extends TrackPoint>(points: readonly P[], gaps: readonly Pick<TrackGap, 'from'>[]): P[][] {
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
