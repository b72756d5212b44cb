import { describe, expect, test } from 'vitest'
import type { ShownDeparture, ShownStop } from '../store/shown-day.ts'
import {
  arrivalOf,
  countableStop,
  lateMinOf,
  leavingOf,
  mapLinkOf,
  marksOf,
  metersToStop,
  stopInFront,
  wayOf,
} from './way.ts'

const at = (time: string): string => `2026-11-21T${time}:00Z`
const stop = (id: string, more: Partial<ShownStop> = {}): ShownStop =>
  ({
    id,
    kind: 'visit',
    status: 'planned',
    plannedArriveAt: at('10:00'),
    plannedDepartAt: at('10:30'),
    actualArriveAt: null,
    actualDepartAt: null,
    etaAt: null,
    leavesAt: null,
    ...more,
  }) as ShownStop
const tour = (stops: ShownStop[], status = 'in_progress', actualStartAt: string | null = at('09:00'), mark = true) =>
  ({ departure: { stops, status, actualStartAt }, can: { mark } }) as unknown as ShownDeparture
const ids = (stops: readonly (ShownStop | undefined)[]) => stops.map((one) => one?.id)

const start = stop('start', { kind: 'start' })

describe('where the guests are', () => {
  test('before the start everything is ahead, and the first stop is in front', () => {
    const way = wayOf(tour([start, stop('a'), stop('end', { kind: 'end' })], 'boarding', null))
    expect([ids(way.done), way.here?.id, stopInFront(way)?.id, ids(way.ahead)]).toEqual([
      [],
      undefined,
      'start',
      ['a', 'end'],
    ])
  })

  test('setting out leaves the start behind without a mark', () => {
    const way = wayOf(tour([start, stop('a'), stop('b')]))
    expect([ids(way.done), way.next?.id, ids(way.ahead)]).toEqual([['start'], 'a', ['b']])
  })

  test('a stop where they are is in front, and no part of what is done; one that is left out is', () => {
    const stops = [start, stop('skipped', { status: 'skipped' }), stop('a', { status: 'arrived' }), stop('b')]
    const way = wayOf(tour(stops))
    expect([ids(way.done), way.here?.id, stopInFront(way)?.id, ids(way.ahead)]).toEqual([
      ['start', 'skipped'],
      'a',
      'a',
      ['b'],
    ])
  })

  test('heads are counted where they board and where they are, and nowhere on the way', () => {
    const there = stop('a', { status: 'arrived' })
    expect(countableStop(tour([start, stop('a')], 'boarding', null))?.id).toBe('start')
    expect(countableStop(tour([start, stop('a')], 'guaranteed', null))).toBeUndefined()
    expect(countableStop(tour([start, there]))?.id).toBe('a')
    expect(countableStop(tour([start, stop('a')]))).toBeUndefined()
  })

  test('after the last stop nothing is in front', () => {
    const way = wayOf(tour([start, stop('end', { kind: 'end', status: 'departed' })]))
    expect([stopInFront(way), ids(way.done)]).toEqual([undefined, ['start', 'end']])
  })
})

describe('times of a stop', () => {
  test('what happened comes before the estimate, and the estimate before the plan; a plan of another minute is struck', () => {
    const planned = stop('a')
    const expected = stop('a', { etaAt: at('10:12') })
    const there = stop('a', { etaAt: at('10:12'), actualArriveAt: at('10:18') })
    expect([arrivalOf(planned), arrivalOf(expected), arrivalOf(there)]).toEqual([
      { kind: 'plan', at: at('10:00'), struck: null },
      { kind: 'estimate', at: at('10:12'), struck: at('10:00') },
      { kind: 'actual', at: at('10:18'), struck: at('10:00') },
    ])
    expect(leavingOf(stop('a', { leavesAt: at('10:40') }))).toMatchObject({ kind: 'estimate', struck: at('10:30') })
    expect(arrivalOf(stop('a', { etaAt: '2026-11-21T10:00:40Z' })).struck).toBeNull()
  })

  test('minutes late are those of leaving where they have left, else those of coming; a plan alone is not late', () => {
    expect(lateMinOf(stop('a'))).toBeNull()
    expect(lateMinOf(stop('a', { etaAt: at('09:55') }))).toBe(-5)
    const left = { status: 'departed', actualArriveAt: at('10:20'), actualDepartAt: at('10:33') } as const
    expect(lateMinOf(stop('a', left))).toBe(3)
    expect(lateMinOf(stop('a', { status: 'skipped', etaAt: at('10:20') }))).toBeNull()
  })
})

describe('what may be marked', () => {
  test.each([
    ['planned', 'visit', ['arrived', 'skipped']],
    ['approaching', 'visit', ['arrived', 'skipped']],
    ['arrived', 'visit', ['departed']],
    ['arrived', 'end', []],
    ['departed', 'visit', []],
    ['skipped', 'visit', []],
  ] as const)('a stop that is %s, %s: %j', (status, kind, marks) => {
    expect(marksOf(tour([]), stop('a', { status, kind }))).toEqual(marks)
  })

  test('nothing before boarding, after the end, and without permission', () => {
    expect(marksOf(tour([], 'scheduled'), stop('a'))).toEqual([])
    expect(marksOf(tour([], 'completed'), stop('a'))).toEqual([])
    expect(marksOf(tour([], 'in_progress', null, false), stop('a'))).toEqual([])
  })
})

test('a stop without a position leads to no map', () => {
  expect(mapLinkOf({ lat: null, lng: null })).toBeNull()
  expect(mapLinkOf({ lat: 64.3, lng: -20.3 })).toContain('destination=64.3%2C-20.3')
})

describe('how far the next stop is', () => {
  const gullfoss = { lat: 64.3271, lng: -20.1199 }
  const phone = { lat: 64.3104, lng: -20.3014 }

  test('is the straight line from the phone', () => {
    const meters = metersToStop(stop('a', gullfoss), phone)
    expect(meters).toBeGreaterThan(8_900)
    expect(meters).toBeLessThan(9_000)
  })

  test('is not said where the phone or the stop has no place, or where they are there', () => {
    expect(metersToStop(stop('a', gullfoss), null)).toBeNull()
    expect(metersToStop(stop('a', { lat: null, lng: null }), phone)).toBeNull()
    expect(metersToStop(stop('a', { ...gullfoss, status: 'arrived' }), phone)).toBeNull()
  })
})
