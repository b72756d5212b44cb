import { documentRequests } from '@tour-ops/contract/live/documents'
import { livePath } from '@tour-ops/contract/live/live-paths'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { seededRandom, type Random } from '../seed/random.ts'
import { bearerOf, testServer, type TestServer } from '../testing/http-server.ts'
import { testIdentity } from '../testing/identity.ts'
import { newId } from '../src/platform/ids.ts'
import { startLiveTestServer, testToken, type LiveTestServer } from '../testing/listen.ts'
import { openLive, type LiveServer } from '../src/platform/live/live.ts'
import { fuzzSeed, hostileTexts, isFault, oddValues, rawPost, rawRequest } from '../testing/raw-requests.ts'
import { jsonText, valueMaker, type Schema } from '../testing/fuzz-values.ts'
import { testDatabase, type TestCaller, type TestWorld } from '../testing/world.ts'

// What is no callable: live documents, files and plain addresses, with hostile input from a fixed seed.

let world: TestWorld
let server: TestServer
let live: LiveServer
let liveServer: LiveTestServer
let ada: TestCaller
beforeAll(async () => {
  world = await testDatabase()
  ada = await world.as('admin')
  const env = { RATE_LIMIT_IP: '0', RATE_LIMIT_USER: '0', RATE_LIMIT_IDENTITY: '0', DEMO: 'off' }
  server = await testServer({ services: world.services, identity: testIdentity(world).app, hasStart: true, env })
  live = await openLive({ db: world.database, log: pino({ level: 'silent' }), mode: 'poll' })
  liveServer = await startLiveTestServer(live)
})
afterAll(async () => {
  await liveServer?.close()
  await live?.close()
  await server?.close()
  await world?.close()
})

test('live documents', async () => {
  const random = seededRandom(fuzzSeed)
  const paths = [
    livePath.draft(ada.userId, ada.orgId, 'tour'),
    livePath.presence(ada.orgId, ada.userId),
    livePath.drafts(ada.userId),
    livePath.positions(ada.orgId),
    livePath.changes(ada.orgId, 'tours'),
    livePath.presence(`org_${newId()}`, ada.userId),
    'users/../orgs',
    ...hostileTexts,
  ]
  const maker = valueMaker(random, { own: () => newId(), foreign: () => newId() })
  const faults: unknown[] = []
  for (let count = 0; count < 250; count += 1) {
    const [name, shape] = random.pick(Object.entries(documentRequests))
    const schema = z.toJSONSchema(shape, { io: 'input', unrepresentable: 'any', reused: 'inline' }) as Schema
    const spoiled = maker.spoil(schema, withPaths(maker.right(schema, ''), paths, random)).value
    const data = random.chance(0.4) ? withPaths(maker.right(schema, ''), paths, random) : spoiled
    const response = await fetch(`${liveServer.url}/api/documents:${name}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${testToken(ada.caller)}`, 'content-type': 'application/json' },
      body: `{"data":${jsonText(data ?? null)}}`,
    })
    const answer = { status: response.status, text: await response.text() }
    if (isFault(answer)) faults.push({ count, name, data: jsonText(data).slice(0, 600), ...answer })
  }
  expect(faults).toEqual([])
})

/** Puts addresses of documents where the shape only says that there is a text. */
function withPaths(value: unknown, paths: readonly string[], random: Random, field = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => withPaths(item, paths, random, field))
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [name, withPaths(inner, paths, random, name)]),
    )
  }
  return ['path', 'paths', 'collection'].includes(field) ? random.pick(paths) : value
}

test('what a stream listens to', async () => {
  for (const target of hostileTexts) {
    const body = jsonText({ targets: [target] })
    const answer = await fetch(`${liveServer.url}/api/live/listen`, {
      method: 'POST',
      headers: { authorization: `Bearer ${testToken(ada.caller)}`, 'last-event-id': '\u00ff;--' },
      body,
      signal: AbortSignal.timeout(10_000),
    })
    expect(answer.status, body.slice(0, 100)).toBeLessThan(500)
    await answer.body?.cancel()
  }
})

