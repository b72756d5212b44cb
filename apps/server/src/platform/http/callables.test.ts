import { once } from 'node:events'
import http from 'node:http'
import { callable } from '@tour-ops/contract/callable'
import { AppError, codeOfWireStatus, errorCodes, httpStatusOf, wireStatusOf } from '@tour-ops/contract/errors'
import { write } from '@tour-ops/contract/fields'
import { sql } from 'kysely'
import * as z from 'zod/mini'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { testDatabase, type TestWorld } from '../../../testing/world.ts'
import { newId } from '../ids.ts'
import { sharedVerb, verb, type Verb } from '../verb.ts'
import { testServer, type TestServer } from '../../../testing/http-server.ts'

const empty = z.object({})
const sayHello = callable({
  name: 'hello-say',
  kind: 'read',
  topics: [],
  permission: 'public',
  summary: 'Greets.',
  input: z.object({ name: z.string().check(z.minLength(2)), tags: z._default(z.array(z.string()), []) }),
  output: z.object({ greeting: z.string() }),
})
const fail = callable({
  name: 'fail',
  kind: 'read',
  topics: [],
  permission: 'public',
  summary: 'Fails.',
  input: z.object({ code: z.enum(errorCodes) }),
  output: empty,
})
const explode = callable({
  name: 'explode',
  kind: 'read',
  topics: [],
  permission: 'public',
  summary: 'Breaks.',
  input: empty,
  output: empty,
})
const sleep = callable({
  name: 'sleep',
  kind: 'read',
  topics: [],
  permission: 'member',
  summary: 'Takes its time.',
  input: z.object({ seconds: z.number(), inTheDatabase: z.boolean() }),
  output: empty,
})
const whoAmI = callable({
  name: 'who-am-i',
  kind: 'read',
  topics: [],
  permission: 'member',
  summary: 'Role.',
  input: empty,
  output: z.object({ role: z.string() }),
})
const showBoard = callable({
  name: 'board-show',
  kind: 'read',
  topics: [],
  permission: 'dashboard:read',
  summary: 'A board that everybody has open.',
  input: empty,
  output: z.object({ rows: z.array(z.string()) }),
})
const createPlace = callable({
  name: 'places-make',
  kind: 'write',
  writes: [],
  permission: 'tours:manage',
  summary: 'Makes a place.',
  input: write({ name: z.string().check(z.minLength(1)), fails: z._default(z.boolean(), false) }),
  output: z.object({ id: z.uuid() }),
})

let refusePlaces = false
const verbs: Verb[] = [
  verb(sayHello, async (_call, { name, tags }) => ({ greeting: ['Hello', name, ...tags].join(' ') })),
  verb(fail, async (_call, { code }) => {
    throw new AppError(code, `This is ${code}.`, { details: { reason: 'on_purpose' } })
  }),
  verb(explode, async () => {
    throw new Error('password of the database: hunter2')
  }),
  verb(sleep, async (call, { seconds, inTheDatabase }) => {
    if (inTheDatabase) await sql`select pg_sleep(${seconds}), 'marker of the sleeping call'`.execute(call.tx)
    else await new Promise((resolve) => setTimeout(resolve, seconds * 1000))
    return {}
  }),
  verb(whoAmI, async (call) => ({ role: call.role })),
  sharedVerb(showBoard, async () => ({ rows: Array.from({ length: 100 }, (_none, at) => `GOLD-${at}`) })),
  verb(createPlace, async (call, { name }) => {
    const id = newId()
    await sql`insert into places (org_id, id, name, lat, lng) values (${call.orgId}, ${id}, ${name}, 0, 0)`.execute(
      call.tx,
    )
    if (refusePlaces) throw new AppError('aborted', 'Not now.')
    return { id }
  }),
]

let world: TestWorld
let server: TestServer
beforeAll(async () => {
  world = await testDatabase()
  server = await testServer({ services: world.services, verbs, env: { DEMO: 'off' } })
})
afterAll(async () => {
  await server.close()
  await world.close()
})

