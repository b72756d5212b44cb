import { createHash, randomBytes } from 'node:crypto'
import type { BetterAuthPlugin, GenericEndpointContext } from '@better-auth/core'
import { getCurrentAdapter } from '@better-auth/core/context'
import { refuse } from '@tour-ops/contract/refusals'
import { APIError, createAuthEndpoint, createAuthMiddleware, getSessionFromCtx } from 'better-auth/api'
import type pg from 'pg'
import * as z from 'zod'
import { selectOwnOrganizations } from './own-organizations.ts'
import { lacksSecondFactor } from './second-factor/session-proof.ts'

/** Requests to join the waitlist from one address. Generous: an office has one address. */
const joinLimit = { window: 60, max: 10 }

const setupPrefix = 'setup:'
/** Long enough to read the log the next morning. */
const setupLifetimeMs = 24 * 3_600_000

export interface SignUpGateOptions {
  readonly ownerPool: pg.Pool
  readonly signUp: 'open' | 'waitlist'
}

const Join = z.object({ email: z.email().trim().toLowerCase() })

/**
 * Who gets in: the waitlist, the gate of sign-up, and the set-up link of a new installation. A better-auth plugin, so
 * that it works inside the library's transactions and under its rate limits.
 */
export const signUpGate = ({ ownerPool, signUp }: SignUpGateOptions) =>
  ({
    id: 'door',
    schema: {
      waitlistEntry: {
        modelName: 'waitlist',
        fields: {
          email: { type: 'string', required: true, unique: true },
          status: { type: 'string', required: true, defaultValue: 'pending', input: false },
          createdAt: { type: 'date', required: true, defaultValue: () => new Date(), input: false },
          decidedAt: { type: 'date', required: false, input: false },
          decidedBy: { type: 'string', required: false, input: false },
        },
      },
      outgoingEmail: {
        modelName: 'mails',
        fields: {
          kind: { type: 'string', required: true, input: false },
          recipient: { type: 'string', required: true, input: false },
          subject: { type: 'string', required: true, input: false },
          body: { type: 'string', required: true, input: false },
          createdAt: { type: 'date', required: true, defaultValue: () => new Date(), input: false },
        },
      },
    },
    rateLimit: [{ pathMatcher: (path) => path === '/waitlist/join', ...joinLimit }],
    endpoints: {
      joinWaitlist: createAuthEndpoint('/waitlist/join', { method: 'POST', body: Join }, async (ctx) => {
        await join(ctx, ctx.body.email)
        // the same answer for new, waiting and known addresses
        return ctx.json({ joined: true })
      }),
    },
    hooks: {
      before: [
        {
          matcher: (ctx) => ctx.path === '/sign-up/email',
          handler: createAuthMiddleware(async (ctx) => {
            const { email, setupToken } = ctx.body as { email?: unknown; setupToken?: unknown }
            if (typeof email === 'string') await refuseUnlessAdmitted(ctx, signUp, email, setupToken)
          }),
        },
        {
          matcher: (ctx) => ctx.path === '/organization/update',
          handler: createAuthMiddleware(async (ctx) => {
            const session = await getSessionFromCtx<Record<string, unknown>, ActiveOrganization>(ctx)
            const { organizationId } = (ctx.body ?? {}) as { organizationId?: unknown }
            const id = typeof organizationId === 'string' ? organizationId : session?.session.activeOrganizationId
            if (session && id && (await lacksSecondFactor(ownerPool, id, session.session))) {
              throw new APIError('FORBIDDEN', missingFactor)
            }
          }),
        },
      ],
      after: [
        {
          matcher: (ctx) => ctx.path === '/organization/get-full-organization',
          handler: createAuthMiddleware(async (ctx) => {
            const full = ctx.context.returned
            if (isOrganization(full)) return ctx.json(await asSeenBy(ctx, ownerPool, full))
          }),
        },
        {
          // suspended members choose as well: nobody learns more here than the name they chose
          matcher: (ctx) => ctx.path === '/organization/set-active',
          handler: createAuthMiddleware(async (ctx) => {
            const chosen = ctx.context.returned
            if (isOrganization(chosen)) return ctx.json({ id: chosen.id, name: chosen.name })
          }),
        },
        {
          matcher: (ctx) => ctx.path === '/organization/list',
          handler: createAuthMiddleware(async (ctx) => {
            const session = await getSessionFromCtx(ctx)
            if (session && Array.isArray(ctx.context.returned)) {
              return ctx.json(await selectOwnOrganizations(ownerPool, session.user.id))
            }
          }),
        },
      ],
    },
  }) satisfies BetterAuthPlugin

type ActiveOrganization = { activeOrganizationId?: string | null }

interface Organization {
  readonly id: string
  readonly name: string
  readonly slug: string
  readonly logo?: string | null
  readonly createdAt: Date
  readonly updatedAt?: Date | null
}

/** What an endpoint answered is an organization; null and refusals are not. */
const isOrganization = (answer: unknown): answer is Organization =>
  typeof answer === 'object' && answer !== null && !(answer instanceof Error) && 'id' in answer && 'name' in answer

/**
 * The organization with the own role, the number of members, and whether it asks for a second factor that the session has not shown. No
 * colleagues and no invitations: those come from callables. Suspended members learn the name alone.
 */
