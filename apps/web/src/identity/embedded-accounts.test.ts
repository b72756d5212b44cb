import { expect, test, vi } from 'vitest'
import { makeHttpClient } from '../backend/http-client.ts'
import { makeEmbeddedAccounts } from './embedded-accounts.ts'
import type { EmbeddedIdentity } from './embedded.ts'

type Fetch = typeof globalThis.fetch

/** Our own identity endpoints as a fake, and the calls they received. */
function server(answers: Record<string, () => Response>, authorizedDomains = ['operator.test']) {
  const seen: { path: string; body: unknown }[] = []
  const fetch: Fetch = async (input, init) => {
    const { pathname, search } = new URL(input as string)
    const path = pathname.replace('/api/auth', '') + search
    seen.push({ path, body: typeof init?.body === 'string' ? JSON.parse(init.body) : undefined })
    return answers[path]?.() ?? Response.json(path === '/api/v1/projects' ? { authorizedDomains } : {})
  }
  const changes = vi.fn<() => void>()
  const changeSession: EmbeddedIdentity['changeSession'] = async (run) => {
    const answer = await run()
    changes()
    return answer
  }
  const page = { host: 'operator.test', origin: 'https://operator.test' }
  const auth = makeHttpClient('https://operator.test/api/auth', fetch)
  return { accounts: makeEmbeddedAccounts(auth, { changeSession }, page), seen, changes }
}

test('a wrong password is an error with the reason of the service, and nothing changed', async () => {
  const { accounts, changes } = server({
    '/sign-in/email': () => Response.json({ code: 'INVALID_EMAIL_OR_PASSWORD', message: 'No' }, { status: 401 }),
  })
  await expect(accounts.signIn({ email: 'a@example.com', password: 'x' })).rejects.toMatchObject({
    code: 'unauthenticated',
    details: { reason: 'invalid_email_or_password' },
  })
  expect(changes).not.toHaveBeenCalled()
})

test('too many attempts say how long to wait', async () => {
  const { accounts } = server({
    '/sign-in/email': () => Response.json({ message: 'No' }, { status: 429, headers: { 'x-retry-after': '42' } }),
  })
  await expect(accounts.signIn({ email: 'a@example.com', password: 'x' })).rejects.toMatchObject({
    code: 'resource-exhausted',
    details: { retryAfterS: 42 },
  })
})

test('after sign-up an e-mail must be answered, but the set-up link signs in at once', async () => {
  let emailVerified = false
  const { accounts, seen } = server({
    '/sign-up/email': () => Response.json({ token: null, user: { emailVerified } }),
  })
  const account = { email: 'a@example.com', password: 'long enough', name: 'Ada Lovelace' }
  expect(await accounts.signUp(account)).toBe('verify-email')
  emailVerified = true
  expect(await accounts.signUp({ ...account, setupToken: 't' })).toBe('signed-in')
  expect(seen.map(({ path }) => path)).toEqual(['/sign-up/email', '/sign-up/email', '/sign-in/email'])
  expect(seen.slice(0, 2).map(({ body }) => body)).toEqual([account, { ...account, setupToken: 't' }])
})

test('a wallet signs a message about this page with the nonce of the server', async () => {
  const { accounts, seen, changes } = server({ '/siwe/nonce': () => Response.json({ nonce: 'abc123abc123' }) })
  const sign = vi.fn<(message: string) => Promise<string>>(async () => '0xsigned')
  await accounts.signInWithWallet({ address: '0xA', chainId: 1, sign })
  const message = sign.mock.lastCall?.[0] ?? ''
  expect(message).toContain('operator.test wants you to sign in')
  expect(message).toContain('Nonce: abc123abc123')
  expect(seen.at(-1)).toEqual({ path: '/siwe/verify', body: { message, signature: '0xsigned' } })
  expect(changes).toHaveBeenCalledOnce()
})

test('at an address from which nobody may sign in, a wallet is asked for nothing', async () => {
  const { accounts, seen } = server({}, ['elsewhere.test'])
  const sign = vi.fn<(message: string) => Promise<string>>()
  await expect(accounts.signInWithWallet({ address: '0xA', chainId: 1, sign })).rejects.toMatchObject({
    code: 'unauthenticated',
    details: { reason: 'auth/unauthorized-domain' },
  })
  expect(sign).not.toHaveBeenCalled()
  expect(seen.map(({ path }) => path)).toEqual(['/api/v1/projects'])
})

test('invitations that are past their date are left out', async () => {
  const invitation = (id: string, expiresAt: string) => ({
    id,
    expiresAt,
    organizationName: 'Pinecone',
    role: 'guide',
    status: 'pending',
  })
  const { accounts } = server({
    '/organization/list-user-invitations': () =>
      Response.json([invitation('old', '2020-01-01T00:00:00Z'), invitation('open', '2999-01-01T00:00:00Z')]),
  })
  expect(await accounts.listInvitations()).toMatchObject([
    { id: 'open', organizationName: 'Pinecone', role: 'guide', inviterEmail: null },
  ])
})

test('an e-mail of confirmation is asked for by address and answered by its token', async () => {
  const { accounts, seen } = server({})
  await accounts.sendVerification('a@example.com')
  await accounts.verifyEmail('token-of-the-e-mail')
  expect(seen).toEqual([
    { path: '/send-verification-email', body: { email: 'a@example.com' } },
    { path: '/verify-email?token=token-of-the-e-mail', body: undefined },
  ])
})

test('a new password changes the session; a place on the waitlist does not', async () => {
  const { accounts, seen, changes } = server({})
  await accounts.resetPassword('token-of-the-e-mail', 'another horse 2')
  expect(changes).toHaveBeenCalledOnce()
  await accounts.joinWaitlist('a@example.com')
  expect(changes).toHaveBeenCalledOnce()
  expect(seen).toEqual([
    { path: '/reset-password', body: { token: 'token-of-the-e-mail', newPassword: 'another horse 2' } },
    { path: '/waitlist/join', body: { email: 'a@example.com' } },
  ])
})
