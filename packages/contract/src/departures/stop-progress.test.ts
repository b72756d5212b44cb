import { expect, test } from 'vitest'
import { isMarkBefore, lastMarkBefore, type MarkedStop, whereaboutsOf } from './stop-progress.ts'

const at = (clock: string): string => `2026-11-20T${clock}:00.000Z`
const stop = (order: number, change: Partial<MarkedStop> = {}): MarkedStop => ({
  order,
  kind: 'visit',
  status: 'planned',
  actualArriveAt: null,
  actualDepartAt: null,
  ...change,
})

test('the last mark is the latest moment at the stops before, and its own arrival for who leaves', () => {
  const first = stop(1, { status: 'departed', actualArriveAt: at('09:00'), actualDepartAt: new Date(at('09:40')) })
  const here = stop(2, { status: 'arrived', actualArriveAt: at('10:30') })
  expect(lastMarkBefore(here, [first, here], false)?.toISOString()).toBe(at('09:40'))
  expect(lastMarkBefore(here, [first, here], true)?.toISOString()).toBe(at('10:30'))
  expect(lastMarkBefore(first, [first, here], false)).toBeNull()
})

test('pickups do not wait for each other, later stops wait for all of them', () => {
  const pickup = stop(1, { kind: 'pickup', status: 'arrived', actualArriveAt: at('08:30') })
  const other = stop(2, { kind: 'pickup' })
  expect(lastMarkBefore(other, [pickup, other], false)).toBeNull()
  expect(lastMarkBefore(stop(3), [pickup, other], false)?.toISOString()).toBe(at('08:30'))
})

test('within one minute nothing is before anything', () => {
  const mark = new Date('2026-11-20T09:40:42Z')
  expect(isMarkBefore(new Date(at('09:40')), mark)).toBe(false)
  expect(isMarkBefore(new Date(at('09:39')), mark)).toBe(true)
  expect(isMarkBefore(new Date(at('09:39')), null)).toBe(false)
})

test('setting out leaves the start and the pickups before it, marked or not', () => {
  const way = [stop(1, { kind: 'pickup' }), stop(2, { kind: 'start' }), stop(3), stop(4)]
  expect(whereaboutsOf(way, null)).toEqual({ behind: -1, here: -1, next: 0 })
  expect(whereaboutsOf(way, at('09:00'))).toEqual({ behind: 1, here: -1, next: 2 })
  const atStart = way.with(1, stop(2, { kind: 'start', status: 'arrived', actualArriveAt: at('08:50') }))
  expect(whereaboutsOf(atStart, null)).toEqual({ behind: 1, here: 1, next: 2 })
  expect(whereaboutsOf(atStart, at('09:00'))).toEqual({ behind: 1, here: -1, next: 2 })
  expect(whereaboutsOf(atStart, at('08:45')).here).toBe(1)
  expect(whereaboutsOf([stop(1), stop(2)], at('09:00'))).toEqual({ behind: -1, here: -1, next: 0 })
  expect(whereaboutsOf([stop(1, { status: 'departed' })], at('09:00'))).toEqual({ behind: 0, here: -1, next: -1 })
})
