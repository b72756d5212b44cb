import { MutationObserver, QueryClient, QueryObserver, type QueryMeta } from '@tanstack/react-query'
import type { LiveChanges, LiveTopic } from '@tour-ops/contract/live/live-paths'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { DocumentsObserver } from './documents-port.ts'
import { followQueries } from './live.ts'
import { makeQueryClient, pauseReads, resumeReads } from './queries.ts'
import { refresh, refreshAfter } from './refresh.ts'

let cache: QueryClient
beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('navigator', { onLine: true })
  cache = makeQueryClient()
  cache.mount()
})
afterEach(() => {
  cache.unmount()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

type Read = ReturnType<typeof vi.fn<() => Promise<unknown>>>

/** A screen that reads: what it has read is there when this resolves. */
async function mount(
  key: string,
  meta: QueryMeta,
  answer: () => unknown,
  takesMs = 5,
): Promise<{ read: Read; leave: () => void }> {
  const read: Read = vi.fn(async () => {
    const seen = answer()
    await new Promise((resolve) => setTimeout(resolve, takesMs))
    return seen
  })
  const leave = new QueryObserver(cache, { queryKey: [key, { id: `${key}-asked` }], queryFn: read, meta }).subscribe(
    () => undefined,
  )
  await vi.advanceTimersByTimeAsync(1_000)
  read.mockClear()
  return { read, leave }
}

const change = (topic: LiveTopic, ids: readonly string[] | null = null) => void refresh(cache, [{ topic, ids }])
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)

test('the first change is read at once, a burst after it once in 250 ms, and the last answer is the newest', async () => {
  let version = 0
  const { read } = await mount('board', { topics: ['departures'] }, () => version)
  const readAt: number[] = []
  const begun = performance.now()
  read.mockImplementation(async () => {
    readAt.push(performance.now() - begun)
    return version
  })
  for (; version < 100; version += 1) {
    change('departures')
    await pass(10)
  }
  await pass(1_000)
  expect(readAt[0]).toBe(0)
  expect(readAt).toHaveLength(5)
  for (const [index, at] of readAt.slice(1).entries()) expect(at - (readAt[index] ?? 0)).toBeGreaterThanOrEqual(250)
  expect(cache.getQueryData(['board', { id: 'board-asked' }])).toBe(99)
})

test('a change during a long read is read after it and a rest as long, once, and cancels nothing', async () => {
  const { read } = await mount('board', { topics: ['departures'] }, () => 'answer', 600)
  change('departures')
  for (let index = 0; index < 5; index += 1) {
    await pass(100)
    change('departures')
  }
  await pass(690)
  expect(read).toHaveBeenCalledOnce()
  await pass(20)
  expect(read).toHaveBeenCalledTimes(2)
  await pass(5_000)
  expect(read).toHaveBeenCalledTimes(2)
})

test('a rest has an end, and an own write does not wait for it', async () => {
  const { read } = await mount('report', { topics: ['departures'] }, () => 'answer', 20_000)
  await pass(20_000)
  read.mockClear()
  change('departures')
  await pass(20_010)
  change('departures')
  await pass(4_900)
  expect(read).toHaveBeenCalledOnce()
  await pass(100)
  expect(read).toHaveBeenCalledTimes(2)
  await pass(20_000)
  void refreshAfter(cache, { writes: ['departures'] })
  await pass(1)
  expect(read).toHaveBeenCalledTimes(3)
})

test('an own write overtakes an answer that was asked before it: what was so before is not shown again', async () => {
  let version = 1
  await mount('booking', { topics: ['bookings'] }, () => ({ version }), 200)
  change('bookings')
  await pass(100)
  version = 2
  const key = ['booking', { id: 'booking-asked' }]
  cache.setQueryData(key, { version })
  void refreshAfter(cache, { writes: ['bookings'] })
  const seen: unknown[] = []
  for (let at = 0; at < 60; at += 1) {
    await pass(10)
    seen.push(cache.getQueryData(key))
  }
  expect(new Set(seen.map((one) => JSON.stringify(one)))).toEqual(new Set(['{"version":2}']))
})

test('a change of other topics asks nothing; of a row topic only rows count that are requested or shown', async () => {
  const answer = { id: 'b1', departure: { id: 'd1' }, guests: [{ travelerId: 't1' }] }
  const { read } = await mount(
    'booking',
    { topics: ['manifest_entries'], rowTopics: ['bookings', 'travelers'] },
    () => answer,
  )
  const asksFor = async (topic: LiveTopic, ids: readonly string[] | null) => {
    read.mockClear()
    change(topic, ids)
    await pass(1_000)
    return read.mock.calls.length
  }
  expect(await asksFor('alerts', ['b1'])).toBe(0)
  expect(await asksFor('manifest_entries', ['elsewhere'])).toBe(1)
  expect(await asksFor('bookings', ['b2', 'b3'])).toBe(0)
  expect(await asksFor('bookings', ['b2', 'b1'])).toBe(1)
  expect(await asksFor('bookings', ['booking-asked'])).toBe(1)
  expect(await asksFor('travelers', ['t2'])).toBe(0)
  expect(await asksFor('travelers', ['t1'])).toBe(1)
  // which rows is not known: any may be among them
  expect(await asksFor('travelers', null)).toBe(1)
})

test('what is not on screen becomes stale, and only when the change touches it', async () => {
  const { leave, read } = await mount('booking', { rowTopics: ['bookings'] }, () => ({ id: 'b1' }))
  leave()
  const isStale = () => cache.getQueryState(['booking', { id: 'booking-asked' }])?.isInvalidated
  change('bookings', ['b2'])
  expect(isStale()).toBe(false)
  change('bookings', ['b1'])
  expect(isStale()).toBe(true)
  await pass(1_000)
  expect(read).not.toHaveBeenCalled()
})

test('a write reads again what it writes to, once, whether its own change is reported before or after its answer', async () => {
  const board = await mount('board', { topics: ['departures'] }, () => 'board')
  const other = await mount('tours', { topics: ['tours'] }, () => 'tours')
  const writes = ['departures'] as const
  const send = async (heardAfterMs: number | null) => {
    const answered = new MutationObserver<void>(cache, {
      mutationFn: () => new Promise((resolve) => setTimeout(resolve, 100)),
      meta: { writes },
      onSuccess: () => refreshAfter(cache, { writes }),
    }).mutate()
    if (heardAfterMs !== null) setTimeout(() => change('departures', ['d1']), heardAfterMs)
    await pass(150)
    await answered
  }
  await send(60)
  await pass(2_000)
  expect(board.read).toHaveBeenCalledTimes(1)
  // without live changes, as where they cannot arrive
  await send(null)
  expect(board.read).toHaveBeenCalledTimes(2)
  await pass(2_000)
  expect(board.read).toHaveBeenCalledTimes(2)
  expect(other.read).not.toHaveBeenCalled()
})

test('while somebody signs out nothing is read, not even for a change that was reported during a read', async () => {
  const { read } = await mount('board', { topics: ['departures'] }, () => 'answer', 50)
  change('departures')
  change('departures')
  await pass(10)
  expect(read).toHaveBeenCalledTimes(1)
  pauseReads(cache)
  change('departures')
  await pass(1_000)
  expect(read).toHaveBeenCalledTimes(1)
  resumeReads(cache)
  await pass(1_000)
  expect(read).toHaveBeenCalledTimes(2)
})

/** Documents that only remember who listens to what. */
function listeners() {
  const open = new Map<string, DocumentsObserver>()
  const listen = (target: string, observer: DocumentsObserver) => {
    open.set(target.replace('orgs/o1/changes/', ''), observer)
    return () => void open.delete(target.replace('orgs/o1/changes/', ''))
  }
  const tell = (topic: string, data: LiveChanges) =>
    open.get(topic)?.next({ target: topic, documents: [{ path: topic, data, createTime: null, updateTime: null }] })
  return { listen, tell, topics: () => [...open.keys()].toSorted() }
}

test('what mounted queries are made of is listened to, and nothing else', async () => {
  const live = listeners()
  const stop = followQueries(cache, live, 'o1')
  expect(live.topics()).toEqual([])
  const board = await mount('board', { topics: ['departures', 'alerts'] }, () => ({ id: 'd1' }))
  const booking = await mount('booking', { topics: ['departures'], rowTopics: ['bookings'] }, () => ({ id: 'b1' }))
  expect(live.topics()).toEqual(['alerts', 'bookings', 'departures'])
  live.tell('bookings', { version: '1', ids: ['b2'], isComplete: true })
  live.tell('alerts', { version: '1', ids: ['a1'], isComplete: true })
  await pass(1_000)
  expect([board.read.mock.calls.length, booking.read.mock.calls.length]).toEqual([1, 0])
  live.tell('bookings', { version: '2', ids: [], isComplete: false })
  await pass(1_000)
  expect(booking.read).toHaveBeenCalledOnce()
  board.leave()
  await pass(1)
  expect(live.topics()).toEqual(['bookings', 'departures'])
  stop()
  expect(live.topics()).toEqual([])
  booking.leave()
})

test('a query that is switched off listens to nothing until it is switched on', async () => {
  const live = listeners()
  const stop = followQueries(cache, live, 'o1')
  const options = { queryKey: ['picker'], queryFn: async () => 1, meta: { topics: ['places'] } } as const
  const observer = new QueryObserver(cache, { ...options, enabled: false })
  const leave = observer.subscribe(() => undefined)
  await pass(10)
  expect(live.topics()).toEqual([])
  observer.setOptions({ ...options, enabled: true })
  await pass(10)
  expect(live.topics()).toEqual(['places'])
  leave()
  stop()
})

test('a topic that was refused is requested again later, while it is wanted', async () => {
  const live = listeners()
  const asked = vi.fn<typeof live.listen>((target, observer) => {
    queueMicrotask(() => observer.error({ code: 'permission-denied' } as never))
    return live.listen(target, observer)
  })
  const stop = followQueries(cache, { listen: asked }, 'o1')
  const { leave } = await mount('members', { topics: ['members'] }, () => 'answer')
  expect(asked).toHaveBeenCalledOnce()
  await pass(5 * 60_000)
  expect(asked).toHaveBeenCalledTimes(2)
  leave()
  await pass(20 * 60_000)
  expect(asked).toHaveBeenCalledTimes(2)
  stop()
})
