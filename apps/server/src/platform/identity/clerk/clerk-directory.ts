import type { Role } from '@tour-ops/contract/identity/access'
import { AppError } from '@tour-ops/contract/errors'
import type pg from 'pg'
import { inTransaction } from '../../db/pool.ts'
import { newId } from '../../ids.ts'
import type { VerifiedIdentity } from '../identity-verifier.ts'
import type { ClerkApi, ClerkMembership, ClerkOrganization, ClerkUser } from './clerk-api.ts'
import { roleOfKey } from '@tour-ops/contract/identity/service-keys'

export interface ClerkDirectoryOptions {
  readonly ownerPool: pg.Pool
  readonly api: Pick<ClerkApi, 'user' | 'organization' | 'membership'>
}

/** How long a person's facts count at sign-in before they are requested again; webhooks bring changes sooner. */
const factsAgeMs = 15 * 60_000

/**
 * Keeps the schema `identity` in step with the hosted identity service. Whatever brings a change (a sign-in, a webhook) is a reason to look,
 * never the truth itself: the service is asked for the current state, under a lock of the person or organization, so that messages may come
 * twice, late and in any order.
 */
export class ClerkDirectory {
  readonly #ownerPool: pg.Pool
  readonly #api: ClerkDirectoryOptions['api']
  readonly #lookedAt = new Map<string, number>()

  constructor({ ownerPool, api }: ClerkDirectoryOptions) {
    this.#ownerPool = ownerPool
    this.#api = api
  }

  /**
   * Makes sure that person, organization and membership of a verified token are here, and gives the token's facts with the name and address
   * that the service has. A membership that is here already is left alone: tokens are older than webhooks.
   *
   * @throws AppError `unavailable` when the service does not answer and the person was never here.
   */
  async admit(identity: VerifiedIdentity): Promise<VerifiedIdentity> {
    const { userId, orgId } = identity
    if (!(await this.#knows(userId))) await this.followUser(userId)
    // who is here continues working with older facts while the service does not answer
    else if (this.#isStale(userId)) await this.followUser(userId).catch(unlessUnavailable)
    if (orgId !== null && !(await this.#isMember(orgId, userId))) await this.followMembership(orgId, userId)
    const { rows } = await this.#ownerPool.query<{ email: string; name: string }>(
      'select email, name from identity."user" where id = $1',
      [userId],
    )
    const facts = rows[0]
    return facts ? { ...identity, email: realAddress(facts.email), name: facts.name || null } : identity
  }

  /** Writes a person as the service knows them now; who is gone there is gone here, with all memberships. */
  async followUser(userId: string): Promise<void> {
    await this.#locked(userId, async (client) => {
      const user = await this.#api.user(userId)
      this.#lookedAt.set(userId, Date.now())
      if (user) await writeUser(client, user)
      else await client.query('delete from identity."user" where id = $1', [userId])
    })
  }

  /** Writes an organization as the service knows it now. One that is gone there keeps its records here, without members. */
  async followOrganization(orgId: string): Promise<void> {
    await this.#locked(orgId, async (client) => {
      const organization = await this.#api.organization(orgId)
      if (organization) await writeOrganization(client, organization)
      else await client.query('delete from identity.member where "organizationId" = $1', [orgId])
    })
  }

  /** Writes a membership as the service knows it now: made, with another role, or ended. */
  async followMembership(orgId: string, userId: string): Promise<void> {
    if (!(await this.#knows(userId))) await this.followUser(userId)
    await this.#locked(`${orgId} ${userId}`, async (client) => {
      const membership = await this.#api.membership(orgId, userId)
      const role = membership && roleOfKey(membership.role)
      if (membership && role) await writeMember(client, membership, role)
      else await endMembership(client, orgId, userId)
    })
  }

  /** Ends what was signed in with a session of the service. */
  async endSession(sessionId: string): Promise<void> {
    await this.#ownerPool.query(
      `with ended as (update identity.backend_sessions set revoked_at = clock_timestamp()
         where identity_session_id = $1 and revoked_at is null returning id)
       select pg_notify('backend_session', id::text) from ended`,
      [sessionId],
    )
  }

  #isStale(userId: string): boolean {
    return Date.now() - (this.#lookedAt.get(userId) ?? 0) > factsAgeMs
  }

  async #knows(userId: string): Promise<boolean> {
    const { rowCount } = await this.#ownerPool.query('select from identity."user" where id = $1', [userId])
    return rowCount !== 0
  }

  async #isMember(orgId: string, userId: string): Promise<boolean> {
    const { rowCount } = await this.#ownerPool.query(
      'select from identity.member where "organizationId" = $1 and "userId" = $2',
      [orgId, userId],
    )
    return rowCount !== 0
  }

  /** Runs in a transaction that waits for others about the same subject. */
  #locked(subject: string, run: (client: pg.PoolClient) => Promise<void>): Promise<void> {
    return inTransaction(this.#ownerPool, async (client) => {
      await client.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`identity ${subject}`])
      await run(client)
    })
  }
}

