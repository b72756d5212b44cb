import { travelerFlags } from '@tour-ops/contract/bookings/manifest'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { asOwnRole } from '../../../testing/own-role.ts'
import { testDatabase, type TestCaller, type TestWorld } from '../../../testing/world.ts'
import { sweepOrganizations, travelerCounts } from '../jobs/housekeeping.ts'
import type { Tx } from './database.ts'

// The list of travelers takes its totals from counts that triggers keep, and common pages from statements of their own.

let world: TestWorld
beforeAll(async () => {
  world = await testDatabase()
  if (world.database.kind === 'pglite') {
    process.stdout.write('PGlite has one connection: the race of this file runs one after another here.\n')
  }
})
afterAll(() => world.close())

const countries = ['IS', 'DE', null]

/** @returns their ids. */
async function add(tx: Tx, orgId: string, travelers: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    insert into travelers (org_id, id, first_name, last_name, nationality, lifetime_tours)
    select ${orgId}, gen_random_uuid(), chr(65 + n % 3), chr(75 - n % 4), (${countries}::text[])[1 + n % 3], n % 5
    from generate_series(1, ${travelers}) n returning id`.execute(tx)
  return rows.map(({ id }) => id)
}

interface Totals {
  all: number
  DE: number
}
const totalOf = async (tx: Tx, filters: object): Promise<number> => {
  const { rows } = await sql<{ total: number }>`
    select total::int as total from search_travelers('', ${JSON.stringify(filters)}::jsonb)`.execute(tx)
  return rows[0]?.total ?? -1
}
const storedTotals = (caller: TestCaller): Promise<Totals> =>
  caller.transaction(async (tx) => ({
    all: await totalOf(tx, {}),
    DE: await totalOf(tx, { nationality: ['DE', 'DE'] }),
  }))
const trueTotals = (caller: TestCaller): Promise<Totals> =>
  caller.transaction(async (tx) => {
    const { rows } = await sql<Totals>`
      select count(*)::int as all, (count(*) filter (where nationality = 'DE'))::int as "DE" from travelers
      where org_id = ${caller.orgId} and merged_into_id is null and archived_at is null`.execute(tx)
    return rows[0] ?? { all: -1, DE: -1 }
  })

const storedRows = async (caller: TestCaller): Promise<number> => {
  const { rows } = await world.database.ownerPool.query<{ count: number }>(
    'select count(*)::int as count from traveler_counts where org_id = $1',
    [caller.orgId],
  )
  return rows[0]?.count ?? -1
}

test('totals follow who is added, leaves, changes country, is archived and merged', async () => {
  const caller = await world.as('dispatcher')
  const write = (statement: ReturnType<typeof sql>) => caller.transaction((tx) => statement.execute(tx))
  const [first = '', second = '', third = ''] = await caller.transaction((tx) => add(tx, caller.orgId, 9))
  expect(await storedTotals(caller)).toEqual({ all: 9, DE: 3 })
  await write(sql`update travelers set nationality = 'DE'`)
  expect(await storedTotals(caller)).toEqual({ all: 9, DE: 9 })
  await write(sql`update travelers set archived_at = app_now() where id = ${first}`)
  await write(sql`update travelers set merged_into_id = ${third}, nationality = 'IS' where id = ${second}`)
  expect(await storedTotals(caller)).toEqual({ all: 7, DE: 7 })
  await write(sql`delete from travelers where id <> ${third}`)
  expect(await storedTotals(caller)).toEqual({ all: 1, DE: 1 })
  await write(sql`update travelers set archived_at = null where id = ${third}`)
  expect(await storedTotals(caller)).toEqual({ all: 1, DE: 1 })
})

test('totals are exact after writers, folding and work that is rolled back at the same moment', async () => {
  const [ours, theirs] = [await world.as('dispatcher'), await world.as('dispatcher')]
  const work = async (caller: TestCaller, index: number) => {
    await caller
      .transaction(async (tx) => {
        const ids = await add(tx, caller.orgId, 5)
        await sql`update travelers set nationality = 'DE' where id = ${ids[index % 5]}`.execute(tx)
        await sql`update travelers set archived_at = app_now() where id = ${ids[(index + 1) % 5]}`.execute(tx)
        await sql`delete from travelers where id = ${ids[(index + 2) % 5]}`.execute(tx)
        if (index % 4 === 0) throw new Error('taken back')
      })
      .catch((error: Error) => {
        if (error.message !== 'taken back') throw error
      })
  }
  const fold = () => sweepOrganizations(world.services, [travelerCounts])
  await Promise.all(
    Array.from({ length: 40 }, (_, index) => (index % 5 === 4 ? fold() : work(index % 2 === 0 ? ours : theirs, index))),
  )
  for (const caller of [ours, theirs]) expect(await storedTotals(caller)).toEqual(await trueTotals(caller))
  await Promise.all([fold(), fold()])
  for (const caller of [ours, theirs]) {
    expect(await storedTotals(caller)).toEqual(await trueTotals(caller))
    expect((await trueTotals(caller)).all).toBeGreaterThan(0)
    expect(await storedRows(caller)).toBe(countries.length)
  }
})

test('what somebody else has not committed is not in the total', async () => {
  const caller = await world.as('dispatcher')
  await caller.transaction((tx) => add(tx, caller.orgId, 3))
  await caller
    .transaction(async (tx) => {
      await add(tx, caller.orgId, 6)
      expect(await totalOf(tx, {})).toBe(9)
      if (world.database.kind !== 'pglite') expect((await storedTotals(caller)).all).toBe(3)
      throw new Error('taken back')
    })
    .catch((error: Error) => expect(error.message).toBe('taken back'))
  expect((await storedTotals(caller)).all).toBe(3)
})

const orders = ['lastName', 'name', 'nationality', 'toursTaken', 'createdAt'].flatMap((by) =>
  [false, true].map((descending) => [{ by, descending }]),
)
test.each([[], ...orders])('a page in the order %j is the one that the rule gives', async (...given) => {
  const caller = await world.as('dispatcher')
  const sort = given.filter((each) => typeof each === 'object')
  await caller.transaction(async (tx) => {
    await add(tx, caller.orgId, 24)
    await sql`update travelers set archived_at = app_now() where lifetime_tours = 4`.execute(tx)
    for (const nationality of [undefined, ['DE'], ['IS', 'DE', 'IS'], []]) {
      const { rows } = await sql<{ condition: string; ordering: string }>`
        select replace(traveler_filter('{}', false), '$1', ${`'${caller.orgId}'`}) as condition,
          traveler_order(${JSON.stringify(sort)}::jsonb) as ordering`.execute(tx)
      const [rule = { condition: 'false', ordering: '1' }] = rows
      const wanted = nationality ? sql`t.nationality = any (${nationality}::text[])` : sql`true`
      const ruled = await sql<{ id: string }>`select t.id from travelers t
        where ${sql.raw(rule.condition)} and ${wanted} order by ${sql.raw(rule.ordering)} limit 4 offset 3`.execute(tx)
      const found = await sql<{ ids: string[]; total: number }>`
        select ids, total::int as total from search_travelers('', ${JSON.stringify({ nationality })}::jsonb, ${JSON.stringify(sort)}::jsonb, 4, 3)`.execute(
        tx,
      )
      expect(found.rows[0]?.ids).toEqual(ruled.rows.map(({ id }) => id))
    }
  })
})

test('the flags of a list are the conditions that filters ask with', async () => {
  const { rows } = await world.database.ownerPool.query<{ flag: string }>(
    `select flag from unnest($1::text[]) flag, pg_proc p where p.proname = 'traveler_flags'
       and position(format('case when %s then %L end', traveler_flag_condition(flag), flag) in p.prosrc) > 0`,
    [travelerFlags],
  )
  expect(rows.map(({ flag }) => flag)).toEqual([...travelerFlags])
})

test('a guide counts the guests of own departures only', async () => {
  const caller = await world.as('dispatcher')
  await caller.transaction((tx) => add(tx, caller.orgId, 3))
  const guide = await world.as('guide', { orgId: caller.orgId })
  const { rows } = await asOwnRole(world, guide, (tx) =>
    sql<{ total: number; counted: number }>`
      select total::int as total, count_travelers('{"view": "all"}')::int as counted from search_travelers()`.execute(
      tx,
    ),
  )
  expect(rows).toEqual([{ total: 0, counted: 0 }])
})
