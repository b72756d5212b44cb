import { beforeEach, expect, test } from 'vitest'
import { ListenStream, type StreamSink } from './listen-stream.ts'

const at = (read: number) => ({ read, snapshot: `${read}:${read}:` })
const batch = (entityIds: string[]) => ({ lane, entityIds, last: { tx: '7', seq: '1' } })
const frame = (path: string, size = 1) => ({ path, text: `event: document\ndata: "${'x'.repeat(size)}"\n\n` })
const person = { userId: 'ada', orgId: 'north', role: 'viewer', staffId: null, factorDueAt: null } as const
const lane = 'orgs/north/presence'

let written: string[]
let waitingBytes: number
let isDestroyed: boolean
let ends: number
const sink: StreamSink = {
  write(text) {
    written.push(text)
    return waitingBytes === 0
  },
  get waitingBytes() {
    return waitingBytes
  },
  drained: async () => undefined,
  end: () => {
    ends += 1
  },
  destroy: () => {
    isDestroyed = true
  },
}
beforeEach(() => {
  written = []
  waitingBytes = 0
  isDestroyed = false
  ends = 0
})

const open = (path?: string) =>
  new ListenStream(
    { person, sessionId: null, takesTables: false },
    [{ target: lane, kind: 'stored', path, lanes: [lane] }],
    sink,
    'epoch',
  )
const live = (path?: string) => {
  const stream = open(path)
  stream.goLive('event: current\n\n', at(1))
  written = []
  return stream
}

test('the id is on the last frame of a batch, and positions never go back', () => {
  const stream = live()
  stream.deliver(batch(['a', 'b']), [frame('a'), frame('b')], at(7))
  stream.deliver(batch(['c']), [frame('c')], at(5))
  expect(written.map((text) => text.match(/id: \S+/g))).toEqual([['id: epoch.7:7:'], ['id: epoch.7:7:']])
  expect(written[0]?.indexOf('id:')).toBeGreaterThan(0)
})

test('nothing is written after the end, and it ends once', () => {
  const stream = live()
  stream.end()
  stream.deliver(batch(['a']), [frame('a')], at(7))
  stream.ping('event: ping\n\n', at(8), 0)
  stream.end()
  expect([ends, written]).toEqual([1, []])
})

test('the stream ends at the moment from which on its session is refused for want of a second factor', () => {
  const stream = live()
  stream.person = { ...person, factorDueAt: new Date(Date.now() + 60_000) }
  stream.ping('event: ping\n\n', at(2), 0)
  expect([ends, written.length]).toEqual([0, 1])
  stream.person = { ...person, factorDueAt: new Date(Date.now() - 1) }
  stream.ping('event: ping\n\n', at(3), 0)
  expect([ends, written.length]).toEqual([1, 1])
})

test('a listener of one document is notified of no other', () => {
  const stream = live(`${lane}/a`)
  stream.deliver(batch([`${lane}/b`]), [frame(`${lane}/b`)], at(7))
  expect(written).toEqual([])
  stream.deliver(batch([`${lane}/a`, `${lane}/b`]), [frame(`${lane}/b`), frame(`${lane}/a`)], at(8))
  expect(written).toHaveLength(1)
})

test('while a stream starts, changes are noted and not sent', () => {
  const stream = open()
  stream.deliver(batch(['a']), [frame('a')], at(7))
  stream.deliver(batch(['b']), [frame('b')], at(8))
  stream.ping('event: ping\n\n', at(8), 0)
  expect(written).toEqual([])
  expect([...stream.takeNoted()].map(([name, { ids }]) => [name, [...ids]])).toEqual([[lane, ['a', 'b']]])
  expect(stream.takeNoted().size).toBe(0)
})

test('a reader who is more than 1 MiB behind is cut off, a slower one is not', () => {
  const stream = live()
  waitingBytes = 1024 * 1024
  stream.deliver(batch(['a']), [frame('a')], at(2))
  expect(isDestroyed).toBe(false)
  waitingBytes += 1
  stream.deliver(batch(['a']), [frame('a')], at(3))
  expect(isDestroyed).toBe(true)
})