describe('a call', () => {
  test('is a POST with data and is answered with result and a request id', async () => {
    const { status, headers, body } = await server.call(sayHello, { name: 'Ana' })
    expect({ status, body }).toEqual({ status: 200, body: { result: { greeting: 'Hello Ana' } } })
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
    expect(headers.get('cache-control')).toBe('no-store')
  })

  test.each(errorCodes.filter((code) => code !== 'internal'))(
    'that is refused as %s has its status both ways',
    async (code) => {
      const { status, headers, body } = await server.call(fail, { code })
      expect(status).toBe(httpStatusOf[code])
      expect(body.error).toEqual({
        status: wireStatusOf(code),
        message: `This is ${code}.`,
        details: { reason: 'on_purpose', requestId: headers.get('x-request-id') },
      })
      expect(codeOfWireStatus(body.error?.status ?? '')).toBe(code)
    },
  )

  test('that breaks says nothing of the cause to the caller and everything to the log', async () => {
    const { status, body, headers } = await server.call(explode, {})
    expect(status).toBe(500)
    expect(body.error).toMatchObject({ status: 'INTERNAL', message: 'Something went wrong on our side.' })
    expect(JSON.stringify(body)).not.toMatch(/hunter2|at .*\.ts/)
    const logged = server.lines.find((line) => line['msg'] === 'request failed')
    expect(logged).toMatchObject({ requestId: headers.get('x-request-id'), route: 'explode' })
    expect(JSON.stringify(logged)).toContain('hunter2')
  })

  test('with wrong entries names them by field', async () => {
    const { status, body } = await server.call(sayHello, { name: 'A' })
    expect(status).toBe(400)
    expect(body.error?.details).toMatchObject({
      fieldErrors: { name: ['At least 2 characters.'] },
      fieldIssues: { name: [{ code: 'too_short', params: { min: 2 } }] },
    })
  })

  test.each([
    ['NUL', String.raw`{"data":{"name":"A\u0000na"}}`],
    ['half of a surrogate pair', String.raw`{"data":{"name":"A\ud83dna"}}`],
  ])('with %s names the field, also where it was written as an escape', async (_, content) => {
    const { status, body } = await send({ body: content })
    expect(status).toBe(400)
    expect(body).toMatchObject({ error: { status: 'INVALID_ARGUMENT', details: { fieldErrors: { name: {} } } } })
  })

  test('nested without end is refused, where the answer would be stored under a key as well', async () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
    expect(await send({ body: `{"data":{"name":"Ana","deep":${deep}}}` })).toMatchObject({ status: 400 })
    const admin = await world.as('admin')
    const response = await server.fetch('/api/places-make', {
      method: 'POST',
      as: admin.caller,
      headers: { 'content-type': 'application/json' },
      body: `{"data":{"name":"Geysir","idempotencyKey":"key-of-a-deep-call","deep":${deep}}}`,
    })
    expect(response.status).toBe(400)
  })

  test('that is not UTF-8 is refused instead of being stored with replacement characters', async () => {
    const body = Buffer.from([...Buffer.from('{"data":{"name":"An'), 0xff, 0xfe, ...Buffer.from('a"}}')])
    expect(await send({ body })).toMatchObject({ status: 400 })
  })

  test('with thousands of wrong entries is answered with the first hundred', async () => {
    const { status, body } = await server.call(sayHello, {
      name: 'Ana',
      tags: Array.from({ length: 5_000 }, () => 7) as never,
    })
    expect(status).toBe(400)
    expect(Object.keys(body.error?.details['fieldErrors'] ?? {})).toHaveLength(100)
  })

  test('to a name that does not exist is not found', async () => {
    expect(await server.call({ ...sayHello, name: 'no-such-call' }, { name: 'Ana' })).toMatchObject({ status: 404 })
  })

  const send = async (init: RequestInit): Promise<{ status: number; body: unknown }> => {
    const response = await server.fetch('/api/hello-say', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"data":{"name":"Ana"}}',
      ...init,
    })
    return { status: response.status, body: await response.json() }
  }
  const invalid = { status: 400, body: { error: { status: 'INVALID_ARGUMENT' } } }

  test('that does not follow the protocol is refused', async () => {
    expect(await send({ method: 'PUT' })).toMatchObject(invalid)
    expect(await send({ headers: { 'content-type': 'text/plain' } })).toMatchObject(invalid)
    expect(await send({ body: '{"data":' })).toMatchObject(invalid)
    expect(await send({ body: '{"name":"Ana"}' })).toMatchObject(invalid)
    expect(await send({ body: '[]' })).toMatchObject(invalid)
  })

  test('may carry messaging-instance and app-check tokens, and broken ones are refused', async () => {
    const json = { 'content-type': 'application/json' }
    const good = { 'firebase-instance-id-token': 'dK3:APA91b_x-1', 'x-firebase-appcheck': 'aaa.bbb.ccc' }
    expect(await send({ headers: { ...json, ...good } })).toMatchObject({ status: 200 })
    expect(await send({ headers: { ...json, 'firebase-instance-id-token': 'a b' } })).toMatchObject(invalid)
    expect(await send({ headers: { ...json, 'x-firebase-appcheck': 'nonsense' } })).toMatchObject({ status: 401 })
  })

  test('with too much content is refused, announced or not', async () => {
    const large = JSON.stringify({ data: { name: 'x'.repeat(1_100_000) } })
    expect(await send({ body: large })).toMatchObject({ body: { error: { details: { reason: 'body_too_large' } } } })
    const chunked = http.request(`${server.base}/api/hello-say`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'transfer-encoding': 'chunked' },
    })
    chunked.end(large)
    const [answer] = (await once(chunked, 'response')) as [http.IncomingMessage]
    answer.resume()
    expect(answer.statusCode).toBe(400)
  })
})

