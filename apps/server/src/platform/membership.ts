import {
  openWithOffer,
  roles,
  scopeOf,
  type Permission,
  type Role,
  type Scope,
} from '@tour-ops/contract/identity/access'
import { type RawBuilder, sql } from 'kysely'
import type { Caller } from './caller.ts'
import type { Tx } from './db/database.ts'
import { applicationRole, ownRole, type TransactionScope } from './db/transaction.ts'

/** Who asks: a person, the organization of their token, and the backend session that the token names. */
export type Reader = Pick<Caller, 'userId' | 'orgId' | 'sessionId'>

export interface Membership {
  readonly role: Role
  readonly staffId: string | null
  /** From when on the organization refuses this session for want of a second factor; null when it does not. */
  readonly factorDueAt: Date | null
  /** That moment has come: nothing of the organization is read or written. */
  readonly lacksFactor: boolean
}

/**
 * The membership that a token stands for, from the database on every request: a demotion counts at once. Undefined for people who do not,
 * or no longer, work there.
 */
export async function findMembership(tx: Tx, reader: Reader): Promise<Membership | undefined> {
  return selectMembership(tx, reader, sql`null`)
}

/** Whether an assignment that is only offered makes a departure one's own, for a call with this permission. */
export const opensWithOffer = (permission: Permission | 'member'): boolean =>
  openWithOffer.some((each) => each === permission)

/** What a transaction begins with whose caller is not known yet: the narrow role, and whether offered departures are own ones there. */
export const beforeEntering = (permission: Permission | 'member'): Pick<TransactionScope, 'role' | 'withOffers'> => ({
  role: ownRole,
  withOffers: opensWithOffer(permission),
})

/**
 * The same for a transaction that began so: it keeps the narrow role for callers whose permission reaches their own departures only, and
 * takes the application's for the others, in the statement that reads the membership.
 */
export async function enterAsMember(
  tx: Tx,
  reader: Reader,
  permission: Permission | 'member',
): Promise<Membership | undefined> {
  const wide = roles.filter((role) => reachOf(role, permission) === 'all')
  return selectMembership(
    tx,
    reader,
    sql`set_config('role', case when m.role = any (${wide}) then ${applicationRole} else ${ownRole} end, true)`,
  )
}

/** How far a call reaches; undefined where the permission is missing. What every member may call reaches as far as the role does. */
export const reachOf = (role: Role, permission: Permission | 'member'): Scope | undefined =>
  permission === 'member' ? scopeOf(role, 'dashboard:read') : scopeOf(role, permission)

async function selectMembership(
  tx: Tx,
  reader: Reader,
  entering: RawBuilder<string | null>,
): Promise<Membership | undefined> {
  if (reader.orgId === null) return undefined
  const { rows } = await sql<Membership & { database_role: string | null }>`
    select role, staff_id as "staffId", due as "factorDueAt", coalesce(due <= app_now(), false) as "lacksFactor", ${entering} as database_role
    from (
      select m.role, m.staff_id, second_factor_due_at(s, m.role, identity.has_proven_factor(${reader.sessionId})) as due
      from members m left join org_settings s on s.org_id = m.org_id
      where m.org_id = ${reader.orgId} and m.user_id = ${reader.userId} and m.status = 'active') m`.execute(tx)
  return rows[0]
}

/** Whether the session has shown a second factor, whatever the organization asks for. */
export async function hasProvenFactor(tx: Tx, { sessionId }: Pick<Reader, 'sessionId'>): Promise<boolean> {
  const { rows } = await sql<{ isProven: boolean }>`
    select identity.has_proven_factor(${sessionId}) as "isProven"`.execute(tx)
  return rows[0]?.isProven === true
}
