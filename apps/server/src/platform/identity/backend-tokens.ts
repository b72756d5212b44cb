import { refuse } from '@tour-ops/contract/refusals'
import { createHash, createSecretKey, hkdfSync, randomBytes, type KeyObject } from 'node:crypto'
import { errors, type JWTPayload, jwtVerify, SignJWT } from 'jose'
import type pg from 'pg'
import type { Caller } from '../../context.ts'
import { inTransaction } from '../db/pool.ts'
import { Gathered, type Outcome } from '../gathered.ts'
import { newId } from '../ids.ts'
import type { VerifiedIdentity } from './identity-verifier.ts'

/** Life of a backend token. Source: the hosted backend's `expiresIn`; refreshed five minutes before (spec, section 9). */
const backendTokenSeconds = 3_600
/** A browser that stays away longer signs in again; each refresh extends it. As long as the identity session lives unused. */
const refreshDays = 7
/**
 * A refresh token works again for this long after it was replaced: two tabs may use it at once, and an answer may be lost.
 * Later it is a stolen copy, and the whole session ends.
 */
const replacedGraceSeconds = 60

const audience = 'tour-operations'

/** Tokens whose signature is not checked again; as many people as a large operator has, and their browsers. */
const maxVerified = 5_000

export interface BackendTokens {
  readonly idToken: string
  readonly refreshToken: string
  readonly userId: string
  readonly expiresInSeconds: number
}

/** Why a refresh was refused, in the words of the hosted backend. */
export class RefreshRefused extends Error {
  override readonly name = 'RefreshRefused'
}

export interface BackendSessionsOptions {
  /** Connections of the application, for the look at every call. */
  readonly pool: pg.Pool
  readonly ownerPool: pg.Pool
  /** All processes of an installation have the same. */
  readonly secret: string
  readonly issuer: string
}

interface SessionRow {
  id: string
  user_id: string
  email: string | null
  name: string | null
  org_id: string | null
}

/** Backend sign-in: an identity becomes a backend token and a refresh token. Source: spec, section 7, "Backend sign-in". */
export class BackendSessions {
  readonly #pool: pg.Pool
  readonly #ownerPool: pg.Pool
  readonly #key: KeyObject
  readonly #issuer: string
  /** Claims by token, the oldest first: checking the signature took a seventh of the server's time for a call. */
  readonly #verified = new Map<string, JWTPayload>()
  /** Who asks at the same moment whether a session lives: a whole office, after a change of a board. */
  readonly #lives = new Gathered<string, boolean>()

  constructor({ pool, ownerPool, secret, issuer }: BackendSessionsOptions) {
    this.#pool = pool
    this.#ownerPool = ownerPool
    this.#issuer = issuer
    // a key object is prepared once, bytes would be at every call
    this.#key = createSecretKey(new Uint8Array(hkdfSync('sha256', secret, '', 'backend tokens', 32)))
  }

