import type { DocumentSnapshot, LiveFrame } from '@tour-ops/contract/live/documents'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { documentsHttp, type DocumentsHttp } from './documents-http.ts'
import type { DocumentsState, TargetSnapshot } from './documents-port.ts'
import { FakeBrowser, fakeServer, refusal, type FakeServer, type ServedStream } from './documents-testing.ts'

const presence = 'orgs/north/presence'
const topic = 'orgs/north/changes/bookings'
const hello = (...fresh: string[]): LiveFrame => ({ event: 'hello', data: { fresh } })
const current = (...targets: string[]): LiveFrame => ({ event: 'current', data: { targets } })
const document = (path: string, data: DocumentSnapshot['data'] = { n: 1 }): LiveFrame => ({
  event: 'document',
  data: { path, data, createTime: 'c', updateTime: 'u' },
})
const changed = (...ids: string[]): LiveFrame => document(topic, { version: '1.1', ids, isComplete: true })

let server: FakeServer
let documents: DocumentsHttp
let states: DocumentsState['connection'][]
let goOnline: () => void
const token = vi.fn<(renew: boolean) => Promise<string>>()
beforeEach(() => {
  vi.useFakeTimers()
  server = fakeServer()
  token.mockReset().mockImplementation(async (renew) => (renew ? 'new-token' : 'token'))
  const env = new FakeBrowser().tab('one', server, { locks: false })
  goOnline = env.goOnline
  documents = documentsHttp({ apiUrl: '/api', token, env })
  states = []
  documents.onState(({ connection }) => {
    if (states.at(-1) !== connection) states.push(connection)
  })
  documents.identify({ userId: 'ada', orgId: 'north' })
})
afterEach(() => {
  documents.close()
  vi.useRealTimers()
})

function follow(target: string) {
  const heard: TargetSnapshot[] = []
  const errors: string[] = []
  const stop = documents.listen(target, {
    next: (snapshot) => heard.push(snapshot),
    error: ({ code }) => errors.push(code),
  })
  return { heard, errors, stop, last: () => heard.at(-1)?.documents.map(({ path }) => path) }
}
/** Changes of documents are told together after this time. */
const togetherMs = 50
const pass = (ms = 0) => vi.advanceTimersByTimeAsync(ms)
async function opened(...fresh: string[]): Promise<ServedStream> {
  await pass(50)
  const stream = server.open()
  stream.send(hello(...fresh), 'e.1.1')
  stream.send(current(...fresh), 'e.1.2')
  await pass()
  return stream
}

test('targets that are wanted together make one stream, and a snapshot is reported when it is complete', async () => {
  const people = follow(presence)
  const bookings = follow(topic)
  await pass(50)
  const stream = server.open()
  expect(stream).toMatchObject({ body: { targets: [presence, topic] }, lastEventId: null, bearer: 'token' })
  stream.send(hello(presence, topic), 'e.1.1')
  stream.send(document(`${presence}/b`))
  stream.send(document(`${presence}/a`))
  await pass()
  expect(people.heard).toEqual([])
  stream.send(current(presence, topic), 'e.1.2')
  await pass()
  expect(people.last()).toEqual([`${presence}/a`, `${presence}/b`])
  stream.send({ event: 'removed', data: { path: `${presence}/a` } }, 'e.1.3')
  await pass(togetherMs)
  expect(people.last()).toEqual([`${presence}/b`])
  expect(bookings.heard).toEqual([])
  stream.send(changed('7'), 'e.1.4')
  stream.send(changed('8'), 'e.1.5')
  await pass()
  expect(bookings.heard.map((snapshot) => snapshot.documents[0]?.data?.['ids'])).toEqual([['7'], ['8']])
  expect(states).toEqual(['reconnecting', 'live'])
})

test('a stream that breaks is opened again after 1 s, then 1.5 s, from the last event', async () => {
  const people = follow(presence)
  const stream = await opened(presence)
  await pass(2_000)
  stream.cut()
  await pass(999)
  expect(states).toEqual(['reconnecting', 'live', 'reconnecting'])
  expect(server.streams).toHaveLength(1)
  server.answers = [new TypeError('no network')]
  await pass(2)
  server.answers = []
  await pass(1_400)
  expect(server.streams).toHaveLength(1)
  await pass(200)
  expect(server.open()).toMatchObject({ lastEventId: 'e.1.2', body: { targets: [presence], known: [presence] } })
  server.open().send(hello(), undefined)
  server.open().send(document(`${presence}/late`), 'e.1.9')
  await pass(togetherMs)
  expect(people.last()).toEqual([`${presence}/late`])
  expect(states.at(-1)).toBe('live')
})

