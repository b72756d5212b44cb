import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'
import type { BetterAuthPlugin, GenericEndpointContext } from '@better-auth/core'
import { getIP } from '@better-auth/core/utils/ip'
import type { Locale } from '@tour-ops/contract/locales'
import { APIError, createAuthMiddleware, getSessionFromCtx } from 'better-auth/api'
import type pg from 'pg'
import { inTransaction } from '../db/pool.ts'
import { newId } from '../ids.ts'
import { identityEmail } from './identity-emails.ts'

/** Wrong passwords before the wait begins (5 s, doubled each time), and the longest wait in seconds. */
interface Limit {
  readonly free: number
  readonly longestSeconds: number
}

/** Attempts on one account from one network address. */
const perPlace: Limit = { free: 10, longestSeconds: 900 }
/** Attempts in a browser that signed in to this account before. Nobody else's attempts delay it. */
const perKnownBrowser: Limit = { free: 10, longestSeconds: 900 }
/** Attempts on one account from all unknown browsers together; a short wait, since its owner may be among them. */
const perAccount: Limit = { free: 30, longestSeconds: 60 }
/** Wrong current passwords in a session: somebody at an unlocked computer. */
const perSession: Limit = { free: 10, longestSeconds: 900 }

/** Failures on one account at which its owner gets an e-mail, at most once a day. */
const noticeAfter = 30

/** How long a browser is remembered. */
const knownBrowserSeconds = 365 * 86_400

export interface SignInLimitsOptions {
  readonly ownerPool: pg.Pool
  readonly secret: string
  readonly locale: Locale
  readonly publicUrl: string
  /** False where attempts are not limited at all. */
  readonly isOn: boolean
}

interface Attempt {
  /** Of the account first, where it counts. */
  readonly keys: readonly string[]
  readonly limits: readonly Limit[]
  readonly ownKey: string
}

/**
 * Slows down guessing of passwords per account, in the database that all processes share. An unknown address is treated as a known one. Nobody
 * can lock somebody out: a browser that signed in to the account before has its own count, and choosing a new password by e-mail
 * makes a browser such a one. See docs/decisions/0017.
 */
export function signInLimits(options: SignInLimitsOptions): BetterAuthPlugin {
  const { ownerPool, isOn } = options
  const key = Buffer.from(hkdfSync('sha256', options.secret, '', 'sign-in attempts', 32))
  const hashOf = (...parts: string[]): string =>
    createHmac('sha256', key).update(JSON.stringify(parts)).digest('base64url')
  const browsers = knownBrowsers(hashOf)
  /** Whose password a request sets by e-mail; a new password makes its browser a known one. */
  const resetting = new WeakMap<Request, string>()

  const attemptAt = async (ctx: GenericEndpointContext): Promise<{ attempt: Attempt; email: string } | null> => {
    const email = await accountOf(ctx)
    if (email === null) return null
    if (ctx.path !== '/sign-in/email') {
      const ownKey = hashOf('session', email)
      return { email, attempt: { keys: [ownKey], limits: [perSession], ownKey } }
    }
    const browser = browsers.read(ctx, email)
    if (browser !== null) {
      const ownKey = hashOf('browser', email, browser)
      return { email, attempt: { keys: [ownKey], limits: [perKnownBrowser], ownKey } }
    }
    const place = (ctx.headers && getIP(ctx.headers, ctx.context.options)) ?? ''
    const ownKey = hashOf('place', email, place)
    return { email, attempt: { keys: [hashOf('account', email), ownKey], limits: [perAccount, perPlace], ownKey } }
  }

  const begin = async ({ attempt, email }: { attempt: Attempt; email: string }): Promise<void> => {
    const waitSeconds = await inTransaction(ownerPool, async (client) => {
      const { rows } = await client.query<{ wait: number; failures: number }>(
        'select wait_seconds as wait, failures from identity.begin_attempt($1, $2, $3)',
        [
          attempt.keys,
          attempt.limits.map(({ free }) => free),
          attempt.limits.map(({ longestSeconds }) => longestSeconds),
        ],
      )
      const { wait = 0, failures = 0 } = rows[0] ?? {}
      if (wait === 0 && failures >= noticeAfter && attempt.keys.length > 1) await notifyOwner(client, email, options)
      return wait
    })
    if (waitSeconds > 0) throw tooMany(waitSeconds)
  }

  return {
    id: 'sign-in-limits',
    hooks: {
      before: [
        {
          matcher: (ctx) => isOn && asksForPassword(ctx),
          handler: createAuthMiddleware(async (ctx) => {
            const found = await attemptAt(ctx)
            if (found) await begin(found)
          }),
        },
        {
          matcher: (ctx) => isOn && ctx.path === '/reset-password' && ctx.request !== undefined,
          handler: createAuthMiddleware(async (ctx) => {
            const email = await ownerOfResetLink(ctx)
            if (email !== null && ctx.request) resetting.set(ctx.request, email)
          }),
        },
      ],
      after: [
        {
          matcher: (ctx) => isOn && asksForPassword(ctx),
          handler: createAuthMiddleware(async (ctx) => {
            // whatever else was wrong with the request: a refusal undoes nothing
            if (isRefusal(ctx.context.returned)) return
            const found = await attemptAt(ctx)
            if (!found) return
            await ownerPool.query('select identity.end_attempt($1, $2)', [found.attempt.keys, found.attempt.ownKey])
          }),
        },
        {
          matcher: () => isOn,
          handler: createAuthMiddleware(async (ctx) => {
            const email = ctx.context.newSession?.user.email ?? (ctx.request && resetting.get(ctx.request))
            if (email !== undefined && !isRefusal(ctx.context.returned)) browsers.write(ctx, email)
          }),
        },
      ],
    },
  } satisfies BetterAuthPlugin
}