describe('the caller', () => {
  test('is identified by the bearer token, and role and membership by the database', async () => {
    const guide = await world.as('guide')
    expect(await server.call(whoAmI, {}, { as: guide.caller })).toMatchObject({ body: { result: { role: 'guide' } } })
    expect(await server.call(whoAmI, {})).toMatchObject({ status: 401 })
    const stranger = { ...guide.caller, userId: 'somebody-else' }
    expect(await server.call(whoAmI, {}, { as: stranger })).toMatchObject({ status: 403 })
    expect(await server.call(createPlace, { name: 'Pier' }, { as: guide.caller })).toMatchObject({
      status: 403,
      body: { error: { details: { reason: 'missing_permission', permission: 'tours:manage' } } },
    })
  })

  test('of a board that many have open is answered in the form that the caller understands', async () => {
    const { caller } = await world.as('dispatcher')
    const ask = (encoding: string) =>
      server.call(showBoard, {}, { as: caller, headers: { 'accept-encoding': encoding } })
    const [plain, small] = [await ask('identity'), await ask('br')]
    const sent = ({ headers }: typeof plain) => [headers.get('content-encoding'), headers.get('vary')]
    expect([sent(plain), sent(small)]).toEqual([
      [null, 'accept-encoding'],
      ['br', 'accept-encoding'],
    ])
    expect(small.body).toEqual(plain.body)
  })

  test('with a foreign bearer token is refused, even where none is needed', async () => {
    const wrong = { authorization: 'Bearer nonsense' }
    expect(await server.call(sayHello, { name: 'Ana' }, { headers: wrong })).toMatchObject({ status: 401 })
    expect(await server.call(sayHello, { name: 'Ana' }, { headers: { authorization: 'Basic eA==' } })).toMatchObject({
      status: 401,
    })
  })

  test('is in the log line with the organization, the call and the time it took', async () => {
    const viewer = await world.as('viewer')
    const { headers } = await server.call(whoAmI, {}, { as: viewer.caller })
    const find = () =>
      server.lines.find((line) => line['msg'] === 'request' && line['requestId'] === headers.get('x-request-id'))
    await expect.poll(find).toBeDefined()
    expect(find()).toMatchObject({
      route: 'who-am-i',
      status: 200,
      userId: viewer.userId,
      orgId: viewer.orgId,
      ip: '127.0.0.1',
    })
    expect(find()?.['durationMs']).toBeTypeOf('number')
  })

  test('a caller who asks too often is told when to retry', async () => {
    const limited = await testServer({ services: world.services, verbs, env: { RATE_LIMIT_USER: '3', DEMO: 'off' } })
    const viewer = await world.as('viewer')
    const answers = []
    for (let i = 0; i < 5; i += 1) answers.push(await limited.call(whoAmI, {}, { as: viewer.caller }))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429, 429])
    expect(answers[3]?.headers.get('retry-after')).toBe('20')
    expect(answers[3]?.body.error).toMatchObject({ status: 'RESOURCE_EXHAUSTED', details: { reason: 'rate_limited' } })
    await limited.close()
  })
})

