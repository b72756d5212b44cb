import { expect, test } from 'vitest'
import { movedTo, playedOn, replaySpeeds } from './replay-time.ts'

const span = { from: 1_000_000, to: 2_000_000 }

test.each(replaySpeeds)(
  'at %i× a second of the replay is as many seconds of the day, however it is cut into frames',
  (speed) => {
    for (const ms of [20, 100, 500]) {
      const frames = Array.from({ length: 1000 / ms }, () => ms)
      expect(frames.reduce<number | null>((at, each) => at && playedOn(at, each, speed, span), span.from)).toBe(
        span.from + speed * 1000,
      )
    }
  },
)

test('a replay ends with the span, and a clock that was set back moves it nowhere', () => {
  expect(playedOn(span.to - 1000, 16, 60, span)).toBe(span.to - 40)
  expect(playedOn(span.to - 1000, 17, 60, span)).toBeNull()
  expect(playedOn(span.from, -500, 60, span)).toBe(span.from)
})

test('the time in which nobody looked is not played: a hidden tab goes on where it was', () => {
  expect(playedOn(span.from, 60_000, 60, span)).toBe(span.from + 30_000)
})

test('it is moved to no place outside of its span', () => {
  expect(movedTo(0, span)).toBe(span.from)
  expect(movedTo(1_500_000, span)).toBe(1_500_000)
  expect(movedTo(span.to, span)).toBeNull()
})
