import { expect, test } from 'vitest'
import { documentTimings, pendingWriteBatchesLimit, reconnectDelayMs } from './reconnect.ts'

test('the pause begins with 1 s, grows by half and never passes 60 s', () => {
  expect([0, 1, 2, 3].map((attempt) => reconnectDelayMs(attempt))).toEqual([1000, 1500, 2250, 3375])
  expect(reconnectDelayMs(10)).toBeLessThan(60_000)
  expect(reconnectDelayMs(11)).toBe(60_000)
  expect(reconnectDelayMs(5000)).toBe(60_000)
})

test('anything but a count of attempts is an error in the program', () => {
  for (const attempt of [-1, 0.5, Number.NaN]) expect(() => reconnectDelayMs(attempt)).toThrow(RangeError)
})

test('the figures are those of the specification, section 9', () => {
  expect(documentTimings).toMatchObject({ onlineStateMs: 10_000, idleCloseMs: 60_000, requestMs: 45_000 })
  expect(pendingWriteBatchesLimit).toBe(10)
})
