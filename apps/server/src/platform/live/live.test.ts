import { once } from 'node:events'
import http from 'node:http'
import { buffer } from 'node:stream/consumers'
import zlib from 'node:zlib'
import type { DocumentSnapshot, JsonObject } from '@tour-ops/contract/live/documents'
import { livePath, type LiveChanges } from '@tour-ops/contract/live/live-paths'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { requireSecondFactor, type TestCaller, type TestWorld } from '../../../testing/world.ts'
import { newId } from '../ids.ts'
import { type LiveTestServer, type TestListener, testToken } from '../../../testing/listen.ts'
import type { LiveServer } from './live.ts'
import { ageChanges, type LiveTestWorld, openLiveTestWorld, setMember } from '../../../testing/live.ts'

let liveWorld: LiveTestWorld
let world: TestWorld
let live: LiveServer
let server: LiveTestServer
beforeAll(async () => {
  liveWorld = await openLiveTestWorld()
  ;({ world, live, server } = liveWorld)
})
afterAll(() => liveWorld?.close())

const presence = (place: string): JsonObject => ({ name: 'Ada', place, seenAt: new Date().toISOString() })
const listenAs = ({ caller }: TestCaller, targets: readonly string[], options = {}): Promise<TestListener> =>
  server.listen(testToken(caller), targets, options)
const opened = (listener: TestListener) => listener.until(({ event }) => event === 'current')
const heardDocument = (listener: TestListener, path: string): Promise<DocumentSnapshot> =>
  listener
    .until((frame) => frame.event === 'document' && frame.data.path === path)
    .then((frame) => frame.data as DocumentSnapshot)
const addSupplier = async (member: TestCaller): Promise<string> => {
  const id = newId()
  await member.transaction((tx) =>
    sql`insert into suppliers (org_id, id, name, kind) values (${member.orgId}, ${id}, ${`Supplier ${id}`}, 'other')`.execute(
      tx,
    ),
  )
  return id
}
const changedIds = (listener: TestListener): string[] =>
  listener.frames.flatMap(({ frame }) =>
    frame.event === 'document' ? ((frame.data.data as LiveChanges | null)?.ids ?? []) : [],
  )

test('a committed change reaches a listener with its id, and one that was rolled back does not', async () => {
  const ada = await world.as('dispatcher')
  const listener = await listenAs(ada, [livePath.changes(ada.orgId, 'suppliers')])
  await opened(listener)
  const rolledBack = newId()
  await expect(
    ada.transaction(async (tx) => {
      await sql`insert into suppliers (org_id, id, name, kind) values (${ada.orgId}, ${rolledBack}, 'x', 'other')`.execute(
        tx,
      )
      throw new Error('no')
    }),
  ).rejects.toThrow('no')
  const id = await addSupplier(ada)
  const heard = await heardDocument(listener, livePath.changes(ada.orgId, 'suppliers'))
  expect(heard.data).toMatchObject({ ids: [id], isComplete: true })
  listener.cut()
})

test('a stream travels compressed where its reader understands that, and is complete when it ends', async () => {
  const ada = await world.as('dispatcher')
  const path = livePath.changes(ada.orgId, 'suppliers')
  const body = JSON.stringify({ targets: [path] })
  // not by fetch, which reads what is incomplete as well
  const request = http.request(`${server.url}/api/live/listen`, {
    method: 'POST',
    headers: { authorization: `Bearer ${testToken(ada.caller)}`, 'accept-encoding': 'gzip, deflate, br, zstd' },
  })
  request.end(body)
  const [response] = (await once(request, 'response')) as [http.IncomingMessage]
  const whole = buffer(response)
  const plain = await listenAs(ada, [path], { acceptEncoding: 'identity' })
  expect([response.headers['content-encoding'], plain.encoding]).toEqual(['deflate', null])
  await opened(plain)
  const id = await addSupplier(ada)
  await heardDocument(plain, path)
  await setMember(world, ada, `status = 'suspended'`)
  const text = zlib.inflateSync(await whole).toString()
  expect(text).toContain('event: hello')
  expect(text).toContain(id)
})

