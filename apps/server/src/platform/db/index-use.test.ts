import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testDatabase, type TestWorld } from '../../../testing/world.ts'
import { isOut } from '../operations/departure-phase.ts'

let world: TestWorld
beforeAll(async () => {
  world = await testDatabase()
})
afterAll(() => world.close())

// Under row-level security PostgreSQL keeps conditions that it takes for leaky away from every index.
test('a condition with the clock of the request reaches an index', async () => {
  const caller = await world.as('dispatcher')
  const plan = await caller.transaction(async (tx) => {
    await sql`set local enable_seqscan = off`.execute(tx)
    const { rows } = await sql<{ 'QUERY PLAN': string }>`explain (costs off)
      select id from departures where org_id = ${caller.orgId} and starts_at > app_now() order by starts_at, id`.execute(
      tx,
    )
    return rows.map((row) => row['QUERY PLAN']).join('\n')
  })
  expect(plan).toMatch(/Index Cond: .*starts_at >/)
})

test('departures that are out are found by their status', async () => {
  const caller = await world.as('dispatcher')
  const plan = await caller.transaction(async (tx) => {
    await sql`set local enable_seqscan = off`.execute(tx)
    const { rows } = await sql<{ 'QUERY PLAN': string }>`explain (costs off)
      select d.id from departures d where d.org_id = ${caller.orgId} and ${isOut}`.execute(tx)
    return rows.map((row) => row['QUERY PLAN']).join('\n')
  })
  expect(plan).toMatch(/departures_status[^]*Index Cond: .*status = ANY/)
})