const publicPaths = new Set(['/sign-up/email', '/reset-password'])

/** Signing in by password, and what asks for the current password in a session. */
function asksForPassword({ path, body }: { path?: string; body?: unknown }): boolean {
  if (path === undefined || publicPaths.has(path)) return false
  const { password, currentPassword } = (body ?? {}) as { password?: unknown; currentPassword?: unknown }
  return typeof password === 'string' || typeof currentPassword === 'string'
}

/** Whose password it should be; null where nobody is signed in who would have to be. */
async function accountOf(ctx: GenericEndpointContext): Promise<string | null> {
  if (ctx.path !== '/sign-in/email') return (await getSessionFromCtx(ctx))?.user.email ?? null
  const { email } = (ctx.body ?? {}) as { email?: unknown }
  return typeof email === 'string' ? email.trim().toLowerCase() : null
}

async function ownerOfResetLink(ctx: GenericEndpointContext): Promise<string | null> {
  const { token } = (ctx.body ?? {}) as { token?: unknown }
  if (typeof token !== 'string') return null
  const { internalAdapter } = ctx.context
  const link = await internalAdapter.findVerificationValue(`reset-password:${token}`)
  return link ? ((await internalAdapter.findUserById(link.value))?.email ?? null) : null
}

const isRefusal = (returned: unknown): boolean =>
  returned instanceof APIError || (returned instanceof Response && !returned.ok)

const tooMany = (seconds: number): APIError =>
  new APIError(
    'TOO_MANY_REQUESTS',
    { code: 'TOO_MANY_ATTEMPTS', message: `Too many wrong passwords. Try again in ${seconds} seconds.` },
    { 'retry-after': String(seconds) },
  )

/** Asks the same of the database whether there is such an account or not. */
async function notifyOwner(
  client: pg.PoolClient,
  email: string,
  { locale, publicUrl }: Pick<SignInLimitsOptions, 'locale' | 'publicUrl'>,
): Promise<void> {
  const { kind, subject, body } = identityEmail('sign_in_attempts', locale, email, {
    link: `${publicUrl}/reset-password`,
  })
  await client.query(
    `insert into identity.mails (id, kind, recipient, subject, body)
     select $1, $2, u.email, $4, $5 from identity."user" u
     where u.email = $3 and not exists (select from identity.mails m
       where m.recipient = $3 and m.kind = $2 and m."createdAt" > clock_timestamp() - interval '1 day')`,
    [newId(), kind, email, subject, body],
  )
}

/** Browsers that signed in to an account, by a cookie of their own for each account. It opens nothing; it only gives a count of their own. */
function knownBrowsers(hashOf: (...parts: string[]) => string) {
  const cookieOf = (ctx: GenericEndpointContext, email: string) =>
    ctx.context.createAuthCookie(`browser-${hashOf('cookie', email).slice(0, 12)}`, { maxAge: knownBrowserSeconds })
  return {
    /** The id of a browser that is known to this account; null for every other. */
    read(ctx: GenericEndpointContext, email: string): string | null {
      const [id = '', signature = ''] = (ctx.getCookie(cookieOf(ctx, email).name) ?? '').split('.')
      const [given, expected] = [signature, hashOf('known', email, id)].map((text) => Buffer.from(text))
      return given && expected && given.length === expected.length && timingSafeEqual(given, expected) ? id : null
    },
    write(ctx: GenericEndpointContext, email: string): void {
      const { name, attributes } = cookieOf(ctx, email)
      const id = this.read(ctx, email) ?? randomBytes(12).toString('base64url')
      ctx.setCookie(name, `${id}.${hashOf('known', email, id)}`, attributes)
    },
  }
}
