import type { TourStop } from '@tour-ops/contract/tours/tour-content'
import { describe, expect, test } from 'vitest'
import {
  addDay,
  addStop,
  changeStop,
  closeItinerary,
  copyDay,
  copyStop,
  durationMinOf,
  moveStop,
  moveToDay,
  openItinerary,
  removeDay,
  removeStop,
  stopsOn,
  type Itinerary,
} from './itinerary.ts'

const stop = (placeId: string, offsetMin: number, dwellMin = 0, dayIndex = 1): TourStop => ({
  dayIndex,
  order: 1,
  placeId,
  kind: 'visit',
  offsetMin,
  dwellMin,
  slackMin: 0,
  optional: false,
  headcountRequired: false,
  timedEntry: false,
  travelMode: null,
  signalGap: false,
  note: null,
  guestVisible: true,
})
const day = openItinerary(
  {
    days: [],
    stops: [stop('a', 0), stop('b', 55, 60), stop('c', 150, 15), stop('d', 195, 75)].map((each, at) => ({
      ...each,
      order: at + 1,
    })),
  },
  1,
)
const plan = (itinerary: Itinerary, dayIndex = 1) =>
  stopsOn(itinerary, dayIndex).map((each) => [each.placeId, each.offsetMin, each.dwellMin])
const keyOf = (itinerary: Itinerary, placeId: string) =>
  itinerary.stops.find((each) => each.placeId === placeId)?.key ?? ''

describe('times', () => {
  test('a longer stay moves the rest of the day and keeps the ways', () => {
    expect(plan(changeStop(day, keyOf(day, 'b'), { dwellMin: 75 }))).toEqual([
      ['a', 0, 0],
      ['b', 55, 75],
      ['c', 165, 15],
      ['d', 210, 75],
    ])
  })

  test('a stop that changes places takes its stay along, the ways keep their minutes, nothing overlaps', () => {
    expect(plan(moveStop(day, keyOf(day, 'c'), 1))).toEqual([
      ['a', 0, 0],
      ['c', 55, 15],
      ['b', 105, 60],
      ['d', 195, 75],
    ])
    expect(moveStop(day, keyOf(day, 'a'), -1)).toBe(day)
  })

  test('a copy comes after its source and moves the rest', () => {
    expect(plan(copyStop(day, keyOf(day, 'c')))).toEqual([
      ['a', 0, 0],
      ['b', 55, 60],
      ['c', 150, 15],
      ['c', 165, 15],
      ['d', 210, 75],
    ])
  })

  test('a new place comes after the last plus the travel time, the very first one at the start', () => {
    const added = addStop(day, 1, 'e', 40)
    expect(plan(added).at(-1)).toEqual(['e', 310, 30])
    expect(durationMinOf(added)).toBe(340)
    const empty = openItinerary({ days: [], stops: [] }, 1)
    expect(stopsOn(addStop(empty, 1, 'a', 40), 1)).toMatchObject([{ kind: 'start', offsetMin: 0, dwellMin: 0 }])
    expect(durationMinOf(empty)).toBe(15)
  })
})

describe('days', () => {
  const two = addDay(day, 'Day 2')

  test('a stop goes to the end of another day', () => {
    const moved = moveToDay(moveToDay(two, keyOf(two, 'd'), 2, 30), keyOf(two, 'b'), 2, 30)
    expect(plan(moved, 1).map(([place]) => place)).toEqual(['a', 'c'])
    expect(plan(moved, 2)).toEqual([
      ['d', 0, 75],
      ['b', 105, 60],
    ])
  })

  test('a day that goes takes its stops along and later days move up; the only one stays', () => {
    const three = copyDay(two, 1, 'Day 3')
    const left = removeDay(three, 1)
    expect(left.days.map((each) => each.dayIndex)).toEqual([1, 2])
    expect(plan(left, 2).map(([place]) => place)).toEqual(['a', 'b', 'c', 'd'])
    expect(removeDay(day, 1)).toEqual(day)
  })
})

test('what is saved is numbered through, without the editor’s keys and without days that say nothing', () => {
  const saved = closeItinerary(removeStop(addDay(day, 'Over the pass'), keyOf(day, 'b')))
  expect(saved.stops.map((each) => [each.placeId, each.order])).toEqual([
    ['a', 1],
    ['c', 2],
    ['d', 3],
  ])
  expect(saved.stops[0]).not.toHaveProperty('key')
  expect(saved.days.map((each) => each.title)).toEqual(['Over the pass'])
})
