import { getAuthenticatorName } from '@better-auth/passkey'
import type { BetterAuthPlugin, GenericEndpointContext } from '@better-auth/core'
import type { Locale } from '@tour-ops/contract/locales'
import type { Session } from 'better-auth'
import {
  APIError,
  createAuthEndpoint,
  createAuthMiddleware,
  getSessionFromCtx,
  sensitiveSessionMiddleware,
} from 'better-auth/api'
import { symmetricDecrypt } from 'better-auth/crypto'
import type pg from 'pg'
import * as z from 'zod'
import { securityEmail, type SecurityChange } from './security-emails.ts'
import { endOtherSessions, endSession, passkeysOf, sessionsOf } from './security-store.ts'
import { isRecent, mustProveFactor, secondFactorOf, type SessionProof } from './session-proof.ts'

export interface AccountSecurityOptions {
  readonly ownerPool: pg.Pool
  readonly locale: Locale
  readonly publicUrl: string
  /** Names the host where passkeys work; null where they cannot. */
  readonly passkeyHost: string | null
}

/** Changes that a stolen session must not be able to make: they ask for the password again, or for a recent sign-in. */
const guardedPaths = new Set([
  '/passkey/generate-register-options',
  '/passkey/delete-passkey',
  '/two-factor/enable',
  '/two-factor/disable',
  '/two-factor/generate-backup-codes',
])

/** What the owner is notified of, by the path that did it. */
const changeBy: Readonly<Record<string, SecurityChange>> = {
  '/two-factor/verify-totp': 'authenticator_added',
  '/two-factor/disable': 'authenticator_removed',
  '/two-factor/generate-backup-codes': 'recovery_codes_renewed',
  '/two-factor/verify-backup-code': 'recovery_code_used',
  '/passkey/verify-registration': 'passkey_added',
  '/passkey/delete-passkey': 'passkey_removed',
}

/**
 * What people see and change about the security of their account in addition to the library's own endpoints: an overview, their sessions without
 * the secrets of those, and the password requested again. Notifies the owner of every change of a factor.
 */
export const accountSecurityPlugin = (options: AccountSecurityOptions) =>
  ({
    id: 'account-security',
    schema: {
      session: {
        fields: {
          secondFactor: { type: 'string', required: false, input: false },
          confirmedAt: { type: 'date', required: false, input: false },
        },
      },
    },
    init: () => ({
      options: {
        databaseHooks: {
          session: {
            create: {
              before: async (session: Session, ctx: GenericEndpointContext | null) => ({
                data: { ...session, secondFactor: secondFactorOf(ctx), confirmedAt: null },
              }),
            },
          },
        },
      },
    }),
    endpoints: endpointsOf(options),
    hooks: {
      before: [
        {
          matcher: (ctx) => ctx.path !== undefined && guardedPaths.has(ctx.path),
          handler: createAuthMiddleware(async (ctx) => {
            await refuseUnproven(ctx, options.ownerPool)
            await refuseUnconfirmed(ctx)
          }),
        },
      ],
      after: [
        {
          // the passkey was unlocked in this session a moment ago
          matcher: (ctx) => ctx.path === '/passkey/verify-registration',
          handler: createAuthMiddleware(async (ctx) => {
            if (ctx.context.returned instanceof Error || !ctx.context.session) return
            await options.ownerPool.query(
              `update identity.session set "secondFactor" = 'passkey' where id = $1 and "secondFactor" is null`,
              [ctx.context.session.session.id],
            )
          }),
        },
        {
          matcher: (ctx) => ctx.path !== undefined && ctx.path in changeBy,
          handler: createAuthMiddleware(async (ctx) => {
            if (!(ctx.context.returned instanceof Error)) await notifyOwner(ctx, options)
          }),
        },
        {
          // a person who signs in with a passkey while signed in gets a new session in place of the present one
          matcher: (ctx) => ctx.path === '/passkey/verify-authentication',
          handler: createAuthMiddleware((ctx) => endFormerSession(ctx, options.ownerPool)),
        },
      ],
    },
  }) satisfies BetterAuthPlugin

type SignedIn = { session: Session & SessionProof; user: { id: string; name: string; email: string } }

const signedIn = (ctx: { context: { session: unknown } }): SignedIn => ctx.context.session as SignedIn