test('a target that is wanted while the line is down waits for the next attempt with the others', async () => {
  follow(presence)
  server.answers = [new TypeError('no network')]
  await pass(100)
  // each attempt asks for its bearer
  expect(token).toHaveBeenCalledTimes(1)
  follow(topic)
  await pass(800)
  expect(token).toHaveBeenCalledTimes(1)
  server.answers = []
  await pass(400)
  expect(server.open().body).toMatchObject({ targets: [presence, topic] })
})

test('a stream that has worked begins with the shortest wait again', async () => {
  follow(presence)
  server.answers = [new TypeError('no network')]
  await pass(6_000)
  server.answers = []
  await pass(4_000)
  const stream = await opened(presence)
  await pass(2_000)
  stream.cut()
  const before = server.streams.length
  await pass(1_100)
  expect(server.streams).toHaveLength(before + 1)
})

test('after ten seconds without success the state says offline, and a network that is back is used at once', async () => {
  follow(presence)
  server.answers = [new TypeError('no network')]
  await pass(9_900)
  expect(states).toEqual(['reconnecting'])
  await pass(200)
  expect(states).toEqual(['reconnecting', 'offline'])
  server.answers = []
  goOnline()
  await pass(1)
  await opened(presence)
  expect(states.at(-1)).toBe('live')
})

test('a stream that the server ends on purpose reconnects without a message on screen', async () => {
  follow(presence)
  const stream = await opened(presence)
  await pass(5_000)
  stream.end()
  await pass(300)
  expect(server.open().lastEventId).toBe('e.1.2')
  expect(states).toEqual(['reconnecting', 'live'])
})

test('a server that ends every stream at once is not asked without a pause', async () => {
  follow(presence)
  for (let turn = 0; turn < 40; turn += 1) {
    await pass(100)
    for (const stream of server.streams) {
      if (!stream.isOpen) continue
      stream.send(hello(), 'e.1.1')
      stream.end()
    }
  }
  expect(server.streams.length).toBeLessThan(5)
})

test('new targets reopen the stream, and only they begin with a snapshot', async () => {
  const people = follow(presence)
  await opened(presence)
  follow(topic)
  await pass(50)
  expect(server.streams).toHaveLength(2)
  expect(server.open()).toMatchObject({ lastEventId: 'e.1.2', body: { targets: [presence, topic], known: [presence] } })
  expect(people.last()).toEqual([])
})

test('a stream that nobody listens to closes after a minute, and not before', async () => {
  const { stop } = follow(presence)
  const stream = await opened(presence)
  stop()
  stream.send({ event: 'ping', data: {} })
  await pass(40_000)
  stream.send({ event: 'ping', data: {} })
  await pass(19_900)
  expect(stream.isOpen).toBe(true)
  await pass(200)
  expect(stream.isOpen).toBe(false)
  await pass(120_000)
  expect(server.streams).toHaveLength(1)
})

test('somebody who comes back within the minute finds the stream open, and it stays', async () => {
  const { stop } = follow(presence)
  const stream = await opened(presence)
  stop()
  await pass(30_000)
  stream.send({ event: 'ping', data: {} })
  follow(presence)
  await pass(40_000)
  expect(stream.isOpen).toBe(true)
  expect(server.streams).toHaveLength(1)
})

test('a stream that falls silent for 45 s is given up and opened again', async () => {
  follow(presence)
  const stream = await opened(presence)
  await pass(44_000)
  expect(stream.isOpen).toBe(true)
  await pass(2_500)
  expect(stream.isOpen).toBe(false)
  expect(server.open().lastEventId).toBe('e.1.2')
})