async function asSeenBy(ctx: GenericEndpointContext, ownerPool: pg.Pool, full: Organization): Promise<object> {
  const session = await getSessionFromCtx(ctx)
  const { id, name, slug, logo, createdAt, updatedAt } = full
  const own = await memberOf(ctx, id, session?.user.id ?? '')
  if (session === null || own?.status !== 'active') return { id, name, role: null }
  const memberCount = await ctx.context.adapter.count({
    model: 'member',
    where: [
      { field: 'organizationId', value: id },
      { field: 'status', value: 'active' },
    ],
  })
  const lacksFactor = await lacksSecondFactor(ownerPool, id, session.session)
  return { id, name, slug, logo, createdAt, updatedAt, role: own.role, memberCount, lacksFactor }
}

const missingFactor = { code: 'SECOND_FACTOR_REQUIRED', message: refuse('second_factor_required').message }

async function join(ctx: GenericEndpointContext, email: string): Promise<void> {
  const adapter = await getCurrentAdapter(ctx.context.adapter)
  const where = [{ field: 'email', value: email }]
  // also for an address with an account: people who decide about the list must not see who has one
  if (await adapter.findOne({ model: 'waitlistEntry', where })) return
  try {
    await adapter.create({ model: 'waitlistEntry', data: { email, status: 'pending', createdAt: new Date() } })
  } catch (error) {
    // somebody joined with the same address at the same moment; they wait, which is what was asked for
    if (!(error instanceof Error && 'code' in error && error.code === '23505')) throw error
  }
}

interface OwnMembership {
  readonly role: string
  readonly status: string
}

const memberOf = (ctx: GenericEndpointContext, organizationId: string, userId: string): Promise<OwnMembership | null> =>
  ctx.context.adapter.findOne<OwnMembership>({
    model: 'member',
    where: [
      { field: 'organizationId', value: organizationId },
      { field: 'userId', value: userId },
    ],
  })

/**
 * Refuses an account for an address that may not have one: sign-up is open, or there is an approved place on the
 * waitlist, an invitation, or the set-up link of an installation without accounts.
 *
 * @throws APIError 403 with the code `WAITLIST_REQUIRED` or `SETUP_LINK_INVALID`.
 */
export async function refuseUnlessAdmitted(
  ctx: GenericEndpointContext,
  signUp: 'open' | 'waitlist',
  email: string,
  setupToken: unknown,
): Promise<void> {
  if (typeof setupToken === 'string' && setupToken !== '') {
    if (await isSetupTokenValid(ctx, setupToken)) return
    throw new APIError('FORBIDDEN', {
      code: 'SETUP_LINK_INVALID',
      message: 'This set-up link was used or is too old. Start the server again for a new one.',
    })
  }
  if (signUp === 'open') return
  const address = email.trim().toLowerCase()
  const adapter = await getCurrentAdapter(ctx.context.adapter)
  const admitted =
    (await adapter.findOne({
      model: 'waitlistEntry',
      where: [
        { field: 'email', value: address },
        { field: 'status', value: 'approved' },
      ],
    })) ??
    (await adapter.findOne({
      model: 'invitation',
      where: [
        { field: 'email', value: address },
        { field: 'status', value: 'pending' },
        { field: 'expiresAt', operator: 'gt', value: new Date() },
      ],
    }))
  if (!admitted) {
    throw new APIError('FORBIDDEN', {
      code: 'WAITLIST_REQUIRED',
      message: 'Sign-up is by invitation for now. Join the waitlist.',
    })
  }
}

const setupIdentifier = (token: string): string => setupPrefix + createHash('sha256').update(token).digest('hex')

async function isSetupTokenValid(ctx: GenericEndpointContext, token: string): Promise<boolean> {
  const found = await ctx.context.internalAdapter.findVerificationValue(setupIdentifier(token))
  return found !== null && found !== undefined && (await hasNoAccounts(ctx))
}

/** Uses the link up, in the transaction that makes the first account; false when it was used meanwhile. */
export async function useSetupToken(ctx: GenericEndpointContext, token: string): Promise<boolean> {
  const used = await ctx.context.internalAdapter.consumeVerificationValue(setupIdentifier(token))
  return used !== null && (await hasNoAccounts(ctx))
}

async function hasNoAccounts(ctx: GenericEndpointContext): Promise<boolean> {
  const adapter = await getCurrentAdapter(ctx.context.adapter)
  return (await adapter.count({ model: 'user' })) === 0
}

/** The parts of the library's context that a set-up link needs. */
export interface SetupStore {
  readonly adapter: { count(query: { model: string }): Promise<number> }
  readonly internalAdapter: {
    createVerificationValue(value: { identifier: string; value: string; expiresAt: Date }): Promise<unknown>
  }
}

/** A token for the first account, when there is none yet; null otherwise. Stored as a hash, valid for a day, used once. */
export async function newSetupToken({ adapter, internalAdapter }: SetupStore): Promise<string | null> {
  if ((await adapter.count({ model: 'user' })) > 0) return null
  const token = randomBytes(24).toString('base64url')
  await internalAdapter.createVerificationValue({
    identifier: setupIdentifier(token),
    value: 'first account',
    expiresAt: new Date(Date.now() + setupLifetimeMs),
  })
  return token
}
