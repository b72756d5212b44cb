export type Position = [number, number]
export type Ring = Position[]

/** Longitudes run on past ±180 instead of jumping, so that a ring over the antimeridian stays one shape. */
export function unwrapRing(ring: Ring): Ring {
  const first = ring[0]
  if (!first) return ring
  let offset = 0
  let previous = first
  const unwrapped: Ring = [[first[0], first[1]]]
  for (const point of ring.slice(1)) {
    const step = point[0] - previous[0]
    if (step > 180) offset -= 360
    else if (step < -180) offset += 360
    unwrapped.push([point[0] + offset, point[1]])
    previous = point
  }
  return unwrapped
}

/** A ring that goes once around the pole (Antarctica) is closed along the lower edge of the map. */
export function closePolarRing(ring: Ring): Ring {
  const first = ring[0]
  const last = ring.at(-1)
  if (!first || !last || Math.abs(last[0] - first[0]) <= 180) return ring
  return [...ring, [last[0], -89.9], [first[0], -89.9], [first[0], first[1]]]
}

/** Signed area of a ring in square degrees. */
function ringArea(ring: Ring): number {
  return ring.reduce((sum, point, index) => {
    const next = ring[(index + 1) % ring.length] ?? point
    return sum + (point[0] * next[1] - next[0] * point[1]) / 2
  }, 0)
}

function ringCentroid(ring: Ring): Position {
  const area = ringArea(ring)
  if (area === 0) return ring[0] ?? [0, 0]
  let x = 0
  let y = 0
  for (const [index, point] of ring.entries()) {
    const next = ring[(index + 1) % ring.length] ?? point
    const cross = point[0] * next[1] - next[0] * point[1]
    x += (point[0] + next[0]) * cross
    y += (point[1] + next[1]) * cross
  }
  return [x / (6 * area), y / (6 * area)]
}

/** The position of a country's name: the centroid of its largest part; its area in square degrees ranks the label. */
export function labelPoint(geometry: { type: string; coordinates: Ring[] | Ring[][] }): {
  at: Position
  area: number
} | null {
  const polygons = geometry.type === 'Polygon' ? [geometry.coordinates as Ring[]] : (geometry.coordinates as Ring[][])
  let best: { at: Position; area: number } | null = null
  for (const [outer] of polygons) {
    if (!outer) continue
    const area = Math.abs(ringArea(outer))
    if (!best || area > best.area) best = { at: ringCentroid(outer), area }
  }
  return best
}
