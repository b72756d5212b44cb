import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Lanes, type LaneBatch } from './lanes.ts'

const at = (tx: number) => ({ tx: String(tx), seq: '1' })
const position = (read: number) => ({ read, snapshot: `${read}:${read}:` })
let sent: (LaneBatch & { readonly afterMs: number })[]
let startedAt: number
let reading: Promise<void> | undefined
let lanes: Lanes<void>
beforeEach(() => {
  vi.useFakeTimers()
  sent = []
  startedAt = Date.now()
  reading = undefined
  lanes = new Lanes<void>({
    windowMs: (lane) => (lane === 'busy' ? 200 : 50),
    prepare: async () => reading,
    deliver: (batch) => sent.push({ ...batch, afterMs: Date.now() - startedAt }),
  })
})
afterEach(() => {
  lanes.close()
  vi.useRealTimers()
})

const add = (lane: string, id: string, tx: number) => {
  lanes.add(lane, id, at(tx), position(tx - 1))
  lanes.start()
}
const summary = () => sent.map(({ lane, entityIds, afterMs }) => [lane, entityIds.join(' '), afterMs])

test('the first change goes at once, those of the next 50 ms together, and a quiet lane starts again', async () => {
  add('a', '1', 1)
  await vi.advanceTimersByTimeAsync(10)
  add('a', '2', 2)
  add('a', '3', 3)
  add('a', '2', 4)
  await vi.advanceTimersByTimeAsync(200)
  add('a', '4', 5)
  await vi.advanceTimersByTimeAsync(1)
  expect(summary()).toEqual([
    ['a', '1', 0],
    ['a', '3 2', 50],
    ['a', '4', 210],
  ])
  expect(sent[1]?.last).toEqual(at(4))
})

test('lanes do not wait for each other', async () => {
  add('a', '1', 1)
  add('a', '2', 2)
  add('b', '1', 3)
  await vi.advanceTimersByTimeAsync(1)
  expect(summary()).toEqual([
    ['a', '1', 0],
    ['b', '1', 0],
  ])
})

test('what waits holds the place back from which a client may continue', async () => {
  expect(lanes.oldestWaiting()).toBeUndefined()
  add('a', '1', 10)
  await vi.advanceTimersByTimeAsync(1)
  expect(lanes.oldestWaiting()).toBeUndefined()
  add('a', '2', 20)
  add('b', '1', 30)
  await vi.advanceTimersByTimeAsync(1)
  expect(lanes.oldestWaiting()).toEqual(position(19))
  await vi.advanceTimersByTimeAsync(60)
  expect(lanes.oldestWaiting()).toBeUndefined()
})

test('a change that comes while a batch is being read is neither lost nor skipped over', async () => {
  let finish = () => {}
  reading = new Promise<void>((resolve) => (finish = resolve))
  add('a', '1', 10)
  await vi.advanceTimersByTimeAsync(5)
  add('a', '2', 20)
  expect(lanes.oldestWaiting()).toEqual(position(9))
  await vi.advanceTimersByTimeAsync(500)
  finish()
  await vi.advanceTimersByTimeAsync(0)
  expect(summary()).toEqual([
    ['a', '1', 505],
    ['a', '2', 505],
  ])
  expect(lanes.oldestWaiting()).toBeUndefined()
})

test('a lane may gather for longer than another', async () => {
  add('busy', '1', 1)
  add('busy', '2', 2)
  await vi.advanceTimersByTimeAsync(199)
  expect(summary()).toEqual([['busy', '1', 0]])
  await vi.advanceTimersByTimeAsync(1)
  expect(summary().at(-1)).toEqual(['busy', '2', 200])
})