test('a burst is gathered: the first at once, the rest together, none missing', async () => {
  const ada = await world.as('dispatcher')
  const listener = await listenAs(ada, [livePath.changes(ada.orgId, 'suppliers')])
  await opened(listener)
  const ids: string[] = []
  for (let index = 0; index < 30; index += 1) ids.push(await addSupplier(ada))
  await expect.poll(() => new Set(changedIds(listener)).size).toBe(30)
  const frames = listener.frames.filter(({ frame }) => frame.event === 'document')
  expect(new Set(changedIds(listener))).toEqual(new Set(ids))
  expect(frames.length).toBeLessThan(30)
  listener.cut()
})

test('more ids than the limit are not listed, and the screen is notified of that', async () => {
  const ada = await world.as('dispatcher')
  const listener = await listenAs(ada, [livePath.changes(ada.orgId, 'suppliers')])
  await opened(listener)
  await ada.transaction((tx) =>
    sql`insert into suppliers (org_id, id, name, kind)
      select ${ada.orgId}, gen_random_uuid(), 'Supplier ' || n, 'other' from generate_series(1, 101) as n`.execute(tx),
  )
  const heard = await heardDocument(listener, livePath.changes(ada.orgId, 'suppliers'))
  expect(heard.data).toMatchObject({ ids: [], isComplete: false })
  listener.cut()
})

test('a listener who was cut off gets what was missed, once it reconnects', async () => {
  const ada = await world.as('dispatcher')
  const targets = [livePath.changes(ada.orgId, 'suppliers'), livePath.presences(ada.orgId)]
  const before = await listenAs(ada, targets)
  await opened(before)
  before.cut()
  const missed = await addSupplier(ada)
  await ada.transaction((tx) => live.setDocument(tx, livePath.presence(ada.orgId, 'grace'), presence('/tours/all')))
  const after = await listenAs(ada, targets, { lastEventId: before.lastEventId(), known: targets })
  const current = await opened(after)
  expect(current.data).toEqual({ targets: [] })
  // perhaps twice: from the log, and from the feed where it reads the change just now
  expect(new Set(changedIds(after))).toEqual(new Set([missed]))
  expect((await heardDocument(after, livePath.presence(ada.orgId, 'grace'))).data).toMatchObject({
    place: '/tours/all',
  })
  after.cut()
})

test('an id of another database, or from before the log was pruned, starts again', async () => {
  const ada = await world.as('dispatcher')
  const target = livePath.presences(ada.orgId)
  const first = await listenAs(ada, [target])
  await opened(first)
  first.cut()
  const witness = await listenAs(ada, [livePath.changes(ada.orgId, 'suppliers')])
  await opened(witness)
  await addSupplier(ada)
  const last = await addSupplier(ada)
  await expect.poll(() => changedIds(witness)).toContain(last)
  witness.cut()
  const foreign = await listenAs(ada, [target], { lastEventId: `elsewhere-1.5.5`, known: [target] })
  await opened(foreign)
  expect(foreign.frames.map(({ frame }) => frame.event)).toEqual(['reset', 'hello', 'current'])
  foreign.cut()
  await world.database.pool.query(`select prune_changes(clock_timestamp() + interval '1 second')`)
  const pruned = await listenAs(ada, [target], { lastEventId: first.lastEventId(), known: [target] })
  await opened(pruned)
  expect(pruned.frames[0]?.frame.event).toBe('reset')
  pruned.cut()
  expect(await ageChanges(world.database, ada.orgId), 'the newest change, which is not pruned').toBe(1)
  const fresh = await listenAs(ada, [target])
  await opened(fresh)
  fresh.cut()
  const recent = await listenAs(ada, [target], { lastEventId: fresh.lastEventId(), known: [target] })
  await opened(recent)
  recent.cut()
  expect(recent.frames.map(({ frame }) => frame.event)).toEqual(['hello', 'current'])
})

test('stored documents begin with a snapshot, then every write and removal is sent', async () => {
  const ada = await world.as('dispatcher')
  const mine = livePath.presence(ada.orgId, ada.userId)
  const token = testToken(ada.caller)
  await server.request(token, 'commit', { writes: [{ kind: 'set', path: mine, data: presence('/a') }] })
  const listener = await listenAs(ada, [livePath.presences(ada.orgId)])
  await opened(listener)
  expect((await heardDocument(listener, mine)).data).toMatchObject({ place: '/a' })
  await server.request(token, 'commit', { writes: [{ kind: 'merge', path: mine, data: { place: '/b' } }] })
  await listener.until(({ event, data }) => event === 'document' && data.data?.['place'] === '/b')
  await server.request(token, 'commit', { writes: [{ kind: 'delete', path: mine }] })
  expect((await listener.until(({ event }) => event === 'removed')).data).toEqual({ path: mine })
  listener.cut()
})

