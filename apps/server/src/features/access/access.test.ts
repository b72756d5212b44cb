import { askForAccess, listHelpers } from '@tour-ops/contract/access-requests'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testDatabase, type TestWorld } from '../../testing.ts'
import { verbsOf } from '../../testing-verbs.ts'
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

test('a question lies under the bell of every admin', async () => {
  const admin = await world.as('admin')
  const viewer = await world.as('viewer', { orgId: admin.orgId })
  expect(await viewer.call(verbOf(askForAccess), question)).toEqual({ asked: 1 })
  const { rows } = await admin.transaction((tx) =>
    sql<{ data: { title: string } }>`
      select data from documents where path like ${`users/${admin.userId}/inbox/%`}`.execute(tx),
  )
  expect(rows).toHaveLength(1)
  expect(rows[0]?.data.title).toContain('asks for staff:manage')
})

test('a path that leads elsewhere is refused by field', async () => {
  const viewer = await world.as('viewer')
  const refused = viewer.call(verbOf(askForAccess), { ...question, path: '//evil.test' })
  await expect(refused).rejects.toMatchObject({
    code: 'invalid-argument',
    details: { fieldErrors: { path: [expect.any(String)] } },
  })
})
