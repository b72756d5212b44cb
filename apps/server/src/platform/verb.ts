import type { Permission } from '@tour-ops/contract/identity/access'
import type { Callable, CallPermission, Given, Out } from '@tour-ops/contract/callable'
import { AppError } from '@tour-ops/contract/errors'
import { refuse } from '@tour-ops/contract/refusals'
import type { Actor, Call, Caller, MemberCall, PersonCall, RequestMeta, Services } from '../context.ts'
import { fieldIssuesOf } from './field-errors.ts'
import type { WorkSlots } from './work-slots.ts'
import { untilAborted } from './db/transaction.ts'
import { type Access, accessOf, beforeEntering, enterAsMember } from './membership.ts'
import type { Outcome } from './gathered.ts'
import { readTogether } from './read-together.ts'
import type { Asker } from './caller.ts'

/** The kind of call a permission gives: public verbs see no person, the others do. */
type CallFor<P extends CallPermission> = P extends 'public' ? Call : P extends 'signed-in' ? PersonCall : MemberCall

/** A callable and the code behind it. `run` lives in one transaction; it throws `AppError` to refuse, and then writes nothing. */
export interface Verb<C extends Callable = Callable> {
  readonly callable: C
  /** What takes longer than a statement, before `run`. */
  readonly ahead?: Ahead<C>
  /** Taken before the transaction is opened, by what cannot help waiting inside it. */
  readonly slots?: WorkSlots
  /** People of a role get the same answer to the same input, so that those who ask at once are answered together. */
  readonly isShared?: boolean
  /** @param made What `ahead.work` resolved to. */
  run(call: Call, input: Given<C>, made?: unknown): Promise<Out<C>>
}

/** Reading a file, for one: a transaction that waited for it would hold one of the few connections that everybody needs. */
interface Ahead<C extends Callable> {
  /** In a separate transaction, after access was checked, as it is again before `run`. Writes nothing. */
  look(call: Call, input: Given<C>): Promise<unknown>
  /** With no transaction open. @param found What `look` resolved to. @param signal Of the request. */
  work(found: unknown, signal: AbortSignal): Promise<unknown>
}

/** The steps of a verb that works long: see `Ahead`. */
interface Steps<C extends Callable, Kind, Found, Made> {
  look(call: Kind, input: Given<C>): Promise<Found>
  work(found: Found, signal: AbortSignal): Promise<Made>
  run(call: Kind, input: Given<C>, made: Made): Promise<Out<C>>
}

/**
 * Binds a callable to its verb. Access is checked before `run` is entered, so that no verb can forget it.
 *
 * @example export const list = verb(listTours, (call, input) => selectTours(call.tx, call, input))
 */
export function verb<C extends Callable, P extends CallPermission = C['permission']>(
  callable: C & { readonly permission: P },
  run: (call: CallFor<P>, input: Given<C>) => Promise<Out<C>>,
): Verb<C> {
  return { callable, run }
}

/** The same for work that takes longer than a statement: it is done between two transactions, and access is checked in both. */
export function slowVerb<C extends Callable, Found, Made, P extends CallPermission = C['permission']>(
  callable: C & { readonly permission: P },
  steps: Steps<C, CallFor<P>, Found, Made>,
): Verb<C> {
  return {
    callable,
    ahead: {
      look: (call: CallFor<P>, input) => steps.look(call, input),
      work: (found, signal) => steps.work(found as Found, signal),
    },
    run: (call: CallFor<P>, input: Given<C>, made?: unknown) => steps.run(call, input, made as Made),
  }
}

/**
 * A read that many people have open, and whose answer depends on nothing of the caller but organization and role where the role sees the whole
 * organization: those who ask at the same moment are answered together. With scope `own` it runs for each of them.
 */
export const sharedVerb = <C extends Callable, P extends Permission & C['permission']>(
  callable: C & { readonly permission: P },
  run: (call: MemberCall, input: Given<C>) => Promise<Out<C>>,
): Verb<C> => ({ callable, run: (call, input) => run(call as MemberCall, input), isShared: true })

