import type { Callable, Given, Out } from '@tour-ops/contract/callable'
import { hasAccess, type Permission } from '@tour-ops/contract/identity/access'
import { refuse } from '@tour-ops/contract/refusals'
import type { MemberCall } from '../context.ts'
import { reachAs } from './own-scope.ts'
import type { Verb } from './verb.ts'

/** Finds the verb behind a callable. @throws Error when there is none: a programming error. */
export type FindVerb = <C extends Callable>(callable: C) => Verb<C>

/**
 * Runs the verb of another domain inside this call's transaction, with the permission and the reach that it asks of everybody.
 *
 * @throws AppError as the verb does, and `permission-denied` without its permission.
 */
export async function runAs<C extends Callable>(
  call: MemberCall,
  find: FindVerb,
  callable: C,
  input: Given<C>,
): Promise<Out<C>> {
  const permission = callable.permission as Permission | 'member'
  if (permission !== 'member' && !hasAccess(call, { permission })) throw refuse('missing_permission', { permission })
  if (permission !== 'member') await reachAs(call, permission)
  const asked: MemberCall = { ...call, permission }
  return find(callable).run(asked, input)
}
