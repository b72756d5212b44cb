import {
  openWithOffer,
  roles,
  scopeOf,
  type Permission,
  type Role,
  type Scope,
} from '@tour-ops/contract/identity/access'
import { refuse } from '@tour-ops/contract/refusals'
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
 * The membership of a token, from the database on every request: a demotion counts at once. Undefined for people who do not,
 * or no longer, work there.
 */
export async function findMembership(tx: Tx, reader: Reader): Promise<Membership | undefined> {
  return selectMembership(tx, reader, sql`null`)
}

/** Whether an assignment that is only offered makes a departure "my departure", for a call with this permission. */
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
const reachOf = (role: Role, permission: Permission | 'member'): Scope | undefined =>
  permission === 'member' ? scopeOf(role, 'dashboard:read') : scopeOf(role, permission)

/** As what somebody may make a call. */
export interface Access {
  readonly role: Role
  readonly scope: Scope
  readonly staffId: string | null
}

/** @throws AppError `permission-denied`, with the reason, for a caller who may not make a call with this permission. */
export function accessOf(member: Membership | undefined, permission: Permission | 'member'): Access {
  if (!member) throw refuse('not_a_member')
  if (member.lacksFactor) throw refuse('second_factor_required')
  const { role, staffId } = member
  const scope = reachOf(role, permission)
  if (!scope) throw refuse('missing_permission', { permission })
  return { role, scope, staffId }
}

async function selectMembership(
  tx: Tx,
  { orgId, userId, sessionId }: Reader,
  entering: RawBuilder<string | null>,
): Promise<Membership | undefined> {
  if (orgId === null) return undefined
  const { rows } = await sql<Membership & { database_role: string | null }>`
    select ${asMembership}, ${entering} as database_role
    from (${membersAmong(orgId, sql`(values (${userId}::text, ${sessionId}::text, 1)) r(user_id, session_id, at)`)}) m`.execute(
    tx,
  )
  return rows[0]
}

/**
 * The memberships of several people of an organization, in their order; undefined as in `findMembership`. The transaction keeps its role.
 */
export async function membershipsOf(
  tx: Tx,
  orgId: string,
  readers: readonly Omit<Reader, 'orgId'>[],
): Promise<(Membership | undefined)[]> {
  const users = readers.map(({ userId }) => userId)
  const sessions = readers.map(({ sessionId }) => sessionId)
  const { rows } = await sql<Membership & { at: number }>`
    select ${asMembership}, at
    from (${membersAmong(orgId, sql`unnest(${users}::text[], ${sessions}::text[]) with ordinality r(user_id, session_id, at)`)}) m`.execute(
    tx,
  )
  const byPlace = new Map(rows.map((row) => [row.at, row]))
  return readers.map((_reader, at) => byPlace.get(at + 1))
}

const asMembership = sql`role, staff_id as "staffId", due as "factorDueAt", coalesce(due <= app_now(), false) as "lacksFactor"`

/** @param readers Rows `r` of user, session and place. */
const membersAmong = (orgId: string, readers: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  select r.at::int, m.role, m.staff_id, second_factor_due_at(s, m.role, identity.has_proven_factor(r.session_id)) as due
  from ${readers} join members m on m.org_id = ${orgId} and m.user_id = r.user_id and m.status = 'active'
    left join org_settings s on s.org_id = m.org_id`

/** Whether the session has shown a second factor, whatever the organization asks for. */
export async function hasProvenFactor(tx: Tx, { sessionId }: Pick<Reader, 'sessionId'>): Promise<boolean> {
  const { rows } = await sql<{ isProven: boolean }>`
    select identity.has_proven_factor(${sessionId}) as "isProven"`.execute(tx)
  return rows[0]?.isProven === true
}
