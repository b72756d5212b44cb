import { AppError } from '@tour-ops/contract/errors'
import type { AuthState, Identity } from '../../../identity/port.ts'

// A phone must not ask its person to sign in again because the sign-in service is out of reach: it has no signal then, and waits.

/** How long the service may take for a token. A hosted one tries for two minutes by itself, in which the phone would say nothing. */
const tokenWaitMs = 15_000

export const outOfReach = (cause?: unknown): AppError =>
  new AppError('unavailable', 'The sign-in service does not answer.', { cause })

/** The same identity, whose tokens tell a service that is out of reach from a session that has ended. */
export const withReach = (identity: Identity): Identity => ({
  ...identity,
  sessionToken: () => orOutOfReach(identity, () => identity.sessionToken()),
  templateToken: (template) => orOutOfReach(identity, () => identity.templateToken(template)),
})

/**
 * A token of this identity, by `ask`.
 *
 * @throws AppError `unavailable` when it does not come in time, or fails while the service still knows the session; otherwise what `ask` throws:
 *   a session that has ended is gone when the service is asked again.
 */
export async function orOutOfReach(
  identity: Pick<Identity, 'state' | 'refresh'>,
  ask: () => Promise<string>,
): Promise<string> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(outOfReach()), tokenWaitMs)
  try {
    return await Promise.race([ask(), late])
  } catch (error) {
    await identity.refresh()
    const { isSignedIn, pendingTask } = identity.state()
    throw isSignedIn && pendingTask === null ? outOfReach(error) : error
  } finally {
    clearTimeout(timer)
  }
}

/** As whose the phone keeps what a member does. */
export const ownerOf = ({ orgId, userId }: { readonly orgId: string; readonly userId: string }) => ({
  kind: 'member' as const,
  key: `${orgId} ${userId}`,
})

/**
 * Who is signed in and where; null for nobody.
 *
 * @throws AppError `unavailable` while the service answers in part and does not say.
 */
export function memberIn({ isSignedIn, userId, orgId, sessionId, trouble }: AuthState) {
  if (isSignedIn && userId !== null && orgId !== null) return { userId, orgId, sessionId }
  if (trouble !== null) throw outOfReach()
  return null
}
