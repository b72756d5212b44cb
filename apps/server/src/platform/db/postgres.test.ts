import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Pool, PoolClient } from 'pg'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { migrateDatabase, openDatabase, type Database, type TransactionScope } from './database.ts'
import { ensureApplicationLogin } from './logins.ts'
import { migrate, readMigrations, type Migration } from './migrate.ts'
import { inTransaction, longWork, makePool, withoutLimits } from './pool.ts'

// What only a real server has: several connections, several processes, cancellation. Runs whatever TEST_DATABASE says.

const log = pino({ level: 'silent' })
let root: string
let database: Database
beforeAll(async () => {
  root = await fs.mkdtemp(path.join(os.tmpdir(), 'tour-operations-postgres-'))
  await fs.chmod(root, 0o755)
  database = await openDatabase({ dataDir: root, embeddedEngine: 'postgres', log })
  await migrateDatabase(database, log)
})
afterAll(async () => {
  await database.close()
  await fs.rm(root, { recursive: true, force: true })
})

const scope: TransactionScope = { orgId: null, actor: { kind: 'system', id: null }, action: 'test', requestId: 'test' }

const runningQueries = async (pool: Pool, text: string): Promise<number> =>
  (
    await pool.query(
      `select from pg_stat_activity where state = 'active' and query like $1 and pid <> pg_backend_pid()`,
      [text],
    )
  ).rowCount ?? 0

test('many processes that start at once make the logins without getting into each other’s way', async () => {
  const { host, user, port } = database.ownerPool.options
  const admin = { host, user, port, database: 'postgres' }
  const made = await Promise.allSettled(Array.from({ length: 40 }, () => ensureApplicationLogin(admin)))
  expect(made.filter(({ status }) => status === 'rejected')).toEqual([])
})

test('the application’s login is no superuser, and row-level security binds it', async () => {
  const { rows } = await database.pool.query(
    `select current_user as name, rolsuper, rolbypassrls, rolcreaterole from pg_roles where rolname = current_user`,
  )
  expect(rows).toEqual([{ name: 'app_login', rolsuper: false, rolbypassrls: false, rolcreaterole: false }])
  await database.ownerPool.query(`insert into organizations (org_id, name) values ('org_hidden', 'Hidden')`)
  expect((await database.pool.query('select from organizations')).rowCount).toBe(0)
})

test('an abort ends the running query: it is gone from pg_stat_activity and the connection works on', async () => {
  const abort = new AbortController()
  const startedAt = performance.now()
  const long = database.transaction({ ...scope, signal: abort.signal }, (tx) => sql`select pg_sleep(30)`.execute(tx))
  await expect.poll(() => runningQueries(database.ownerPool, '%pg_sleep(30)%')).toBe(1)
  abort.abort()
  await expect(long).rejects.toMatchObject({ code: 'cancelled' })
  expect(performance.now() - startedAt).toBeLessThan(10_000)
  expect(await runningQueries(database.ownerPool, '%pg_sleep(30)%')).toBe(0)
  expect(await database.transaction(scope, async (tx) => (await sql`select 1`.execute(tx)).rows.length)).toBe(1)
})

test('two hundred aborts at random moments never hit somebody else’s query', async () => {
  const outcomes = await Promise.all(
    Array.from({ length: 200 }, async (_, index) => {
      if (index % 2 === 0) {
        const { rows } = await database.transaction(scope, (tx) =>
          sql`select pg_sleep(0.004), ${index}::int as n`.execute(tx),
        )
        return (rows[0] as { n: number }).n === index ? 'kept' : 'wrong'
      }
      const abort = new AbortController()
      setTimeout(() => abort.abort(), Math.random() * 40)
      return database
        .transaction({ ...scope, signal: abort.signal }, (tx) => sql`select pg_sleep(0.004)`.execute(tx))
        .then(
          () => 'finished',
          (error: { code?: string }) => error.code,
        )
    }),
  )
  expect(outcomes.filter((_, index) => index % 2 === 0).every((outcome) => outcome === 'kept')).toBe(true)
  expect(
    outcomes
      .filter((_, index) => index % 2 === 1)
      .every((outcome) => outcome === 'finished' || outcome === 'cancelled'),
  ).toBe(true)
})

test('two transactions that deadlock both succeed in the end', async () => {
  await database.ownerPool.query(
    `create table crossing (id int primary key, passed int); insert into crossing values (1, 0), (2, 0); grant all on crossing to app_user`,
  )
  const cross = (first: number, second: number): Promise<void> =>
    database.transaction(scope, async (tx) => {
      await sql`update crossing set passed = passed + 1 where id = ${first}`.execute(tx)
      await sleep(50)
      await sql`update crossing set passed = passed + 1 where id = ${second}`.execute(tx)
    })
  await Promise.all([cross(1, 2), cross(2, 1)])
  const { rows } = await database.pool.query('select passed from crossing order by id')
  expect(rows).toEqual([{ passed: 2 }, { passed: 2 }])
})