describe('the end of a call before its answer', () => {
  test('at the deadline is deadline-exceeded', async () => {
    const hasty = await testServer({ services: world.services, verbs, timeoutMs: 150, env: { DEMO: 'off' } })
    const viewer = await world.as('viewer')
    const { status, body } = await hasty.call(sleep, { seconds: 0.5, inTheDatabase: false }, { as: viewer.caller })
    expect({ status, body }).toMatchObject({ status: 504, body: { error: { status: 'DEADLINE_EXCEEDED' } } })
    await hasty.close()
  })

  test('by the caller is 499 in log and metrics', async () => {
    const viewer = await world.as('viewer')
    const away = new AbortController()
    const call = server.call(sleep, { seconds: 0.4, inTheDatabase: false }, { as: viewer.caller, signal: away.signal })
    setTimeout(() => away.abort(), 100)
    await expect(call).rejects.toThrow(/abort/)
    const find = () => server.lines.find((line) => line['route'] === 'sleep' && line['status'] === 499)
    await expect.poll(find).toMatchObject({ level: 'info', userId: viewer.userId })
    expect(await server.metrics.registry.metrics()).toMatch(
      /http_request_duration_seconds_count\{method="POST",route="sleep",status="499"\} 1/,
    )
  })

  test('by the caller takes its query out of the database', async (context) => {
    if (world.database.kind === 'pglite') context.skip('PGlite runs one query at a time and cannot end it')
    const viewer = await world.as('viewer')
    const away = new AbortController()
    const call = server.call(sleep, { seconds: 30, inTheDatabase: true }, { as: viewer.caller, signal: away.signal })
    const ended = expect(call).rejects.toThrow(/abort/)
    const running = async () => {
      const { rows } = await world.database.ownerPool.query(
        `select 1 from pg_stat_activity where datname = current_database() and state = 'active' and query like '%marker of the sleeping%' and pid <> pg_backend_pid()`,
      )
      return rows.length
    }
    await expect.poll(running).toBe(1)
    away.abort()
    await ended
    await expect.poll(running).toBe(0)
  })
})

describe('a write with an idempotency key', () => {
  const key = () => `key-${newId()}`

  test('runs once, and the same key gives the first answer again', async () => {
    const admin = await world.as('admin')
    const input = { name: 'Harbor', idempotencyKey: key() }
    const first = await server.call(createPlace, input, { as: admin.caller })
    const second = await server.call(createPlace, input, { as: admin.caller })
    expect(first.status).toBe(200)
    expect(second.body).toEqual(first.body)
    expect(await placesOf(admin)).toBe(1)
  })

  test('sent twice at the same moment runs once', async () => {
    const admin = await world.as('admin')
    const input = { name: 'Harbor', idempotencyKey: key() }
    const answers = await Promise.all([1, 2, 3].map(() => server.call(createPlace, input, { as: admin.caller })))
    expect(new Set(answers.map(({ body }) => JSON.stringify(body.result))).size).toBe(1)
    expect(await placesOf(admin)).toBe(1)
  })

  test('belongs to one caller, and to one content', async () => {
    const admin = await world.as('admin')
    const colleague = await world.as('admin', { orgId: admin.orgId })
    const input = { name: 'Harbor', idempotencyKey: key() }
    await server.call(createPlace, input, { as: admin.caller })
    await server.call(createPlace, input, { as: colleague.caller })
    expect(await placesOf(admin)).toBe(2)
    expect(await server.call(createPlace, { ...input, name: 'Pier' }, { as: admin.caller })).toMatchObject({
      status: 400,
      body: { error: { details: { reason: 'idempotency_key_reused' } } },
    })
    const tooShort = await server.call(createPlace, { ...input, idempotencyKey: 'short' }, { as: admin.caller })
    expect(tooShort).toMatchObject({ status: 400 })
  })

  test('that was refused leaves the key free', async () => {
    const admin = await world.as('admin')
    const input = { name: 'Harbor', idempotencyKey: key() }
    refusePlaces = true
    expect(await server.call(createPlace, input, { as: admin.caller })).toMatchObject({ status: 409 })
    refusePlaces = false
    expect(await server.call(createPlace, input, { as: admin.caller })).toMatchObject({ status: 200 })
    expect(await placesOf(admin)).toBe(1)
  })

  const placesOf = (member: Awaited<ReturnType<TestWorld['as']>>): Promise<number> =>
    member.transaction(async (tx) => {
      const { rows } = await sql<{
        count: number
      }>`select count(*)::int as count from places where org_id = ${member.orgId}`.execute(tx)
      return rows[0]?.count ?? 0
    })
})
