import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestWorld } from '../../../../testing/world.ts'
import {
  identityWorld,
  type TestBrowser,
  testIdentity,
  type TestIdentity,
  testPassword,
  testWallet,
} from '../../../../testing/identity.ts'
import { codeOf } from '../../../../testing/second-factor.ts'
import { reportUnreadableAuthenticators } from './unreadable-authenticators.ts'
import {
  forgetCodes,
  isSignedIn,
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

const signIn = (browser: TestBrowser, email: string, password = testPassword) =>
  browser.post('/api/auth/sign-in/email', { email, password })

test('an authenticator app counts from its first code, ends what was signed in without it, and the owner is notified', async () => {
  const person = await site.person('Setup Person')
  const elsewhere = site.browser()
  await signIn(elsewhere, person.email)
  expect(await person.browser.post('/api/auth/two-factor/enable', { password: 'not it' })).toMatchObject({
    status: 400,
    body: { code: 'INVALID_PASSWORD' },
  })
  const { body } = await person.browser.post('/api/auth/two-factor/enable', { password: testPassword })
  const totpUri = String(body['totpURI'])
  expect(await signIn(site.browser(), person.email)).toMatchObject({ body: { token: expect.any(String) } })
  expect(await person.browser.post('/api/auth/two-factor/verify-totp', { code: '000000' })).toMatchObject({
    status: 401,
    body: { code: 'INVALID_CODE' },
  })
  expect(await person.browser.post('/api/auth/two-factor/verify-totp', { code: await codeOf(totpUri) })).toMatchObject({
    status: 200,
  })

  expect(await isSignedIn(elsewhere)).toBe(false)
  expect(await overviewOf(person.browser)).toMatchObject({ secondFactor: 'totp', recoveryCodesLeft: 10 })
  expect(await site.emailTo(person.email)).toMatchObject({
    kind: 'account_security',
    subject: 'An authenticator app was added to your account',
  })
  const events = await world.rows<{ kind: string }>('select kind from identity.events where user_id = $1 order by id', [
    person.userId,
  ])
  expect(events.map(({ kind }) => kind)).toContain('authenticator_added')
})

test('secret and recovery codes are sealed at rest', async () => {
  const { userId, totpUri, recoveryCodes } = await withAuthenticator(world, await site.person('Sealed Person'))
  const [row] = await world.rows<{ text: string }>(
    `select t::text as text from identity."twoFactor" t where "userId" = $1`,
    [userId],
  )
  const secret = new URL(totpUri).searchParams.get('secret') ?? ''
  for (const open of [secret, Buffer.from(secret).toString(), ...recoveryCodes]) expect(row?.text).not.toContain(open)
})

test('under another secret of the installation codes are refused with a message, the start says so, and a reset opens the account', async () => {
  const { email, userId, totpUri, recoveryCodes } = await withAuthenticator(world, await site.person('Secret Person'))
  const secret = 'another secret of the same installation'
  const { config, log } = world.services
  const replaced = testIdentity(world, { secret, signUp: 'open' })
  const attempt = async (path: string, code: string) => {
    const browser = replaced.browser()
    await signIn(browser, email)
    return browser.post(path, { code })
  }
  const refused = { status: 403, body: { code: 'AUTHENTICATOR_UNREADABLE' } }
  expect(await attempt('/api/auth/two-factor/verify-totp', await codeOf(totpUri))).toMatchObject(refused)
  expect(await attempt('/api/auth/two-factor/verify-backup-code', recoveryCodes[0] ?? '')).toMatchObject(refused)
  const said: string[] = []
  const listening = Object.assign(Object.create(log) as typeof log, {
    warn: (_facts: unknown, text: string) => said.push(text),
  })
  await reportUnreadableAuthenticators(world.database.ownerPool, config.secret, listening)
  expect(said).toEqual([])
  await reportUnreadableAuthenticators(world.database.ownerPool, secret, listening)
  expect(said).toEqual([
    expect.stringMatching(/^\d+ of \d+ authenticator apps were set up under another SESSION_SECRET/),
  ])
  await world.rows('select identity.remove_factors($1)', [userId])
  const browser = replaced.browser()
  expect((await signIn(browser, email)).body).toHaveProperty('token')
})

test('the password alone opens nothing: no session, no identity token, no backend token', async () => {
  const { email, userId, totpUri } = await withAuthenticator(world, await site.person('Password Person'))
  const browser = site.browser()
  const answer = await signIn(browser, email)
  expect(answer).toMatchObject({ status: 200, body: { twoFactorRedirect: true, twoFactorMethods: ['totp'] } })
  expect(answer.body).not.toHaveProperty('token')
  await refusedAsUnauthenticated(browser)
  const sessions = await world.rows(`select from identity.session where "userId" = $1 and "secondFactor" is null`, [
    userId,
  ])
  expect(sessions).toEqual([])

  const code = await codeOf(totpUri)
  expect(await browser.post('/api/auth/two-factor/verify-totp', { code })).toMatchObject({ status: 200 })
  expect((await overviewOf(browser)).secondFactor).toBe('totp')
  expect((await browser.backendToken()).idToken).toBeTruthy()
  const kinds = await world.rows<{ kind: string }>(
    'select kind from identity.events where user_id = $1 order by id desc',
    [userId],
  )
  expect(kinds.slice(0, 2).map(({ kind }) => kind)).toEqual(['signed_in', 'second_factor_asked'])
})

test('an identity token of a session without its second factor is not taken by the backend', async () => {
  const { browser, userId } = await site.person('Half Person')
  const { body } = await browser.get('/api/auth/token')
  await world.rows(`update identity."user" set "twoFactorEnabled" = true where id = $1`, [userId])
  expect(
    await browser.post('/api/v1/accounts:signInWithCustomToken', { token: body['token'], returnSecureToken: true }),
  ).toMatchObject({ status: 400 })
})

test('a code counts once, a wrong one not at all, and five wrong ones end the attempt', async () => {
  const { email, totpUri } = await withAuthenticator(world, await site.person('Replay Person'))
  const code = await codeOf(totpUri)
  const first = site.browser()
  await signIn(first, email)
  expect(await first.post('/api/auth/two-factor/verify-totp', { code })).toMatchObject({ status: 200 })
  const second = site.browser()
  await signIn(second, email)
  expect(await second.post('/api/auth/two-factor/verify-totp', { code })).toMatchObject({
    status: 401,
    body: { code: 'CODE_USED' },
  })
  expect(await second.post('/api/auth/two-factor/verify-totp', { code: await codeOf(totpUri, 1) })).toMatchObject({
    status: 200,
  })

  const third = site.browser()
  await signIn(third, email)
  for (const wrong of ['abcdef', 'abcdeg', 'abcdeh', 'abcdei', 'abcdej']) {
    expect(await third.post('/api/auth/two-factor/verify-totp', { code: wrong })).toMatchObject({
      body: { code: 'INVALID_CODE' },
    })
  }
  expect(await third.post('/api/auth/two-factor/verify-totp', { code: 'abcdek' })).toMatchObject({
    body: { code: 'TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE' },
  })
  await refusedAsUnauthenticated(third)
})

test('after ten wrong codes in a row the account takes none for a while, also not the right one', async () => {
  const { email, totpUri } = await withAuthenticator(world, await site.person('Guessed Person'))
  for (let attempt = 0; attempt < 2; attempt += 1) {
    const browser = site.browser()
    await signIn(browser, email)
    for (let guess = 0; guess < 5; guess += 1) {
      await browser.post('/api/auth/two-factor/verify-totp', { code: `wrong${guess}` })
    }
  }
  const browser = site.browser()
  await signIn(browser, email)
  expect(await browser.post('/api/auth/two-factor/verify-totp', { code: await codeOf(totpUri) })).toMatchObject({
    status: 429,
    body: { code: 'ACCOUNT_TEMPORARILY_LOCKED' },
  })
})

test('a wallet is one factor as well: its owner is asked for the code', async () => {
  const wallet = testWallet(77)
  const enter = async (browser: TestBrowser) => {
    const { body } = await browser.post('/api/auth/siwe/nonce')
    const message = wallet.messageFor(String(body['nonce']))
    return browser.post('/api/auth/siwe/verify', { message, signature: wallet.sign(message) })
  }
  const browser = site.browser()
  const { body } = await enter(browser)
  const userId = (body['user'] as { id: string }).id
  const { totpUri } = await withAuthenticator(world, { userId, email: '', browser })
  const again = site.browser()
  expect((await enter(again)).body).toMatchObject({ twoFactorRedirect: true })
  await refusedAsUnauthenticated(again)
  expect(await again.post('/api/auth/two-factor/verify-totp', { code: await codeOf(totpUri) })).toMatchObject({
    status: 200,
  })
  expect(await isSignedIn(again)).toBe(true)
})

test('neither a reset password nor an invitation leads around the code', async () => {
  const { email, browser, userId } = await withAuthenticator(world, await site.person('Reset Person'))
  await site.browser().post('/api/auth/request-password-reset', { email })
  const token = /token=([^\s&]+)/.exec((await site.emailTo(email)).body)?.[1]
  const thief = site.browser()
  expect(await thief.post('/api/auth/reset-password', { token, newPassword: 'another horse 2' })).toMatchObject({
    status: 200,
  })
  await refusedAsUnauthenticated(thief)
  expect((await signIn(thief, email, 'another horse 2')).body).toMatchObject({ twoFactorRedirect: true })
  await refusedAsUnauthenticated(thief)
  const [member] = await world.rows<{ id: string }>(
    `insert into identity.organization (id, name, slug, "createdAt") values ('org-of-thief', 'T', 'org-of-thief', now()) returning id`,
    [],
  )
  await world.rows(
    `insert into identity.invitation (id, "organizationId", email, role, status, "expiresAt", "inviterId")
     values ('7c0e4f0e-93a5-4b1c-9d6e-2f1f6a9b0001', $1, $2, 'viewer', 'pending', now() + interval '1 day', $3)`,
    [member?.id, email, userId],
  )
  const accept = { invitationId: '7c0e4f0e-93a5-4b1c-9d6e-2f1f6a9b0001' }
  expect((await thief.post('/api/auth/organization/accept-invitation', accept)).status).toBe(401)
  expect(await isSignedIn(browser)).toBe(false)
})

test('a recovery code opens once, in place of the app, and the owner is notified', async () => {
  const { email, recoveryCodes } = await withAuthenticator(world, await site.person('Recovering Person'))
  const [code] = recoveryCodes
  expect(code).toMatch(/^[a-z2-9]{5}-[a-z2-9]{5}$/)
  const browser = site.browser()
  await signIn(browser, email)
  expect(await browser.post('/api/auth/two-factor/verify-backup-code', { code: 'wrong-codes' })).toMatchObject({
    status: 401,
  })
  expect(await browser.post('/api/auth/two-factor/verify-backup-code', { code })).toMatchObject({ status: 200 })
  expect(await overviewOf(browser)).toMatchObject({ secondFactor: 'recovery_code', recoveryCodesLeft: 9 })
  expect((await site.emailTo(email)).subject).toBe('A recovery code was used to sign in to your account')
  const again = site.browser()
  await signIn(again, email)
  expect(await again.post('/api/auth/two-factor/verify-backup-code', { code })).toMatchObject({ status: 401 })
  await refusedAsUnauthenticated(again)
})

test('new recovery codes replace the old ones', async () => {
  const { email, browser, recoveryCodes } = await withAuthenticator(world, await site.person('Renewing Person'))
  const { body } = await browser.post('/api/auth/two-factor/generate-backup-codes', { password: testPassword })
  const [fresh] = body['backupCodes'] as string[]
  const other = site.browser()
  await signIn(other, email)
  expect((await other.post('/api/auth/two-factor/verify-backup-code', { code: recoveryCodes[0] })).status).toBe(401)
  expect((await other.post('/api/auth/two-factor/verify-backup-code', { code: fresh })).status).toBe(200)
})

test('a remembered device needs no code until the others are signed out or the password changes', async () => {
  const { email, userId, totpUri } = await withAuthenticator(world, await site.person('Remembered Person'))
  const device = site.browser()
  const enterWithCode = async () => {
    await forgetCodes(world, userId)
    await signIn(device, email)
    await device.post('/api/auth/two-factor/verify-totp', { code: await codeOf(totpUri), trustDevice: true })
  }
  await enterWithCode()
  await device.post('/api/auth/sign-out')
  expect((await signIn(device, email)).body).toMatchObject({ token: expect.any(String) })
  expect((await overviewOf(device)).secondFactor).toBe('trusted_device')
  expect((await device.backendToken()).idToken).toBeTruthy()

  await device.post('/api/auth/security/end-other-sessions')
  await device.post('/api/auth/sign-out')
  expect((await signIn(device, email)).body).toMatchObject({ twoFactorRedirect: true })

  await enterWithCode()
  const change = { currentPassword: testPassword, newPassword: 'another horse 2', revokeOtherSessions: true }
  expect((await device.post('/api/auth/change-password', change)).status).toBe(200)
  expect((await overviewOf(device)).secondFactor).toBe('totp')
  await device.post('/api/auth/sign-out')
  expect((await signIn(device, email, 'another horse 2')).body).toMatchObject({ twoFactorRedirect: true })
})

test('turned off with the password, the app is asked for no longer and the session no longer proves anything', async () => {
  const { email, browser } = await withAuthenticator(world, await site.person('Leaving Person'))
  expect((await browser.post('/api/auth/two-factor/disable', { password: 'not it' })).status).toBe(400)
  expect((await browser.post('/api/auth/two-factor/disable', { password: testPassword })).status).toBe(200)
  expect(await overviewOf(browser)).toMatchObject({ secondFactor: null, recoveryCodesLeft: null })
  expect((await site.emailTo(email)).subject).toBe('The authenticator app was removed from your account')
  expect((await signIn(site.browser(), email)).body).toMatchObject({ token: expect.any(String) })
})

test('the sessions are listed without their secrets, and one or all others end at once with their tokens', async () => {
  const { email, browser } = await site.person('Session Person')
  const [phone, laptop] = [site.browser('198.51.100.7'), site.browser('198.51.100.8')]
  await phone.post('/api/auth/sign-in/email', { email, password: testPassword }, { 'user-agent': 'Phone/1.0' })
  await signIn(laptop, email)
  const { idToken } = await phone.backendToken()
  const answer = await browser.get('/api/auth/security')
  const { sessions } = await overviewOf(browser)
  expect(sessions.map(({ isCurrent }) => isCurrent)).toEqual([true, false, false])
  const tokens = await world.rows<{ token: string }>('select token from identity.session', [])
  for (const { token } of tokens) expect(JSON.stringify(answer.body)).not.toContain(token)

  const { id } = sessions.find(({ userAgent }) => userAgent === 'Phone/1.0') ?? { id: '' }
  const stranger = await site.person('Stranger')
  expect((await stranger.browser.post('/api/auth/security/end-session', { id })).status).toBe(404)
  expect(await isSignedIn(phone)).toBe(true)
  expect((await browser.post('/api/auth/security/end-session', { id })).status).toBe(200)
  expect(await isSignedIn(phone)).toBe(false)
  await expect(site.identity.verifyBackendToken(idToken)).rejects.toMatchObject({ details: { reason: 'signed_out' } })
  const announced = await world.rows<{ topic: string }>(
    `select c.topic from changes c join identity.backend_sessions b on b.id::text = c.entity_id where b.identity_session_id = $1`,
    [id],
  )
  expect(announced).toEqual([{ topic: 'sessions' }])

  expect((await browser.post('/api/auth/security/end-other-sessions')).body).toEqual({ ended: 1 })
  expect(await isSignedIn(laptop)).toBe(false)
  expect(await isSignedIn(browser)).toBe(true)
})

test('what would show secrets of sessions or of the app is not there', async () => {
  const { browser } = await withAuthenticator(world, await site.person('Curious Person'))
  for (const path of ['list-sessions', 'two-factor/view-backup-codes']) {
    expect((await browser.get(`/api/auth/${path}`)).status).toBe(404)
  }
  for (const path of ['revoke-session', 'revoke-sessions', 'revoke-other-sessions', 'two-factor/send-otp']) {
    expect((await browser.post(`/api/auth/${path}`, { token: 'x' })).status).toBe(404)
  }
  const uri = await browser.post('/api/auth/two-factor/get-totp-uri', { password: testPassword })
  expect(uri.status).toBe(404)
})
