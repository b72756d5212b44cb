import type { Role } from '@tour-ops/contract/identity/access'
import { getOverview } from '@tour-ops/contract/overview/overview'
import { getSession } from '@tour-ops/contract/identity/session'
import { getSecuritySettings, updateSecuritySettings } from '@tour-ops/contract/settings/settings'
import type { StartAnswer } from '@tour-ops/contract/start'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testServer, type TestServer } from '../testing/http-server.ts'
import { newId } from '../src/platform/ids.ts'
import { testIdentity, type TestIdentity, type TestPerson } from '../testing/identity.ts'
import { execute } from '../src/platform/verb.ts'
import { requestMeta, testDatabase, type TestWorld } from '../testing/world.ts'
import { verbsOf } from '../testing/verbs.ts'
import { allVerbs } from '../src/verbs.ts'
import { addAuthenticator } from '../testing/factors.ts'

// The one answer for a start, with real accounts and sessions of the embedded identity service. Nobody may get here what the requests that it
// takes the place of would not give them.

let world: TestWorld
let site: TestIdentity
let server: TestServer
beforeAll(async () => {
  world = await testDatabase()
  site = testIdentity(world, { signUp: 'open' })
  server = await testServer({
    identity: site.app,
    hasStart: true,
    services: world.services,
    verbs: allVerbs,
    verifyBackendToken: site.identity.verifyBackendToken,
  })
})
afterAll(async () => {
  await server.close()
  await world.close()
})

const ownPage = { 'sec-fetch-site': 'same-origin' }

const start = (browser: { cookies(): string } | null, headers: Record<string, string> = ownPage, screen = 'overview') =>
  server.fetch(`/api/start?screen=${screen}`, {
    headers: { ...headers, ...(browser && { cookie: browser.cookies() }) },
  })

const answersOf = async (browser: { cookies(): string } | null): Promise<StartAnswer['answers']> => {
  const response = await start(browser)
  expect(response.status).toBe(200)
  expect(response.headers.get('cache-control')).toBe('no-store')
  return ((await response.json()) as StartAnswer).answers
}

const pathsOf = (answers: StartAnswer['answers']) => answers.map(({ path }) => path.split('?')[0])

const inOrganization = ['/auth/get-session', '/auth/organization/get-full-organization']
const whole = [...inOrganization, '/auth/token', '/v1/accounts:signInWithCustomToken', '/session-get', '/overview-get']

/** An answer but for the moment at which it was made. */
const withoutClock = (answer: object) => ({ ...answer, serverTime: null, now: null })

async function memberOf(role: Role): Promise<TestPerson & { orgId: string }> {
  const boss = await site.person('Boss')
  const { body } = await boss.browser.post('/api/auth/organization/create', { name: 'Start', slug: `start-${newId()}` })
  const orgId = String(body['id'])
  const person = await site.person('Member')
  await world.rows(
    `insert into identity.member (id, "organizationId", "userId", role, "createdAt") values ($1, $2, $3, $4, now())`,
    [newId(), orgId, person.userId, role],
  )
  await person.browser.post('/api/auth/organization/set-active', { organizationId: orgId })
  return { ...person, orgId }
}

const backendSessionsOf = async ({ userId }: TestPerson): Promise<number> =>
  (
    await world.rows<{ n: number }>('select count(*)::int as n from identity.backend_sessions where user_id = $1', [
      userId,
    ])
  )[0]?.n ?? Number.NaN

test.each(['admin', 'dispatcher', 'guide', 'viewer'] as const)(
  'a %s gets what the requests of a start answer by themselves, in one',
  async (role) => {
    const person = await memberOf(role)
    const answers = await answersOf(person.browser)
    expect(pathsOf(answers)).toEqual(whole)
    const answerOf = (path: string) => answers.find((one) => one.path.split('?')[0] === path)?.answer

    for (const { path, answer } of answers.slice(0, 2))
      expect(answer).toEqual((await person.browser.get(`/api${path}`)).body)
    const { idToken } = answerOf('/v1/accounts:signInWithCustomToken') as { idToken: string }
    const caller = await site.identity.verifyBackendToken(idToken)
    expect(caller).toMatchObject({ userId: person.userId, orgId: person.orgId })
    for (const callable of [getSession, getOverview]) {
      const own = await execute(world.services, requestMeta(), caller, verbsOf(allVerbs)(callable), {})
      const { result } = answerOf(`/${callable.name}`) as { result: object }
      expect(withoutClock(result)).toEqual(withoutClock(JSON.parse(JSON.stringify(own)) as object))
    }
  },
)

