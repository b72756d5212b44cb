import type { GenericEndpointContext } from '@better-auth/core'
import { getCurrentAdapter } from '@better-auth/core/context'
import type { Locale } from '@tour-ops/contract/locales'
import { betterAuth } from 'better-auth'
import { APIError } from 'better-auth/api'
import { jwt } from 'better-auth/plugins/jwt'
import { organization } from 'better-auth/plugins/organization'
import { siwe } from 'better-auth/plugins/siwe'
import { Kysely, PostgresDialect } from 'kysely'
import type { Logger } from 'pino'
import type pg from 'pg'
import { accountPrivacy, hasEnoughEmails, storedIdentifiers } from './account-privacy.ts'
import { isDuringOutage, watchedPool, noteOutage } from './auth-outages.ts'
import { signUpGate, refuseUnlessAdmitted, useSetupToken } from './sign-up-gate.ts'
import { inputPlugin } from './input-plugin.ts'
import { identityEmail, type IdentityEmail } from './identity-emails.ts'
import { passwordHashing } from './password-hashing.ts'
import { organizationAccess, organizationRoles } from './roles.ts'
import { accountSecurityPlugin } from './second-factor/account-security-plugin.ts'
import { passkeyPlugin, relyingPartyOf } from './second-factor/passkey-plugin.ts'
import { twoFactorPlugin } from './second-factor/two-factor-plugin.ts'
import { signInLimits } from './sign-in-limits.ts'
import { isSignedBy, newNonce, pageOfMessage } from './wallet.ts'

/** Set by us from the socket or the trusted proxies; what a client sends under this name is thrown away. */
const clientAddressHeader = 'x-client-address'

/** The token that the backend takes, in seconds. Asked for at every sign-in to the backend, so it need not live long. */
const identityTokenSeconds = 300
const sessionSeconds = 7 * 86_400
const linkSeconds = 3_600
/** An invitation is answered by people on tour. */
const invitationDays = 7

export interface AuthOptions {
  readonly ownerPool: pg.Pool
  readonly log: Logger
  readonly publicUrl: string
  /** Every origin from which a browser may sign in. */
  readonly trustedOrigins: readonly string[]
  readonly secret: string
  readonly signUp: 'open' | 'waitlist'
  readonly passwordMinLength: number
  /** Attempts to prove an identity per minute from one address; 0 for no limit. */
  readonly attemptsPerMinute: number
  readonly locale: Locale
}

export type Auth = ReturnType<typeof createAuth>

