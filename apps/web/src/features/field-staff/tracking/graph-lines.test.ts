import type { TrackPoint } from '@tour-ops/contract/tracking/tracks'
import { expect, test } from 'vitest'
import { lineOf, pathOf, rangeOf } from './graph-lines.ts'

const minute = 60_000
const point = (minutes: number, more: Partial<TrackPoint> = {}): TrackPoint => ({
  at: minutes * minute,
  lat: 64,
  lng: -21,
  speedMps: null,
  altitudeM: null,
  batteryPct: null,
  ...more,
})
const track = {
  points: [point(0, { speedMps: 0 }), point(1, { speedMps: 10 }), point(9, { speedMps: 5 }), point(10)],
  gaps: [{ from: minute, to: 9 * minute, reason: 'no_signal' as const }],
}

test('the line of a graph ends at a gap, and what is not known is no zero', () => {
  const line = lineOf(track, 'speed')
  expect(line.pieces).toEqual([
    [
      [0, 0],
      [minute, 10],
    ],
    [[9 * minute, 5]],
  ])
  const path = pathOf(line, { from: 0, to: 10 * minute }, { low: 0, high: 10 })
  expect(path).toBe('M0.0 100.0L100.0 0.0M900.0 50.0h1')
  expect(rangeOf([lineOf(track, 'altitude')], 'altitude')).toBeNull()
})

test('a battery is shown from empty to full, a speed from zero, heights from ten to ten', () => {
  const of = (measure: 'speed' | 'altitude' | 'battery', ...values: number[]) =>
    rangeOf([{ pieces: [values.map((value, at) => [at, value] as const)] }], measure)
  expect(of('battery', 40, 60)).toEqual({ low: 0, high: 100 })
  expect(of('speed', 0)).toEqual({ low: 0, high: 1 })
  expect(of('altitude', 12, 88)).toEqual({ low: 10, high: 90 })
  expect(of('altitude', 40, 40)).toEqual({ low: 40, high: 50 })
})
