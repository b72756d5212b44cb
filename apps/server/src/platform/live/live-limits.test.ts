import type { JsonObject } from '@tour-ops/contract/live/documents'
import { livePath } from '@tour-ops/contract/live/live-paths'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestCaller, TestWorld } from '../../../testing/world.ts'
import { newId } from '../ids.ts'
import { streamsPerPerson } from '../person-limits.ts'
import { type LiveTestServer, testToken } from '../../../testing/listen.ts'
import type { LiveServer } from './live.ts'
import { type LiveTestWorld, openLiveTestWorld, setMember } from '../../../testing/live.ts'

let liveWorld: LiveTestWorld
let world: TestWorld
let live: LiveServer
let server: LiveTestServer
beforeAll(async () => {
  liveWorld = await openLiveTestWorld()
  ;({ world, live, server } = liveWorld)
})
afterAll(() => liveWorld?.close())

const commit = ({ caller }: TestCaller, path: string, data: JsonObject) =>
  server.request(testToken(caller), 'commit', { writes: [{ kind: 'set', path, data }] })
const get = ({ caller }: TestCaller, path: string) => server.request(testToken(caller), 'get', { path })
const draft = { values: { name: 'Golden Circle' }, savedAt: '2026-11-23T08:00:00Z' }

test('a person has this many streams at once; one that ends makes room, and nobody else waits', async () => {
  const ada = await world.as('dispatcher')
  const targets = [livePath.presences(ada.orgId)]
  const all = await Promise.all(
    Array.from({ length: streamsPerPerson + 5 }, () => server.listen(testToken(ada.caller), targets)),
  )
  const open = all.filter(({ status }) => status === 200)
  expect(open).toHaveLength(streamsPerPerson)
  expect(all.filter(({ status }) => status === 429)).toHaveLength(5)
  const colleague = await world.as('dispatcher', { orgId: ada.orgId })
  const theirs = await server.listen(testToken(colleague.caller), targets)
  expect(theirs.status).toBe(200)
  open[0]?.cut()
  let again = await server.listen(testToken(ada.caller), targets)
  await expect
    .poll(async () =>
      again.status === 200 ? 200 : (again = await server.listen(testToken(ada.caller), targets)).status,
    )
    .toBe(200)
  ;[...open, theirs, again].forEach((listener) => listener.cut())
})

test('streams that were refused for another reason are not counted', async () => {
  const ada = await world.as('dispatcher')
  await setMember(world, ada, `status = 'suspended'`)
  for (let index = 0; index <= streamsPerPerson; index += 1) {
    expect((await server.listen(testToken(ada.caller), [livePath.presences(ada.orgId)])).status).toBe(403)
  }
})

test('a person keeps a hundred drafts, also when many are written at once; the others can still be changed', async () => {
  const ada = await world.as('dispatcher')
  const path = (form: number) => livePath.draft(ada.userId, ada.orgId, `form-${form}`)
  const first = Array.from({ length: 95 }, (_, form) => ({ kind: 'set', path: path(form), data: draft }))
  expect(await server.request(testToken(ada.caller), 'commit', { writes: first })).toMatchObject({ status: 200 })
  const answers = await Promise.all(Array.from({ length: 12 }, (_, n) => commit(ada, path(100 + n), draft)))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(5)
  expect(answers.find(({ status }) => status !== 200)).toMatchObject({
    status: 429,
    body: { error: { status: 'RESOURCE_EXHAUSTED', message: expect.stringContaining('too many drafts') } },
  })
  expect((await commit(ada, path(0), draft)).status).toBe(200)
  const colleague = await world.as('dispatcher', { orgId: ada.orgId })
  expect((await commit(colleague, livePath.draft(colleague.userId, ada.orgId, 'x'), draft)).status).toBe(200)
})

test('presence is published with the name of the account and the time of the server', async () => {
  const ada = await world.as('dispatcher')
  await setMember(world, ada, `name = 'Ada Lovelace'`)
  const path = livePath.presence(ada.orgId, ada.userId)
  const made = { name: 'The Director', place: '/map', seenAt: '2199-01-01T00:00:00Z' }
  expect((await commit(ada, path, made)).status).toBe(200)
  const { body } = await get(ada, path)
  const { data } = (body as { result: { data: { name: string; seenAt: string; place: string } } }).result
  expect(data).toMatchObject({ name: 'Ada Lovelace', place: '/map' })
  expect(new Date(data.seenAt).getFullYear()).toBeLessThan(2199)
})

test('suspended members read nothing: open streams end, documents are refused, and notices leave their inbox', async () => {
  const ada = await world.as('dispatcher')
  const other = await world.as('dispatcher')
  const notice = (orgId: string) => ({ orgId, title: 'Guide is ill', body: '', createdAt: draft.savedAt, readAt: null })
  const [secret, own] = [newId(), newId()].map((id) => livePath.inboxMessage(ada.userId, id)) as [string, string]
  await ada.transaction((tx) => live.setDocument(tx, secret, notice(ada.orgId)))
  await other.transaction((tx) => live.setDocument(tx, own, notice(other.orgId)))
  const listener = await server.listen(testToken(ada.caller), [livePath.presences(ada.orgId)])
  await listener.until(({ event }) => event === 'current')
  await setMember(world, ada, `status = 'suspended'`)
  await listener.ended
  for (const path of [secret, livePath.draft(ada.userId, ada.orgId, 'tour')]) {
    expect((await get(ada, path)).status).toBe(403)
  }
  const inbox = { collection: livePath.inbox(ada.userId) }
  expect((await server.request(testToken(ada.caller), 'runQuery', inbox)).status).toBe(403)
  expect(
    (await commit(ada, livePath.presence(ada.orgId, ada.userId), { name: '', place: '', seenAt: draft.savedAt }))
      .status,
  ).toBe(403)
  // with a token that names no organization they read what is theirs
  const elsewhere = testToken({ userId: ada.userId, orgId: null })
  const { body } = await server.request(elsewhere, 'runQuery', inbox)
  expect((body as { result: { documents: { path: string }[] } }).result.documents.map(({ path }) => path)).toEqual([
    own,
  ])
})