/** The identity library over the schema `identity`. Works on a pool of one connection as well: nothing inside a transaction asks for a second. */
export function createAuth(options: AuthOptions) {
  const { ownerPool, publicUrl, locale, signUp } = options
  const url = (path: string): string => publicUrl + path
  const isSecure = publicUrl.startsWith('https:')
  const relyingParty = relyingPartyOf(publicUrl, options.trustedOrigins)
  const auth = betterAuth({
    appName: 'Tour operations',
    baseURL: publicUrl,
    basePath: '/api/auth',
    secret: options.secret,
    trustedOrigins: [...options.trustedOrigins],
    telemetry: { enabled: false },
    database: {
      db: new Kysely<Record<string, never>>({
        dialect: new PostgresDialect({ pool: watchedPool(ownerPool) }),
        log: (event) => {
          if (event.level === 'error') noteOutage(event.error)
        },
      }),
      type: 'postgres',
      schemaName: 'identity',
      transaction: true,
    },
    logger: {
      level: 'warn',
      log: (level, message, ...rest) => options.log[isDuringOutage() ? 'debug' : level]({ detail: rest }, message),
    },
    // errors of the database leave the handler unchanged; the library's own refusals are still answered
    onAPIError: { throw: true },
    emailAndPassword: {
      enabled: true,
      minPasswordLength: options.passwordMinLength,
      maxPasswordLength: 128,
      // also makes sign-up do the same for known addresses; `accountPrivacy` makes the answers equal
      requireEmailVerification: true,
      revokeSessionsOnPasswordReset: true,
      resetPasswordTokenExpiresIn: linkSeconds,
      password: passwordHashing,
      onExistingUserSignUp: ({ user }) =>
        post(identityEmail('account_exists', locale, user.email, { name: user.name, link: url('/sign-in') })),
    },
    emailVerification: {
      sendOnSignUp: true,
      sendOnSignIn: true,
      expiresIn: linkSeconds,
      sendVerificationEmail: async ({ user, token }) => {
        if (user.emailVerified) return
        await post(
          identityEmail('verify_email', locale, user.email, {
            name: user.name,
            link: url(`/verify-email?token=${token}`),
          }),
        )
      },
    },
    verification: { storeIdentifier: storedIdentifiers },
    user: {
      additionalFields: {
        firstName: { type: 'string', required: false },
        lastName: { type: 'string', required: false },
        lastSignInAt: { type: 'date', required: false, input: false },
      },
    },
    // what needs a recent proof asks for it by itself, see `account-security-plugin.ts`
    session: { expiresIn: sessionSeconds, updateAge: 86_400, freshAge: 0, cookieCache: { enabled: false } },
    rateLimit: {
      enabled: options.attemptsPerMinute > 0,
      storage: 'database',
      window: 60,
      max: options.attemptsPerMinute * 10,
      customRules: rateRules(options.attemptsPerMinute),
    },
    advanced: {
      cookiePrefix: 'tour-operations',
      useSecureCookies: isSecure,
      defaultCookieAttributes: { sameSite: 'lax', httpOnly: true },
      ipAddress: { ipAddressHeaders: [clientAddressHeader] },
      // written out, because the library leaves the check away under tests
      disableOriginCheck: false,
    },
    databaseHooks: {
      user: {
        create: {
          before: async (user, ctx) => {
            const admitted = ctx ? await admit(ctx, signUp, user.email) : false
            const [firstName, lastName] = namesOf(user)
            return { data: { ...user, firstName, lastName, ...(admitted ? { emailVerified: true } : {}) } }
          },
        },
      },
    },
    plugins: [
      organization({
        ac: organizationAccess,
        roles: organizationRoles,
        creatorRole: 'admin',
        requireEmailVerificationOnInvitation: true,
        invitationExpiresIn: invitationDays * 86_400,
        membershipLimit: 10_000,
        disableOrganizationDeletion: true,
        schema: {
          organization: { additionalFields: { updatedAt: { type: 'date', required: false, input: false } } },
          member: { additionalFields: { status: { type: 'string', required: false, input: false } } },
          invitation: {
            additionalFields: {
              message: { type: 'string', required: false, input: false },
              locale: { type: 'string', required: false, input: false },
              fieldStaffId: { type: 'string', required: false, input: false },
            },
          },
        },
        organizationHooks: {
          beforeCreateOrganization: async ({ organization: created }) => refuseWrongProfile(created),
          beforeUpdateOrganization: async ({ organization: changed, member }) => {
            if ((member as { status?: string }).status === 'suspended') {
              throw new APIError('FORBIDDEN', { code: 'SUSPENDED', message: 'Your membership is suspended.' })
            }
            refuseWrongProfile(changed)
          },
        },
      }),
      siwe({
        domain: new URL(publicUrl).host,
        anonymous: true,
        getNonce: async () => newNonce(),
        verifyMessage: async ({ message, signature, address }) =>
          options.trustedOrigins.includes(pageOfMessage(message) ?? '') && isSignedBy(message, signature, address),
      }),
      jwt({
        // otherwise every look at the session signs a token
        disableSettingJwtHeader: true,
        jwt: {
          issuer: publicUrl,
          audience: publicUrl,
          expirationTime: `${identityTokenSeconds}s`,
          definePayload: async ({ user, session }) => ({
            email: user.email,
            name: user.name,
            sid: session.id,
            org_id: activeOrganization(session),
            org_role: await activeRole(ownerPool, activeOrganization(session), user.id),
          }),
        },
      }),
      inputPlugin(),
      signUpGate({ ownerPool, signUp }),
      accountPrivacy({
        ownerPool,
        resetEmail: ({ email, name }, token) =>
          identityEmail('reset_password', locale, email, { name, link: url(`/reset-password?token=${token}`) }),
      }),
      twoFactorPlugin(ownerPool),
      // after the second factor, so that a password alone makes no browser a known one
      signInLimits({ ownerPool, locale, publicUrl, secret: options.secret, isOn: options.attemptsPerMinute > 0 }),
      passkeyPlugin(relyingParty),
      accountSecurityPlugin({ ownerPool, locale, publicUrl, passkeyHost: relyingParty?.id ?? null }),
    ],
  })

  /** Puts an e-mail into the outbox, inside the transaction that asked for it. No mailbox is flooded by strangers' requests. */
  async function post(email: IdentityEmail): Promise<void> {
    const adapter = await getCurrentAdapter((await auth.$context).adapter)
    const { kind, to, subject, body } = email
    if (await hasEnoughEmails(adapter, kind, to)) return
    await adapter.create({ model: 'outgoingEmail', data: { kind, recipient: to, subject, body } })
  }

  return auth
}