test('any other page gets who is here and no data', async () => {
  const person = await memberOf('viewer')
  const { answers } = (await (await start(person.browser, ownPage, 'page')).json()) as StartAnswer
  expect(pathsOf(answers)).toEqual(whole.filter((path) => path !== '/overview-get'))
})

test.each([
  ['another site', { 'sec-fetch-site': 'cross-site' }],
  ['another host of this site', { 'sec-fetch-site': 'same-site' }],
  ['a typed address', { 'sec-fetch-site': 'none' }],
  ['nobody knows where', {}],
])('a request from %s gets nothing, and signs nobody in', async (_where, headers) => {
  const person = await memberOf('admin')
  const response = await start(person.browser, headers)
  expect(response.status).toBe(403)
  expect(response.headers.get('access-control-allow-origin')).toBeNull()
  expect(await response.text()).not.toMatch(/answers|token/)
  expect(await backendSessionsOf(person)).toBe(0)
})

test('somebody who is signed out is told just that; so does a made-up session', async () => {
  const nobody = [{ method: 'GET', path: '/auth/get-session', answer: null }]
  expect(await answersOf(null)).toEqual(nobody)
  expect(await answersOf({ cookies: () => 'better-auth.session_token=made.up' })).toEqual(nobody)
})

test('a person who was removed from the organization gets nothing of it', async () => {
  const person = await memberOf('admin')
  await world.rows('delete from identity.member where "userId" = $1', [person.userId])
  const answers = await answersOf(person.browser)
  expect(pathsOf(answers).slice(2)).toEqual([])
  expect(JSON.stringify(answers)).not.toContain('"name":"Start"')
  expect(await backendSessionsOf(person)).toBe(0)
})

test('a suspended member gets no token and no data', async () => {
  const person = await memberOf('dispatcher')
  await world.rows(`update identity.member set status = 'suspended' where "userId" = $1`, [person.userId])
  expect(pathsOf(await answersOf(person.browser)).slice(2)).toEqual([])
  expect(await backendSessionsOf(person)).toBe(0)
})

test('a session without the second factor that the organization asks for gets no token and no data', async () => {
  const boss = await memberOf('admin')
  await addAuthenticator(boss.browser)
  const caller = await site.identity.verifyBackendToken((await boss.browser.backendToken()).idToken)
  const { version } = await execute(world.services, requestMeta(), caller, verbsOf(allVerbs)(getSecuritySettings), {})
  const settings = { secondFactorRoles: ['admin', 'dispatcher'] as Role[], secondFactorFrom: '2026-01-01' }
  await execute(world.services, requestMeta(), caller, verbsOf(allVerbs)(updateSecuritySettings), { version, settings })

  const person = await site.person('Late')
  await world.rows(
    `insert into identity.member (id, "organizationId", "userId", role, "createdAt") values ($1, $2, $3, 'dispatcher', now())`,
    [newId(), boss.orgId, person.userId],
  )
  await person.browser.post('/api/auth/organization/set-active', { organizationId: boss.orgId })
  expect(pathsOf(await answersOf(person.browser))).toEqual(inOrganization)
  expect(await backendSessionsOf(person)).toBe(0)
  expect(pathsOf(await answersOf(boss.browser)), 'with the factor').toEqual(whole)
})

test('data come from the active organization only, whatever the address says', async () => {
  const person = await memberOf('dispatcher')
  const other = await memberOf('admin')
  const response = await server.fetch(`/api/start?screen=overview&orgId=${other.orgId}&organizationId=${other.orgId}`, {
    headers: { ...ownPage, cookie: person.browser.cookies(), 'x-organization-id': other.orgId },
  })
  const text = await response.text()
  expect(text).toContain(person.orgId)
  expect(text).not.toContain(other.orgId)
})

test('an unknown screen, and a write, are no start', async () => {
  const person = await memberOf('admin')
  expect((await start(person.browser, ownPage, 'tours')).status).toBe(404)
  expect((await start(person.browser, ownPage, 'constructor')).status).toBe(404)
  const posted = await server.fetch('/api/start?screen=overview', { method: 'POST', headers: ownPage, body: '{}' })
  expect(posted.status).toBe(400)
})
