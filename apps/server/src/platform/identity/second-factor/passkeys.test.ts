import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestWorld } from '../../../../testing/world.ts'
import { identityWorld, type TestIdentity, testOrigin, testPassword } from '../../../../testing/identity.ts'
import { relyingPartyOf } from './passkey-plugin.ts'
import {
  addPasskey,
  enterWith,
  overviewOf,
  refusedAsUnauthenticated,
  withAuthenticator,
} from '../../../../testing/factors.ts'

let world: TestWorld
let site: TestIdentity
beforeAll(async () => {
  ;({ world, site } = await identityWorld({ signUp: 'open' }))
})
afterAll(() => world.close())

test('a passkey signs in by itself as two factors, also where an app would be asked for', async () => {
  const person = await withAuthenticator(world, await site.person('Passkey Person'))
  const { key, answer } = await addPasskey(person)
  expect(answer).toMatchObject({ status: 200, body: { name: 'Laptop' } })
  expect((await site.emailTo(person.email)).subject).toBe('A passkey was added to your account')
  const browser = site.browser()
  expect((await enterWith(key, browser)).status).toBe(200)
  expect(await overviewOf(browser)).toMatchObject({ secondFactor: 'passkey', passkeys: [{ name: 'Laptop' }] })
  expect((await browser.backendToken()).idToken).toBeTruthy()
})

test('a passkey that was not unlocked, or comes from another site, opens nothing and is not added', async () => {
  const person = await site.person('Locked Person')
  expect((await addPasskey(person, { name: 'Locked', isUnlocked: false })).answer).toMatchObject({
    status: 403,
    body: { code: 'USER_VERIFICATION_REQUIRED' },
  })
  const { key } = await addPasskey(person)
  for (const given of [{ isUnlocked: false }, { origin: 'https://evil.example' }, { origin: testOrigin }]) {
    const browser = site.browser()
    expect((await enterWith(key, browser, given)).status).toBeGreaterThanOrEqual(400)
    await refusedAsUnauthenticated(browser)
  }
})

test('a passkey used while signed in takes the place of the session', async () => {
  const person = await site.person('Raising Person')
  const { key } = await addPasskey(person)
  const before = (await overviewOf(person.browser)).sessions
  expect((await enterWith(key, person.browser)).status).toBe(200)
  const after = await overviewOf(person.browser)
  expect(after.secondFactor).toBe('passkey')
  expect(after.sessions).toHaveLength(before.length)
  expect(after.sessions[0]?.id).not.toBe(before[0]?.id)
})

test('with the last factor gone no session counts as proven', async () => {
  const person = await site.person('Dropping Person')
  const { key } = await addPasskey(person)
  await enterWith(key, person.browser)
  const { passkeys } = await overviewOf(person.browser)
  await person.browser.post('/api/auth/passkey/delete-passkey', { id: passkeys[0]?.id })
  expect(await overviewOf(person.browser)).toMatchObject({ secondFactor: null, passkeys: [] })
  expect((await enterWith(key, site.browser())).status).toBe(401)
})

test('an old session changes passkeys only after the password was typed again', async () => {
  const person = await site.person('Old Session')
  await addPasskey(person)
  await world.rows(`update identity.session set "createdAt" = now() - interval '11 minutes' where "userId" = $1`, [
    person.userId,
  ])
  const refused = { status: 403, body: { code: 'CONFIRM_REQUIRED' } }
  const { passkeys } = await overviewOf(person.browser)
  const remove = () => person.browser.post('/api/auth/passkey/delete-passkey', { id: passkeys[0]?.id })
  expect(await person.browser.get('/api/auth/passkey/generate-register-options')).toMatchObject(refused)
  expect(await remove()).toMatchObject(refused)
  expect((await person.browser.post('/api/auth/security/confirm', { password: 'not it' })).status).toBe(400)
  expect(await remove()).toMatchObject(refused)
  expect((await person.browser.post('/api/auth/security/confirm', { password: testPassword })).status).toBe(200)
  expect((await remove()).status).toBe(200)
})

test('nobody touches the passkeys of others', async () => {
  const owner = await site.person('Key Owner')
  await addPasskey(owner)
  const [{ id } = { id: '' }] = (await overviewOf(owner.browser)).passkeys
  const stranger = await site.person('Key Stranger')
  for (const path of ['delete-passkey', 'update-passkey']) {
    expect((await stranger.browser.post(`/api/auth/passkey/${path}`, { id, name: 'x' })).status).toBe(401)
  }
  expect((await overviewOf(owner.browser)).passkeys).toHaveLength(1)
})

test('passkeys belong to a name: localhost on this computer, and none where the address is numbers', () => {
  const local = ['http://localhost:8080', 'http://127.0.0.1:8080']
  expect(relyingPartyOf('http://127.0.0.1:8080', local)).toEqual({
    id: 'localhost',
    origins: ['http://localhost:8080'],
  })
  expect(relyingPartyOf('https://ops.example.com', ['https://ops.example.com', 'https://other.example'])).toEqual({
    id: 'ops.example.com',
    origins: ['https://ops.example.com'],
  })
  expect(relyingPartyOf('https://192.0.2.7', ['https://192.0.2.7'])).toBeNull()
  expect(relyingPartyOf('http://[2001:db8::1]:8080', [])).toBeNull()
})