/**
 * A verb that asks another service while its transaction is open: only this many at once, the others wait without a connection.
 */
export const limitedVerb = <C extends Callable>(slots: WorkSlots, target: Verb<C>): Verb<C> => ({ ...target, slots })

/** Runs a verb for a caller: parse, open the transaction, check access, run, commit. Every transport ends here. */
export async function execute<C extends Callable>(
  services: Services,
  request: RequestMeta,
  caller: Caller | null,
  target: Verb<C>,
  rawInput: unknown,
): Promise<Out<C>> {
  const { callable } = target
  if (callable.permission !== 'public' && !caller) throw new AppError('unauthenticated', 'Sign in to go on.')
  const parsed = callable.input.safeParse(rawInput)
  if (!parsed.success) {
    throw refuse('entries_refused', undefined, { fields: fieldIssuesOf(parsed.error) })
  }
  const input = parsed.data as Given<C>
  if (target.isShared && caller?.orgId) {
    const asker = { caller: { ...caller, orgId: caller.orgId }, request }
    const question = JSON.stringify([caller.orgId, callable.name, input])
    return services.reads.ask(question, asker, (askers) => readForAll(services, target, input, askers)) as Promise<
      Out<C>
    >
  }
  const step = transactionsFor(services, request, caller, callable)
  const { ahead, slots } = target
  const { signal } = request
  const work = async (): Promise<Out<C>> => {
    if (!ahead) return step((call) => target.run(call, input))
    const found = await step((call) => ahead.look(call, input))
    const made = await untilAborted(signal, () => ahead.work(found, signal))
    return step((call) => target.run(call, input, made))
  }
  const orgId = caller?.orgId
  return slots && orgId ? untilAborted(signal, () => slots.run(orgId, signal, work)) : work()
}

/** A shared verb, for those who asked for the same. */
const readForAll = <C extends Callable>(
  services: Services,
  target: Verb<C>,
  input: Given<C>,
  askers: readonly Asker[],
): Promise<Outcome<Out<C>>[]> => {
  const { callable } = target
  const run = (call: Call) => target.run(call, input)
  const alone = ({ caller, request }: Asker) => transactionsFor(services, request, caller, callable)(run)
  return readTogether(
    services,
    { name: callable.name, permission: callable.permission as Permission, run, alone },
    askers,
  )
}

/** Transactions of one call; each reads membership and permission again. */
function transactionsFor(services: Services, request: RequestMeta, caller: Caller | null, callable: Callable) {
  const actor: Actor = caller ? { kind: 'user', id: caller.userId } : { kind: 'system', id: null }
  const scope = {
    orgId: caller?.orgId ?? null,
    actor,
    action: callable.name,
    requestId: request.requestId,
    signal: request.signal,
    clock: services.clock,
    // closed until the membership says how far the caller reaches
    ...(isOrganizationBound(callable.permission) && beforeEntering(callable.permission)),
  }
  return <T>(run: (call: Call) => Promise<T>): Promise<T> =>
    services.db.transaction(scope, async (tx) => {
      const base = { ...services, caller, actor, request, tx }
      const call = isOrganizationBound(callable.permission)
        ? { ...base, ...(await requireMembership(base, caller, callable.permission)) }
        : base
      return run(call)
    })
}

const isOrganizationBound = (permission: CallPermission): permission is Permission | 'member' =>
  permission !== 'public' && permission !== 'signed-in'

async function requireMembership(
  { tx }: Pick<Call, 'tx'>,
  caller: Caller | null,
  permission: Permission | 'member',
): Promise<Access & Pick<MemberCall, 'orgId' | 'permission'>> {
  if (!caller?.orgId) {
    throw refuse('no_organization')
  }
  const access = accessOf(await enterAsMember(tx, caller, permission), permission)
  return { orgId: caller.orgId, permission, ...access }
}
