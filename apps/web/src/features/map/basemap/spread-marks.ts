/** A place on the screen, pixels. */
export interface Spot {
  readonly x: number
  readonly y: number
}

/** Of all marks that touch, each round moves every pair apart; more rounds change nothing that is seen. */
const rounds = 30

/**
 * How far each mark is drawn from its place so that none covers another: none for those with room around them.
 *
 * @param apart Least distance between the centers of two marks, pixels.
 * @returns In the order of the places.
 */
export function spreadMarks(places: readonly Spot[], apart: number): Spot[] {
  const spots = places.map(({ x, y }) => ({ x, y }))
  for (let round = 0; round < rounds && pushApart(spots, apart); round++);
  return spots.map(({ x, y }, index) => ({ x: x - (places[index]?.x ?? x), y: y - (places[index]?.y ?? y) }))
}

/** @returns Whether any two were too near. */
function pushApart(spots: { x: number; y: number }[], apart: number): boolean {
  let moved = false
  for (const [index, one] of spots.entries()) {
    for (const other of spots.slice(index + 1)) {
      const distance = Math.hypot(other.x - one.x, other.y - one.y)
      if (distance >= apart - 0.5) continue
      moved = true
      // at the very same place: side by side, the earlier one first
      const [x, y] = distance === 0 ? [1, 0] : [(other.x - one.x) / distance, (other.y - one.y) / distance]
      const push = (apart - distance) / 2
      one.x -= x * push
      one.y -= y * push
      other.x += x * push
      other.y += y * push
    }
  }
  return moved
}
