import { expect, test } from 'vitest'
import { Area, areaOfShape, isInArea, shapeOf } from './areas.ts'
import { type Corner, outlineProblem } from './outline.ts'

const square: Corner[] = [
  [-22, 64],
  [-21, 64],
  [-21, 65],
  [-22, 65],
]
const bowTie: Corner[] = [
  [-22, 64],
  [-21, 65],
  [-21, 64],
  [-22, 65],
]
/** Its notch touches the opposite side. */
const touching: Corner[] = [
  [0, 0],
  [4, 0],
  [4, 4],
  [2, 0],
  [0, 4],
]
/** A needle stands out of one corner, and back. */
const needle: Corner[] = [
  [0, 0],
  [4, 0],
  [4, 4],
  [8, 8],
  [4, 4],
]
const fiji: Corner[] = [
  [179, -17],
  [-179, -17],
  [-179, -18],
  [179, -18],
]
const fijiBowTie: Corner[] = [
  [179, -17],
  [-179, -18],
  [-179, -17],
  [179, -18],
]

test.each<[string, Corner[], string | null]>([
  ['a square', square, null],
  ['the other way around', square.toReversed(), null],
  ['across the 180th meridian', fiji, null],
  ['a hollow corner', [...square, [-21.5, 64.5]], null],
  ['a bow tie', bowTie, 'outline_crosses'],
  ['a bow tie across the 180th meridian', fijiBowTie, 'outline_crosses'],
  ['a corner on another side', touching, 'outline_crosses'],
  ['a needle that comes back', needle, 'outline_crosses'],
  [
    'a line',
    [
      [0, 0],
      [1, 1],
      [2, 2],
    ],
    'outline_flat',
  ],
  [
    'a corner that was pressed three times',
    [
      [0, 0],
      [0, 0],
      [0, 0],
    ],
    'outline_flat',
  ],
  [
    'around the pole',
    [
      [0, 80],
      [120, 80],
      [-120, 80],
    ],
    'outline_too_wide',
  ],
  [
    'half of the world',
    [
      [-95, 0],
      [0, 10],
      [95, 0],
      [0, -10],
    ],
    'outline_too_wide',
  ],
])('%s', (_, corners, problem) => expect(outlineProblem(corners)).toBe(problem))

test('a shape is refused by the rule that says what is wrong with it, and a repeated corner is dropped', () => {
  const twice = Area.parse({ kind: 'outline', points: [...square, [-22, 65], [-22, 64]] })
  expect(twice).toEqual({ kind: 'outline', points: square })
  expect(Area.safeParse({ kind: 'outline', points: bowTie }).error?.issues).toMatchObject([
    { path: ['points'], message: 'outline_crosses' },
  ])
})

test.each<Area>([
  { kind: 'circle', center: [179.99, -17], radiusM: 5_000 },
  { kind: 'outline', points: fiji },
])('what is stored of %j is the same area, and has who is on either side of the 180th meridian', (area) => {
  expect(areaOfShape(shapeOf(area), area.kind === 'circle' ? area.radiusM : 80)).toEqual(area)
  for (const lng of [179.98, -179.98]) expect(isInArea(area, { lat: -17.001, lng })).toBe(true)
  expect(isInArea(area, { lat: -17.001, lng: 0 })).toBe(false)
})
