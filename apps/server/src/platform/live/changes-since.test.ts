import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testDatabase, type TestCaller, type TestWorld } from '../../../testing/world.ts'
import { changesSince, type ChangesSince } from './changes-since.ts'

let world: TestWorld
let caller: TestCaller
beforeAll(async () => {
  world = await testDatabase()
  caller = await world.as('dispatcher')
})
afterAll(() => world.close())

const look = (seen: string | null, looked?: ChangesSince): Promise<ChangesSince> =>
  caller.transaction((tx) => changesSince({ tx, orgId: caller.orgId, ...(looked ? { looked } : {}) }, seen))

/** This many places, written in one transaction: as many entries of the change log. */
const writePlaces = (count: number): Promise<unknown> =>
  caller.transaction((tx) =>
    sql`insert into places (org_id, id, name, lat, lng)
        select ${caller.orgId}, uuidv7(), 'Vík ' || n, 63.4, -19 from generate_series(1, ${count}::int) n`.execute(tx),
  )

const countIn = ({ changed }: ChangesSince): number | undefined => changed?.get('places')?.ids.length

test('a thousand changes are listed one by one; for more, only "too many" is reported', async () => {
  const { seen } = await look(null)
  await writePlaces(1_000)
  expect(countIn(await look(seen))).toBe(1_000)
  await writePlaces(1)
  expect((await look(seen)).changed).toBeNull()
})

test('what was found at the beginning of an answer serves for all of it, and what is written meanwhile for the next', async () => {
  const { seen } = await look(null)
  await writePlaces(1)
  const beginning = await look(seen)
  await writePlaces(1)

  expect(await look(seen, beginning)).toBe(beginning)
  expect(countIn(await look(beginning.seen, beginning)), 'what it has seen already').toBeUndefined()
  expect((await look(beginning.seen, beginning)).seen).toBe(beginning.seen)
  expect(countIn(await look(beginning.seen)), 'the next answer').toBe(1)
})

test('an answer that asks from another moment than its beginning reads for itself', async () => {
  const { seen } = await look(null)
  await writePlaces(1)
  const { seen: between } = await look(null)
  await writePlaces(2)
  expect(countIn(await look(between, await look(seen)))).toBe(2)
  expect((await look(null, await look(seen))).changed).toBeNull()
})
