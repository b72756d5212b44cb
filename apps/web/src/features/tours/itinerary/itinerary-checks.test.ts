import type { TourStop } from '@tour-ops/contract/tours/tour-content'
import { expect, test } from 'vitest'
import { checksOf, type KnownRoads, legsOf, roadQuestion, totalsOf, waysOf, type Point } from './itinerary-checks.ts'
import { addStop, changeStop, openItinerary, stopsOn } from './itinerary.ts'

const points: Record<string, Point> = {
  bsi: { lat: 64.1375, lng: -21.935 },
  thingvellir: { lat: 64.2559, lng: -21.1299 },
  kerid: { lat: 64.0413, lng: -20.8851 },
}
const pointOf = (placeId: string) => points[placeId]
const wayOf = waysOf({ pointOf, isWalking: false })
const to = (placeId: string, travelMode: TourStop['travelMode'] = null) => ({ placeId, travelMode })
const empty = openItinerary({ days: [], stops: [] }, 1)
const day = addStop(addStop(addStop(empty, 1, 'bsi', 0), 1, 'thingvellir', 55), 1, 'bsi', 55)
const [, middle, last] = stopsOn(day, 1)

test('a way is the straight line times the road factor, in steps of five minutes', () => {
  expect(wayOf('bsi', to('thingvellir'))).toEqual({
    mode: 'drive',
    meters: expect.closeTo(55_700, -3),
    usualMin: 60,
    basis: null,
  })
  const walk = waysOf({
    pointOf: (id) => (id === 'a' ? { lat: 64, lng: -21 } : { lat: 64.0066, lng: -21 }),
    isWalking: true,
  })
  expect(walk('a', to('b'))?.usualMin).toBe(15)
})

test('where the router knows a way it counts, and every other one is called an estimate', () => {
  const roads = (router: 'answers' | 'silent' | 'none'): KnownRoads[] => [
    {
      mode: 'drive',
      router,
      ways: [
        { from: 'bsi', to: 'thingvellir', way: { seconds: 50 * 60 + 1, meters: 46_300 } },
        { from: 'thingvellir', to: 'bsi', way: null },
      ],
    },
  ]
  const byRoad = waysOf({ pointOf, isWalking: false, roads: roads('answers') })
  expect(byRoad('bsi', to('thingvellir'))).toEqual({ mode: 'drive', meters: 46_300, usualMin: 55, basis: 'road' })
  expect(byRoad('thingvellir', to('bsi'))).toMatchObject({ usualMin: 60, basis: 'estimate' })
  expect(byRoad('bsi', to('kerid'))).toMatchObject({ basis: 'estimate' })
  expect(byRoad('bsi', to('bsi'))).toMatchObject({ meters: 0, basis: null })
  expect(byRoad('bsi', to('nowhere'))).toBeUndefined()
  const stops = stopsOn(day, 1)
  expect(totalsOf(stops, legsOf(stops, byRoad)).isByRoad).toBe(false)
  expect(totalsOf(stops.slice(0, 2), legsOf(stops.slice(0, 2), byRoad))).toMatchObject({
    meters: 46_300,
    isByRoad: true,
  })
  expect(
    waysOf({ pointOf, isWalking: false, roads: [{ mode: 'drive', router: 'none', ways: [] }] })('bsi', to('kerid'))
      ?.basis,
  ).toBeNull()
  // planned 55 minutes, as the router says: not tight, whatever the straight line thinks
  const quick = changeStop(day, middle?.key ?? '', { offsetMin: 50 })
  expect(legsOf(stopsOn(quick, 1), byRoad)[0]).toMatchObject({ plannedMin: 50, isTight: false })
  expect(legsOf(stopsOn(quick, 1), wayOf)[0]).toMatchObject({ isTight: true })
})

test('a leg has its own pace and its own router: a ship is slower than a bus, and a path is no road', () => {
  expect(wayOf('bsi', to('thingvellir', 'boat'))).toMatchObject({ mode: 'boat', usualMin: 120 })
  const roads: KnownRoads[] = [
    { mode: 'walk', router: 'answers', ways: [{ from: 'bsi', to: 'kerid', way: { seconds: 60, meters: 70 } }] },
  ]
  const known = waysOf({ pointOf, isWalking: false, roads })
  expect(known('bsi', to('kerid', 'walk'))).toMatchObject({ meters: 70, basis: 'road' })
  expect(known('bsi', to('kerid'))).toMatchObject({ mode: 'drive', basis: null })
  const byShip = changeStop(day, middle?.key ?? '', { travelMode: 'boat' })
  const stops = stopsOn(byShip, 1)
  expect(totalsOf(stops, legsOf(stops, wayOf)).travel).toEqual([
    { mode: 'drive', minutes: 55 },
    { mode: 'boat', minutes: 55 },
  ])
  expect(checksOf(byShip, wayOf)).toContainEqual({ kind: 'tight', stopKey: middle?.key, plannedMin: 55, usualMin: 120 })
  expect(roadQuestion(byShip, { mode: 'drive', isWalking: false }).pairs).toEqual([{ from: 'thingvellir', to: 'bsi' }])
  expect(roadQuestion(byShip, { mode: 'walk', isWalking: false }).pairs).toEqual([])
})

test('each way of the itinerary is asked for once, whatever the order of the stops', () => {
  const there = { from: 'bsi', to: 'thingvellir' }
  const back = { from: 'thingvellir', to: 'bsi' }
  expect(roadQuestion(day, { mode: 'drive', isWalking: false })).toEqual({ mode: 'drive', pairs: [there, back] })
  expect(roadQuestion(addStop(day, 1, 'bsi', 0), { mode: 'walk', isWalking: true })).toEqual({
    mode: 'walk',
    pairs: [there, back],
  })
  expect(roadQuestion(empty, { mode: 'drive', isWalking: false }).pairs).toEqual([])
})

test('a plan that holds has nothing to check but its end', () => {
  expect(checksOf(day, wayOf)).toEqual([{ kind: 'no_end', stopKey: last?.key }])
  expect(checksOf(changeStop(day, last?.key ?? '', { kind: 'end' }), wayOf)).toEqual([])
  expect(checksOf(empty, wayOf)).toEqual([{ kind: 'no_stops' }])
})

test('times that go back come first, then tight ways, then days that are too long', () => {
  const late = changeStop(changeStop(day, middle?.key ?? '', { dwellMin: 600 }), last?.key ?? '', {
    kind: 'end',
    offsetMin: 100,
  })
  expect(checksOf(late, wayOf).map((check) => check.kind)).toEqual(['goes_back'])
  const tight = changeStop(day, middle?.key ?? '', { offsetMin: 30, dwellMin: 600 })
  expect(checksOf(tight, wayOf).map((check) => check.kind)).toEqual(['tight', 'long_day', 'no_end'])
})

test('the numbers of a day add up; a place that is not known has no distance', () => {
  const stops = stopsOn(day, 1)
  expect(totalsOf(stops, legsOf(stops, wayOf))).toMatchObject({
    travel: [{ mode: 'drive', minutes: 110 }],
    stayMin: 60,
    dayMin: 170,
  })
  expect(legsOf(stops, () => undefined)[0]).toMatchObject({ way: null, isTight: false })
})
