import { DatabaseError } from '@tour-ops/contract/database-codes'
import type { DocumentWrite } from '@tour-ops/contract/live/documents'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { FakeBrowser, fakeServer } from './documents-testing.ts'
import { PendingWrites } from './pending-writes.ts'

const set = (path: string, n: number): DocumentWrite[] => [{ kind: 'set', path, data: { n } }]
const numberOf = (writes: readonly DocumentWrite[]) => (writes[0]?.kind === 'delete' ? undefined : writes[0]?.data['n'])
const send = vi.fn<(writes: readonly DocumentWrite[], key: string) => Promise<void>>()
const offline = () => Promise.reject(new DatabaseError('unavailable', 'no network'))
let writes: PendingWrites
let goOnline: () => void
beforeEach(() => {
  vi.useFakeTimers()
  send.mockReset().mockResolvedValue()
  const env = new FakeBrowser().tab('one', fakeServer())
  goOnline = env.goOnline
  writes = new PendingWrites(env, send)
})
afterEach(() => {
  writes.close()
  vi.useRealTimers()
})

test('a batch waits out a lost connection and is sent again under its key', async () => {
  send.mockImplementationOnce(offline).mockImplementationOnce(offline)
  let isDone = false
  const done = writes.commit(set('a', 1)).then(() => (isDone = true))
  await vi.advanceTimersByTimeAsync(2_400)
  expect(isDone).toBe(false)
  await vi.advanceTimersByTimeAsync(200)
  await done
  expect(send).toHaveBeenCalledTimes(3)
  expect(new Set(send.mock.calls.map(([, key]) => key)).size).toBe(1)
})

test('batches arrive in the order of the calls, one at a time', async () => {
  send.mockImplementationOnce(offline)
  const all = [1, 2, 3].map((n) => writes.commit(set(`p${n}`, n)))
  await vi.advanceTimersByTimeAsync(1_000)
  await Promise.all(all)
  expect(send.mock.calls.map(([batch]) => numberOf(batch))).toEqual([1, 1, 2, 3])
})

test('a refused batch is reported, and does not block the next', async () => {
  send.mockRejectedValueOnce(new DatabaseError('permission-denied', 'no'))
  const first = writes.commit(set('a', 1))
  const second = writes.commit(set('b', 2))
  await expect(first).rejects.toMatchObject({ code: 'permission-denied' })
  await second
})

test('ten batches wait, the eleventh is refused, and a newer draft takes the place of the waiting one', async () => {
  send.mockImplementation(offline)
  const waiting = Array.from({ length: 10 }, (_, n) => writes.commit(set(`p${n}`, n)))
  await vi.advanceTimersByTimeAsync(1)
  await expect(writes.commit(set('p10', 10))).rejects.toMatchObject({ code: 'resource-exhausted' })
  const newer = writes.commit(set('p9', 99))
  send.mockReset().mockResolvedValue()
  goOnline()
  await Promise.all([...waiting, newer])
  expect(send.mock.calls.map(([batch]) => numberOf(batch))).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 99])
})

test('only a waiting write of a whole document is replaced by the next: what merges into it, or has a condition, arrives as well', async () => {
  send.mockImplementation(offline)
  const precondition = { exists: true } as const
  const batches: DocumentWrite[][] = [
    set('first', 0),
    [{ kind: 'merge', path: 'a', data: { n: 1 } }],
    [{ kind: 'merge', path: 'a', data: { n: 2 } }],
    [{ kind: 'set', path: 'a', data: { n: 3 }, precondition }],
    set('a', 4),
    [...set('a', 5), ...set('b', 5)],
  ]
  const waiting = batches.map((batch) => writes.commit(batch))
  await vi.advanceTimersByTimeAsync(1)
  send.mockReset().mockResolvedValue()
  goOnline()
  await Promise.all(waiting)
  expect(send.mock.calls.map(([batch]) => numberOf(batch))).toEqual([0, 1, 2, 3, 4, 5])
})

test('what waits when a person leaves is given up', async () => {
  send.mockImplementation(offline)
  const waiting = writes.commit(set('a', 1))
  await vi.advanceTimersByTimeAsync(1)
  writes.clear()
  await expect(waiting).rejects.toMatchObject({ code: 'cancelled' })
  send.mockReset().mockResolvedValue()
  await writes.commit(set('b', 2))
})
