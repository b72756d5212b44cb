import { AppError, errorCodes } from '@tour-ops/contract/errors'
import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { expect, test, vi } from 'vitest'
import { makeRefresh } from './live.ts'
import { mayRepeat } from './queries.ts'

test('only a read that nobody answered is sent once more', () => {
  for (const code of errorCodes) {
    const error = new AppError(code, '')
    expect(mayRepeat({ kind: 'read' }, 0, error)).toBe(code === 'unavailable')
    expect(mayRepeat({ kind: 'write' }, 0, error)).toBe(false)
  }
  expect(mayRepeat({ kind: 'read' }, 1, new AppError('unavailable', ''))).toBe(false)
})

test('changes during a refetch lead to exactly one more, and the last answer is the newest', async () => {
  const cache = new QueryClient()
  let version = 0
  const read = vi.fn<() => Promise<number>>(async () => {
    const seen = version
    await new Promise((resolve) => setTimeout(resolve, 5))
    return seen
  })
  const observer = new QueryObserver(cache, { queryKey: ['x'], queryFn: read, meta: { topics: ['departures'] } })
  const stop = observer.subscribe(() => undefined)
  const refresh = makeRefresh(cache, 'departures')
  for (let change = 1; change <= 20; change += 1) {
    version = change
    refresh()
  }
  await vi.waitFor(() => expect(cache.getQueryData(['x'])).toBe(20))
  await vi.waitFor(() => expect(cache.isFetching()).toBe(0))
  expect(read.mock.calls.length).toBeLessThanOrEqual(3)
  stop()
})

test('a change of another topic leaves a query alone', async () => {
  const cache = new QueryClient()
  const read = vi.fn<() => Promise<number>>(async () => 1)
  const observer = new QueryObserver(cache, { queryKey: ['x'], queryFn: read, meta: { topics: ['departures'] } })
  const stop = observer.subscribe(() => undefined)
  await vi.waitFor(() => expect(cache.getQueryData(['x'])).toBe(1))
  makeRefresh(cache, 'alerts')()
  await new Promise((resolve) => setTimeout(resolve, 5))
  expect(read).toHaveBeenCalledOnce()
  stop()
})
