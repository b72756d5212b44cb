import { expect, test } from 'vitest'
import type { Position } from '../basemap/geometry.ts'
import { legsOf, lengthOf } from './way-length.ts'

test('a way is as long as its legs, each from the point before', () => {
  const north: Position = [-21, 65]
  const points: Position[] = [[-21, 64], north, [-21, 64.5]]
  // a degree of latitude is 111.2 km
  expect(legsOf(points)).toEqual([expect.closeTo(111_195, -2), expect.closeTo(55_597, -2)])
  expect(lengthOf(points)).toBeCloseTo(166_792, -2)
})

test('one point, or none, is no way', () => {
  expect(legsOf([[-21, 64]])).toEqual([])
  expect(lengthOf([])).toBe(0)
})
