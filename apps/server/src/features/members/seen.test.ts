import { listMembers } from '@tour-ops/contract/members/members'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '../../platform/ids.ts'
import { identityWorld, type TestIdentity, type TestPerson } from '../../../testing/identity.ts'
import { requestMeta, type TestWorld } from '../../../testing/world.ts'
import { execute } from '../../platform/verb.ts'
import { verbsOf } from '../../../testing/verbs.ts'
import { memberVerbs } from './members-service.ts'

let world: TestWorld
let site: TestIdentity
beforeAll(async () => {
  ;({ world, site } = await identityWorld({ signUp: 'open' }))
})
afterAll(() => world.close())

const found = async ({ browser }: TestPerson): Promise<string> => {
  const slug = `seen-${newId()}`
  return String((await browser.post('/api/auth/organization/create', { name: slug, slug })).body['id'])
}

const enter = ({ browser }: TestPerson, organizationId: string) =>
  browser.post('/api/auth/organization/set-active', { organizationId })

const rowsSeenBy = async (person: TestPerson, orgId: string) => {
  await enter(person, orgId)
  const caller = await site.identity.verifyBackendToken((await person.browser.backendToken()).idToken)
  const { rows } = await execute(world.services, requestMeta(), caller, verbsOf(memberVerbs)(listMembers), {})
  return new Map(rows.map(({ id, lastSeenAt }) => [id, lastSeenAt]))
}

test('each organization sees when its members worked in it, and nothing of where else they are', async () => {
  const [ada, ben, cleo] = [await site.person('Ada'), await site.person('Ben'), await site.person('Cleo')]
  const [first, second] = [await found(ada), await found(ben)]
  const join = (orgId: string, { userId }: TestPerson) =>
    world.rows(
      `insert into identity.member (id, "organizationId", "userId", role, "createdAt") values ($1, $2, $3, 'viewer', now())`,
      [newId(), orgId, userId],
    )
  await join(first, cleo)
  await join(second, cleo)
  await enter(cleo, first)
  await world.rows(`update identity.organization_uses set at = '2026-01-05T08:00:00Z' where "userId" = $1`, [
    cleo.userId,
  ])
  await enter(cleo, second)
  const [seen] = await world.rows<{ at: Date }>(
    `select at from identity.organization_uses where "userId" = $1 and "organizationId" = $2`,
    [cleo.userId, second],
  )
  expect((await rowsSeenBy(ada, first)).get(cleo.userId)).toBe('2026-01-05T08:00:00.000Z')
  expect((await rowsSeenBy(ben, second)).get(cleo.userId)).toBe(seen?.at.toISOString())
  expect([...(await rowsSeenBy(ada, first)).keys()]).not.toContain(ben.userId)
})

test('the application reads accounts and their uses of the organization it is in, and of no other', async () => {
  const [ada, ben] = [await site.person('Ada'), await site.person('Ben')]
  const [first] = [await found(ada), await found(ben)]
  const visible = await world.database.transaction(
    { orgId: first, actor: { kind: 'user', id: null }, action: 'test', requestId: newId() },
    async (tx) => ({
      users: (await sql<{ id: string }>`select id from identity."user"`.execute(tx)).rows,
      uses: (await sql<{ id: string }>`select "userId" as id from identity.organization_uses`.execute(tx)).rows,
    }),
  )
  expect(visible).toEqual({ users: [{ id: ada.userId }], uses: [{ id: ada.userId }] })
})