test('what a role may not read is refused by itself, and the other targets continue', async () => {
  const guide = await world.as('guide')
  const listener = await listenAs(guide, [
    livePath.changes(guide.orgId, 'alerts'),
    livePath.changes(guide.orgId, 'departures'),
    livePath.positions(guide.orgId),
    'orgs/elsewhere/presence',
  ])
  await opened(listener)
  const refused = listener.frames.flatMap(({ frame }) => (frame.event === 'refused' ? [frame.data] : []))
  expect(refused.map(({ target, status }) => [target, status])).toEqual([
    [livePath.changes(guide.orgId, 'alerts'), 'PERMISSION_DENIED'],
    [livePath.positions(guide.orgId), 'PERMISSION_DENIED'],
    ['orgs/elsewhere/presence', 'PERMISSION_DENIED'],
  ])
  listener.cut()
})

test('one organization is never notified of another', async () => {
  const ada = await world.as('dispatcher')
  const eve = await world.as('dispatcher')
  const listener = await listenAs(eve, [`orgs/${eve.orgId}/changes`, livePath.presences(eve.orgId)])
  await opened(listener)
  await addSupplier(ada)
  await ada.transaction((tx) => live.setDocument(tx, livePath.presence(ada.orgId, ada.userId), presence('/a')))
  const own = await addSupplier(eve)
  await listener.until(({ event, data }) => event === 'document' && (data.data?.['ids'] as string[])?.includes(own))
  expect(changedIds(listener)).not.toContain(ada.userId)
  expect(JSON.stringify(listener.frames)).not.toContain(ada.orgId)
  listener.cut()
})

test('the stream ends with its session, and those of other sessions continue', async () => {
  const ada = await world.as('dispatcher')
  const [left, kept] = [newId(), newId()]
  await world.database.ownerPool.query(
    `insert into identity.backend_sessions (id, user_id, expires_at)
     select id, $1, now() + interval '1 hour' from unnest($2::uuid[]) as id`,
    [ada.caller.userId, [left, kept]],
  )
  const listen = (sessionId: string) =>
    server.listen(testToken({ ...ada.caller, sessionId }), [livePath.changes(ada.orgId, 'suppliers')])
  const [ending, staying] = [await listen(left), await listen(kept)]
  await Promise.all([opened(ending), opened(staying)])
  await world.database.ownerPool.query('update identity.backend_sessions set revoked_at = now() where id = $1', [left])
  await ending.ended
  await addSupplier(ada)
  await heardDocument(staying, livePath.changes(ada.orgId, 'suppliers'))
  staying.cut()
})

test('the stream ends with the token, with the membership, and with a change of role', async () => {
  const ada = await world.as('dispatcher')
  const expiring = await server.listen(testToken(ada.caller, 300), [livePath.presences(ada.orgId)])
  await opened(expiring)
  await expiring.ended
  const listener = await listenAs(ada, [livePath.presences(ada.orgId)])
  await opened(listener)
  await setMember(world, ada, `last_seen_at = now()`)
  await setMember(world, ada, `role = 'viewer'`)
  await listener.ended
  const demoted = await listenAs(ada, [livePath.presences(ada.orgId)])
  await opened(demoted)
  await setMember(world, ada, `status = 'removed'`)
  await demoted.ended
  expect((await listenAs(ada, [livePath.presences(ada.orgId)])).status).toBe(403)
})

test('a second factor that the organization asks for ends streams when its day comes, and refuses documents and new streams', async () => {
  const ada = await world.as('dispatcher')
  const listener = await listenAs(ada, [livePath.presences(ada.orgId)])
  await opened(listener)
  const isStillHeard = async (): Promise<void> => {
    const path = livePath.presence(ada.orgId, ada.userId)
    const place = newId()
    const writes = [{ kind: 'set', path, data: presence(place) }]
    expect((await server.request(testToken(ada.caller), 'commit', { writes })).status).toBe(200)
    await listener.until((frame) => frame.event === 'document' && frame.data.data?.['place'] === place)
  }
  await requireSecondFactor(ada, ['admin'], '2026-01-01')
  await isStillHeard()
  await requireSecondFactor(ada, ['dispatcher'], '2100-01-01')
  await isStillHeard()
  await requireSecondFactor(ada, ['dispatcher'], '2026-01-01')
  await listener.ended
  expect((await listenAs(ada, [livePath.presences(ada.orgId)])).status).toBe(403)
  const place = livePath.presence(ada.orgId, ada.userId)
  const requests = {
    get: { path: place },
    runQuery: { collection: livePath.presences(ada.orgId) },
    commit: { writes: [{ kind: 'set', path: place, data: presence('Oslo') }] },
  }
  for (const [name, data] of Object.entries(requests)) {
    expect(await server.request(testToken(ada.caller), name, data)).toMatchObject({
      status: 403,
      body: { error: { details: { reason: 'second_factor_required' } } },
    })
  }
})

