import { inviteMembers, listMembers } from '@tour-ops/contract/members/members'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '../../platform/ids.ts'
import { execute } from '../../platform/verb.ts'
import { requestMeta, testDatabase, type TestWorld } from '../../../testing/world.ts'
import { verbsOf } from '../../../testing/verbs.ts'
import { invitationVerbs } from './invitations-service.ts'
import { memberVerbs } from './members-service.ts'

// An identity service that takes its time, asked by several organizations at once.

const verbOf = verbsOf([...invitationVerbs, ...memberVerbs])

let world: TestWorld
beforeAll(async () => {
  world = await testDatabase()
})
afterAll(() => world.close())

test('few transactions wait for the identity service: everybody else is answered, and all are served in the end', async () => {
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>()
  let asked = 0
  const invite = async () => {
    asked += 1
    await answered
    return { id: newId() }
  }
  const services = { ...world.services, identityAdmin: { ...world.services.identityAdmin, invite } }
  const admins = await Promise.all(Array.from({ length: 4 }, () => world.as('admin')))
  const input = { emails: ['ann@x.example'], role: 'guide' as const }
  const inviting = admins.flatMap(({ caller }) =>
    Array.from({ length: 3 }, () => execute(services, requestMeta(), caller, verbOf(inviteMembers), input)),
  )
  const other = await (world.database.kind === 'pglite' ? undefined : world.as('admin'))
  // PGlite has one connection, which the first of them holds
  await expect.poll(() => asked).toBe(other ? 3 : 1)
  const startedMs = performance.now()
  if (other) expect(await other.call(verbOf(listMembers), {})).toMatchObject({ total: 1 })
  expect(performance.now() - startedMs).toBeLessThan(500)
  answer()
  expect(await Promise.all(inviting)).toHaveLength(12)
  expect(asked).toBe(12)
})
