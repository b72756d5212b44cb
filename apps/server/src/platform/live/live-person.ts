import type { Role } from '@tour-ops/contract/access'
import { DatabaseError } from '@tour-ops/contract/database-codes'
import type { LivePerson } from '@tour-ops/contract/live-access'
import { sql } from 'kysely'
import type { Caller } from '../../context.ts'
import type { Database, Tx } from '../db/database.ts'
import { newId } from '../ids.ts'

interface MembershipRow {
  role: Role
  status: string
  staffId: string | null
}

/** The caller as the path rules see them: role and staff record come from the database, as for every call. */
async function livePersonOf(tx: Tx, caller: Pick<Caller, 'userId' | 'orgId'>): Promise<LivePerson> {
  const nobody: LivePerson = { userId: caller.userId, orgId: null, role: null, staffId: null }
  if (!caller.orgId) return nobody
  const { rows } = await sql<MembershipRow>`
    select role, status, staff_id as "staffId" from members
    where org_id = ${caller.orgId} and user_id = ${caller.userId}`.execute(tx)
  const member = rows[0]
  if (!member || member.status !== 'active') return nobody
  return { userId: caller.userId, orgId: caller.orgId, role: member.role, staffId: member.staffId }
}

/** Runs in a transaction of the caller, who is looked up first. Row-level security is the second lock behind the path rules. */
export async function asLivePerson<T>(
  db: Database,
  caller: Pick<Caller, 'userId' | 'orgId'>,
  scope: { readonly action: string; readonly requestId?: string; readonly signal?: AbortSignal },
  run: (tx: Tx, person: LivePerson) => Promise<T>,
): Promise<T> {
  const { action, signal, requestId = newId() } = scope
  return db.transaction(
    {
      orgId: caller.orgId,
      actor: { kind: 'user', id: caller.userId },
      action,
      requestId,
      ...(signal ? { signal } : {}),
    },
    async (tx) => run(tx, await livePersonOf(tx, caller)),
  )
}

/** Nothing is read or written with a token of an organization that the person does not work in any more. @throws DatabaseError */
export function requireMembership(caller: Pick<Caller, 'orgId'>, person: LivePerson): void {
  if (caller.orgId && !person.role) {
    throw new DatabaseError('permission-denied', 'You are not a member of this organization.')
  }
}