function unlessUnavailable(error: unknown): void {
  if (!(error instanceof AppError && error.code === 'unavailable')) throw error
}

/** People without an address get one that leads nowhere, as those of the embedded identity who came with a wallet. Source: RFC 6761. */
const placeholderOf = (userId: string): string => `${userId.toLowerCase()}@identity.invalid`
const realAddress = (email: string): string | null => (email.endsWith('.invalid') ? null : email)

async function writeUser(client: pg.PoolClient, user: ClerkUser): Promise<void> {
  const primary = user.email_addresses.find(({ id }) => id === user.primary_email_address_id)
  const email = primary?.email_address.toLowerCase() ?? placeholderOf(user.id)
  const [firstName, lastName] = [user.first_name?.trim() || null, user.last_name?.trim() || null]
  const wallet = user.web3_wallets?.[0]?.web3_wallet
  const name = [firstName, lastName].filter(Boolean).join(' ') || (primary?.email_address ?? wallet ?? '')
  // an address moves from one account to another; the account that had it is updated in its own turn
  await client.query(
    `update identity."user" set email = lower(id) || '@identity.invalid' where email = $1 and id <> $2`,
    [email, user.id],
  )
  await client.query(
    `insert into identity."user" (id, name, email, "emailVerified", image, "firstName", "lastName", "lastSignInAt", "createdAt")
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
     on conflict (id) do update set name = excluded.name, email = excluded.email, "emailVerified" = excluded."emailVerified",
       image = excluded.image, "firstName" = excluded."firstName", "lastName" = excluded."lastName",
       "lastSignInAt" = excluded."lastSignInAt", "updatedAt" = current_timestamp`,
    [
      user.id,
      name,
      email,
      primary !== undefined,
      pictureOf(user),
      firstName,
      lastName,
      user.last_sign_in_at ? new Date(user.last_sign_in_at) : null,
      new Date(user.created_at),
    ],
  )
}

async function writeOrganization(client: pg.PoolClient, organization: ClerkOrganization): Promise<void> {
  const { id, name, created_at: createdAt } = organization
  const slug = await freeSlug(client, organization)
  await client.query(
    `insert into identity.organization (id, name, slug, logo, "createdAt") values ($1, $2, $3, $4, $5)
     on conflict (id) do update set name = excluded.name, slug = excluded.slug, logo = excluded.logo`,
    [id, name.trim() || id, slug, pictureOf(organization), new Date(createdAt)],
  )
  // the service keeps an administrator by itself; our rule would refuse what has already happened
  await client.query(`select set_config('app.org_id', $1, true)`, [id])
  await client.query(
    `update organizations set identity_kind = 'clerk' where org_id = $1 and identity_kind <> 'clerk'`,
    [id],
  )
}

/** The service's short name in our form; with an ending where there is none, or another organization has it here. */
async function freeSlug(client: pg.PoolClient, { id, slug }: ClerkOrganization): Promise<string> {
  const wanted = (slug ?? '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
  const ending = id
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
  if (wanted === '') return ending
  const { rowCount } = await client.query('select from identity.organization where slug = $1 and id <> $2', [
    wanted,
    id,
  ])
  return rowCount === 0 ? wanted : `${wanted}-${ending}`
}

/** A picture that somebody chose; the service draws one for everybody else, and so do we. */
const pictureOf = (subject: {
  has_image?: boolean | undefined
  image_url?: string | null | undefined
}): string | null => (subject.has_image ? (subject.image_url ?? null) : null)

async function writeMember(client: pg.PoolClient, membership: ClerkMembership, role: Role): Promise<void> {
  const { organization, public_user_data: person } = membership
  await writeOrganization(client, organization)
  const values = [organization.id, person.user_id]
  // accepting is what made the membership: its field-staff record is linked by the mirror
  await client.query(
    `update identity.invitation i set status = 'accepted' from identity."user" u
     where u.id = $2 and i."organizationId" = $1 and i.email = u.email and i.status = 'pending'`,
    values,
  )
  // a suspension is ours, the service knows none: it stays
  await client.query(
    `insert into identity.member (id, "organizationId", "userId", role, "createdAt") values ($3, $1, $2, $4, $5)
     on conflict ("organizationId", "userId") do update set role = excluded.role where member.role <> excluded.role`,
    [...values, newId(), role, new Date(membership.created_at)],
  )
}

async function endMembership(client: pg.PoolClient, orgId: string, userId: string): Promise<void> {
  await client.query('delete from identity.member where "organizationId" = $1 and "userId" = $2', [orgId, userId])
}
