import { AppError } from '@tour-ops/contract/errors'
import type { FirebaseSettings } from '@tour-ops/contract/page-config'
import type { Identity } from '../../identity/port.ts'
import { callErrorOf } from '../callable-client.ts'
import { makeHttpClient } from '../http-client.ts'

/**
 * How the person of the identity service becomes a person of the hosted backend: the identity service makes the token itself,
 * after a template, or our function makes one of the session token.
 *
 * @returns gives a custom token for the backend's sign-in. It rejects with what the identity port throws, or with an `AppError` of
 *   the exchange.
 */
export function signInBridge(
  bridge: FirebaseSettings['bridge'],
  identity: Pick<Identity, 'sessionToken' | 'templateToken'>,
  fetch?: typeof globalThis.fetch,
): () => Promise<string> {
  if (bridge.kind === 'clerk-template') return () => identity.templateToken(bridge.template)
  const http = makeHttpClient('', fetch)
  return async () => {
    const sessionToken = await identity.sessionToken()
    try {
      const answer = await http<{ token?: string }>(bridge.url, {
        method: 'POST',
        headers: { authorization: `Bearer ${sessionToken}` },
      })
      if (answer.token) return answer.token
    } catch (error) {
      throw callErrorOf(error)
    }
    throw new AppError('unauthenticated', 'The exchange gave no token.')
  }
}
