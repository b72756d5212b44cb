import type { Role } from '@tour-ops/contract/identity/access'
import type pg from 'pg'
import { inTransaction } from '../db/pool.ts'
import { newId } from '../ids.ts'
import { namesOf } from './auth.ts'
import { passwordHashing } from './password-hashing.ts'

export interface NewAccount {
  readonly email: string
  readonly password: string
  readonly name: string
  /** Whether the address counts as proven. */
  readonly verified: boolean
  readonly imageUrl?: string
}

export interface NewOrganization {
  readonly name: string
  readonly slug: string
  readonly members: readonly { readonly userId: string; readonly role: Role }[]
}

/**
 * Makes accounts and organizations without the sign-up rules: for the demo and for tests. Organizations and members appear in the
 * business tables in the same transaction, as they do when a person makes them.
 */
export class EmbeddedAccounts {
  readonly #ownerPool: pg.Pool

  constructor(ownerPool: pg.Pool) {
    this.#ownerPool = ownerPool
  }

  /** The new account's user id; the existing one's where the address has an account already. */
  async createAccount({ email, password, name, verified, imageUrl }: NewAccount): Promise<{ userId: string }> {
    const address = email.toLowerCase()
    const hash = await passwordHashing.hash(password)
    const [firstName, lastName] = namesOf({ name })
    const { rows } = await this.#ownerPool.query<{ id: string }>(
      `with account as (
         insert into identity."user" (id, name, email, "emailVerified", image, "firstName", "lastName")
         values ($1, $2, $3, $4, $5, $6, $7) on conflict (email) do nothing returning id),
       credential as (
         insert into identity.account (id, "accountId", "providerId", "userId", password, "updatedAt")
         select $8, id, 'credential', id, $9, current_timestamp from account)
       select id from account union all select id from identity."user" where email = $3 limit 1`,
      [newId(), name, address, verified, imageUrl ?? null, firstName, lastName, newId(), hash],
    )
    const userId = rows[0]?.id
    if (userId === undefined) throw new Error(`The account ${address} was neither made nor found.`)
    return { userId }
  }

  /** The new organization's id; the existing one's where the short name is taken, with missing members added. */
  async createOrganization({ name, slug, members }: NewOrganization): Promise<{ orgId: string }> {
    return inTransaction(this.#ownerPool, async (client) => {
      const { rows } = await client.query<{ id: string }>(
        `with made as (
           insert into identity.organization (id, name, slug, "createdAt") values ($1, $2, $3, current_timestamp)
           on conflict (slug) do nothing returning id)
         select id from made union all select id from identity.organization where slug = $3 limit 1`,
        [newId(), name, slug],
      )
      const orgId = rows[0]?.id
      if (orgId === undefined) throw new Error(`The organization ${slug} was neither made nor found.`)
      for (const { userId, role } of members) {
        await client.query(
          `insert into identity.member (id, "organizationId", "userId", role, "createdAt") values ($1, $2, $3, $4, clock_timestamp())
           on conflict do nothing`,
          [newId(), orgId, userId, role],
        )
      }
      return { orgId }
    })
  }
}
