import { AppError } from '@tour-ops/contract/errors'
import * as z from 'zod/mini'

/** Longest wait for an answer of the Backend API. */
const timeoutMs = 10_000

const EmailAddress = z.object({ id: z.string(), email_address: z.string() })

/** A person, as far as we use what the service knows. Times are epoch milliseconds. */
export const ClerkUser = z.object({
  id: z.string(),
  first_name: z.nullish(z.string()),
  last_name: z.nullish(z.string()),
  image_url: z.nullish(z.string()),
  has_image: z.optional(z.boolean()),
  primary_email_address_id: z.nullish(z.string()),
  email_addresses: z.array(EmailAddress),
  web3_wallets: z.optional(z.array(z.object({ web3_wallet: z.string() }))),
  last_sign_in_at: z.nullish(z.number()),
  created_at: z.number(),
})
export type ClerkUser = z.infer<typeof ClerkUser>

export const ClerkOrganization = z.object({
  id: z.string(),
  name: z.string(),
  slug: z.nullish(z.string()),
  image_url: z.nullish(z.string()),
  has_image: z.optional(z.boolean()),
  created_at: z.number(),
})
export type ClerkOrganization = z.infer<typeof ClerkOrganization>

export const ClerkMembership = z.object({
  role: z.string(),
  created_at: z.number(),
  organization: ClerkOrganization,
  public_user_data: z.object({ user_id: z.string() }),
})
export type ClerkMembership = z.infer<typeof ClerkMembership>

const Invitation = z.object({ id: z.string() })
const WaitlistEntry = z.object({ id: z.string(), email_address: z.string(), created_at: z.number() })
const page = <Item extends z.ZodMiniType>(item: Item) => z.object({ data: z.array(item) })

const Refusal = z.object({
  errors: z.array(z.object({ code: z.string(), message: z.string(), long_message: z.optional(z.string()) })),
})

/** What the service refused. */
export class ClerkRefusal extends AppError {
  /** The service's own code, such as `resource_not_found`. */
  readonly reason: string

  constructor(status: number, reason: string, message: string) {
    super(status === 404 ? 'not-found' : 'aborted', message, { details: { reason } })
    this.reason = reason
  }
}

export interface ClerkApiOptions {
  readonly apiUrl: string
  readonly secretKey: string
  readonly fetch?: typeof globalThis.fetch
}

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

/**
 * The identity service's Backend API, as far as we need it, over plain HTTP.
 *
 * Everything rejects with `ClerkRefusal` when the service says no, and with AppError `unavailable` when it does not answer or has had
 * enough of us.
 *
 * @see https://clerk.com/docs/reference/backend-api
 */
export class ClerkApi {
  readonly #options: ClerkApiOptions

  constructor(options: ClerkApiOptions) {
    this.#options = options
  }

  /** Null where the service has no such person. */
  user = (userId: string): Promise<ClerkUser | null> => this.#optional(`/users/${encode(userId)}`, ClerkUser)

  organization = (orgId: string): Promise<ClerkOrganization | null> =>
    this.#optional(`/organizations/${encode(orgId)}`, ClerkOrganization)

  async membership(orgId: string, userId: string): Promise<ClerkMembership | null> {
    const path = `/organizations/${encode(orgId)}/memberships?user_id=${encode(userId)}&limit=1`
    const found = await this.#optional(path, page(ClerkMembership))
    return found?.data.find(({ public_user_data: person }) => person.user_id === userId) ?? null
  }

  /** Invites and writes the e-mail; the answer is the invitation's id. */
  async invite(orgId: string, invitation: Readonly<Record<string, unknown>>): Promise<string> {
    return (await this.#send('POST', `/organizations/${encode(orgId)}/invitations`, Invitation, invitation)).id
  }

  revokeInvitation = (orgId: string, invitationId: string, byUserId: string): Promise<unknown> =>
    this.#send('POST', `/organizations/${encode(orgId)}/invitations/${encode(invitationId)}/revoke`, Invitation, {
      requesting_user_id: byUserId,
    })

  setRole = (orgId: string, userId: string, roleKey: string): Promise<unknown> =>
    this.#send('PATCH', `/organizations/${encode(orgId)}/memberships/${encode(userId)}`, z.unknown(), { role: roleKey })

  removeMember = (orgId: string, userId: string): Promise<unknown> =>
    this.#send('DELETE', `/organizations/${encode(orgId)}/memberships/${encode(userId)}`, z.unknown())

  renameOrganization = (orgId: string, name: string): Promise<unknown> =>
    this.#send('PATCH', `/organizations/${encode(orgId)}`, z.unknown(), { name })

  /** People who wait to be let in, oldest first, at most 500. */
  async waitlist(): Promise<readonly z.infer<typeof WaitlistEntry>[]> {
    const path = '/waitlist_entries?status=pending&order_by=%2Bcreated_at&limit=500'
    return (await this.#send('GET', path, page(WaitlistEntry))).data
  }

  decideWaitlist = (entryId: string, approve: boolean): Promise<z.infer<typeof WaitlistEntry>> =>
    this.#send('POST', `/waitlist_entries/${encode(entryId)}/${approve ? 'invite' : 'reject'}`, WaitlistEntry, {})

  /** Any list of the service, for the script that makes roles and permissions. */
  list = <Item extends z.ZodMiniType>(path: string, item: Item): Promise<z.infer<Item>[]> =>
    this.#send('GET', path, page(item)).then(({ data }) => data)

  /** Any write that answers with the thing written. */
  write = <Item extends z.ZodMiniType>(method: 'POST' | 'PATCH', path: string, body: object, item: Item) =>
    this.#send(method, path, item, body)

  async #optional<Shape extends z.ZodMiniType>(path: string, shape: Shape): Promise<z.infer<Shape> | null> {
    try {
      return await this.#send('GET', path, shape)
    } catch (error) {
      if (error instanceof ClerkRefusal && error.code === 'not-found') return null
      throw error
    }
  }

  async #send<Shape extends z.ZodMiniType>(
    method: Method,
    path: string,
    shape: Shape,
    body?: object,
  ): Promise<z.infer<Shape>> {
    const { apiUrl, secretKey, fetch = globalThis.fetch } = this.#options
    const response = await fetch(`${apiUrl}/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${secretKey}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(timeoutMs),
    }).catch((error: unknown) => {
      throw new AppError('unavailable', 'The identity service does not answer.', { cause: error })
    })
    if (!response.ok) throw await refusalOf(response)
    return shape.parse(await response.json())
  }
}

const encode = encodeURIComponent

async function refusalOf(response: Response): Promise<AppError> {
  const { status } = response
  if (status === 401) return new AppError('internal', 'The identity service refuses CLERK_SECRET_KEY.')
  if (status === 429 || status >= 500) {
    return new AppError('unavailable', `The identity service does not answer (${status}).`)
  }
  const parsed = Refusal.safeParse(await response.json().catch(() => null))
  const [first] = parsed.success ? parsed.data.errors : []
  return new ClerkRefusal(
    status,
    first?.code ?? 'unknown',
    first?.long_message ?? first?.message ?? 'The identity service refused.',
  )
}
