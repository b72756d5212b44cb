import type { DocumentSnapshot, DocumentWrite, JsonObject } from '@tour-ops/contract/live/documents'
import { livePath } from '@tour-ops/contract/live/live-paths'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestCaller, TestWorld } from '../../../testing/world.ts'
import { newId } from '../ids.ts'
import { type LiveTestServer, testToken } from '../../../testing/listen.ts'
import type { LiveServer } from './live.ts'
import { type LiveTestWorld, openLiveTestWorld } from '../../../testing/live.ts'

let liveWorld: LiveTestWorld
let world: TestWorld
let live: LiveServer
let server: LiveTestServer
beforeAll(async () => {
  liveWorld = await openLiveTestWorld('poll')
  ;({ world, live, server } = liveWorld)
})
afterAll(() => liveWorld?.close())

const seenAt = new Date().toISOString()
const draft = (values: JsonObject): JsonObject => ({ values, savedAt: seenAt })
const post = (member: TestCaller, name: string, data: unknown) => server.request(testToken(member.caller), name, data)
const commit = (member: TestCaller, writes: readonly DocumentWrite[], idempotencyKey?: string) =>
  post(member, 'commit', { writes, ...(idempotencyKey ? { idempotencyKey } : {}) })
const get = async (member: TestCaller, path: string): Promise<DocumentSnapshot> =>
  (await post(member, 'get', { path })).body['result'] as DocumentSnapshot
const errorOf = ({ status, body }: { status: number; body: Record<string, unknown> }) => [
  status,
  (body['error'] as { status: string } | undefined)?.status,
]

test('what is written is read again, with the times of its writing', async () => {
  const ada = await world.as('viewer')
  const path = livePath.draft(ada.userId, ada.orgId, 'tour')
  expect(await get(ada, path)).toEqual({ path, data: null, createTime: null, updateTime: null })
  await commit(ada, [{ kind: 'set', path, data: draft({ name: 'Douro' }) }])
  const first = await get(ada, path)
  expect(first).toMatchObject({ path, data: draft({ name: 'Douro' }) })
  expect(first.updateTime).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/)
  await commit(ada, [{ kind: 'merge', path, data: { baseVersion: 3 } }])
  const second = await get(ada, path)
  expect(second.data).toEqual({ ...draft({ name: 'Douro' }), baseVersion: 3 })
  expect(second.createTime).toBe(first.createTime)
  expect((second.updateTime ?? '') > (first.updateTime ?? '')).toBe(true)
})

test('text that cannot be stored and endless nesting are refused, and nothing is written', async () => {
  const ada = await world.as('viewer')
  const path = livePath.draft(ada.userId, ada.orgId, 'odd')
  const deep = JSON.parse('{"a":'.repeat(5_000) + '1' + '}'.repeat(5_000)) as JsonObject
  for (const values of [{ name: 'a\0b' }, { name: '\uD83D' }, { ['a\0']: 1 }, deep]) {
    const refused = await commit(ada, [{ kind: 'set', path, data: draft(values) }])
    expect(errorOf(refused)).toEqual([400, 'INVALID_ARGUMENT'])
  }
  expect((await get(ada, path)).data).toBeNull()
})

test('a batch is applied as a whole or not at all', async () => {
  const ada = await world.as('viewer')
  const path = livePath.draft(ada.userId, ada.orgId, 'one')
  const refused = await commit(ada, [
    { kind: 'set', path, data: draft({}) },
    { kind: 'update', path: livePath.draft(ada.userId, ada.orgId, 'two'), data: draft({}) },
  ])
  expect(errorOf(refused)).toEqual([404, 'NOT_FOUND'])
  expect((await get(ada, path)).data).toBeNull()
})

test('preconditions answer with the codes of the specification', async () => {
  const ada = await world.as('viewer')
  const path = livePath.draft(ada.userId, ada.orgId, 'guarded')
  const set = (precondition: { exists: boolean } | { updateTime: string }) =>
    commit(ada, [{ kind: 'set', path, data: draft({}), precondition }])
  expect(errorOf(await set({ exists: true }))).toEqual([404, 'NOT_FOUND'])
  expect((await set({ exists: false })).status).toBe(200)
  expect(errorOf(await set({ exists: false }))).toEqual([409, 'ALREADY_EXISTS'])
  const { updateTime } = await get(ada, path)
  expect((await set({ updateTime: updateTime ?? '' })).status).toBe(200)
  expect(errorOf(await set({ updateTime: updateTime ?? '' }))).toEqual([400, 'FAILED_PRECONDITION'])
})

test('of many who create the same document at once, one does', async () => {
  const ada = await world.as('viewer')
  const path = livePath.draft(ada.userId, ada.orgId, 'race')
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, n) =>
      commit(ada, [{ kind: 'set', path, data: draft({ n }), precondition: { exists: false } }]),
    ),
  )
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
    200, 409, 409, 409, 409, 409, 409, 409,
  ])
})

test('a commit that is sent again under its key changes nothing more', async () => {
  const ada = await world.as('viewer')
  const path = livePath.draft(ada.userId, ada.orgId, 'again')
  const writes: DocumentWrite[] = [{ kind: 'set', path, data: draft({}), precondition: { exists: false } }]
  const first = await commit(ada, writes, 'key-of-this-batch')
  const second = await commit(ada, writes, 'key-of-this-batch')
  expect(second).toEqual(first)
  expect(errorOf(await commit(ada, writes, 'key-of-another'))).toEqual([409, 'ALREADY_EXISTS'])
})

