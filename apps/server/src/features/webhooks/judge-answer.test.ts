import { expect, test } from 'vitest'
import { maxAttempts, pauseSeconds, verdictOf } from './judge-answer.ts'

const now = new Date('2030-07-01T10:00:00Z')
const answered = (status: number, retryAfter?: string) => ({ status, body: '', retryAfter })

test.each([
  [200, 'delivered'],
  [204, 'delivered'],
  [302, 'failing'],
  [400, 'rejected'],
  [401, 'failing'],
  [404, 'failing'],
  [410, 'gone'],
  [422, 'rejected'],
  [429, 'failing'],
  [500, 'failing'],
])('%s is %s', (status, verdict) => {
  expect(verdictOf(answered(status))).toBe(verdict)
})

test('no answer fails', () => {
  expect(verdictOf({ fault: 'silent' })).toBe('failing')
})

test('pauses grow, and the last attempt is about a day after the first', () => {
  const pauses = Array.from({ length: maxAttempts - 1 }, (_, made) => pauseSeconds(made + 1, answered(500), now))
  expect(pauses.toSorted((one, other) => one - other)).toEqual(pauses)
  const hours = pauses.reduce((sum, pause) => sum + pause, 0) / 3600
  expect(hours).toBeGreaterThan(23)
  expect(hours).toBeLessThan(28)
})

test.each([
  ['120', 120],
  ['Mon, 01 Jul 2030 10:10:00 GMT', 600],
  // sooner than the pause, and longer than anybody should wait
  ['1', 5],
  ['999999', 86_400],
  ['soon', 5],
  ['Sun, 30 Jun 2030 10:00:00 GMT', 5],
])('Retry-After: %s is %s seconds', (retryAfter, seconds) => {
  expect(pauseSeconds(1, answered(429, retryAfter), now)).toBe(seconds)
})
