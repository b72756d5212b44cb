import { pino } from 'pino'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { AlertTicks } from './alert-ticks.ts'
import { FailedTick, type Tick } from './due-evaluation.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const log = pino({ level: 'silent' })
const quiet: Tick = { evaluated: 0, lagMs: 0, hasMore: false }

test('a tick that failed is followed by the next one a second later', async () => {
  const evaluate = vi.fn<() => Promise<Tick>>().mockRejectedValueOnce(new Error('broken')).mockResolvedValue(quiet)
  const ticks = new AlertTicks(log, evaluate)
  ticks.start()
  await vi.advanceTimersByTimeAsync(1_000)
  expect(evaluate).toHaveBeenCalledTimes(1)
  await vi.advanceTimersByTimeAsync(999)
  expect(evaluate).toHaveBeenCalledTimes(1)
  await vi.advanceTimersByTimeAsync(1)
  expect(evaluate).toHaveBeenCalledTimes(2)
  await ticks.stop()
})

test('a tick that had more to do than it takes goes on at once', async () => {
  const evaluate = vi
    .fn<() => Promise<Tick>>()
    .mockResolvedValueOnce({ evaluated: 500, lagMs: 700, hasMore: true })
    .mockResolvedValueOnce({ evaluated: 500, lagMs: 900, hasMore: true })
    .mockResolvedValue(quiet)
  const ticks = new AlertTicks(log, evaluate)
  ticks.start()
  await vi.advanceTimersByTimeAsync(1_010)
  expect(evaluate).toHaveBeenCalledTimes(3)
  expect(ticks.lagMs).toBe(900)
  await ticks.stop()
})

test('where one organization failed the others go on at once with what they have', async () => {
  const broken = new AggregateError([new Error('broken')], '1 organization failed')
  const evaluate = vi
    .fn<() => Promise<Tick>>()
    .mockRejectedValueOnce(new FailedTick(broken, { evaluated: 500, lagMs: 700, hasMore: true }))
    .mockRejectedValueOnce(new FailedTick(broken, quiet))
    .mockResolvedValue(quiet)
  const ticks = new AlertTicks(log, evaluate)
  ticks.start()
  await vi.advanceTimersByTimeAsync(1_010)
  expect(evaluate).toHaveBeenCalledTimes(2)
  expect(ticks.lagMs).toBe(700)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(evaluate).toHaveBeenCalledTimes(3)
  await ticks.stop()
})

test('stopping waits for the tick that is under way, and none follows', async () => {
  const running = Promise.withResolvers<Tick>()
  const evaluate = vi.fn<() => Promise<Tick>>().mockReturnValue(running.promise)
  const ticks = new AlertTicks(log, evaluate)
  ticks.start()
  await vi.advanceTimersByTimeAsync(1_000)
  const onStopped = vi.fn<() => void>()
  const stopped = ticks.stop().then(onStopped)
  await vi.advanceTimersByTimeAsync(5_000)
  expect(onStopped).not.toHaveBeenCalled()
  running.resolve({ evaluated: 500, lagMs: 0, hasMore: true })
  await stopped
  await vi.advanceTimersByTimeAsync(5_000)
  expect(evaluate).toHaveBeenCalledTimes(1)
})

test('stopped before its first tick it never evaluates', async () => {
  const evaluate = vi.fn<() => Promise<Tick>>().mockResolvedValue(quiet)
  const ticks = new AlertTicks(log, evaluate)
  ticks.start()
  await ticks.stop()
  await vi.advanceTimersByTimeAsync(5_000)
  expect(evaluate).not.toHaveBeenCalled()
})
