import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase, type Database, type TransactionScope } from './database.ts'
import { startPglite } from './pglite.ts'

// PGlite as the product's own database, on a folder; in memory it carries most other tests.

let root: string
beforeAll(async () => {
  root = await fs.mkdtemp(path.join(os.tmpdir(), 'tour-operations-pglite-'))
})
afterAll(() => fs.rm(root, { recursive: true, force: true }))

const log = pino({ level: 'silent' })
const scope: TransactionScope = { orgId: null, actor: { kind: 'system', id: null }, action: 'test', requestId: 'test' }
const open = (): Promise<Database> => openDatabase({ dataDir: root, embeddedEngine: 'pglite', log })

// PGlite compiles and fills a database on each start: ten seconds for the two on a quiet machine.
const twoStartsMs = 60_000

test(
  'what was written is there after the next start, and one process at a time has the folder',
  async () => {
    const first = await open()
    await first.ownerPool.query(
      'create role app_user nologin; create table kept as select 42 as answer; grant select on kept to app_user',
    )
    await expect(open()).rejects.toThrow(`The folder ${root}/pglite is in use by process ${process.pid}.`)
    await first.close()
    const second = await open()
    const { rows } = await second.transaction(scope, (tx) =>
      sql`select answer, current_user as name from kept`.execute(tx),
    )
    expect([second.kind, rows]).toEqual(['pglite', [{ answer: 42, name: 'app_user' }]])
    await second.close()
  },
  twoStartsMs,
)

test('transactions wait for the one connection and do not mix', async () => {
  const database = await open()
  const seen = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      database.transaction({ ...scope, requestId: String(index) }, async (tx) => {
        await sql`select pg_sleep(0.001)`.execute(tx)
        const { rows } = await sql<{ id: string }>`select current_setting('app.request_id') as id`.execute(tx)
        return rows[0]?.id
      }),
    ),
  )
  expect(seen).toEqual(Array.from({ length: 20 }, (_, index) => String(index)))
  await database.close()
})

test('maintenance does what a server does in the background', async () => {
  const server = await startPglite({}, log)
  await server.pool.query('create table used as select generate_series(1, 1000) as n')
  await server.maintain()
  const { rows } = await server.pool.query(`select reltuples::int as counted from pg_class where relname = 'used'`)
  expect(rows).toEqual([{ counted: 1000 }])
  await server.stop()
})
