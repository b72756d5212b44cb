import type { DocumentSnapshot, LiveFrame } from '@tour-ops/contract/live/documents'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { documentsHttp, type DocumentsHttp } from './documents-http.ts'
import type { DocumentsState } from './documents-port.ts'
import { FakeBrowser, fakeServer, refusal, type FakeServer } from './documents-testing.ts'

const presence = 'orgs/north/presence'
const positions = 'orgs/north/positions'
const topic = 'orgs/north/changes/bookings'
const hello = (...fresh: string[]): LiveFrame => ({ event: 'hello', data: { fresh } })
const current = (...targets: string[]): LiveFrame => ({ event: 'current', data: { targets } })
const document = (path: string, data: DocumentSnapshot['data'] = { n: 1 }): LiveFrame => ({
  event: 'document',
  data: { path, data, createTime: 'c', updateTime: 'u' },
})

let server: FakeServer
let browser: FakeBrowser
let tabs: DocumentsHttp[]
beforeEach(() => {
  vi.useFakeTimers()
  server = fakeServer()
  browser = new FakeBrowser()
  tabs = []
})
afterEach(() => {
  tabs.forEach((tab) => tab.close())
  vi.useRealTimers()
})

const pass = (ms = 100) => vi.advanceTimersByTimeAsync(ms)
function openTab(name: string, orgId = 'north') {
  const documents = documentsHttp({ apiUrl: '/api', token: async () => 'token', env: browser.tab(name, server) })
  documents.identify({ userId: 'ada', orgId })
  tabs.push(documents)
  const states: DocumentsState[] = []
  documents.onState((state) => states.push(state))
  const follow = (target: string) => {
    const heard: (readonly DocumentSnapshot[])[] = []
    const errors: string[] = []
    const stop = documents.listen(target, {
      next: (snapshot) => heard.push(snapshot.documents),
      error: ({ code }) => errors.push(code),
    })
    return { heard, errors, stop, paths: () => heard.at(-1)?.map(({ path }) => path) }
  }
  return { documents, follow, connection: () => states.at(-1)?.connection }
}

test('two tabs share one stream, and both hear everything they asked for', async () => {
  const one = openTab('one')
  const people = one.follow(presence)
  await pass()
  server.open().send(hello(presence), 'e.1.1')
  server.open().send(document(`${presence}/a`))
  server.open().send(current(presence), 'e.1.2')
  await pass()

  const two = openTab('two')
  const samePeople = two.follow(presence)
  const bookings = two.follow(topic)
  await pass()
  expect(samePeople.paths()).toEqual([`${presence}/a`])
  expect(server.open()).toMatchObject({ body: { targets: [presence, topic], known: [presence] }, lastEventId: 'e.1.2' })
  server.open().send(hello(topic))
  server.open().send(current(topic), 'e.1.3')
  server.open().send(document(`${presence}/b`), 'e.1.4')
  server.open().send(document(topic, { version: '1.5', ids: ['7'], isComplete: true }), 'e.1.5')
  await pass()
  expect(people.paths()).toEqual([`${presence}/a`, `${presence}/b`])
  expect(samePeople.paths()).toEqual([`${presence}/a`, `${presence}/b`])
  expect(bookings.heard).toHaveLength(1)
  expect([one.connection(), two.connection()]).toEqual(['live', 'live'])
})

test.each(['closes', 'dies'])('when the leading tab %s, the next one resumes from the last event', async (how) => {
  const one = openTab('one')
  one.follow(presence)
  await pass()
  const two = openTab('two')
  const bookings = two.follow(topic)
  const three = openTab('three')
  const places = three.follow(positions)
  await pass()
  const first = server.open()
  first.send(hello(presence, topic, positions), 'e.1.1')
  first.send(document(`${positions}/p`))
  first.send(current(presence, topic, positions), 'e.1.2')
  await pass()
  expect(places.paths()).toEqual([`${positions}/p`])

  if (how === 'closes') one.documents.close()
  else browser.kill('one')
  first.cut()
  await pass()
  const second = server.open()
  expect(second.lastEventId).toBe('e.1.2')
  expect(second.body.targets.toSorted()).toEqual([topic, positions].toSorted())
  expect(second.body.known).toEqual([topic])
  second.send(hello(positions))
  second.send(document(`${positions}/q`))
  second.send(current(positions), 'e.1.3')
  second.send(document(topic, { version: '1.4', ids: ['9'], isComplete: true }), 'e.1.4')
  await pass()
  expect(places.paths()).toEqual([`${positions}/q`])
  expect(bookings.heard.at(-1)?.[0]?.data).toMatchObject({ ids: ['9'] })
})

test('what a tab wanted is dropped when it is gone, however it went', async () => {
  openTab('one').follow(presence)
  await pass()
  const two = openTab('two')
  two.follow(positions)
  await pass()
  expect(server.open().body.targets).toEqual([presence, positions])
  browser.kill('two')
  await pass()
  openTab('three').follow(topic)
  await pass()
  expect(server.open().body.targets).toEqual([presence, topic])
})

test('tabs of another organization do not hear each other', async () => {
  const north = openTab('one')
  north.follow(presence)
  const south = openTab('two', 'south')
  south.follow('orgs/south/presence')
  await pass()
  expect(server.streams.map(({ body }) => body.targets)).toEqual([[presence], ['orgs/south/presence']])
})

test('a refusal reaches every tab', async () => {
  server.answers = [refusal(403, 'PERMISSION_DENIED')]
  const one = openTab('one').follow(presence)
  const two = openTab('two').follow(positions)
  await pass()
  expect([one.errors, two.errors]).toEqual([['permission-denied'], ['permission-denied']])
})
