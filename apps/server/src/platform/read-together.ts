import type { Permission, Role } from '@tour-ops/contract/identity/access'
import type { MemberCall, Services } from '../context.ts'
import type { Asker } from './caller.ts'
import type { Outcome } from './gathered.ts'
import { accessOf, membershipsOf } from './membership.ts'

/** A read whose answer depends on nothing of the asker but the role, as long as that sees the whole organization. */
export interface SharedRead<Answer> {
  readonly name: string
  readonly permission: Permission | 'member'
  /** In one transaction for all of a role. */
  run(call: MemberCall): Promise<Answer>
  /** As every other call, in a separate transaction: for those who see only their own departures. */
  alone(asker: Asker): Promise<Answer>
}

/**
 * A read for people of one organization who ask for the same at the same moment: one transaction, in which membership, second factor and
 * permission of each of them are read first.
 *
 * @param askers All of one organization, at least one.
 * @see docs/decisions/0032-boards-are-made-once-for-each-change.md
 */
export async function readTogether<Answer>(
  services: Services,
  read: SharedRead<Answer>,
  askers: readonly Asker[],
): Promise<Outcome<Answer>[]> {
  const [first] = askers
  if (!first) return []
  if (askers.length === 1) return [{ answer: await read.alone(first) }]
  const outcomes = await readOfAll(services, read, askers, first)
  return Promise.all(outcomes.map(async (outcome, at) => outcome ?? outcomeOf(() => read.alone(askers[at] ?? first))))
}

/** Null for those who have to be answered alone. */
function readOfAll<Answer>(
  services: Services,
  read: SharedRead<Answer>,
  askers: readonly Asker[],
  first: Asker,
): Promise<(Outcome<Answer> | null)[]> {
  const { name, permission } = read
  const { orgId } = first.caller
  const actor = { kind: 'user', id: first.caller.userId } as const
  const { requestId } = first.request
  return services.db.transaction({ orgId, actor, action: name, requestId, clock: services.clock }, async (tx) => {
    const members = await membershipsOf(
      tx,
      orgId,
      askers.map(({ caller }) => caller),
    )
    const byRole = new Map<Role, Answer>()
    const outcomes: (Outcome<Answer> | null)[] = []
    for (const [at, { caller, request }] of askers.entries()) {
      const access = await outcomeOf(async () => accessOf(members[at], permission))
      if ('refusal' in access) outcomes.push(access)
      else if (access.answer.scope !== 'all') outcomes.push(null)
      else {
        const { role } = access.answer
        const answer =
          byRole.get(role) ??
          (await read.run({ ...services, caller, actor, request, tx, orgId, permission, ...access.answer }))
        byRole.set(role, answer)
        outcomes.push({ answer })
      }
    }
    return outcomes
  })
}

const outcomeOf = async <Answer>(make: () => Promise<Answer>): Promise<Outcome<Answer>> => {
  try {
    return { answer: await make() }
  } catch (refusal) {
    return { refusal }
  }
}
