import { expect, test } from 'vitest'
import { checksOf, legsOf, roadQuestion, totalsOf, waysOf, type Point } from './itinerary-checks.ts'
import { addStop, changeStop, openItinerary, stopsOn } from './itinerary.ts'

const points: Record<string, Point> = {
  bsi: { lat: 64.1375, lng: -21.935 },
  thingvellir: { lat: 64.2559, lng: -21.1299 },
  kerid: { lat: 64.0413, lng: -20.8851 },
}
const pointOf = (placeId: string) => points[placeId]
const wayOf = waysOf({ pointOf, isWalking: false })
const empty = openItinerary({ days: [], stops: [] }, 1)
const day = addStop(addStop(addStop(empty, 1, 'bsi', 0), 1, 'thingvellir', 55), 1, 'bsi', 55)
const [, middle, last] = stopsOn(day, 1)

test('a way is the straight line times the road factor, in steps of five minutes', () => {
  expect(wayOf('bsi', 'thingvellir')).toEqual({ meters: expect.closeTo(55_700, -3), usualMin: 60, basis: null })
  const walk = waysOf({
    pointOf: (id) => (id === 'a' ? { lat: 64, lng: -21 } : { lat: 64.0066, lng: -21 }),
    isWalking: true,
  })
  expect(walk('a', 'b')?.usualMin).toBe(15)
})

test('where the router knows a way it counts, and every other one is called an estimate', () => {
  const roads = (router: 'answers' | 'silent' | 'none') => ({
    router,
    ways: [
      { from: 'bsi', to: 'thingvellir', way: { seconds: 50 * 60 + 1, meters: 46_300 } },
      { from: 'thingvellir', to: 'bsi', way: null },
    ],
  })
  const byRoad = waysOf({ pointOf, isWalking: false, roads: roads('answers') })
  expect(byRoad('bsi', 'thingvellir')).toEqual({ meters: 46_300, usualMin: 55, basis: 'road' })
  expect(byRoad('thingvellir', 'bsi')).toMatchObject({ usualMin: 60, basis: 'estimate' })
  expect(byRoad('bsi', 'kerid')).toMatchObject({ basis: 'estimate' })
  expect(byRoad('bsi', 'bsi')).toMatchObject({ meters: 0, basis: null })
  expect(byRoad('bsi', 'nowhere')).toBeUndefined()
  const stops = stopsOn(day, 1)
  expect(totalsOf(stops, legsOf(stops, byRoad)).isByRoad).toBe(false)
  expect(totalsOf(stops.slice(0, 2), legsOf(stops.slice(0, 2), byRoad))).toMatchObject({
    meters: 46_300,
    isByRoad: true,
  })
  expect(waysOf({ pointOf, isWalking: false, roads: { router: 'none', ways: [] } })('bsi', 'kerid')?.basis).toBeNull()
  // planned 55 minutes, as the router says: not tight, whatever the straight line thinks
  const quick = changeStop(day, middle?.key ?? '', { offsetMin: 50 })
  expect(legsOf(stopsOn(quick, 1), byRoad)[0]).toMatchObject({ plannedMin: 50, isTight: false })
  expect(legsOf(stopsOn(quick, 1), wayOf)[0]).toMatchObject({ isTight: true })
})

test('each way of the itinerary is asked for once, whatever the order of the stops', () => {
  const there = { from: 'bsi', to: 'thingvellir' }
  const back = { from: 'thingvellir', to: 'bsi' }
  expect(roadQuestion(day, false)).toEqual({ mode: 'drive', pairs: [there, back] })
  expect(roadQuestion(addStop(day, 1, 'bsi', 0), true)).toEqual({ mode: 'walk', pairs: [there, back] })
  expect(roadQuestion(empty, false).pairs).toEqual([])
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
  expect(totalsOf(stops, legsOf(stops, wayOf))).toMatchObject({ travelMin: 110, stayMin: 60, dayMin: 170 })
  expect(legsOf(stops, () => undefined)[0]).toMatchObject({ way: null, isTight: false })
})