const endpointsOf = ({ ownerPool, passkeyHost }: AccountSecurityOptions) => ({
  readAccountSecurity: createAuthEndpoint(
    '/security',
    { method: 'GET', use: [sensitiveSessionMiddleware] },
    async (ctx) => {
      const { session, user } = signedIn(ctx)
      return ctx.json({
        hasPassword: await hasPassword(ctx, user.id),
        isRecent: isRecent(session),
        secondFactor: session.secondFactor ?? null,
        recoveryCodesLeft: await recoveryCodesLeft(ctx, user.id),
        passkeyHost,
        passkeys: (await passkeysOf(ownerPool, user.id)).map(({ aaguid, name, ...passkey }) => ({
          ...passkey,
          name: name ?? getAuthenticatorName(aaguid ?? undefined) ?? null,
        })),
        sessions: await sessionsOf(ownerPool, user.id, session.id),
      })
    },
  ),
  confirmPassword: createAuthEndpoint(
    '/security/confirm',
    { method: 'POST', body: z.object({ password: z.string().max(128) }), use: [sensitiveSessionMiddleware] },
    async (ctx) => {
      const { session, user } = signedIn(ctx)
      await ctx.context.password.checkPassword(user.id, ctx)
      await ownerPool.query('update identity.session set "confirmedAt" = clock_timestamp() where id = $1', [session.id])
      return ctx.json({ confirmed: true })
    },
  ),
  endSession: createAuthEndpoint(
    '/security/end-session',
    { method: 'POST', body: z.object({ id: z.string().max(100) }), use: [sensitiveSessionMiddleware] },
    async (ctx) => {
      const { user } = signedIn(ctx)
      if (!(await endSession(ownerPool, user.id, ctx.body.id))) {
        throw new APIError('NOT_FOUND', { code: 'SESSION_ENDED', message: 'This session has ended already.' })
      }
      return ctx.json({ ended: true })
    },
  ),
  endOtherSessions: createAuthEndpoint(
    '/security/end-other-sessions',
    { method: 'POST', use: [sensitiveSessionMiddleware] },
    async (ctx) => {
      const { session, user } = signedIn(ctx)
      return ctx.json({ ended: await endOtherSessions(ownerPool, user.id, session.id) })
    },
  ),
})

async function hasPassword(ctx: GenericEndpointContext, userId: string): Promise<boolean> {
  const account = await ctx.context.internalAdapter.findCredentialAccount(userId)
  return Boolean(account?.password)
}

/** Null without an authenticator app. */
async function recoveryCodesLeft(ctx: GenericEndpointContext, userId: string): Promise<number | null> {
  const row = await ctx.context.adapter.findOne<{ backupCodes: string; verified: boolean | null }>({
    model: 'twoFactor',
    where: [{ field: 'userId', value: userId }],
  })
  if (!row?.verified) return null
  const codes: unknown = JSON.parse(await symmetricDecrypt({ key: ctx.context.secretConfig, data: row.backupCodes }))
  return Array.isArray(codes) ? codes.length : 0
}

/** A password alone must not be enough to put another factor in the place of the one that an organization asks for. */
async function refuseUnproven(ctx: GenericEndpointContext, ownerPool: pg.Pool): Promise<void> {
  const found = (await getSessionFromCtx(ctx)) as SignedIn | null
  if (!found || found.session.secondFactor || !(await mustProveFactor(ownerPool, found.user.id))) return
  throw new APIError('FORBIDDEN', {
    code: 'SECOND_FACTOR_REQUIRED',
    message: 'Sign in with your passkey before you change this. Whoever lost it asks an administrator to reset it.',
  })
}

/** The library asks for the password where there is one; passkeys, and accounts without a password, need a recent proof instead. */
async function refuseUnconfirmed(ctx: GenericEndpointContext): Promise<void> {
  const found = (await getSessionFromCtx(ctx)) as SignedIn | null
  if (!found || isRecent(found.session)) return
  const asksByItself = ctx.path.startsWith('/two-factor/')
  if (asksByItself && (await hasPassword(ctx, found.user.id))) return
  throw new APIError('FORBIDDEN', {
    code: 'CONFIRM_REQUIRED',
    message: 'Prove that it is you before you change this: type your password, or sign in again.',
  })
}

async function notifyOwner(ctx: GenericEndpointContext, { locale, publicUrl }: AccountSecurityOptions): Promise<void> {
  const change = changeBy[ctx.path]
  const opened = ctx.context.newSession
  const former = ctx.context.session
  // a code that completes a sign-in changes nothing; one typed inside a session completes the set-up
  const isSetUp = change !== 'authenticator_added' || (former !== null && opened !== null)
  const user = opened?.user ?? former?.user
  if (!change || !user || !isSetUp) return
  const ip = ctx.headers?.get('x-client-address') ?? null
  const email = securityEmail(change, locale, user, { at: new Date(), ip }, `${publicUrl}/reset-password`)
  if (email) await ctx.context.adapter.create({ model: 'outgoingEmail', data: email })
}

async function endFormerSession(ctx: GenericEndpointContext, ownerPool: pg.Pool): Promise<void> {
  const opened = ctx.context.newSession
  const { name } = ctx.context.authCookies.sessionToken
  const token = await ctx.getSignedCookie(name, ctx.context.secret)
  if (!opened || !token || token === opened.session.token) return
  await ownerPool.query('delete from identity.session where token = $1', [token])
}