  async signIn(identity: VerifiedIdentity): Promise<BackendTokens> {
    const session: SessionRow = {
      id: newId(),
      user_id: identity.userId,
      email: identity.email,
      name: identity.name,
      org_id: identity.orgId,
    }
    const refreshToken = newRefreshToken()
    await this.#ownerPool.query(
      `with session as (
         insert into identity.backend_sessions (id, user_id, email, name, org_id, identity_session_id, expires_at)
         values ($1, $2, $3, $4, $5, $6, clock_timestamp() + make_interval(days => $7)) returning id)
       insert into identity.backend_refresh_tokens (token_hash, backend_session_id) select $8, id from session`,
      [
        session.id,
        session.user_id,
        session.email,
        session.name,
        session.org_id,
        identity.sessionId,
        refreshDays,
        hashOf(refreshToken),
      ],
    )
    return this.#tokens(session, refreshToken)
  }

  /** @throws RefreshRefused */
  async refresh(refreshToken: string): Promise<BackendTokens> {
    const next = newRefreshToken()
    const outcome = await inTransaction(this.#ownerPool, (client) =>
      replaceRefreshToken(client, hashOf(refreshToken), hashOf(next)),
    )
    if (typeof outcome === 'string') throw new RefreshRefused(outcome)
    return this.#tokens(outcome, next)
  }

  /**
   * Who calls, by the token of the `authorization` header (without "Bearer "). Checks signature and expiry, then in one
   * statement that there was no sign-out meanwhile; the verb checks role and membership.
   *
   * @throws AppError `unauthenticated` with the reason `token_expired`, `token_invalid` or `signed_out`.
   */
  async verify(bearer: string): Promise<Caller> {
    const claims = await this.#claims(bearer)
    const sessionId = String(claims['sid'])
    const orgId = textOrNull(claims['org_id'])
    if (!(await this.#lives.ask(orgId ?? '', sessionId, (ids) => this.#areLive(ids)))) throw refuse('signed_out')
    return {
      userId: String(claims.sub),
      email: textOrNull(claims['email']),
      name: textOrNull(claims['name']),
      sessionId,
      orgId,
    }
  }

  async #areLive(sessionIds: readonly string[]): Promise<Outcome<boolean>[]> {
    const { rows } = await this.#pool.query<{ live: boolean }>({
      name: 'backend_sessions_are_live',
      text: 'select identity.backend_session_is_live(id) as live from unnest($1::uuid[]) with ordinality s(id, at) order by at',
      values: [sessionIds],
    })
    return rows.map(({ live }) => ({ answer: live }))
  }

  /** Ends the session of a backend token, also of one that has expired, or of a refresh token. Unknown ones are ended already. */
  async signOut(token: { readonly bearer: string } | { readonly refreshToken: string }): Promise<void> {
    const sessionId =
      'bearer' in token
        ? String((await this.#claims(token.bearer, { expiredToo: true }))['sid'])
        : await this.#sessionOfRefreshToken(token.refreshToken)
    if (sessionId !== null) await revoke(this.#ownerPool, sessionId)
  }

  async #sessionOfRefreshToken(refreshToken: string): Promise<string | null> {
    const { rows } = await this.#ownerPool.query<{ id: string }>(
      'select backend_session_id as id from identity.backend_refresh_tokens where token_hash = $1',
      [hashOf(refreshToken)],
    )
    return rows[0]?.id ?? null
  }

  async #claims(token: string, { expiredToo = false } = {}): Promise<JWTPayload> {
    const known = this.#verified.get(token)
    if (known?.exp !== undefined && known.exp * 1000 > Date.now()) return known
    try {
      const { payload } = await jwtVerify(token, this.#key, {
        issuer: this.#issuer,
        audience,
        algorithms: ['HS256'],
        requiredClaims: ['sub', 'sid', 'exp'],
        // ten years: a person may sign out with a token of any age
        ...(expiredToo ? { clockTolerance: 315_360_000 } : {}),
      })
      this.#noteVerified(token, payload)
      return payload
    } catch (error) {
      if (error instanceof errors.JWTExpired) throw refuse('token_expired', undefined, { cause: error })
      if (error instanceof errors.JOSEError) throw refuse('token_invalid', undefined, { cause: error })
      throw error
    }
  }

  #noteVerified(token: string, claims: JWTPayload): void {
    this.#verified.set(token, claims)
    if (this.#verified.size <= maxVerified) return
    for (const oldest of this.#verified.keys()) {
      this.#verified.delete(oldest)
      return
    }
  }

  async #tokens(session: SessionRow, refreshToken: string): Promise<BackendTokens> {
    const idToken = await new SignJWT({
      sid: session.id,
      user_id: session.user_id,
      org_id: session.org_id,
      email: session.email,
      name: session.name,
    })
      .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
      .setSubject(session.user_id)
      .setIssuer(this.#issuer)
      .setAudience(audience)
      .setIssuedAt()
      .setExpirationTime(`${backendTokenSeconds}s`)
      .sign(this.#key)
    return { idToken, refreshToken, userId: session.user_id, expiresInSeconds: backendTokenSeconds }
  }
}

