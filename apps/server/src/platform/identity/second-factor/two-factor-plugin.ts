import { randomInt } from 'node:crypto'
import type { BetterAuthPlugin, GenericEndpointContext } from '@better-auth/core'
import { APIError, createAuthMiddleware, getSessionFromCtx } from 'better-auth/api'
import { twoFactor } from 'better-auth/plugins/two-factor'
import type pg from 'pg'
import { isReadable } from './unreadable-authenticators.ts'

const cookieOfChallenge = 'two_factor'

/** Name that authenticator apps show next to the account. */
const issuer = 'Tour operations'
const recoveryCodeCount = 10
/** Letters and digits that are not confused in print. */
const recoveryAlphabet = 'abcdefghjkmnpqrstuvwxyz23456789'

/** Ten codes of about 49 bits, `abcde-fghjk`. */
const newRecoveryCodes = (): string[] =>
  Array.from({ length: recoveryCodeCount }, () => {
    const letters = Array.from({ length: 10 }, () => recoveryAlphabet[randomInt(recoveryAlphabet.length)]).join('')
    return `${letters.slice(0, 5)}-${letters.slice(5)}`
  })

/** Every path that opens a session with something a person knows or holds once; a passkey is two factors by itself. */
const isSignIn = (path: string | undefined): boolean =>
  path !== undefined &&
  (path.startsWith('/sign-in/') || ['/siwe/verify', '/sign-up/email', '/verify-email'].includes(path))

/**
 * Authenticator app and recovery codes: the library's plugin, required by every sign-in method (by itself it knows only the password), with codes
 * that count once.
 */
export function twoFactorPlugin(ownerPool: pg.Pool) {
  const plugin = twoFactor({
    issuer,
    // people who came with a wallet have none; a recent sign-in replaces it then
    allowPasswordless: true,
    backupCodeOptions: { storeBackupCodes: 'encrypted', customBackupCodesGenerate: newRecoveryCodes },
  })
  const challenge = plugin.hooks.after[0]?.handler
  if (!challenge) throw new Error('The two-factor plugin has no challenge to ask at sign-in.')
  return {
    ...plugin,
    // the figure for attempts of the whole service counts here as well
    rateLimit: [],
    hooks: {
      before: [
        {
          matcher: (ctx) => ctx.path === '/two-factor/verify-totp' || ctx.path === '/two-factor/verify-backup-code',
          handler: createAuthMiddleware((ctx) => refuseUnreadable(ctx, ownerPool)),
        },
        {
          matcher: (ctx) => ctx.path === '/two-factor/verify-totp',
          handler: createAuthMiddleware(async (ctx) => {
            const { code } = (ctx.body ?? {}) as { code?: unknown }
            const userId = await personOf(ctx)
            if (typeof code !== 'string' || !/^\d{6}$/.test(code) || userId === null) return
            if (!(await useCode(ownerPool, userId, code))) {
              throw new APIError('UNAUTHORIZED', {
                code: 'CODE_USED',
                message: 'This code was used already. Wait for the next one.',
              })
            }
          }),
        },
      ],
      after: [
        { matcher: (ctx) => isSignIn(ctx.path), handler: challenge },
        {
          // what is still signed in after the challenge came from a device that may leave the code out
          matcher: (ctx) => isSignIn(ctx.path),
          handler: createAuthMiddleware(async (ctx) => {
            const opened = ctx.context.newSession
            if (!opened?.user['twoFactorEnabled']) return
            await ownerPool.query(`update identity.session set "secondFactor" = 'trusted_device' where id = $1`, [
              opened.session.id,
            ])
          }),
        },
        {
          // earlier sessions, which proved less, end with the first code
          matcher: (ctx) => ctx.path === '/two-factor/verify-totp',
          handler: createAuthMiddleware(async (ctx) => {
            const opened = ctx.context.newSession
            if (!opened) return
            await ownerPool.query(
              `delete from identity.session where "userId" = $1 and id <> $2 and "secondFactor" is null`,
              [opened.user.id, opened.session.id],
            )
          }),
        },
      ],
    },
  } satisfies BetterAuthPlugin
}

/** Secrets of authenticator apps are sealed with the installation's secret: after another one no code is right, which is not the person's fault. */
async function refuseUnreadable(ctx: GenericEndpointContext, ownerPool: pg.Pool): Promise<void> {
  const userId = await personOf(ctx)
  if (userId === null) return
  const { rows } = await ownerPool.query<{ secret: string }>(
    'select secret from identity."twoFactor" where "userId" = $1',
    [userId],
  )
  if (!rows[0] || (await isReadable(ctx.context.secretConfig, rows[0].secret))) return
  throw new APIError('FORBIDDEN', {
    code: 'AUTHENTICATOR_UNREADABLE',
    message:
      'The server cannot read your authenticator app any more. Ask an administrator to reset your second factor.',
  })
}

async function useCode(ownerPool: pg.Pool, userId: string, code: string): Promise<boolean> {
  const { rows } = await ownerPool.query<{ isNew: boolean }>('select identity.use_code($1, $2) as "isNew"', [
    userId,
    code,
  ])
  return rows[0]?.isNew === true
}

/** The person who is about to type a code: of the session, or of the sign-in that waits for it. */
async function personOf(ctx: GenericEndpointContext): Promise<string | null> {
  const session = await getSessionFromCtx(ctx)
  if (session) return session.user.id
  const { name } = ctx.context.createAuthCookie(cookieOfChallenge)
  const identifier = await ctx.getSignedCookie(name, ctx.context.secret)
  if (!identifier) return null
  return (await ctx.context.internalAdapter.findVerificationValue(identifier))?.value ?? null
}
