import type { Callable, In, Out } from '@tour-ops/contract/callable'
import type { Role } from '@tour-ops/contract/identity/access'
import type { Caller, Services } from '../src/context.ts'
import { movableClock } from '../src/platform/clock.ts'
import { newId } from '../src/platform/ids.ts'
import { execute, type Verb } from '../src/platform/verb.ts'
import { allVerbs } from '../src/verbs.ts'
import { demoEmail } from './data/staff.ts'

const byName = new Map<string, Verb>(allVerbs.map((one) => [one.callable.name, one]))

/** Calls side by side: what keeps a small computer's database busy while the program prepares the next ones. */
export const sideBySide = 4

/** Somebody of the demo who does what a user would do, at a time of the demo's choosing. */
export interface Person {
  readonly userId: string
  readonly orgId: string
  /** Moves the clock that this person's calls see. */
  at(moment: Date): Person
  /** The same person with a clock apart, for what is done side by side. */
  apart(): Person
  call<C extends Callable>(callable: C, input: In<C>): Promise<Out<C>>
}

/** The person who has a role in the demo organization, under the name by which the log knows the program; undefined where they are gone. */
export async function demoPerson(services: Services, role: Role, name: string): Promise<Person | undefined> {
  const email = demoEmail(role)
  const { rows } = await services.db.ownerPool.query<{ userId: string; orgId: string }>(
    `select user_id as "userId", org_id as "orgId" from members where email = $1 and status = 'active' order by joined_at limit 1`,
    [email],
  )
  return rows[0] && person(services, { ...rows[0], email, name })
}

/** A member of an organization who calls verbs through the same entry as every transport. */
export function person(
  services: Services,
  who: { userId: string; orgId: string; name: string; email: string },
): Person {
  const clock = movableClock(services.clock.now())
  const caller: Caller = { ...who, sessionId: null }
  const seeded: Services = { ...services, clock }
  const self: Person = {
    userId: who.userId,
    orgId: who.orgId,
    at: (moment) => {
      clock.set(moment)
      return self
    },
    apart: () => person(services, who),
    call: (callable, input) => {
      const verb = byName.get(callable.name)
      if (!verb) throw new Error(`The demo calls ${callable.name}, which has no verb`)
      const request = { requestId: newId(), ip: null, signal: new AbortController().signal }
      return execute(seeded, request, caller, verb as unknown as Verb<typeof callable>, input)
    },
  }
  return self
}
