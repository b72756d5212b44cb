import { expect } from 'vitest'
import { testPassword, type TestBrowser, type TestPerson } from './identity.ts'
import type { TestWorld } from './world.ts'
import { codeOf, testPasskey, type TestPasskey } from './second-factor.ts'

// For tests: people who add factors to their accounts, as the pages of the profile do.

/** An authenticator app, which counts from its first code on. */
export async function addAuthenticator(
  browser: TestBrowser,
): Promise<{ totpUri: string; recoveryCodes: readonly string[] }> {
  const { body } = await browser.post('/api/auth/two-factor/enable', { password: testPassword })
  const totpUri = String(body['totpURI'])
  const answer = await browser.post('/api/auth/two-factor/verify-totp', { code: await codeOf(totpUri) })
  if (answer.status !== 200) throw new Error(`The first code was refused: ${JSON.stringify(answer)}`)
  return { totpUri, recoveryCodes: body['backupCodes'] as string[] }
}

/** Two codes are there for each half minute; a test that needs more takes the used ones back. */
export const forgetCodes = (world: TestWorld, userId: string): Promise<object[]> =>
  world.rows('delete from identity.used_codes where user_id = $1', [userId])

export interface ProtectedPerson extends TestPerson {
  readonly totpUri: string
  readonly recoveryCodes: readonly string[]
}

/** Somebody with an authenticator app. */
export async function withAuthenticator(world: TestWorld, person: TestPerson): Promise<ProtectedPerson> {
  const added = await addAuthenticator(person.browser)
  await forgetCodes(world, person.userId)
  return { ...person, ...added }
}

/** A passkey of this computer, and what the server answered to it. */
export async function addPasskey(
  { browser }: Pick<TestPerson, 'browser'>,
  { name = 'Laptop', isUnlocked = true } = {},
): Promise<{ key: TestPasskey; answer: Awaited<ReturnType<TestBrowser['post']>> }> {
  const key = testPasskey('http://localhost:7001')
  const options = await browser.get('/api/auth/passkey/generate-register-options')
  const response = key.register(options.body, { isUnlocked })
  return { key, answer: await browser.post('/api/auth/passkey/verify-registration', { response, name }) }
}

/** Signs in with a passkey. */
export async function enterWith(key: TestPasskey, browser: TestBrowser, given = {}) {
  const { body } = await browser.get('/api/auth/passkey/generate-authenticate-options')
  return browser.post('/api/auth/passkey/verify-authentication', { response: key.sign(body, given) })
}

export const isSignedIn = async (browser: TestBrowser): Promise<boolean> =>
  (await browser.get('/api/auth/get-session')).body !== null

/** What the page about the own account's security shows. */
export const overviewOf = async (browser: TestBrowser) =>
  (await browser.get('/api/auth/security')).body as unknown as {
    secondFactor: string | null
    recoveryCodesLeft: number | null
    passkeyHost: string | null
    passkeys: { id: string; name: string | null }[]
    sessions: { id: string; isCurrent: boolean; userAgent: string | null }[]
  }

/** Nothing of an account is open here. */
export const refusedAsUnauthenticated = async (browser: TestBrowser) => {
  expect(await isSignedIn(browser)).toBe(false)
  expect((await browser.get('/api/auth/token')).status).toBe(401)
  expect((await browser.get('/api/auth/organization/list')).status).toBe(401)
  expect((await browser.get('/api/auth/security')).status).toBe(401)
}
