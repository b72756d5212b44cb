import { AppError } from '@tour-ops/contract/errors'
import { expect, test, vi } from 'vitest'
import { signInBridge } from './sign-in-bridge.ts'

const identity = {
  sessionToken: async () => 'session',
  templateToken: async (template: string) => `made by ${template}`,
}
const exchange = { kind: 'exchange', url: 'https://functions.test/exchange' } as const

test('the template bridge asks the identity service for a token of that template', async () => {
  const bridge = signInBridge({ kind: 'clerk-template', template: 'integration_firebase' }, identity)
  expect(await bridge()).toBe('made by integration_firebase')
})

test('what the identity service refuses is rethrown unchanged', async () => {
  const error = new AppError('unauthenticated', 'No token available from Clerk')
  const refuse = async () => {
    throw error
  }
  const refusing = { sessionToken: refuse, templateToken: refuse }
  await expect(signInBridge({ kind: 'clerk-template', template: 't' }, refusing)()).rejects.toBe(error)
  await expect(signInBridge(exchange, refusing)()).rejects.toBe(error)
})

test('the exchange takes the session token as bearer and gives the custom token', async () => {
  const fetch = vi.fn<typeof globalThis.fetch>(async () => Response.json({ token: 'custom' }))
  expect(await signInBridge(exchange, identity, fetch)()).toBe('custom')
  const [url, init] = fetch.mock.calls[0] ?? []
  expect([url, init?.method]).toEqual(['https://functions.test/exchange', 'POST'])
  expect(new Headers(init?.headers).get('authorization')).toBe('Bearer session')
})

test('an exchange that refuses, is down or gives nothing ends the sign-in with words', async () => {
  const answering = (answer: () => Response) => vi.fn<typeof globalThis.fetch>(async () => answer())
  const refusal = { error: { status: 'UNAUTHENTICATED', message: 'The session token is not valid.' } }
  const refused = answering(() => Response.json(refusal, { status: 401 }))
  await expect(signInBridge(exchange, identity, refused)()).rejects.toMatchObject({
    code: 'unauthenticated',
    message: 'The session token is not valid.',
  })
  const down = vi.fn<typeof globalThis.fetch>().mockRejectedValue(new TypeError('network'))
  await expect(signInBridge(exchange, identity, down)()).rejects.toMatchObject({ code: 'unavailable' })
  const empty = answering(() => Response.json({}))
  await expect(signInBridge(exchange, identity, empty)()).rejects.toMatchObject({ code: 'unauthenticated' })
})
