import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Services } from '../../context.ts'
import { officeWithTour } from '../../../testing/operations.ts'
import { testDatabase, type TestWorld } from '../../../testing/world.ts'
import { checkAllOrganizations, evaluateDue } from './due-evaluation.ts'

let world: TestWorld
beforeAll(async () => {
  world = await testDatabase()
})
afterAll(() => world.close())

const begin = new Date('2030-07-13T06:00:00Z')

test.each([
  ['a tick', evaluateDue, 'evaluated_at'],
  ['the check of everything', checkAllOrganizations, 'checked_at'],
])('the trouble of one organization keeps %s from no other, and is thrown at the end', async (_what, work, column) => {
  const { caller: one, clock } = await officeWithTour(world, begin)
  const { caller: other } = await officeWithTour(world, begin)
  const [first = '', second = ''] = [one.orgId, other.orgId].toSorted()
  await evaluateDue({ ...world.services, clock })
  const transaction: Services['db']['transaction'] = (scope, run) =>
    scope.orgId === first ? Promise.reject(new Error('broken')) : world.services.db.transaction(scope, run)
  clock.set(new Date(begin.getTime() + 60_000))
  await expect(work({ ...world.services, clock, db: { ...world.services.db, transaction } })).rejects.toThrow(
    '1 organization failed',
  )
  const reached = await world.rows<{ id: string }>(
    `select org_id as id from alert_evaluations where ${column} = $1 and org_id = any ($2)`,
    [clock.now(), [first, second]],
  )
  expect(reached).toEqual([{ id: second }])
})