test('what does not fit its place is refused: shape, size, place, person', async () => {
  const ada = await world.as('viewer')
  const eve = await world.as('admin')
  const path = livePath.draft(ada.userId, ada.orgId, 'form')
  const setAt = (at: string, data: JsonObject, by = ada) => commit(by, [{ kind: 'set', path: at, data }])
  expect(errorOf(await setAt(path, { values: {} }))).toEqual([400, 'INVALID_ARGUMENT'])
  expect(errorOf(await setAt(path, draft({ text: 'x'.repeat(200_001) })))).toEqual([400, 'INVALID_ARGUMENT'])
  expect(errorOf(await setAt('users/x/secrets/1', {}))).toEqual([400, 'INVALID_ARGUMENT'])
  expect(errorOf(await setAt(path, draft({}), eve))).toEqual([403, 'PERMISSION_DENIED'])
  expect(errorOf(await setAt(livePath.position(ada.orgId, newId()), {}))).toEqual([403, 'PERMISSION_DENIED'])
  expect(errorOf(await post(eve, 'get', { path }))).toEqual([403, 'PERMISSION_DENIED'])
  expect(errorOf(await post(ada, 'nonsense', {}))).toEqual([501, 'UNIMPLEMENTED'])
  expect(errorOf(await post(ada, 'get', { wrong: 1 }))).toEqual([400, 'INVALID_ARGUMENT'])
  expect(errorOf(await server.request('nobody', 'get', { path }))).toEqual([401, 'UNAUTHENTICATED'])
})

test('a batch read keeps the order of the request and says what is absent', async () => {
  const ada = await world.as('viewer')
  const [first, second] = [livePath.draft(ada.userId, ada.orgId, 'a'), livePath.draft(ada.userId, ada.orgId, 'b')]
  await commit(ada, [{ kind: 'set', path: second, data: draft({ b: true }) }])
  const { body } = await post(ada, 'batchGet', { paths: [second, first, second] })
  const { documents } = body['result'] as { documents: DocumentSnapshot[] }
  expect(documents.map(({ path, data }) => [path, data !== null])).toEqual([
    [second, true],
    [first, false],
    [second, true],
  ])
})

test('queries filter, order, limit and count within one collection', async () => {
  const ada = await world.as('dispatcher')
  const places = ['/map', '/tours', '/tours', '/staff']
  await ada.transaction(async (tx) => {
    for (const [n, place] of places.entries()) {
      const presence = { name: `Person ${n}`, place, seenAt, isEditing: n % 2 === 0 }
      await live.setDocument(tx, livePath.presence(ada.orgId, `user-${n}`), presence)
    }
  })
  const collection = livePath.presences(ada.orgId)
  const names = async (query: object): Promise<unknown[]> => {
    const { body } = await post(ada, 'runQuery', { collection, ...query })
    return (body['result'] as { documents: DocumentSnapshot[] }).documents.map(({ data }) => data?.['name'])
  }
  expect(await names({})).toEqual(['Person 0', 'Person 1', 'Person 2', 'Person 3'])
  expect(await names({ where: [{ field: 'place', op: '==', value: '/tours' }] })).toEqual(['Person 1', 'Person 2'])
  expect(await names({ where: [{ field: 'place', op: '!=', value: '/tours' }] })).toEqual(['Person 0', 'Person 3'])
  expect(
    await names({
      where: [{ field: 'place', op: '>', value: '/map' }],
      orderBy: [{ field: 'place', direction: 'desc' }],
    }),
  ).toEqual(['Person 2', 'Person 1', 'Person 3'])
  expect(await names({ where: [{ field: 'place', op: '<', value: 5 }] })).toEqual([])
  expect(await names({ where: [{ field: 'place', op: 'in', value: ['/map', '/staff'] }] })).toEqual([
    'Person 0',
    'Person 3',
  ])
  expect(await names({ where: [{ field: 'place', op: 'not-in', value: ['/map', '/staff'] }], limit: 1 })).toEqual([
    'Person 1',
  ])
  expect(
    await names({
      where: [
        { field: 'isEditing', op: '==', value: true },
        { field: 'place', op: '==', value: '/map' },
      ],
    }),
  ).toEqual(['Person 0'])
  expect(await names({ orderBy: [{ field: 'recordId' }] })).toEqual([])
  const counted = await post(ada, 'count', { collection, where: [{ field: 'place', op: '==', value: '/tours' }] })
  expect(counted.body['result']).toEqual({ count: 2 })
  expect(errorOf(await post(ada, 'count', { collection: 'orgs/elsewhere/presence' }))).toEqual([
    403,
    'PERMISSION_DENIED',
  ])
})

test('arrays are searched element by element', async () => {
  const ada = await world.as('viewer')
  const path = livePath.draft(ada.userId, ada.orgId, 'tags')
  await commit(ada, [{ kind: 'set', path, data: draft({ tags: ['vegan', 'early'] }) }])
  const found = async (filter: object) => {
    const query = { collection: livePath.drafts(ada.userId), where: [filter] }
    return ((await post(ada, 'runQuery', query)).body['result'] as { documents: unknown[] }).documents.length
  }
  expect(await found({ field: 'values.tags', op: 'array-contains', value: 'vegan' })).toBe(1)
  expect(await found({ field: 'values.tags', op: 'array-contains', value: 'veg' })).toBe(0)
  expect(await found({ field: 'values.tags', op: 'array-contains-any', value: ['late', 'early'] })).toBe(1)
  expect(await found({ field: 'savedAt', op: 'array-contains', value: seenAt })).toBe(0)
})
