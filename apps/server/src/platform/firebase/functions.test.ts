import '../../../testing/functions.ts'
import { AppError } from '@tour-ops/contract/errors'
import { callable } from '@tour-ops/contract/callable'
import { onCall } from 'firebase-functions/v2/https'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import * as z from 'zod/mini'
import { hostFunctions, type FunctionsHost } from '../../../../../e2e/stand-ins/functions-host.ts'
import type { Caller } from '../../context.ts'
import { testDatabase, type TestCaller, type TestWorld } from '../../../testing/world.ts'
import { allVerbs } from '../../verbs.ts'
import { newId } from '../ids.ts'
import { verb } from '../verb.ts'
import { callHandler } from './call-handler.ts'
import type { LiveStore, ServerWrite } from './firestore-writer.ts'
import { publishChanges, publishQuietly } from './live-publisher.ts'

const Empty = z.object({})

const addSupplier = verb(
  callable({
    name: 'test-add-supplier',
    kind: 'write',
    writes: [],
    permission: 'departures:manage',
    summary: 'Adds a row that listeners hear of.',
    input: z.object({ name: z.string(), note: z.optional(z.string()), idempotencyKey: z.optional(z.string()) }),
    output: z.object({ id: z.string(), note: z.optional(z.string()) }),
  }),
  async (call, { name, note }) => {
    const id = newId()
    await sql`insert into suppliers (org_id, id, name, kind) values (${call.orgId}, ${id}, ${name}, 'other')`.execute(
      call.tx,
    )
    return { id, note }
  },
)
const breaks = verb(
  callable({
    name: 'test-breaks',
    kind: 'read',
    topics: [],
    permission: 'public',
    summary: 'Meets a fault of ours.',
    input: Empty,
    output: Empty,
  }),
  async () => {
    throw new Error('password of the database: hunter2')
  },
)
const refuses = verb(
  callable({
    name: 'test-refuses',
    kind: 'read',
    topics: [],
    permission: 'public',
    summary: 'Refuses.',
    input: z.object({ code: z.string() }),
    output: Empty,
  }),
  async (_call, { code }) => {
    throw new AppError(code as 'aborted', 'Not now.', { details: { reason: 'test' } })
  },
)

let world: TestWorld
let host: FunctionsHost
let published: ServerWrite[] = []
let isStoreDown = false
const store: LiveStore = {
  commit: async (writes) => {
    if (isStoreDown) throw new Error('the store is down')
    published.push(...writes)
  },
}
beforeAll(async () => {
  world = await testDatabase()
  const parts = { db: world.database, store, log: world.services.log }
  const handle = callHandler({
    services: world.services,
    verbs: [...allVerbs, addSupplier, breaks, refuses],
    publish: () => publishQuietly(parts),
  })
  const named = 'suppliers-list'
  host = await hostFunctions({
    api: onCall({ cors: true }, handle),
    [named]: onCall({ cors: true }, (request, response) => handle(request, response, named)),
  })
})
afterAll(async () => {
  await host?.close()
  await world?.close()
})
beforeEach(async () => {
  isStoreDown = false
  await publishChanges({ db: world.database, store, log: world.services.log })
  published = []
})

/**
 * Publishes until the expectation holds. On a PostgreSQL that other files use at the same time, their open transactions hold
 * the log back for a moment: the transaction that ends last publishes.
 */
const publishedUntil = (check: () => void): Promise<void> =>
  vi.waitFor(
    async () => {
      await publishChanges({ db: world.database, store, log: world.services.log })
      check()
    },
    { timeout: 10_000 },
  )

/** A backend token as the sign-in makes it; its claims are accepted here, see `beforeAll`. */
function tokenOf({ userId, orgId, email, name, sessionId }: Caller): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const claims = { org_id: orgId, sid: sessionId, person_email: email, person_name: name, org_role: 'admin' }
  return `${part({ alg: 'RS256', typ: 'JWT' })}.${part({ sub: userId, ...claims })}.c2lnbmF0dXJl`
}

interface Answer {
  readonly status: number
  readonly result?: unknown
  readonly error?: { status: string; message: string; details: Record<string, unknown> }
}

