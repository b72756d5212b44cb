import { expect, test } from 'vitest'
import { rateLimit } from './rate-limits.ts'

test('a bucket gives a minute’s worth at once and then fills evenly', () => {
  let nowMs = 0
  const limit = rateLimit(60, () => nowMs)
  for (let taken = 0; taken < 60; taken += 1) expect(limit.take('a')).toBe(0)
  expect(limit.take('a')).toBe(1000)
  nowMs = 400
  expect(limit.take('a')).toBe(600)
  nowMs = 1000
  expect(limit.take('a')).toBe(0)
  expect(limit.take('a')).toBe(1000)
  nowMs = 3_600_000
  for (let taken = 0; taken < 60; taken += 1) expect(limit.take('a')).toBe(0)
  expect(limit.take('a')).toBeGreaterThan(0)
})

test('buckets are apart, and 0 is no limit', () => {
  const limit = rateLimit(1, () => 0)
  expect([limit.take('a'), limit.take('b')]).toEqual([0, 0])
  expect(limit.take('a')).toBeGreaterThan(0)
  const open = rateLimit(0)
  for (let taken = 0; taken < 1000; taken += 1) expect(open.take('a')).toBe(0)
})
