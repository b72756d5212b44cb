import { expect, test } from 'vitest'
import { type Ring, closePolarRing, labelPoint, unwrapRing } from './geometry.ts'

test('a ring over the antimeridian runs on past 180 degrees', () => {
  const ring: Ring = [
    [179, 60],
    [-179, 60],
    [-179, 65],
    [179, 65],
  ]
  expect(unwrapRing(ring)).toEqual([
    [179, 60],
    [181, 60],
    [181, 65],
    [179, 65],
  ])
})

test('a ring around the pole is closed along the lower edge', () => {
  const around: Ring = [
    [-180, -70],
    [-60, -70],
    [60, -70],
    [180, -70],
  ]
  expect(closePolarRing(around).slice(4)).toEqual([
    [180, -89.9],
    [-180, -89.9],
    [-180, -70],
  ])
})

test('a name is in the largest part of a country', () => {
  const square = (x: number, size: number): Ring => [
    [x, 0],
    [x + size, 0],
    [x + size, size],
    [x, size],
    [x, 0],
  ]
  const label = labelPoint({ type: 'MultiPolygon', coordinates: [[square(0, 1)], [square(10, 4)]] })
  expect(label).toEqual({ at: [12, 2], area: 16 })
})