test('a connection that breaks in the middle is "unavailable", and the next transaction gets another one', async () => {
  const broken = database.transaction(scope, async (tx) => {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx)
    await database.ownerPool.query('select pg_terminate_backend($1)', [rows[0]?.pid])
    await sql`select 1`.execute(tx)
  })
  await expect(broken).rejects.toMatchObject({ code: 'unavailable' })
  expect(await database.transaction(scope, async (tx) => (await sql`select 1`.execute(tx)).rows.length)).toBe(1)
})

const limits = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout']
const limitsOf = async (connection: Pool | PoolClient): Promise<string[]> => {
  const shown: string[] = []
  for (const name of limits)
    shown.push(Object.values((await connection.query(`show ${name}`)).rows[0] as object).join())
  return shown
}
const usual = ['70s', '15s', '15s']

test('the application and the owner have the same limits of time, embedded and at an address', async () => {
  const { host, port } = database.ownerPool.options
  const databaseUrl = `postgresql://app_owner@localhost:${port}/tour_operations?host=${host}`
  const byAddress = await openDatabase({ databaseUrl, dataDir: root, log })
  try {
    // a server run by somebody else has no child process of ours
    await database.ownerPool.query('alter system set idle_in_transaction_session_timeout = 0')
    for (const { pool, ownerPool } of [database, byAddress])
      expect([await limitsOf(pool), await limitsOf(ownerPool)]).toEqual([usual, usual])
  } finally {
    await database.ownerPool.query('alter system reset idle_in_transaction_session_timeout')
    await byAddress.close()
  }
})

test('long work of the owner has no limits of time, and leaves them as they were, also where it fails', async () => {
  const { Client: _class, ...options } = database.ownerPool.options
  const pool = makePool({ ...options, max: 1 }, log)
  try {
    const inside = await withoutLimits(pool, (client) => limitsOf(client))
    expect(inside).toEqual(['0', '0', '0'])
    expect(await limitsOf(pool)).toEqual(usual)
    const failed = withoutLimits(pool, (client) => client.query('begin; select 1 / 0'))
    await expect(failed).rejects.toThrow('division by zero')
    expect(await limitsOf(pool)).toEqual(usual)
    const local = await inTransaction(pool, async (client) => {
      await client.query(longWork)
      return limitsOf(client)
    })
    expect(local).toEqual(['0', '1min', '0'])
    expect(await limitsOf(pool)).toEqual(usual)
  } finally {
    await pool.end()
  }
})

test('an upgrade takes as long as it takes', async () => {
  const { host, port } = database.ownerPool.options
  await database.ownerPool.query('create database slow_upgrade')
  const pool = makePool({ host, port, user: 'app_owner', database: 'slow_upgrade', statement_timeout: 200 }, log)
  const text = `select pg_sleep(0.5)`
  const slow: Migration = { name: '0001_slow.sql', text, hash: 'x' }
  expect(await migrate(pool, log, [slow])).toEqual([slow.name])
  await expect(pool.query(text)).rejects.toThrow('statement timeout')
  await pool.end()
})

