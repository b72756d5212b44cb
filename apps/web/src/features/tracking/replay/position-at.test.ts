import { expect, test } from 'vitest'
import { positionAt } from './position-at.ts'

const points = [
  { at: 0, lat: 64, lng: -21 },
  { at: 1000, lat: 64.01, lng: -21 },
]

test('a position is between the ones before and after, by time, and knows both', () => {
  expect(positionAt({ points, gaps: [] }, 250)).toMatchObject({
    lat: expect.closeTo(64.0025, 6),
    share: 0.25,
    headingDeg: 0,
    before: points[0],
    after: points[1],
  })
})

test('a gap without a signal holds the place from its first moment to its last, and says since when', () => {
  const gaps = [{ from: 0, to: 1000, reason: 'no_signal' as const }]
  expect(positionAt({ points, gaps }, 0)?.isSilent).toBe(false)
  expect(positionAt({ points, gaps }, 999)).toMatchObject({ lat: 64, isSilent: true, before: { at: 0 } })
  expect(positionAt({ points, gaps }, 1000)).toMatchObject({ lat: 64.01, isSilent: false })
})

test('a day of a thousand people is looked up as quickly as one of few: by halves, and not from the beginning', () => {
  let asked = 0
  const long = Array.from({ length: 4_096 }, (_, at) => ({
    get at() {
      asked += 1
      return at
    },
    lat: 64,
    lng: -21,
  }))
  positionAt({ points: long, gaps: [] }, 3_000.5)
  expect(asked).toBeLessThan(40)
})