/** The session behind a refresh token that was just replaced by another, or why it was refused. */
async function replaceRefreshToken(
  client: pg.PoolClient,
  hash: string,
  nextHash: string,
): Promise<SessionRow | string> {
  const { rows } = await client.query<SessionRow & { ended: boolean; stolen: boolean }>(
    `select s.id, s.user_id, s.email, s.name, s.org_id,
       s.revoked_at is not null or s.expires_at <= clock_timestamp() or coalesce(i."expiresAt" <= clock_timestamp(), false) as ended,
       coalesce(t.replaced_at < clock_timestamp() - make_interval(secs => $2), false) as stolen
     from identity.backend_refresh_tokens t
     join identity.backend_sessions s on s.id = t.backend_session_id
     left join identity.session i on i.id = s.identity_session_id
     where t.token_hash = $1 for update of t, s`,
    [hash, replacedGraceSeconds],
  )
  const session = rows[0]
  if (!session) return 'INVALID_REFRESH_TOKEN'
  if (session.stolen) await revoke(client, session.id)
  if (session.ended || session.stolen) return 'TOKEN_EXPIRED'
  await client.query(
    `with replaced as (update identity.backend_refresh_tokens set replaced_at = coalesce(replaced_at, clock_timestamp()) where token_hash = $1),
     longer as (update identity.backend_sessions set expires_at = clock_timestamp() + make_interval(days => $3) where id = $4)
     insert into identity.backend_refresh_tokens (token_hash, backend_session_id) values ($2, $4)`,
    [hash, nextHash, refreshDays, session.id],
  )
  return session
}

async function revoke(connection: pg.Pool | pg.PoolClient, sessionId: string): Promise<void> {
  await connection.query(
    `with ended as (update identity.backend_sessions set revoked_at = clock_timestamp()
       where id = $1 and revoked_at is null returning id)
     select pg_notify('backend_session', id::text) from ended`,
    [sessionId],
  )
}

/**
 * Removes what has expired: backend sessions, identity sessions, one-time values, limits, and e-mails after 90 days.
 * For the daily clean-up.
 */
export async function pruneIdentity(ownerPool: pg.Pool): Promise<void> {
  const statements = [
    `delete from identity.backend_sessions where expires_at < clock_timestamp() - interval '1 day' or revoked_at < clock_timestamp() - interval '1 day'`,
    `delete from identity.backend_refresh_tokens where replaced_at < clock_timestamp() - interval '1 day'`,
    `delete from identity.session where "expiresAt" < clock_timestamp() - interval '1 day'`,
    `delete from identity.verification where "expiresAt" < clock_timestamp()`,
    `delete from identity.sign_in_attempts where last_at < clock_timestamp() - interval '1 day' and wait_until < clock_timestamp()`,
    `delete from identity."rateLimit" where "lastRequest" < extract(epoch from clock_timestamp() - interval '1 day') * 1000`,
    // the service's messages are refused after five minutes, so that none comes again
    `delete from identity.service_events where received_at < clock_timestamp() - interval '1 day'`,
    // read on screen where no mail server delivers; a link works for an hour
    `update identity.mails set body = identity.without_tokens(body)
     where "createdAt" < clock_timestamp() - interval '1 hour' and body <> identity.without_tokens(body)`,
    `delete from identity.mails where "createdAt" < clock_timestamp() - interval '90 days'`,
  ]
  for (const statement of statements) await ownerPool.query(statement)
}

const newRefreshToken = (): string => randomBytes(32).toString('base64url')
const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex')
const textOrNull = (claim: unknown): string | null => (typeof claim === 'string' ? claim : null)
