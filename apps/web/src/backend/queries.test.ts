import { AppError, errorCodes } from '@tour-ops/contract/errors'
import { getSession } from '@tour-ops/contract/identity/session'
import { createSupplier } from '@tour-ops/contract/vehicles/vehicles'
import { QueryClient } from '@tanstack/react-query'
import { expect, test, vi } from 'vitest'
import { provideBackend, type Backend } from './port.ts'
import {
  callKey,
  callQuery,
  readAfresh,
  makeQueryClient,
  mayRepeat,
  pauseReads,
  resumeReads,
  takeVersions,
} from './queries.ts'

test('only a read that nobody answered is sent once more', () => {
  for (const code of errorCodes) {
    const error = new AppError(code, '')
    expect(mayRepeat({ kind: 'read' }, 0, error)).toBe(code === 'unavailable')
    expect(mayRepeat({ kind: 'write' }, 0, error)).toBe(false)
  }
  expect(mayRepeat({ kind: 'read' }, 1, new AppError('unavailable', ''))).toBe(false)
})

test('through the query layer a read is sent twice at most, anything else once, and a write cannot be a query', async () => {
  const send = vi.fn<() => Promise<never>>(() => Promise.reject(new AppError('unavailable', 'Nobody answers.')))
  provideBackend({ call: send } as unknown as Backend)
  vi.useFakeTimers()
  vi.stubGlobal('navigator', { onLine: true })
  const cache = makeQueryClient()
  const sendsOf = async (start: () => Promise<unknown>) => {
    send.mockClear()
    const ended = start().catch(() => undefined)
    await vi.advanceTimersByTimeAsync(60_000)
    await ended
    return send.mock.calls.length
  }
  expect(await sendsOf(() => cache.fetchQuery({ ...callQuery(getSession, {}) }))).toBe(2)
  expect(await sendsOf(() => cache.fetchQuery({ queryKey: ['bare'], queryFn: send }))).toBe(1)
  const write = cache.getMutationCache().build(cache, { mutationFn: send })
  expect(await sendsOf(() => write.execute(undefined))).toBe(1)
  expect(() => callQuery(createSupplier, { name: 'Hotel', kind: 'hotel' })).toThrow('suppliers-create is a write')
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('the version that a write answers with counts at once, in the record and in lists of it', () => {
  const cache = new QueryClient()
  const [get, list] = [{ name: 'bookings-get' }, { name: 'bookings-list' }]
  const write = { writes: ['bookings'] } as const
  cache.setQueryDefaults([get.name], { meta: { rowTopics: ['bookings'] } })
  cache.setQueryDefaults([list.name], { meta: { topics: ['bookings'] } })
  cache.setQueryDefaults(['tours-list'], { meta: { topics: ['tours'] } })
  cache.setQueryData([get.name, { id: 'a' }], { id: 'a', version: 1, status: 'on_hold' })
  cache.setQueryData(['tours-list', {}], { rows: [{ id: 'a', version: 1 }], total: 1 })
  cache.setQueryData([get.name, { id: 'b' }], { id: 'b', version: 5 })
  const rows = [
    { id: 'a', version: 1 },
    { id: 'b', version: 5 },
  ]
  cache.setQueryData([list.name, {}], { rows, total: 2 })
  const untouched = cache.getQueryData([get.name, { id: 'b' }])

  takeVersions(cache, write, { booking: { id: 'a', version: 2 }, promoted: [] })
  expect(cache.getQueryData([get.name, { id: 'a' }])).toEqual({ id: 'a', version: 2, status: 'on_hold' })
  expect(cache.getQueryData([get.name, { id: 'b' }])).toBe(untouched)
  expect(cache.getQueryData([list.name, {}])).toMatchObject({ rows: [{ version: 2 }, { version: 5 }], total: 2 })

  expect(cache.getQueryData(['tours-list', {}])).toMatchObject({ rows: [{ version: 1 }] })

  // an answer that was overtaken does not turn back
  takeVersions(cache, write, { id: 'b', version: 4 })
  expect(cache.getQueryData([get.name, { id: 'b' }])).toBe(untouched)
  takeVersions(cache, write, undefined)
  // an answer may be null
  cache.setQueryData([get.name, { id: 'c' }], null)
  takeVersions(cache, write, { id: 'c', version: 1 })
  expect(cache.getQueryData([get.name, { id: 'c' }])).toBeNull()
})

test('a read is cached under the name of its callable and its input, names its topics, and can be aborted', async () => {
  const call = vi.fn<Backend['call']>(async () => ({}) as never)
  provideBackend({ call } as unknown as Backend)
  const input = { id: 'a' }
  const read = { ...getSession, topics: ['members'], rowTopics: ['departures'] } as never
  const options = callQuery(read, input as never)
  expect(options.queryKey).toEqual(['session-get', input])
  expect(callKey(getSession)).toEqual(['session-get'])
  expect(options.meta).toEqual({ topics: ['members'], rowTopics: ['departures'] })
  expect(callQuery(getSession, {}).meta).toEqual({ topics: getSession.topics, rowTopics: [] })
  const cache = makeQueryClient()
  await cache.fetchQuery(options)
  expect(call).toHaveBeenCalledWith(read, input, { signal: expect.any(AbortSignal) })
})

test('an answer is fresh for 15 s and read again when the window comes to the front; a write goes out while reads are held back', async () => {
  vi.stubGlobal('navigator', { onLine: true })
  const cache = makeQueryClient()
  expect(cache.getDefaultOptions().queries).toEqual({
    retry: false,
    staleTime: 15_000,
    refetchOnWindowFocus: true,
    networkMode: 'online',
  })
  pauseReads(cache)
  const send = vi.fn<() => Promise<number>>(async () => 1)
  await cache
    .getMutationCache()
    .build(cache, cache.defaultMutationOptions({ mutationFn: send }))
    .execute(undefined)
  expect(send).toHaveBeenCalledOnce()
  resumeReads(cache)
  vi.unstubAllGlobals()
})

test('what is read afresh is not an answer that was on its way', async () => {
  const answers = [Promise.withResolvers<unknown>(), Promise.withResolvers<unknown>()]
  let asked = 0
  const call = vi.fn<Backend['call']>(async () => answers[asked++]?.promise as never)
  provideBackend({ call } as unknown as Backend)
  const cache = new QueryClient()
  const before = cache.fetchQuery(callQuery(getSession, {})).catch(() => 'given up')
  await vi.waitFor(() => expect(call).toHaveBeenCalledTimes(1))
  const afresh = readAfresh(cache, getSession, {})
  await vi.waitFor(() => expect(call).toHaveBeenCalledTimes(2))
  answers[0]?.resolve({ of: 'before' })
  answers[1]?.resolve({ of: 'after' })
  expect(await afresh).toEqual({ of: 'after' })
  expect(await before).toBe('given up')
})
