import { seededRandom } from '@tour-ops/contract/tracking/arrivals/simulated-track'
import { piecesOf } from '@tour-ops/contract/tracking/track-pieces'
import { describe, expect, test } from 'vitest'
import { gapsOf, metersOf, simplified, staysOf, type TrackFix } from './track-line.ts'

const minute = 60_000

/** A position some minutes after midnight, this many meters to the north. */
const fix = (minutes: number, north: number, more: Partial<TrackFix> = {}): TrackFix => ({
  at: minutes * minute,
  lat: 64 + north / 111_195,
  lng: -21,
  speedMps: null,
  altitudeM: null,
  batteryPct: null,
  sessionId: 'a',
  ...more,
})

describe('gaps', () => {
  test('are longer than a device may be silent, and say why', () => {
    const fixes = [fix(0, 0), fix(1, 500), fix(5, 900), fix(10, 900), fix(30, 900, { sessionId: 'b' })]
    const breaks = [{ from: 6 * minute, to: 9 * minute }]
    expect(gapsOf(fixes, 2 * minute, breaks)).toEqual([
      { from: minute, to: 5 * minute, reason: 'no_signal' },
      { from: 5 * minute, to: 10 * minute, reason: 'break' },
      { from: 10 * minute, to: 30 * minute, reason: 'off_duty' },
    ])
  })

  test('cut the line, and every point is in one piece', () => {
    const fixes = [fix(0, 0), fix(1, 10), fix(9, 20), fix(20, 30), fix(21, 40)]
    const pieces = piecesOf(fixes, gapsOf(fixes, 2 * minute, []))
    expect(pieces.map((piece) => piece.map(({ at }) => at / minute))).toEqual([[0, 1], [9], [20, 21]])
    expect(piecesOf([], [])).toEqual([])
  })
})

describe('a stay', () => {
  const drive = (from: number, north: number) => [1, 2, 3].map((step) => fix(from + step, north + step * 700))

  test('is where they stop for three minutes, at the mean of the positions', () => {
    const stop = [fix(10, 5000), fix(12, 5020), fix(15, 4980)]
    const [stay, ...others] = staysOf([...drive(0, 0), ...stop, ...drive(20, 6000)])
    expect(others).toEqual([])
    expect([stay?.from, stay?.to]).toEqual([10 * minute, 15 * minute])
    expect(stay?.lat).toBeCloseTo(64 + 5000 / 111_195, 6)
  })

  test('is no traffic light, and not ended by one wrong position', () => {
    expect(staysOf([...drive(0, 0), fix(10, 5000), fix(12, 5000), ...drive(13, 6000)])).toEqual([])
    const jumpy = [fix(10, 5000), fix(12, 5400), fix(14, 5000), fix(16, 5000)]
    expect(staysOf(jumpy)).toMatchObject([{ from: 10 * minute, to: 16 * minute }])
  })

  test('continues over a silence at the same place, and adds nothing to the way', () => {
    const fixes = [fix(0, 0), fix(10, 1000), fix(40, 1030), fix(41, 1000), fix(50, 2000), fix(51, 3000)]
    const stays = staysOf(fixes)
    expect(stays).toMatchObject([{ from: 10 * minute, to: 41 * minute }])
    expect(metersOf(fixes, stays)).toBe(3000)
  })
})

/** A track of up to 120 positions anywhere in a country, with times between them of up to 200 s. */
function anyTrack(random: () => number): TrackFix[] {
  let at = 0
  return Array.from({ length: 1 + Math.floor(random() * 120) }, () =>
    fix(0, 0, {
      at: (at += 1000 + Math.floor(random() * 199) * 1000),
      lat: 63 + random() * 2,
      lng: -22 + random() * 2,
    }),
  )
}

describe('a simplified track', () => {
  test('has at most as many points as asked for, in order, the first and last and the ends of gaps among them', () => {
    const random = seededRandom(7)
    for (let run = 0; run < 200; run += 1) {
      const fixes = anyTrack(random)
      const limit = 2 + Math.floor(random() * 60)
      const gaps = gapsOf(fixes, 120_000, [])
      const points = simplified(fixes, gaps, limit)
      const needed = new Set([fixes[0]?.at, fixes.at(-1)?.at, ...gaps.flatMap(({ from, to }) => [from, to])])
      const times = points.map(({ at }) => at)
      expect(points.length).toBeLessThanOrEqual(Math.max(limit, needed.size))
      expect(times).toEqual(times.toSorted((a, b) => a - b))
      expect([...needed].filter((at) => !times.includes(at ?? NaN))).toEqual([])
      expect(points.every((point) => fixes.includes(point))).toBe(true)
    }
  })

  test('keeps nothing on a straight way at one speed, and the moment at which the speed changes', () => {
    const steady = Array.from({ length: 100 }, (_, index) => fix(index, index * 500))
    expect(simplified(steady, [], 1000).map(({ at }) => at / minute)).toEqual([0, 99])
    const halted = [...steady.slice(0, 50), ...steady.slice(50).map((each) => ({ ...each, lat: steady[49]?.lat ?? 0 }))]
    expect(simplified(halted, [], 1000).map(({ at }) => at / minute)).toEqual([0, 49, 99])
  })

  test('keeps the top of a climb', () => {
    const climb = [0, 1, 2, 3, 4].map((each) =>
      fix(each, each * 500, { altitudeM: each < 3 ? each * 100 : 400 - each * 100 }),
    )
    expect(simplified(climb, [], 1000).map(({ altitudeM }) => altitudeM)).toContain(200)
  })

  test('chooses what is farthest off first', () => {
    const way = [
      fix(0, 0),
      fix(1, 20, { lng: -20.9 }),
      fix(2, 40, { lng: -20.5 }),
      fix(3, 60, { lng: -20.9 }),
      fix(4, 80),
    ]
    expect(simplified(way, [], 3).map(({ lng }) => lng)).toEqual([-21, -20.5, -21])
  })
})
