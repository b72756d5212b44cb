import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testDatabase, type TestCaller, type TestWorld } from '../../../testing/world.ts'
import type { Tx } from './database.ts'
import { StatementNames } from './prepared-statements.ts'

let world: TestWorld
let admin: TestCaller
beforeAll(async () => {
  world = await testDatabase()
  admin = await world.as('admin')
})
afterAll(() => world.close())

const prepared = async (tx: Tx, part: string): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from pg_prepared_statements where position(${part} in statement) > 0
      and position('pg_prepared_statements' in statement) = 0`.execute(tx)
  return rows[0]?.count ?? 0
}

test('a statement is prepared from its second use on, and once', async () => {
  const ask = (tx: Tx, value: string) => sql`select ${value}::text as prepared_once`.execute(tx)
  const counts = await admin.transaction(async (tx) => {
    await ask(tx, 'a')
    const first = await prepared(tx, 'prepared_once')
    await ask(tx, 'b')
    const second = await prepared(tx, 'prepared_once')
    const { rows } = await ask(tx, 'c')
    return [first, second, await prepared(tx, 'prepared_once'), rows]
  })
  expect(counts).toEqual([0, 1, 1, [{ prepared_once: 'c' }]])
})

test('texts without values, and those of many rows, are not prepared', () => {
  const names = new StatementNames()
  const twice = (text: string, parameters: number) => [names.nameOf(text, parameters), names.nameOf(text, parameters)]
  expect(twice('begin', 0)).toEqual([undefined, undefined])
  expect(twice('insert into …', 101)).toEqual([undefined, undefined])
  expect(twice('select $1', 1)).toEqual([undefined, 'statement_1'])
})

test('endless texts use up neither names nor memory', () => {
  const names = new StatementNames()
  const named = new Set<string>()
  for (let n = 0; n < 10_000; n += 1) {
    names.nameOf(`select $1 -- ${n}`, 1)
    named.add(names.nameOf(`select $1 -- ${n}`, 1) ?? 'none')
  }
  expect(named.size).toBe(401)
})

test('a table that changes is read as it is now', async () => {
  const { ownerPool } = world.database
  await ownerPool.query('create table prepared_test (a int); grant select on prepared_test to app_user')
  await ownerPool.query('insert into prepared_test values (1)')
  const read = () =>
    admin.transaction(async (tx) => (await sql`select * from prepared_test where a = ${1}`.execute(tx)).rows)
  await read()
  await read()
  expect(await read()).toEqual([{ a: 1 }])
  await ownerPool.query('alter table prepared_test add column b int default 2')
  expect(await read()).toEqual([{ a: 1, b: 2 }])
  await ownerPool.query('drop table prepared_test')
})

test('behind a pooler that keeps no prepared statements everything continues without them', async () => {
  const other = await testDatabase()
  try {
    const caller = await other.as('admin')
    const ask = (tx: Tx) => sql`select ${'x'}::text as behind_pooler`.execute(tx)
    let attempts = 0
    const answer = await caller.transaction(async (tx) => {
      attempts += 1
      await ask(tx)
      await ask(tx)
      if (attempts === 1) await sql`deallocate all`.execute(tx)
      return { rows: (await ask(tx)).rows, prepared: await prepared(tx, 'behind_pooler') }
    })
    expect(answer).toEqual({ rows: [{ behind_pooler: 'x' }], prepared: 0 })
    expect(attempts).toBe(2)
  } finally {
    await other.close()
  }
})
