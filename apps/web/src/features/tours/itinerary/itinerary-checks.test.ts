import { expect, test } from 'vitest'
import { checksOf, legsOf, totalsOf, wayMinutes, wayOf, type Point } from './itinerary-checks.ts'
import { addStop, changeStop, openItinerary, stopsOn } from './itinerary.ts'

const points: Record<string, Point> = {
  bsi: { lat: 64.1375, lng: -21.935 },
  thingvellir: { lat: 64.2559, lng: -21.1299 },
  kerid: { lat: 64.0413, lng: -20.8851 },
}
const pointOf = (placeId: string) => points[placeId]
const empty = openItinerary({ days: [], stops: [] }, 1)
const day = addStop(addStop(addStop(empty, 1, 'bsi', 0), 1, 'thingvellir', 55), 1, 'bsi', 55)
const [, middle, last] = stopsOn(day, 1)

test('a way is the straight line times the road factor, in steps of five minutes', () => {
  const meters = wayOf(points['bsi'] as Point, points['thingvellir'] as Point, false)
  expect(Math.round(meters / 1000)).toBe(56)
  expect(wayMinutes(meters, false)).toBe(60)
  expect(wayMinutes(1000, true)).toBe(15)
})

test('a plan that holds has nothing to check but its end', () => {
  expect(checksOf(day, pointOf, false)).toEqual([{ kind: 'no_end', stopKey: last?.key }])
  expect(checksOf(changeStop(day, last?.key ?? '', { kind: 'end' }), pointOf, false)).toEqual([])
  expect(checksOf(empty, pointOf, false)).toEqual([{ kind: 'no_stops' }])
})

test('times that go back come first, then tight ways, then days that are too long', () => {
  const late = changeStop(changeStop(day, middle?.key ?? '', { dwellMin: 600 }), last?.key ?? '', {
    kind: 'end',
    offsetMin: 100,
  })
  expect(checksOf(late, pointOf, false).map((check) => check.kind)).toEqual(['goes_back'])
  const tight = changeStop(day, middle?.key ?? '', { offsetMin: 30, dwellMin: 600 })
  expect(checksOf(tight, pointOf, false).map((check) => check.kind)).toEqual(['tight', 'long_day', 'no_end'])
})

test('the numbers of a day add up; a place that is not known has no distance', () => {
  const stops = stopsOn(day, 1)
  expect(totalsOf(stops, legsOf(stops, pointOf, false))).toMatchObject({ travelMin: 110, stayMin: 60, dayMin: 170 })
  expect(legsOf(stops, () => undefined, false)[0]).toMatchObject({ meters: null, usualMin: null, isTight: false })
})