test('a stream that ends with its session is not written to by a change of the same moment', async () => {
  const ada = await world.as('dispatcher')
  const sessionId = newId()
  const session = { id: sessionId, user: ada.userId }
  await world.database.ownerPool.query(
    `insert into identity.backend_sessions (id, user_id, expires_at) values ($1, $2, now() + interval '1 day')`,
    [session.id, session.user],
  )
  const listener = await server.listen(testToken({ ...ada.caller, sessionId }), [
    livePath.changes(ada.orgId, 'suppliers'),
  ])
  await opened(listener)
  await world.database.ownerPool.query(`
    begin; select set_config('app.org_id', '${ada.orgId}', true);
    insert into suppliers (org_id, id, name, kind) values ('${ada.orgId}', '${newId()}', 'Late', 'other');
    update identity.backend_sessions set revoked_at = now() where id = '${sessionId}'; commit`)
  await listener.ended
  expect(
    (await server.request(testToken(ada.caller), 'get', { path: livePath.presence(ada.orgId, ada.userId) })).status,
  ).toBe(200)
})

test('a person without an organization has inbox and drafts, and a verb of somebody else may write to the inbox', async () => {
  const ada = await world.as('dispatcher')
  const alone = { userId: `user_${newId()}`, orgId: null }
  const listener = await server.listen(testToken(alone), [livePath.inbox(alone.userId)])
  await opened(listener)
  const path = livePath.inboxMessage(alone.userId, newId())
  const notice = { orgId: ada.orgId, title: 'Hello', body: '', createdAt: new Date().toISOString(), readAt: null }
  await ada.transaction((tx) => live.setDocument(tx, path, notice))
  expect((await heardDocument(listener, path)).data).toEqual(notice)
  const commit = (data: JsonObject) =>
    server.request(testToken(alone), 'commit', { writes: [{ kind: 'update', path, data }] })
  expect((await commit({ title: 'Changed' })).status).toBe(403)
  expect((await commit({ readAt: new Date().toISOString() })).status).toBe(200)
  listener.cut()
})

test('one process keeps a thousand streams open, and each of them gets a change', async () => {
  const ada = await world.as('dispatcher')
  const listeners: TestListener[] = []
  while (listeners.length < 1_000) {
    const member = await world.as('dispatcher', { orgId: ada.orgId })
    const some = Array.from({ length: 25 }, () => listenAs(member, [livePath.changes(ada.orgId, 'suppliers')]))
    listeners.push(...(await Promise.all(some)))
  }
  await Promise.all(listeners.map(opened))
  expect(live.openStreams()).toBeGreaterThanOrEqual(1_000)
  const id = await addSupplier(ada)
  await expect
    .poll(() => listeners.filter((listener) => changedIds(listener).includes(id)).length, { timeout: 30_000 })
    .toBe(1_000)
  for (const listener of listeners) listener.cut()
  await expect.poll(() => live.openStreams(), { timeout: 30_000 }).toBeLessThan(20)
}, 120_000)

test('announced changes are sent without a row of their own', async () => {
  const ada = await world.as('dispatcher')
  const listener = await listenAs(ada, [livePath.changes(ada.orgId, 'departures')])
  await opened(listener)
  await ada.transaction((tx) => live.announce(tx, 'departures', ['one', 'two']))
  const heard = await heardDocument(listener, livePath.changes(ada.orgId, 'departures'))
  expect(heard.data).toMatchObject({ ids: ['one', 'two'] })
  listener.cut()
})

test('without a token or with a wrong body nothing opens', async () => {
  const ada = await world.as('dispatcher')
  expect((await server.listen('nonsense', ['orgs/x/presence'])).status).toBe(401)
  expect((await server.listen(testToken(ada.caller), [])).status).toBe(400)
})
