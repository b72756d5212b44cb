import { createHash, randomBytes } from 'node:crypto'
import type { BetterAuthPlugin, GenericEndpointContext } from '@better-auth/core'
import { getCurrentAdapter, runWithTransaction } from '@better-auth/core/context'
import { APIError, createAuthMiddleware } from 'better-auth/api'
import type pg from 'pg'
import * as z from 'zod'
import type { IdentityEmail } from './identity-emails.ts'

/** What the library puts before the token of a reset link. */
const resetLinkPrefix = 'reset-password:'

/**
 * How the library stores one-time values. A reset link opens the account, so its token is stored as a hash. The stored prefix differs
 * from the library's: it also looks for the value as given, so a hash under the same prefix could be used as a token.
 */
export const storedIdentifiers = {
  default: 'plain',
  overrides: { [resetLinkPrefix]: { hash: async (identifier: string) => `reset-link:${hashOf(identifier)}` } },
} as const

/** E-mails of one kind to one address in an hour; strangers can ask for them. */
const emailsPerHour = 5
const hourMs = 3_600_000
const linkMs = hourMs

/** Longest name of a person, as the sign-up form has it. */
const nameLength = 120

interface AccountPrivacyOptions {
  readonly ownerPool: pg.Pool
  /** The e-mail with the link to set a new password. */
  readonly resetEmail: (to: { readonly email: string; readonly name: string }, token: string) => IdentityEmail
}

/**
 * People who do not own an address cannot learn here whether it has an account: for a known and an unknown one, sign-up, sign-in and
 * password reset answer alike and do the same work. What its owner should know reaches them by e-mail. See docs/decisions/0017.
 */
export const accountPrivacy = ({ ownerPool, resetEmail }: AccountPrivacyOptions) =>
  ({
    id: 'account-privacy',
    hooks: {
      before: [
        {
          matcher: (ctx) => ctx.path === '/sign-up/email' || ctx.path === '/update-user',
          handler: createAuthMiddleware(async (ctx) =>
            refuseWrongNames(ctx.body as Record<string, unknown> | undefined),
          ),
        },
        {
          matcher: (ctx) => ctx.path === '/request-password-reset',
          handler: createAuthMiddleware(async (ctx) => {
            const email = z.email().safeParse(addressIn(ctx.body))
            if (!email.success) return
            await runWithTransaction(ctx.context.adapter, () => makeResetLink(ctx, email.data, resetEmail))
            return ctx.json(resetAnswer)
          }),
        },
      ],
      after: [
        {
          matcher: (ctx) => ctx.path === '/sign-up/email',
          handler: createAuthMiddleware(async (ctx) => signUpAnswer(ctx, ctx.context.returned, ownerPool)),
        },
        {
          matcher: (ctx) => ctx.path === '/sign-in/email',
          handler: createAuthMiddleware(async (ctx) => {
            // who signed up a moment ago with a password of their own would otherwise see whether that made an account
            if (codeOf(ctx.context.returned) === 'EMAIL_NOT_VERIFIED')
              return Response.json(wrongPassword, { status: 401 })
          }),
        },
      ],
    },
  }) satisfies BetterAuthPlugin

/** The library's own answers, word for word. */
const wrongPassword = { message: 'Invalid email or password', code: 'INVALID_EMAIL_OR_PASSWORD' }
const resetAnswer = {
  status: true,
  message: 'If this email exists in our system, check your email for the reset link',
}

interface Emails {
  count(query: { model: string; where: { field: string; operator?: 'gt'; value: string | Date }[] }): Promise<number>
}

/** Whether an address has reached the limit of e-mails of this kind, so that no more are sent. */
export async function hasEnoughEmails(adapter: Emails, kind: string, to: string): Promise<boolean> {
  const where = [
    { field: 'kind', value: kind },
    { field: 'recipient', value: to },
    { field: 'createdAt', operator: 'gt' as const, value: new Date(Date.now() - hourMs) },
  ]
  return (await adapter.count({ model: 'outgoingEmail', where })) >= emailsPerHour
}

/**
 * The library says more about a new account than about one that exists (its id, the names as stored). The screen needs
 * to know only whether an e-mail must be answered first.
 */
async function signUpAnswer(
  ctx: GenericEndpointContext,
  returned: unknown,
  ownerPool: pg.Pool,
): Promise<Response | undefined> {
  const email = addressIn(ctx.body)
  const lostRace = codeOf(returned) === 'FAILED_TO_CREATE_USER' && email !== null && (await isKnown(ownerPool, email))
  if (returned instanceof APIError && !lostRace) return undefined
  const { user } = (returned ?? {}) as { user?: { emailVerified?: boolean } }
  return Response.json({ token: null, user: { email, emailVerified: user?.emailVerified === true } })
}

/**
 * Writes a link for a new password and its e-mail in one transaction. For an address without an account, or with enough e-mails for
 * now, it writes a link that nobody gets and deletes the e-mail: the same statements, so that timing reveals nothing.
 * The link sent last stays valid.
 */
async function makeResetLink(
  ctx: GenericEndpointContext,
  email: string,
  resetEmail: AccountPrivacyOptions['resetEmail'],
): Promise<void> {
  const { internalAdapter } = ctx.context
  const adapter = await getCurrentAdapter(ctx.context.adapter)
  const found = await internalAdapter.findUserByEmail(email)
  const isEnough = await hasEnoughEmails(adapter, 'reset_password', email)
  const user = isEnough ? undefined : found?.user
  const token = randomBytes(24).toString('base64url')
  await internalAdapter.createVerificationValue({
    identifier: resetLinkPrefix + token,
    value: user?.id ?? `nobody:${email}`,
    expiresAt: new Date(Date.now() + linkMs),
  })
  const { kind, to, subject, body } = resetEmail({ email, name: user?.name ?? '' }, token)
  const data = { kind, recipient: to, subject, body }
  const { id } = await adapter.create<typeof data, { id: string }>({ model: 'outgoingEmail', data })
  await adapter.delete({ model: 'outgoingEmail', where: [{ field: 'id', value: user ? 'none' : id }] })
}

async function isKnown(ownerPool: pg.Pool, email: string): Promise<boolean> {
  const { rowCount } = await ownerPool.query('select from identity."user" where email = $1', [email])
  return rowCount === 1
}

/** The address as it is stored; null where the request has none, which the library refuses in its words. */
function addressIn(body: unknown): string | null {
  const { email } = (body ?? {}) as { email?: unknown }
  return typeof email === 'string' && email.length <= 320 ? email.trim().toLowerCase() : null
}

function codeOf(returned: unknown): string | undefined {
  return returned instanceof APIError ? (returned.body as { code?: string } | undefined)?.code : undefined
}

function refuseWrongNames(body: Record<string, unknown> | undefined): void {
  for (const field of ['name', 'firstName', 'lastName']) {
    const given = body?.[field]
    if (typeof given !== 'string') continue
    if ([...given].length > nameLength || /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u.test(given)) {
      throw new APIError('BAD_REQUEST', {
        code: 'INVALID_NAME',
        message: `A name is one line of at most ${nameLength} characters.`,
      })
    }
  }
}

const hashOf = (identifier: string): string => createHash('sha256').update(identifier).digest('hex')