test('a body of ten megabytes is refused before it is read', async () => {
  for (const path of [
    '/api/auth/sign-up/email',
    '/api/auth/update-user',
    '/api/tours-list',
    '/api/files/uploads',
    '/api/v1/token',
  ]) {
    const response = await fetch(server.base + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: `{"name":"${'x'.repeat(10_000_000)}"}`,
    })
    expect([path, response.status < 500 && response.status >= 400]).toEqual([path, true])
    await response.body?.cancel()
  }
})

test('starts', async () => {
  const names = [...hostileTexts, 'a b', 'a/b', '[', 'http://x', 'localhost:99999', 'ü']
  // what is longer is refused by Node itself
  const values = names
    .map((text) =>
      Buffer.from(text)
        .toString('latin1')
        .replaceAll(/[\0\r\n]/g, ''),
    )
    .filter((text) => text.length < 8_000)
  const faults: unknown[] = []
  for (const value of values) {
    for (const header of ['host', 'cookie', 'user-agent', 'x-client-address', 'x-request-id', 'origin', 'referer']) {
      const headers = { 'sec-fetch-site': 'same-origin', [header]: value }
      const answer = await rawRequest(server.base, '/api/start?screen=overview', { headers })
      if (isFault(answer)) faults.push({ header, value, ...answer })
    }
    const path = `/api/start?screen=${encodeURIComponent(value)}&${encodeURIComponent(value)}=%00`
    for (const method of ['GET', 'HEAD', 'POST', 'OPTIONS']) {
      const answer = await rawRequest(server.base, path, { method, headers: { 'sec-fetch-site': 'same-origin' } })
      if (isFault(answer)) faults.push({ path, method, ...answer })
    }
  }
  expect(faults).toEqual([])
})

test('addresses of files and pages', async () => {
  const bearer = { authorization: `Bearer ${bearerOf(ada.caller)}` }
  const faults: unknown[] = []
  for (const path of [
    '/%00',
    '/%',
    '/..%2f..%2fetc%2fpasswd',
    '/%2e%2e/%2e%2e/package.json',
    '//example.com/',
    '/share/%ED%A0%80',
    '/share/%00',
    `/${'a/'.repeat(3_000)}`,
    '/tours/__proto__',
    '/?q=%00',
    '/builds/__proto__.json',
    '/tiles/1/1/%00.pbf',
    '/constructor',
    '/sign-in/__proto__/_payload.json',
    '/api/',
    '/api/constructor',
    '/api/__proto__',
    '/api/tours-list%00',
    '/api/documents:__proto__',
    '/api/documents:constructor',
    '/api/files/uploads/%00',
    '/api/files/uploads/00000000-0000-0000-0000-000000000000',
    '/api/files/links/%00',
    `/api/files/links/${Buffer.from('[null,null,null,null]').toString('base64url')}.x`,
    '/api/files/links/__proto__.constructor',
    '/api/files/public/%00/00000000-0000-0000-0000-000000000000/small',
    '/api/files/public/%ED%A0%80/00000000-0000-0000-0000-000000000000/small',
    '/api/files/public/%E0%A4%A/00000000-0000-0000-0000-000000000000/small',
    '/api/files/public/org/00000000-0000-0000-0000-000000000000/__proto__',
    '/api/files/public/org/00000000-0000-0000-0000-000000000000/constructor',
  ]) {
    for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
      const answer = await rawRequest(server.base, path, {
        method,
        headers: { ...bearer, 'content-range': 'bytes 0-9/99999999999999999999' },
      })
      if (isFault(answer) && answer.status !== 501) faults.push({ path, method, ...answer })
    }
  }
  for (const value of oddValues) {
    for (const field of ['use', 'name', 'size']) {
      const data = { use: 'import', name: 'a.csv', size: 10, [field]: value }
      const answer = await rawPost(server.base, '/api/files/uploads', jsonText({ data }), bearer)
      if (isFault(answer)) faults.push({ field, value: jsonText(value).slice(0, 60), ...answer })
    }
  }
  expect(faults).toEqual([])
})
