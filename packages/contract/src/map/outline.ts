import type { FieldRule } from '../field-rules.ts'

/** Longitude, latitude. */
export type Corner = [lng: number, lat: number]

export type OutlineProblem = Extract<FieldRule, 'outline_flat' | 'outline_crosses' | 'outline_too_wide'>

/** Each corner on the near side of the one before: across the 180th meridian a longitude goes on beyond 180. */
export function unbroken(corners: readonly Corner[]): Corner[] {
  const line: Corner[] = []
  for (const [lng, lat] of corners) {
    const before = line.at(-1)?.[0] ?? lng
    line.push([lng + Math.round((before - lng) / 360) * 360, lat])
  }
  return line
}

const isSame = (a: Corner | undefined, b: Corner | undefined): boolean => a?.[0] === b?.[0] && a?.[1] === b?.[1]

/** Without corners that repeat the one before, as a double press makes them; the first comes after the last. */
export function withoutRepeats(corners: readonly Corner[]): readonly Corner[] {
  const kept = corners.filter((corner, index) => index === 0 || !isSame(corner, corners[index - 1]))
  return kept.length > 1 && isSame(kept[0], kept.at(-1)) ? kept.slice(0, -1) : kept
}

/**
 * What is wrong with a line around an area; null for a sound one. It is flat when it has no inside, it crosses when it meets itself, and half
 * of the world across, or around a pole, nobody can say which side is meant.
 */
export function outlineProblem(corners: readonly Corner[]): OutlineProblem | null {
  const ring = withoutRepeats(corners)
  const closed = unbroken([...ring, ...ring.slice(0, 1)])
  const lngs = closed.map(([lng]) => lng)
  if (closed.at(-1)?.[0] !== closed[0]?.[0] || Math.max(...lngs) - Math.min(...lngs) >= 180) return 'outline_too_wide'
  const [first] = closed
  if (!first || ring.length < 3 || closed.every((corner) => turnOf(first, closed[1] ?? first, corner) === 0)) {
    return 'outline_flat'
  }
  return crossesItself(closed) ? 'outline_crosses' : null
}

/** Positive where the way over three corners turns left, negative where it turns right, 0 where it goes straight on or back. */
const turnOf = ([ax, ay]: Corner, [bx, by]: Corner, [cx, cy]: Corner): number =>
  Math.sign((bx - ax) * (cy - ay) - (by - ay) * (cx - ax))

type Side = readonly [from: Corner, to: Corner]

function crossesItself(closed: readonly Corner[]): boolean {
  const sides = closed.slice(1).map((to, index): Side => [closed[index] ?? to, to])
  return sides.some((side, index) =>
    sides.slice(index + 1).some((other, distance) => {
      const isNext = distance === 0
      const isBefore = index === 0 && distance === sides.length - 2
      if (isNext) return goesBack(side, other)
      return isBefore ? goesBack(other, side) : meets(side, other)
    }),
  )
}

/** Of two sides with a corner in common: the second runs back over the first. */
const goesBack = ([from, corner]: Side, [, to]: Side): boolean =>
  turnOf(from, corner, to) === 0 &&
  (corner[0] - from[0]) * (to[0] - corner[0]) + (corner[1] - from[1]) * (to[1] - corner[1]) < 0

/** Of two others: they have a point in common, a touch included. */
function meets([a, b]: Side, [c, d]: Side): boolean {
  const [c1, d1, a1, b1] = [turnOf(a, b, c), turnOf(a, b, d), turnOf(c, d, a), turnOf(c, d, b)]
  if (c1 !== d1 && a1 !== b1) return true
  return (
    (c1 === 0 && isBetween(a, b, c)) ||
    (d1 === 0 && isBetween(a, b, d)) ||
    (a1 === 0 && isBetween(c, d, a)) ||
    (b1 === 0 && isBetween(c, d, b))
  )
}

/** Of three on one line. */
const isBetween = ([ax, ay]: Corner, [bx, by]: Corner, [x, y]: Corner): boolean =>
  x >= Math.min(ax, bx) && x <= Math.max(ax, bx) && y >= Math.min(ay, by) && y <= Math.max(ay, by)
