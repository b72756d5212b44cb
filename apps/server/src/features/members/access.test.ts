import { askForAccess, listHelpers } from '@tour-ops/contract/members/access-requests'
import { permissions } from '@tour-ops/contract/identity/access'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '../../platform/ids.ts'
import { testDatabase, type TestWorld } from '../../../testing/world.ts'
import { verbsOf } from '../../../testing/verbs.ts'
import { accessRequestsPerDay } from '../../platform/person-limits.ts'
import { accessVerbs } from './access-service.ts'

const verbOf = verbsOf(accessVerbs)

let world: TestWorld
beforeAll(async () => {
  world = await testDatabase()
})
afterAll(() => world.close())

const question = { permission: 'staff:manage', path: '/field-staff/create', idempotencyKey: 'question-0001' } as const

test('a viewer sees who can change roles, and nobody of another organization', async () => {
  const admin = await world.as('admin')
  await world.as('admin')
  const viewer = await world.as('viewer', { orgId: admin.orgId })
  const { people } = await viewer.call(verbOf(listHelpers), {})
  expect(people.map(({ userId, role }) => ({ userId, role }))).toEqual([{ userId: admin.userId, role: 'admin' }])
})

test('every admin gets an access request as a notification', async () => {
  const admin = await world.as('admin')
  const viewer = await world.as('viewer', { orgId: admin.orgId })
  expect(await viewer.call(verbOf(askForAccess), question)).toEqual({ asked: 1 })
  const { rows } = await admin.transaction((tx) =>
    sql<{ data: { title: string } }>`
      select data from documents where path like ${`users/${admin.userId}/inbox/%`}`.execute(tx),
  )
  expect(rows).toHaveLength(1)
  expect(rows[0]?.data.title).toContain('requests access: staff:manage')
})

test('a path that leads elsewhere is refused by field', async () => {
  const viewer = await world.as('viewer')
  const refused = viewer.call(verbOf(askForAccess), { ...question, path: '//evil.test' })
  await expect(refused).rejects.toMatchObject({
    code: 'invalid-argument',
    details: { fieldErrors: { path: [expect.any(String)] } },
  })
})

test('asking again for the same sends nothing more, and asking for everything ends', async () => {
  const admin = await world.as('admin')
  const viewer = await world.as('viewer', { orgId: admin.orgId })
  const ask = (permission: (typeof permissions)[number]) =>
    viewer.call(verbOf(askForAccess), { permission, path: '/tours/all', idempotencyKey: newId() })
  const notices = async () => {
    const { rows } = await admin.transaction((tx) =>
      sql`select 1 from documents where path like ${`users/${admin.userId}/inbox/%`}`.execute(tx),
    )
    return rows.length
  }
  const outcomes = await Promise.allSettled(permissions.slice(0, accessRequestsPerDay + 3).map(ask))
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(accessRequestsPerDay)
  expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'resource-exhausted' } })
  expect(await notices()).toBe(accessRequestsPerDay)
  const asked = permissions.find((_, index) => outcomes[index]?.status === 'fulfilled')
  if (!asked) throw new Error('one request was to be answered')
  expect(await ask(asked)).toEqual({ asked: 1 })
  expect(await notices()).toBe(accessRequestsPerDay)
  // a colleague is not held up
  const colleague = await world.as('viewer', { orgId: admin.orgId })
  expect(await colleague.call(verbOf(askForAccess), { ...question, idempotencyKey: newId() })).toEqual({ asked: 1 })
})