async function call(name: string, data: unknown, caller?: Caller, address = `api/${name}`): Promise<Answer> {
  const response = await fetch(`${host.origin}/demo-tour/us-central1/${address}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(caller ? { authorization: `Bearer ${tokenOf(caller)}` } : {}) },
    body: JSON.stringify({ data }),
  })
  return { status: response.status, ...((await response.json()) as object) }
}

test('text that cannot be stored is refused at its field', async () => {
  const { caller } = await world.as('admin')
  const answer = await call('suppliers-create', { name: 'Hotel \0 Borg', kind: 'hotel' }, caller)
  expect(answer).toMatchObject({
    status: 400,
    error: { status: 'INVALID_ARGUMENT', details: { fieldErrors: { name: {} } } },
  })
})

test('a callable that is a separate function answers by its name alone', async () => {
  const { caller } = await world.as('admin')
  expect(await call('suppliers-list', {}, caller, 'suppliers-list')).toMatchObject({ status: 200, result: {} })
})

test('every callable answers through the one function', async () => {
  expect(allVerbs.length).toBeGreaterThan(50)
  for (const { callable: each } of allVerbs) {
    const answer = await call(each.name, { 'not an input': true })
    const expected = each.permission === 'public' ? ['INVALID_ARGUMENT', 'NOT_FOUND', undefined] : ['UNAUTHENTICATED']
    expect(expected, each.name).toContain(answer.error?.status)
    expect(answer.error?.message).not.toBe('There is no such call.')
  }
})

test('a name that nobody answers is not found', async () => {
  expect(await call('no-such-call', {})).toMatchObject({ status: 404, error: { message: 'There is no such call.' } })
})

test('claims say who, the database says what they may do', async () => {
  // The token claims to be an administrator's; the row of the member says viewer.
  const viewer = await world.as('viewer')
  const refused = await call('test-add-supplier', { name: 'Ferry' }, viewer.caller)
  expect(refused).toMatchObject({ status: 403, error: { status: 'PERMISSION_DENIED' } })
  expect(refused.error?.details).toMatchObject({
    reason: 'missing_permission',
    requestId: expect.any(String) as string,
  })
  const stranger = await call('test-add-supplier', { name: 'Ferry' }, { ...viewer.caller, userId: 'user_stranger' })
  expect(stranger.error?.details).toMatchObject({ reason: 'not_a_member' })
})

test('a write is published before its answer, for the topic and with the ids that changed', async () => {
  const manager = await world.as('operations_manager')
  await publishChanges({ db: world.database, store, log: world.services.log })
  published = []
  const { result } = await call('test-add-supplier', { name: 'Ferry' }, manager.caller)
  const check = () =>
    expect(published.find(({ path }) => path === `orgs/${manager.orgId}/changes/suppliers`)).toMatchObject({
      kind: 'count',
      counter: 'count',
      data: { ids: [(result as { id: string }).id], isComplete: true },
    })
  if (world.database.kind === 'pglite') check()
  else await publishedUntil(check)
})

test('a store that is down fails no call, and the next publication repeats what it missed', async () => {
  const manager = await world.as('operations_manager')
  isStoreDown = true
  const { result, status } = await call('test-add-supplier', { name: 'Bus' }, manager.caller)
  expect(status).toBe(200)
  expect(published).toEqual([])
  isStoreDown = false
  await publishedUntil(() =>
    expect(idsOf(published, `orgs/${manager.orgId}/changes/suppliers`)).toEqual([(result as { id: string }).id]),
  )
})

test('a second sending under the same key changes nothing and gets the first answer', async () => {
  const manager = await world.as('operations_manager')
  const input = { name: 'Once', idempotencyKey: newId() }
  const first = await call('test-add-supplier', input, manager.caller)
  const second = await call('test-add-supplier', input, manager.caller)
  expect(second.result).toEqual(first.result)
  expect(await countSuppliers(manager)).toBe(1)
})

test('a field that is absent stays absent', async () => {
  const manager = await world.as('operations_manager')
  const { result } = await call('test-add-supplier', { name: 'Bus' }, manager.caller)
  expect(Object.keys(result as object)).toEqual(['id'])
})

test.each([
  ['invalid-argument', 400],
  ['unauthenticated', 401],
  ['permission-denied', 403],
  ['not-found', 404],
  ['aborted', 409],
  ['resource-exhausted', 429],
  ['cancelled', 499],
  ['internal', 500],
  ['unimplemented', 501],
  ['unavailable', 503],
  ['deadline-exceeded', 504],
])('%s travels as %i, with its words and details', async (code, status) => {
  const answer = await call('test-refuses', { code })
  expect(answer).toMatchObject({ status, error: { message: 'Not now.', details: { reason: 'test' } } })
  expect(answer.error?.status).toBe(code.toUpperCase().replaceAll('-', '_'))
})

test('an internal error reveals nothing', async () => {
  const answer = await call('test-breaks', {})
  expect(answer).toMatchObject({ status: 500, error: { status: 'INTERNAL' } })
  expect(JSON.stringify(answer)).not.toContain('hunter2')
})

test('members have a document that the rules read, and lose it when they are suspended', async () => {
  const guide = await world.as('guide')
  const path = `orgs/${guide.orgId}/members/${guide.userId}`
  await publishedUntil(() =>
    expect(published).toContainEqual({ kind: 'set', path, data: { role: 'guide', staffId: null } }),
  )
  await world.as('admin', { orgId: guide.orgId })
  await guide.transaction((tx) =>
    sql`update members set status = 'suspended' where user_id = ${guide.userId}`.execute(tx),
  )
  published = []
  await publishedUntil(() => expect(published).toContainEqual({ kind: 'delete', path }))
})

test('documents that the server writes are published as they are, and their removal too', async () => {
  const member = await world.as('dispatcher')
  const path = `users/${member.userId}/inbox/1`
  const notice = { orgId: null, title: 'Hello', body: 'World', createdAt: '2026-11-21T10:00:00Z', readAt: null }
  await member.transaction((tx) => world.services.live.setDocument(tx, path, notice))
  await publishedUntil(() => expect(published).toContainEqual({ kind: 'set', path, data: notice }))
  published = []
  await member.transaction((tx) => world.services.live.deleteDocument(tx, path))
  await publishedUntil(() => expect(published).toContainEqual({ kind: 'delete', path }))
})

const idsOf = (writes: readonly ServerWrite[], path: string): unknown =>
  writes.flatMap((write) => (write.path === path && write.kind === 'count' ? write.data['ids'] : []))

async function countSuppliers(caller: TestCaller): Promise<number> {
  const { rows } = await caller.transaction((tx) =>
    sql<{ count: number }>`select count(*) as count from suppliers`.execute(tx),
  )
  return rows[0]?.count ?? 0
}