const activeOrganization = (session: Record<string, unknown>): string | null =>
  typeof session['activeOrganizationId'] === 'string' ? session['activeOrganizationId'] : null

async function activeRole(ownerPool: pg.Pool, orgId: string | null, userId: string): Promise<string | null> {
  if (!orgId) return null
  const { rows } = await ownerPool.query<{ role: string }>(
    `select role from identity.member where "organizationId" = $1 and "userId" = $2 and status = 'active'`,
    [orgId, userId],
  )
  return rows[0]?.role ?? null
}

/** True when the set-up link was used: a person who can read the server's log needs no e-mail to prove an address. */
async function admit(ctx: GenericEndpointContext, signUp: 'open' | 'waitlist', email: string): Promise<boolean> {
  const { setupToken } = (ctx.body ?? {}) as { setupToken?: unknown }
  await refuseUnlessAdmitted(ctx, signUp, email, setupToken)
  if (typeof setupToken !== 'string' || setupToken === '') return false
  if (await useSetupToken(ctx, setupToken)) return true
  throw new APIError('CONFLICT', { code: 'SETUP_LINK_INVALID', message: 'This set-up link was used a moment ago.' })
}

/** First and last name as given, or the full name divided at its last space. */
export function namesOf(user: Record<string, unknown>): [first: string | null, last: string | null] {
  const given = [user['firstName'], user['lastName']].map((part) =>
    typeof part === 'string' && part.trim() ? part.trim() : null,
  )
  if (given[0] || given[1]) return [given[0] ?? null, given[1] ?? null]
  const name = typeof user['name'] === 'string' ? user['name'].trim() : ''
  if (/^0x[0-9a-f]{40}$/i.test(name)) return [null, null]
  const cut = name.lastIndexOf(' ')
  return cut === -1 ? [name || null, null] : [name.slice(0, cut), name.slice(cut + 1)]
}

/** The database has the same rules; here they get words. */
function refuseWrongProfile({ name, slug }: { name?: string | undefined; slug?: string | undefined }): void {
  if (name !== undefined && (name.trim() === '' || name.length > 200)) {
    throw new APIError('BAD_REQUEST', { code: 'INVALID_NAME', message: 'A name has 1 to 200 characters.' })
  }
  if (slug !== undefined && (slug.length > 60 || !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(slug))) {
    throw new APIError('BAD_REQUEST', {
      code: 'INVALID_SLUG',
      message: 'Use lowercase letters, digits and single hyphens, such as "aurora-atlas".',
    })
  }
}

/** Attempts to prove an identity share one figure; reads of the session are not attempts. */
function rateRules(attemptsPerMinute: number): Record<string, { window: number; max: number } | false> {
  const attempt = { window: 60, max: attemptsPerMinute }
  return {
    '/get-session': false,
    '/token': false,
    '/sign-in/*': attempt,
    '/sign-up/*': attempt,
    '/siwe/*': attempt,
    '/request-password-reset': attempt,
    '/reset-password': attempt,
    '/change-password': attempt,
    '/two-factor/*': attempt,
    '/passkey/verify-authentication': attempt,
    '/security/confirm': attempt,
    '/send-verification-email': attempt,
    '/verify-email': attempt,
  }
}
