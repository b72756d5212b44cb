import type { Role } from '@tour-ops/contract/identity/access'
import type { Callable, In, Out } from '@tour-ops/contract/callable'
import { listMembers, type MemberRow } from '@tour-ops/contract/members/members'
import type { Caller } from '../src/context.ts'
import { outboxChannels } from '../src/platform/channels/outbox-channels.ts'
import { testIdentity, type TestIdentity } from './identity.ts'
import { newId } from '../src/platform/ids.ts'
import { execute, type Verb } from '../src/platform/verb.ts'
import { requestMeta, type TestWorld } from './world.ts'
import { membersVerbs } from '../src/features/members/verbs.ts'

/** Somebody with a real account, who calls the verbs of this feature. */
export interface Person {
  readonly userId: string
  readonly email: string
  readonly orgId: string
  call<C extends Callable>(callable: C, input: In<C>): Promise<Out<C>>
  /** Calls with what the types would not let through. */
  callWrongly(callable: Callable, input: unknown): Promise<unknown>
}

export interface MembersWorld {
  readonly site: TestIdentity
  /** Two people of a new organization, the first usually its administrator. */
  two(first: Role, second: Role): Promise<[Person, Person]>
  personOf(orgId: string, userId: string, email: string): Person
  /** A field-staff record of the person's organization. */
  staffOf(person: Person): Promise<string>
}

let serial = 0

export function membersWorld(world: TestWorld): MembersWorld {
  const site = testIdentity(world)
  const { db, clock } = world.services
  const services = {
    ...world.services,
    identityAdmin: site.identity.admin,
    channels: outboxChannels({ db, clock, delivery: 'outbox' }),
  }

  function personOf(orgId: string, userId: string, email: string): Person {
    const caller: Caller = { userId, email, name: 'Test', sessionId: null, orgId }
    const callWrongly = (callable: Callable, input: unknown): Promise<unknown> => {
      return execute(services, requestMeta(), caller, verbOf(callable), input)
    }
    return {
      userId,
      email,
      orgId,
      callWrongly,
      call: async <C extends Callable>(callable: C, input: In<C>) => (await callWrongly(callable, input)) as Out<C>,
    }
  }

  return {
    site,
    personOf,
    async two(...roles) {
      const tag = `m${(serial += 1)}`
      const people = await Promise.all(
        roles.map(async (role, index) => {
          const email = `${tag}-${index}@example.com`
          const account = { email, name: `Person ${role}`, password: 'correct horse 1', verified: true }
          return { role, email, ...(await site.identity.accounts.createAccount(account)) }
        }),
      )
      const { orgId } = await site.identity.accounts.createOrganization({ name: tag, slug: tag, members: people })
      return people.map(({ email, userId }) => personOf(orgId, userId, email)) as [Person, Person]
    },
    async staffOf(person) {
      const id = newId()
      await world.rows(
        `insert into field_staff (org_id, id, code, first_name, last_name) values ($1, $2, $3, 'Jonas', 'Berg')`,
        [person.orgId, id, `S${(serial += 1)}`],
      )
      return id
    },
  }
}

function verbOf({ name }: Callable): Verb {
  const found = membersVerbs.find((verb) => verb.callable.name === name)
  if (!found) throw new Error(`No verb ${name}`)
  return found
}

export const list = (person: Person, input: In<typeof listMembers> = {}): Promise<Out<typeof listMembers>> =>
  person.call(listMembers, input)

/** A member's row with the version that the next change must name. */
export async function rowOf(person: Person, userId: string): Promise<MemberRow & { version: number }> {
  const row = (await list(person)).rows.find((each) => each.id === userId)
  if (!row || row.version === null) throw new Error(`No row for ${userId}`)
  return { ...row, version: row.version }
}
