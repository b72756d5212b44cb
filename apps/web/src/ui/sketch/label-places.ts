export interface LabelledSpot {
  readonly x: number
  readonly y: number
  readonly name: string
}

export interface LabelPlace {
  readonly x: number
  readonly y: number
  readonly anchor: 'start' | 'middle' | 'end'
}

interface Box {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

/** Half of a mark, and what is left free around it. */
const markRadius = 12
const gap = 5
const lineHeight = 14
/** Mean width of a letter at 12 px, semibold. */
const characterWidth = 6.8

const overlap = (a: Box, b: Box): number =>
  Math.max(0, Math.min(a.right, b.right) - Math.max(a.left, b.left)) *
  Math.max(0, Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top))

const outside = (box: Box, width: number): number =>
  (Math.max(0, -box.left) + Math.max(0, box.right - width)) * lineHeight

/** Next to, under or over its mark: where a name covers least of marks, other names and the edge. */
export function placeLabels(spots: readonly LabelledSpot[], width: number): LabelPlace[] {
  const marks = spots.map(({ x, y }) => ({
    left: x - markRadius,
    top: y - markRadius,
    right: x + markRadius,
    bottom: y + markRadius,
  }))
  const taken: Box[] = []
  return spots.map((spot) => {
    const [best] = candidates(spot)
      .map((candidate) => ({
        ...candidate,
        cost:
          [...marks, ...taken].reduce((sum, box) => sum + overlap(candidate.box, box), 0) +
          outside(candidate.box, width) * 2,
      }))
      .toSorted((a, b) => a.cost - b.cost)
    if (!best) return { x: spot.x, y: spot.y, anchor: 'middle' as const }
    taken.push(best.box)
    return best.place
  })
}

function candidates({ x, y, name }: LabelledSpot): { place: LabelPlace; box: Box }[] {
  const length = name.length * characterWidth
  const reach = markRadius + gap
  const at = (anchor: LabelPlace['anchor'], labelX: number, middleY: number) => {
    const left = anchor === 'start' ? labelX : anchor === 'end' ? labelX - length : labelX - length / 2
    return {
      place: { x: labelX, y: middleY + 4, anchor },
      box: { left, right: left + length, top: middleY - lineHeight / 2, bottom: middleY + lineHeight / 2 },
    }
  }
  return [
    at('start', x + reach, y),
    at('end', x - reach, y),
    at('middle', x, y + reach + lineHeight / 2),
    at('middle', x, y - reach - lineHeight / 2),
  ]
}
