import type { GenericEndpointContext } from '@better-auth/core'
import type { Session } from 'better-auth'
import type pg from 'pg'

/** What a session proved in addition to the password. The database knows the same words. */
export type SecondFactor = 'totp' | 'recovery_code' | 'passkey' | 'trusted_device'

/** Fields that the session has for it; no client can write them. */
export interface SessionProof {
  readonly secondFactor?: SecondFactor | null
  /** When the password was typed again for a change of the account's security. */
  readonly confirmedAt?: Date | null
}

/** Paths that begin a session after a second factor was shown. */
const provenBy: Readonly<Record<string, SecondFactor>> = {
  '/two-factor/verify-totp': 'totp',
  '/two-factor/verify-backup-code': 'recovery_code',
  '/passkey/verify-authentication': 'passkey',
}

/**
 * The second factor of a session that is about to begin. A new session counts as unproven unless it was opened by one, or takes the place
 * of a session that was: after a change of password, or when an authenticator app is turned off by somebody who came with a passkey.
 */
export function secondFactorOf(ctx: GenericEndpointContext | null): SecondFactor | null {
  const path = ctx?.path ?? ''
  const former = (ctx?.context.session?.session as (Session & SessionProof) | undefined)?.secondFactor ?? null
  if (path === '/change-password') return former
  if (path === '/two-factor/disable') return former === 'passkey' ? former : null
  return provenBy[path] ?? null
}

/** How long the password counts as just typed, ms. Source: OWASP, Authentication Cheat Sheet, "Require Re-authentication for Sensitive Features". */
const recentMs = 10 * 60_000

/** Whether the person proved who they are a moment ago: by signing in, or by typing the password again. */
export function isRecent(session: { createdAt: Date } & SessionProof, now: number = Date.now()): boolean {
  const latest = Math.max(new Date(session.createdAt).getTime(), new Date(session.confirmedAt ?? 0).getTime())
  return now - latest < recentMs
}

/** Whether an organization asks for a second factor that this session has not shown, and refuses it until then. */
export async function lacksSecondFactor(
  ownerPool: pg.Pool,
  organizationId: string,
  { userId, secondFactor }: Pick<Session, 'userId'> & SessionProof,
): Promise<boolean> {
  const { rows } = await ownerPool.query<{ lacks: boolean | null }>(
    'select identity.second_factor_due_at($1, $2, $3) <= now() as lacks',
    [organizationId, userId, Boolean(secondFactor)],
  )
  return rows[0]?.lacks === true
}

/** Whether factors of this person may be changed only by a session that has shown one: an organization asks for it, and they have one. */
export async function mustProveFactor(ownerPool: pg.Pool, userId: string): Promise<boolean> {
  const { rows } = await ownerPool.query<{ must: boolean }>('select identity.must_prove_factor($1) as must', [userId])
  return rows[0]?.must === true
}
