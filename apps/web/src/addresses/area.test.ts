import { type Area, edgeOf, isInArea } from '@tour-ops/contract/map/areas'
import { describe, expect, test } from 'vitest'
import { areaOf, areaText } from './area.ts'

const circle: Area = { kind: 'circle', center: [-21.94, 64.15], radiusM: 500 }
const outline: Area = {
  kind: 'outline',
  points: [
    [-22, 64],
    [-21, 64],
    [-21, 65],
  ],
}

describe('an area in the address', () => {
  test.each([
    [circle, '64.15,-21.94,500'],
    [outline, '64,-22;64,-21;65,-21'],
  ])('%j', (area, text) => {
    expect(areaText(area)).toBe(text)
    expect(areaOf(text)).toEqual(area)
  })

  test.each(['', 'here', '64,-22', '64,-22;64,-21', '95,-22,500', '64,-22,0', '64,-22,1e9', '64,-22;64,-21;65,x'])(
    'anything else is none: %j',
    (text) => expect(areaOf(text)).toBeUndefined(),
  )

  test('an outline of more points than an address should have is none', () =>
    expect(areaOf(Array.from({ length: 101 }, (_, at) => `64,${at / 10}`).join(';'))).toBeUndefined())
})

test.each([
  [circle, 64.154, true],
  [circle, 64.155, false],
  [outline, 64.001, true],
  [outline, 63.999, false],
])('%j has who stands at latitude %d inside: %j', (area, lat, isInside) =>
  expect(isInArea(area, { lat, lng: area.kind === 'circle' ? -21.94 : -21.5 })).toBe(isInside),
)

test('the edge of an area is closed, and that of a circle is its radius away everywhere', () => {
  expect(edgeOf(outline)).toHaveLength(4)
  const edge = edgeOf(circle)
  expect(edge.at(-1)).toEqual(edge[0])
  for (const [lng, lat] of edge) {
    expect(isInArea({ ...circle, radiusM: 501 }, { lat, lng })).toBe(true)
    expect(isInArea({ ...circle, radiusM: 499 }, { lat, lng })).toBe(false)
  }
})

test('an outline across the 180th meridian goes the short way, and has who is on either side', () => {
  const fiji: Area = {
    kind: 'outline',
    points: [
      [179, -17],
      [-179, -17],
      [-179, -18],
      [179, -18],
    ],
  }
  expect(edgeOf(fiji).map(([lng]) => lng)).toEqual([179, 181, 181, 179, 179])
  for (const lng of [179.5, -179.5]) expect(isInArea(fiji, { lat: -17.5, lng })).toBe(true)
  expect(isInArea(fiji, { lat: -17.5, lng: 0 })).toBe(false)
})
