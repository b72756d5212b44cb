import type { TrackPoint } from '@tour-ops/contract/tracking/tracks'
import { describe, expect, test } from 'vitest'
import { nearestMoment, silenceOf, trackAt } from './track-at.ts'

const point = (at: number, lat: number, more: Partial<TrackPoint> = {}): TrackPoint => ({
  at,
  lat,
  lng: -21,
  speedMps: 10,
  altitudeM: null,
  batteryPct: null,
  ...more,
})

describe('a track at a moment', () => {
  const points = [point(0, 64, { speedMps: 0, batteryPct: 80 }), point(1000, 64.01, { speedMps: 20, batteryPct: 78 })]

  test('is between the positions before and after, in place, speed and battery, and goes their way', () => {
    expect(trackAt({ points, gaps: [] }, 500)).toMatchObject({
      lat: expect.closeTo(64.005, 6),
      speedMps: 10,
      batteryPct: 79,
      altitudeM: null,
      headingDeg: 0,
      isSilent: false,
    })
  })

  test('is nowhere before the first and after the last position', () => {
    expect(trackAt({ points, gaps: [] }, -1)).toBeNull()
    expect(trackAt({ points, gaps: [] }, 1001)).toBeNull()
    expect(trackAt({ points, gaps: [] }, 1000)).toMatchObject({ lat: 64.01 })
    expect(trackAt({ points: [], gaps: [] }, 0)).toBeNull()
  })

  test('stays where it was last known without a signal', () => {
    const gaps = [{ from: 0, to: 1000, reason: 'no_signal' as const }]
    expect(trackAt({ points, gaps }, 500)).toMatchObject({ lat: 64, isSilent: true, speedMps: null })
    expect(trackAt({ points, gaps }, 1000)).toMatchObject({ lat: 64.01, isSilent: false })
  })

  test('is nowhere on a break and off duty', () => {
    for (const reason of ['break', 'off_duty'] as const)
      expect(trackAt({ points, gaps: [{ from: 0, to: 1000, reason }] }, 500)).toBeNull()
  })

  test('has the speed of its way where the device says none', () => {
    const mute = points.map((each) => ({ ...each, speedMps: null }))
    expect(trackAt({ points: mute, gaps: [] }, 500)?.speedMps).toBeCloseTo(1112, 0)
  })

  test('has no direction where it does not move', () => {
    const standing = [point(0, 64), point(60_000, 64.00001)]
    expect(trackAt({ points: standing, gaps: [] }, 30_000)?.headingDeg).toBeNull()
  })
})

test('breaks are no silence', () => {
  expect(
    silenceOf([
      { from: 0, to: 10, reason: 'no_signal' },
      { from: 20, to: 50, reason: 'break' },
      { from: 60, to: 65, reason: 'no_signal' },
    ]),
  ).toEqual({ count: 2, ms: 15 })
})

test('a place on the map leads to the moment at which they were closest', () => {
  const points = [point(0, 64), point(1, 64.5), point(2, 65)]
  expect(nearestMoment(points, { lat: 64.6, lng: -21 })).toBe(1)
  expect(nearestMoment([], { lat: 64.6, lng: -21 })).toBeNull()
})
