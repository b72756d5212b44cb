import { expect, test } from 'vitest'
import { linesOf } from './track-pieces.ts'

const point = (at: number, lat: number) => ({ at, lat, lng: -21 })

test('a track is solid where it is known, a straight line without a signal, and nothing across a break', () => {
  const points = [point(0, 64), point(1, 65), point(10, 66), point(20, 67)]
  const gaps = [
    { from: 1, to: 10, reason: 'no_signal' as const },
    { from: 10, to: 20, reason: 'break' as const },
  ]
  expect(linesOf(points, gaps)).toEqual({
    pieces: [
      [
        [-21, 64],
        [-21, 65],
      ],
    ],
    silent: [
      [
        [-21, 65],
        [-21, 66],
      ],
    ],
  })
})