test('listening survives a lost connection, and everybody is woken after it', async () => {
  const heard: string[] = []
  const stop = await database.listen('lost', (payload) => heard.push(payload))
  await database.ownerPool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'tour-operations listener'`,
  )
  await expect.poll(() => heard).toEqual([''])
  await database.pool.query(`select pg_notify('lost', 'found')`)
  await expect.poll(() => heard).toEqual(['', 'found'])
  await stop()
})

const migration = (name: string, text: string): Migration => ({ name, text, hash: `hash of ${text}` })

async function inOwnDatabase(name: string, work: (ownerPool: Pool) => Promise<void>): Promise<void> {
  await database.ownerPool.query(`create database ${name}`)
  const { host, port, user } = database.ownerPool.options
  const pool = makePool({ host, port, user, database: name, max: 4 }, log)
  try {
    await work(pool)
  } finally {
    await pool.end()
    await database.ownerPool.query(`drop database ${name} with (force)`)
  }
}

test('several processes may migrate at the same moment, every file runs once', async () => {
  await inOwnDatabase('together', async (pool) => {
    const files = [
      migration('0001_a.sql', 'create table a (n int); insert into a values (1)'),
      migration('0002_b.sql', 'insert into a values (2)'),
    ]
    const applied = await Promise.all([1, 2, 3].map(() => migrate(pool, log, files)))
    expect(applied.flat().toSorted()).toEqual(['0001_a.sql', '0002_b.sql'])
    expect((await pool.query('select n from a order by n')).rows).toEqual([{ n: 1 }, { n: 2 }])
  })
})

test('an upgrade of which one migration fails leaves the database as it was, and says where', async () => {
  await inOwnDatabase('failing', async (pool) => {
    const before = [migration('0001_a.sql', 'create table a (n int);')]
    const upgrade = [
      ...before,
      migration('0002_b.sql', 'alter table a add column m int; insert into a values (1, 1);'),
      migration('0003_c.sql', 'insert into a values (2, 2);\n\nselect wrong;'),
    ]
    await migrate(pool, log, before)
    await expect(migrate(pool, log, upgrade)).rejects.toThrow(
      'Migration 0003_c.sql, line 3: column "wrong" does not exist',
    )
    expect((await pool.query('select * from a')).fields.map(({ name }) => name)).toEqual(['n'])
    expect((await pool.query('select from a')).rowCount).toBe(0)
    expect((await pool.query('select name from migrations.applied')).rows).toEqual([{ name: '0001_a.sql' }])
  })
})

test('rows that a migration changes are checked before the next one alters their table', async () => {
  await inOwnDatabase('deferred', async (pool) => {
    const files = [
      migration(
        '0001_a.sql',
        'create table a (n int primary key); create table b (n int references a deferrable initially deferred);',
      ),
      migration('0002_b.sql', 'insert into b values (1); insert into a values (1);'),
      migration('0003_c.sql', 'alter table b add column m int;'),
    ]
    expect(await migrate(pool, log, files)).toHaveLength(3)
  })
})

test('a changed, a late and a missing migration are refused with a message', async () => {
  await inOwnDatabase('history', async (pool) => {
    await migrate(pool, log, [migration('0002_b.sql', 'select 1')])
    await expect(migrate(pool, log, [migration('0002_b.sql', 'select 2')])).rejects.toThrow(
      '0002_b.sql was changed after',
    )
    await expect(migrate(pool, log, [])).rejects.toThrow('The database is newer than this program: it holds 0002_b.sql')
    const late = [migration('0001_a.sql', 'select 1'), migration('0002_b.sql', 'select 1')]
    await expect(migrate(pool, log, late)).rejects.toThrow('0001_a.sql sorts before 0002_b.sql')
  })
})

test('with addresses an owner without superuser migrates, and the application’s own login gets its role', async () => {
  const { host, port } = database.ownerPool.options
  await database.ownerPool.query('create role an_owner login createrole')
  await database.ownerPool.query('create role an_application login')
  await database.ownerPool.query('grant app_user to an_owner with admin option')
  for (const role of ['app_recorder', 'app_directory', 'app_feed', 'app_janitor', 'app_search', 'app_positions']) {
    await database.ownerPool.query(`grant ${role} to an_owner with admin option`)
  }
  await database.ownerPool.query('grant app_own to an_owner with admin option')
  await database.ownerPool.query('create database by_address owner an_owner')
  const address = (user: string): string => `postgresql://${user}@localhost:${port}/by_address?host=${host}`
  const config = {
    databaseUrl: address('an_application'),
    migrationDatabaseUrl: address('an_owner'),
    dataDir: root,
    log,
  }
  const opened = await openDatabase(config)
  try {
    // a login with only the narrow role's rights would back up next to nothing
    await expect(migrateDatabase(opened, log)).rejects.toThrow('revoke inherit option for app_own from "an_owner"')
    await database.ownerPool.query('revoke inherit option for app_own from "an_owner"')
    expect(await migrateDatabase(opened, log)).toEqual([])
    const applied = await opened.ownerPool.query<{ name: string }>('select name from migrations.applied order by name')
    expect(applied.rows).toEqual((await readMigrations()).map(({ name }) => ({ name })))
    const { rows } = await opened.transaction(scope, (tx) =>
      sql`select current_user as name, (select count(*) from members) as members`.execute(tx),
    )
    expect([opened.kind, rows]).toEqual(['url', [{ name: 'app_user', members: 0 }]])
  } finally {
    await opened.close()
  }
})

test('an address that leads to a superuser is reported, and its transactions are restricted all the same', async () => {
  const { host, port } = database.ownerPool.options
  const said: string[] = []
  const opened = await openDatabase({
    databaseUrl: `postgresql://app_owner@localhost:${port}/tour_operations?host=${host}`,
    dataDir: root,
    log: pino({}, { write: (line) => said.push(line) }),
  })
  try {
    await migrateDatabase(opened, log)
    const { rows } = await opened.transaction(scope, (tx) =>
      sql`select current_user as name, (select count(*) from organizations) as seen`.execute(tx),
    )
    expect(rows).toEqual([{ name: 'app_user', seen: 0 }])
    expect(said.join('')).toContain('DATABASE_URL connects as app_owner, who stands above row-level security')
  } finally {
    await opened.close()
  }
})
