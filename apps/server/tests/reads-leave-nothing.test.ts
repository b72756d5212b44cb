import { callables } from '@tour-ops/contract/callables'
import type { Callable } from '@tour-ops/contract/callable'
import { createLink, getSharedPage } from '@tour-ops/contract/links/links'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database, Tx } from '../src/platform/db/database.ts'
import { newId } from '../src/platform/ids.ts'
import { execute } from '../src/platform/verb.ts'
import { boardingTour } from '../testing/operations.ts'
import { foreignProbes, type OwnRecords } from '../testing/foreign-inputs.ts'
import { verbsOf } from '../testing/verbs.ts'
import { requestMeta, type TestCaller, testDatabase, type TestWorld } from '../testing/world.ts'
import { allVerbs } from '../src/verbs.ts'
import { samplesOf } from '../testing/row-writer.ts'

// Reads are repeated by the browser when no answer came. What one of them writes would then be there twice.

/** Reads that leave a mark: the tables, and why a repetition does no harm. */
const marks: Readonly<Record<string, { readonly tables: readonly string[]; readonly why: string }>> = {
  'share-get': {
    tables: ['audit_entries', 'changes', 'link_accesses', 'shared_links'],
    why: 'a visit of a guest is counted once, by the id that the tab made for it',
  },
  'travelers-export': {
    tables: ['audit_entries'],
    why: 'who took the list of travelers away is recorded; asked twice, it was taken twice',
  },
}

/** Of the samples only the rows are there: what reads the contents of their files finds nothing. */
const withoutContent: readonly string[] = ['files-link', 'imports-rejected-csv']

const verbOf = verbsOf(allVerbs)
const reads = callables.filter(({ kind }) => kind === 'read')

let world: TestWorld
let caller: TestCaller
let own: OwnRecords
let token: string

beforeAll(async () => {
  world = await testDatabase()
  caller = await world.as('admin')
  const samples = await samplesOf(caller)
  own = { userId: caller.userId, id: samples.id, version: () => 1, running: await boardingTour(caller, 1) }
  const subject = { kind: 'departure_guest', subjectId: own.running.departureId, label: 'Probe' } as const
  token = (await caller.call(verbOf(createLink), subject)).token
}, 120_000)
afterAll(() => world.close())

/** Rows written by this connection so far, by table; looked at twice, since those of earlier transactions may still be among them. */
async function writtenSoFar(tx: Tx): Promise<Map<string, number>> {
  const { rows } = await sql<{ table: string; rows: number }>`
    select relname as table, n_tup_ins + n_tup_upd + n_tup_del as rows from pg_stat_xact_user_tables`.execute(tx)
  return new Map(rows.map(({ table, rows: count }) => [table, count]))
}

/** The database, with a list of the tables to which its transactions write. */
function watched(database: Database): { db: Database; tables: Set<string> } {
  const tables = new Set<string>()
  const transaction: Database['transaction'] = (scope, run) =>
    database.transaction(scope, async (tx) => {
      const before = await writtenSoFar(tx)
      const result = await run(tx)
      for (const [table, rows] of await writtenSoFar(tx)) if (rows !== (before.get(table) ?? 0)) tables.add(table)
      return result
    })
  return { db: { ...database, transaction }, tables }
}

/** How many rows each table of the whole database has. */
async function rowCounts(): Promise<string> {
  const { ownerPool } = world.database
  const { rows } = await ownerPool.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
     where schemaname not in ('pg_catalog', 'information_schema') order by 1`,
  )
  const counts: string[] = []
  for (const { name } of rows) {
    const counted = await ownerPool.query<{ n: number }>(`select count(*)::int as n from ${name}`)
    counts.push(`${name} ${String(counted.rows[0]?.n)}`)
  }
  return counts.join('\n')
}

/** Runs a read as its callers do, with an input that is right. */
async function read(callable: Callable): Promise<readonly string[]> {
  const { db, tables } = watched(world.database)
  const isShared = callable.name === getSharedPage.name
  const input = isShared ? { token, visit: newId() } : (foreignProbes[callable.name]?.input?.(own) ?? {})
  const person = callable.permission === 'public' ? null : caller.caller
  const asked = execute({ ...world.services, db }, requestMeta(), person, verbOf(callable), input)
  if (withoutContent.includes(callable.name)) await expect(asked).rejects.toMatchObject({ name: 'AppError' })
  else await asked
  return [...tables].toSorted()
}

describe('a read leaves nothing behind', () => {
  test.each(reads.map((callable) => ({ callable, name: callable.name })))('$name', async ({ callable }) => {
    const jobs = world.enqueued.length
    const before = await rowCounts()
    const written = await read(callable)
    expect(written).toEqual(marks[callable.name]?.tables ?? [])
    if (written.length > 0) return
    expect(world.enqueued.length).toBe(jobs)
    expect(await rowCounts()).toBe(before)
  })
})

test('what leaves a mark is a read, with a reason', () => {
  for (const [name, { why }] of Object.entries(marks)) {
    expect(reads.map((callable) => callable.name)).toContain(name)
    expect(why).not.toBe('')
  }
})