test('a reset reports to topics that anything may have changed, and replaces what was held', async () => {
  const people = follow(presence)
  const bookings = follow(topic)
  const stream = await opened(presence, topic)
  stream.send(document(`${presence}/old`), 'e.1.3')
  await pass(togetherMs)
  stream.send({ event: 'reset', data: {} })
  stream.send(hello(presence, topic), 'f.9.9')
  stream.send(document(`${presence}/new`))
  await pass()
  expect(people.last()).toEqual([`${presence}/old`])
  stream.send(current(presence, topic), 'f.9.10')
  await pass()
  expect(people.last()).toEqual([`${presence}/new`])
  expect(bookings.heard.at(-1)?.documents[0]?.data).toMatchObject({ isComplete: false })
})

test('a topic that waited long for its stream is notified that it may have missed something', async () => {
  server.answers = [new TypeError('no network')]
  const bookings = follow(topic)
  await pass(9_000)
  server.answers = []
  await pass(5_000)
  server.open().send(hello(topic), 'e.1.1')
  await pass()
  expect(bookings.heard[0]?.documents[0]?.data).toMatchObject({ isComplete: false })
})

test('a refused target ends with its error, the others continue', async () => {
  const people = follow(presence)
  const bookings = follow(topic)
  await pass(50)
  const stream = server.open()
  stream.send(hello(presence), 'e.1.1')
  stream.send({ event: 'refused', data: { target: topic, status: 'PERMISSION_DENIED', message: 'no' } })
  stream.send(current(presence), 'e.1.2')
  await pass()
  expect(bookings.errors).toEqual(['permission-denied'])
  expect(people.errors).toEqual([])
})

test('an expired token is renewed once; a removed member is not asked again', async () => {
  server.answers = [refusal(401, 'UNAUTHENTICATED'), refusal(403, 'PERMISSION_DENIED')]
  const people = follow(presence)
  await pass(50)
  expect(token.mock.calls).toEqual([[false], [true]])
  expect(people.errors).toEqual(['permission-denied'])
  await pass(300_000)
  expect(token).toHaveBeenCalledTimes(2)
})

test('the same person again keeps the stream, another person begins one and loses what waited to be written', async () => {
  follow(presence)
  const stream = await opened(presence)
  documents.identify({ userId: 'ada', orgId: 'north' })
  expect(stream.isOpen).toBe(true)
  server.answers = [new TypeError('no network')]
  const waiting = documents.commit([{ kind: 'set', path: `${presence}/ada`, data: { n: 1 } }])
  const refusedWrite = expect(waiting).rejects.toMatchObject({ code: 'cancelled' })
  await pass(10)
  documents.identify({ userId: 'ben', orgId: 'north' })
  await refusedWrite
  expect(stream.isOpen).toBe(false)
})

test('a request that nobody answers ends after 45 s', async () => {
  server.answers = ['never']
  const late = expect(documents.get(`${presence}/a`)).rejects.toMatchObject({ code: 'deadline-exceeded' })
  await pass(44_999)
  expect(server.requests).toHaveLength(1)
  await pass(1)
  await late
})

test('another organization begins from nothing, and a person who signed out gets nothing', async () => {
  follow(presence)
  const stream = await opened(presence)
  documents.identify({ userId: 'ada', orgId: 'south' })
  expect(stream.isOpen).toBe(false)
  await pass(50)
  expect(server.open().lastEventId).toBeNull()
  documents.identify(null)
  await pass(120_000)
  expect(server.streams.filter(({ isOpen }) => isOpen)).toEqual([])
})

test('requests carry the token, understand the answer, and renew the token once', async () => {
  server.answers = [refusal(401, 'UNAUTHENTICATED'), Response.json({ result: { count: 3 } })]
  expect(await documents.count({ collection: presence })).toBe(3)
  expect(server.requests).toEqual([
    { name: 'count', data: { collection: presence }, bearer: 'token' },
    { name: 'count', data: { collection: presence }, bearer: 'new-token' },
  ])
  server.answers = [refusal(409, 'ALREADY_EXISTS')]
  await expect(documents.get(`${presence}/a`)).rejects.toMatchObject({ code: 'already-exists' })
  server.answers = [new Response('<h1>Bad gateway</h1>', { status: 502 })]
  await expect(documents.get(`${presence}/a`)).rejects.toMatchObject({ code: 'unavailable' })
  server.answers = [new TypeError('no network')]
  await expect(documents.get(`${presence}/a`)).rejects.toMatchObject({ code: 'unavailable' })
})
