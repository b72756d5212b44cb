import { expect, test } from 'vitest'
import { clockAt, offsetOf } from './clock-time.ts'

test('minutes after the start are a time on the clock, over midnight too', () => {
  expect([clockAt('09:00', 195), clockAt('21:00', 270), clockAt('09:00', -40)]).toEqual(['12:15', '01:30', '08:20'])
})

test('a typed time means the day nearest to the previous value', () => {
  expect(offsetOf('09:00', '12:30', 195)).toBe(210)
  expect(offsetOf('21:00', '01:15', 270)).toBe(255)
  expect(offsetOf('09:00', '08:30', 0)).toBe(-30)
})
