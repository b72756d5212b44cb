import { readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestWorld } from '../../../testing/world.ts'
import { offeredEndpoints } from './offered-endpoints.ts'
import { identityWorld, type TestIdentity } from '../../../testing/identity.ts'

let world: TestWorld
let site: TestIdentity
beforeAll(async () => {
  ;({ world, site } = await identityWorld())
})
afterAll(() => world.close())

/** Every address that the library and its plugins register, `GET /get-session`; without those that only our own code can call. */
function registered(): string[] {
  const api = site.identity.auth.api as unknown as Record<string, { path?: string; options?: { method?: unknown } }>
  return Object.values(api).flatMap(({ path: address, options }) =>
    address === undefined ? [] : [options?.method].flat().map((method) => `${String(method)} ${address}`),
  )
}

test('every address that the library registers is offered for a reason, or there is nothing at it', async () => {
  const { browser } = await site.person('Walker')
  const { body } = await browser.post('/api/auth/organization/create', { name: 'Walk', slug: 'walk' })
  const all = registered()
  expect(all.length).toBeGreaterThan(70)
  const open: string[] = []
  for (const endpoint of all.filter((one) => !(one in offeredEndpoints))) {
    const [method = '', address = ''] = endpoint.split(' ')
    const url = `/api/auth${address.replace(/:\w+/, 'x')}?organizationId=${String(body['id'])}`
    const answer = method === 'GET' ? await browser.get(url) : await browser.post(url, { organizationId: body['id'] })
    if (answer.status !== 404 || answer.body.code !== 'NOT_FOUND') open.push(`${endpoint} ${answer.status}`)
  }
  expect(open).toEqual([])
  expect(Object.keys(offeredEndpoints).filter((one) => !all.includes(one))).toEqual([])
  for (const why of Object.values(offeredEndpoints)) expect(why).not.toBe('')
})

test('the web application asks for every address that is offered', () => {
  const folder = path.resolve(import.meta.dirname, '../../../../web/src/identity')
  const texts = ['embedded.ts', 'embedded-accounts.ts', 'embedded-security.ts'].map((name) =>
    readFileSync(path.join(folder, name), 'utf8'),
  )
  const unused = Object.keys(offeredEndpoints).filter((one) => {
    const address = one.split(' ')[1] ?? ''
    return !texts.some((text) => text.includes(`'${address}'`))
  })
  expect(unused).toEqual([])
})

test('other spellings of an address lead nowhere', async () => {
  const { browser } = await site.person('Speller')
  for (const address of [
    '/organization/get-active-member-role/',
    '//organization/get-active-member-role',
    '/organization%2Fget-active-member-role',
    '/Organization/Get-Active-Member-Role',
    '/x/../organization/get-active-member-role',
    '/get-session/',
    '',
  ]) {
    expect((await browser.get(`/api/auth${address}?userId=x`)).status, address).toBe(404)
  }
})

test('suspended members learn the id and the name of the organization, at every address', async () => {
  const boss = await site.person('Boss')
  const suspended = await site.person('Suspended')
  const { orgId } = await site.identity.accounts.createOrganization({
    name: 'Secretive',
    slug: 'secretive-short-name',
    members: [
      { userId: boss.userId, role: 'admin' },
      { userId: suspended.userId, role: 'admin' },
    ],
  })
  const organization = { organizationId: orgId }
  await suspended.browser.post('/api/auth/organization/set-active', organization)
  await world.database.ownerPool.query(
    `update identity.organization set metadata = '{"note":"metadata-note"}', logo = 'https://logo.example/x.png' where id = $1`,
    [orgId],
  )
  await world.database.ownerPool.query(`update identity.member set status = 'suspended' where "userId" = $1`, [
    suspended.userId,
  ])
  const told = JSON.stringify([
    await suspended.browser.get('/api/auth/organization/list'),
    await suspended.browser.get('/api/auth/organization/get-full-organization'),
    await suspended.browser.get(`/api/auth/organization/get-full-organization?organizationId=${orgId}`),
    await suspended.browser.post('/api/auth/organization/set-active', organization),
    await suspended.browser.post('/api/auth/organization/update', { ...organization, data: { name: 'Mine' } }),
    await suspended.browser.get('/api/auth/get-session'),
    await suspended.browser.get('/api/auth/token'),
  ])
  for (const secret of ['secretive-short-name', 'metadata-note', 'logo.example', boss.userId, '"memberCount":2']) {
    expect(told).not.toContain(secret)
  }
  expect((await suspended.browser.get('/api/auth/organization/get-full-organization')).body).toEqual({
    id: orgId,
    name: 'Secretive',
    role: null,
  })
  expect((await boss.browser.post('/api/auth/organization/set-active', organization)).body).toEqual({
    id: orgId,
    name: 'Secretive',
  })
})
