import { defaultLateLimits } from '@tour-ops/contract/departures/displayed-status'
import { expect, test } from 'vitest'
import { groupOf, lastKnownStop, matches, nextStop, progressOf, toneOf } from './day-groups.ts'
import { marksOf } from './marks.ts'
import { boundsOf } from './basemap/geometry.ts'
import { waysOf } from './ways.ts'
import { departure, stop } from './day.fixtures.ts'

const noon = Date.parse('2030-07-14T12:00:00Z')

test('a departure is in one list only, the gravest', () => {
  expect(groupOf(departure(), noon, defaultLateLimits)).toBe('on_tour')
  expect(groupOf(departure({ delaySeconds: 18 * 60 }), noon, defaultLateLimits)).toBe('attention')
  expect(groupOf(departure({ openAlerts: 1 }), noon, defaultLateLimits)).toBe('attention')
  expect(groupOf(departure({ status: 'scheduled', leadGuide: null }), noon, defaultLateLimits)).toBe('attention')
  expect(groupOf(departure({ status: 'scheduled', startsAt: '2030-07-14T14:00:00Z' }), noon, defaultLateLimits)).toBe(
    'starting',
  )
  expect(groupOf(departure({ status: 'scheduled', startsAt: '2030-07-14T14:01:00Z' }), noon, defaultLateLimits)).toBe(
    'later',
  )
  expect(groupOf(departure({ status: 'completed', openAlerts: 1, leadGuide: null }), noon, defaultLateLimits)).toBe(
    'done',
  )
  expect(toneOf(departure({ status: 'scheduled', leadGuide: null }), noon, defaultLateLimits)).toBe('gap')
})

test('a search finds tour, guide, vehicle and stop without accents and in any order', () => {
  expect(matches(departure(), 'olafsson golden')).toBe(true)
  expect(matches(departure(), 'minibus 3')).toBe(true)
  expect(matches(departure(), 'GULLFOSS')).toBe(true)
  expect(matches(departure(), 'south coast')).toBe(false)
  expect(matches(departure(), '')).toBe(true)
})

test('the last known stop is where it arrived or left last, and skipped ones are not next', () => {
  expect(lastKnownStop(departure())?.order).toBe(2)
  expect(nextStop(departure())?.order).toBe(3)
  expect(nextStop(departure({ stops: [stop(1, 'departed'), stop(2, 'skipped'), stop(3)] }))?.order).toBe(3)
  const waiting = departure({
    status: 'scheduled',
    stops: [stop(1, 'planned', { kind: 'pickup' }), stop(2, 'planned', { kind: 'start' })],
  })
  expect(lastKnownStop(waiting)?.order).toBe(2)
  const started = departure({
    startedAt: '2026-11-20T09:00:00Z',
    stops: [stop(1, 'planned', { kind: 'start' }), stop(2)],
  })
  expect(nextStop(started)?.order).toBe(2)
  expect(started.stops.map((each) => progressOf(started, each))).toEqual(['done', 'next'])
  expect(lastKnownStop(departure({ status: 'completed' }))?.order).toBe(4)
  expect(lastKnownStop(departure({ stops: [] }))).toBeUndefined()
  expect(departure().stops.map((each, _index, stops) => progressOf({ ...departure(), stops }, each))).toEqual([
    'done',
    'here',
    'next',
    'ahead',
  ])
})

test('straight legs are done up to the stop that was reached', () => {
  const { done, ahead } = waysOf(departure(), [])
  expect(done).toEqual([
    [
      [-21.9, 64.1],
      [-21.8, 64.2],
    ],
  ])
  expect(ahead[0]).toHaveLength(3)
  expect(waysOf(departure({ status: 'scheduled', stops: [stop(1), stop(2)] }), []).done).toEqual([])
  expect(waysOf(departure({ status: 'completed' }), []).ahead).toEqual([])
})

test('a drawn line is cut at its point next to the stop', () => {
  const line: [number, number][] = [
    [-21.9, 64.1],
    [-21.85, 64.17],
    [-21.79, 64.2],
    [-21.75, 64.22],
    [-21.6, 64.4],
  ]
  const { done, ahead } = waysOf(departure(), [{ dayIndex: 1, line, source: 'drawn', lengthM: 1 }])
  expect(done).toEqual([line.slice(0, 3)])
  expect(ahead).toEqual([line.slice(2)])
})

test('departures at one place are one mark in the gravest color', () => {
  const late = departure({ id: 'two', delaySeconds: 50 * 60 })
  const marks = marksOf([departure(), late, departure({ id: 'three', stops: [] })], noon, defaultLateLimits)
  expect(marks).toEqual([
    {
      key: '-21.8000,64.2000',
      position: [-21.8, 64.2],
      placeName: 'Þingvellir',
      tone: 'bad',
      departureIds: ['one', 'two'],
    },
  ])
})

test('the frame around stops is upright and tight', () => {
  expect(boundsOf(departure().stops)).toEqual({ west: -21.9, south: 64.1, east: -21.6, north: 64.4 })
  expect(boundsOf([])).toBeUndefined()
})
