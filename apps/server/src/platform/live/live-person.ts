import { DatabaseError } from '@tour-ops/contract/database-codes'
import type { LivePerson } from '@tour-ops/contract/live/live-access'
import { refuse } from '@tour-ops/contract/refusals'
import type { Database, Tx } from '../db/database.ts'
import { newId } from '../ids.ts'
import { beforeEntering, enterAsMember, type Reader } from '../membership.ts'

/** Somebody at the live documents, and until when. */
export interface LiveReader extends LivePerson {
  /** From when on the organization asks for a second factor that the session has not; null for never. */
  readonly factorDueAt: Date | null
}

/**
 * The caller as the path rules see them: role and staff record come from the database, as for every call.
 *
 * @throws DatabaseError `permission-denied` where the organization asks for a second factor that the session has not.
 */
async function livePersonOf(tx: Tx, caller: Reader): Promise<LiveReader> {
  const { userId, orgId } = caller
  const member = await enterAsMember(tx, caller, 'member')
  if (!member) return { userId, orgId: null, role: null, staffId: null, factorDueAt: null }
  const { role, staffId, factorDueAt, lacksFactor } = member
  if (lacksFactor) {
    const { message, details } = refuse('second_factor_required')
    throw new DatabaseError('permission-denied', message, { details })
  }
  return { userId, orgId, role, staffId, factorDueAt }
}

/** Runs in a transaction of the caller, who is looked up first. Row-level security is the second lock behind the path rules. */
export async function asLivePerson<T>(
  db: Database,
  caller: Reader,
  scope: { readonly action: string; readonly requestId?: string; readonly signal?: AbortSignal },
  run: (tx: Tx, person: LiveReader) => Promise<T>,
): Promise<T> {
  const { action, signal, requestId = newId() } = scope
  return db.transaction(
    {
      orgId: caller.orgId,
      actor: { kind: 'user', id: caller.userId },
      ...beforeEntering('member'),
      action,
      requestId,
      ...(signal ? { signal } : {}),
    },
    async (tx) => run(tx, await livePersonOf(tx, caller)),
  )
}

/** Nothing is read or written with a token of an organization that the person no longer works in. @throws DatabaseError */
export function requireMembership(caller: Pick<Reader, 'orgId'>, person: LivePerson): void {
  if (caller.orgId && !person.role) {
    throw new DatabaseError('permission-denied', 'You are not a member of this organization.')
  }
}
