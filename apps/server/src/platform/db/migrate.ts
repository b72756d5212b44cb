import { createHash } from 'node:crypto'
import fs from 'node:fs/promises'
import path from 'node:path'
import type { Logger } from 'pino'
import type pg from 'pg'
import { StartRefused } from '../start-refused.ts'
import { longWork, withoutLimits } from './pool.ts'

/** The product's own migrations: `0001_name.sql` and so on, forward only. */
const migrationsFolder = path.resolve(import.meta.dirname, '../../../migrations')

/** Held while migrating, so that several processes may start together. The number is arbitrary. */
const advisoryLockKey = 7_263_548_117

export interface Migration {
  readonly name: string
  readonly text: string
  readonly hash: string
}

/** Reads the migrations in their order. */
export async function readMigrations(folder: string = migrationsFolder): Promise<Migration[]> {
  const names = (await fs.readdir(folder)).filter((name) => name.endsWith('.sql')).toSorted()
  return Promise.all(
    names.map(async (name) => {
      const text = await fs.readFile(path.join(folder, name), 'utf8')
      return { name, text, hash: createHash('sha256').update(text).digest('hex') }
    }),
  )
}

/**
 * Brings the schema up to date: every file that was not applied yet, all in one transaction, so that a version that cannot be reached leaves
 * the database as the version before left it.
 *
 * @returns names of the files applied now.
 * @throws StartRefused when an applied file was changed, when the database is newer than the files, or with file and line of the
 *   statement that failed.
 */
export async function migrate(
  ownerPool: pg.Pool,
  log: Logger,
  migrations?: readonly Migration[],
): Promise<readonly string[]> {
  const wanted = migrations ?? (await readMigrations())
  return withoutLimits(ownerPool, async (client) => {
    await client.query('select pg_advisory_lock($1)', [advisoryLockKey])
    try {
      return await applyMissing(client, wanted, log)
    } finally {
      await client.query('select pg_advisory_unlock($1)', [advisoryLockKey])
    }
  })
}

/**
 * What `migrate` would apply now.
 *
 * @throws StartRefused as `migrate` does, before anything is changed.
 */
export async function pendingMigrations(
  connection: pg.Pool | pg.PoolClient,
  migrations?: readonly Migration[],
): Promise<readonly Migration[]> {
  const wanted = migrations ?? (await readMigrations())
  const applied = await readApplied(connection)
  refuseUnexpectedHistory(applied, wanted)
  return wanted.filter(({ name }) => !applied.has(name))
}

/** Hashes of the applied files by name, in their order; none in an empty database. */
async function readApplied(connection: pg.Pool | pg.PoolClient): Promise<ReadonlyMap<string, string>> {
  const { rowCount } = await connection.query(`select where to_regclass('migrations.applied') is not null`)
  if (rowCount === 0) return new Map()
  const { rows } = await connection.query<{ name: string; hash: string }>(
    'select name, hash from migrations.applied order by name',
  )
  return new Map(rows.map((row) => [row.name, row.hash]))
}

async function applyMissing(client: pg.PoolClient, wanted: readonly Migration[], log: Logger): Promise<string[]> {
  const missing = await pendingMigrations(client, wanted)
  await client.query('begin')
  try {
    await client.query(longWork)
    await client.query(`create schema if not exists migrations`)
    await client.query(`create table if not exists migrations.applied (
      name text primary key, hash text not null, applied_at timestamptz not null default clock_timestamp())`)
    for (const migration of missing) {
      const startedAt = performance.now()
      await applyOne(client, migration)
      log.info({ migration: migration.name, tookMs: Math.round(performance.now() - startedAt) }, 'migration applied')
    }
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  }
  return missing.map((migration) => migration.name)
}

function refuseUnexpectedHistory(applied: ReadonlyMap<string, string>, wanted: readonly Migration[]): void {
  const names = new Set(wanted.map((migration) => migration.name))
  const unknown = [...applied.keys()].filter((name) => !names.has(name))
  if (unknown.length > 0) {
    throw new StartRefused(
      `The database is newer than this program: it holds ${unknown.join(', ')}.\n` +
        '- Start the newer version.\n' +
        '- To go back to this one, restore a backup from before the upgrade into an empty place: npm run restore -- FILE. The embedded ' +
        'database made one in DATA_DIR/backups.',
    )
  }
  const changed = wanted.find(
    (migration) => applied.has(migration.name) && applied.get(migration.name) !== migration.hash,
  )
  if (changed) {
    throw new StartRefused(
      `Migration ${changed.name} was changed after it had been applied to this database. Migrations only go forward: ` +
        'restore the file and put the change into a new one.',
    )
  }
  const newest = [...applied.keys()].at(-1) ?? ''
  const late = wanted.find((migration) => !applied.has(migration.name) && migration.name < newest)
  if (late) {
    throw new StartRefused(
      `Migration ${late.name} sorts before ${newest}, which is applied already. Give it a later number.`,
    )
  }
}

async function applyOne(client: pg.PoolClient, migration: Migration): Promise<void> {
  try {
    await client.query(migration.text)
    // What a file changed is checked before the next one alters its tables.
    await client.query('set constraints all immediate; set constraints all deferred')
    // A file may set a role for its statements; what follows is the owner's.
    await client.query('reset role')
    await client.query('insert into migrations.applied (name, hash) values ($1, $2)', [migration.name, migration.hash])
  } catch (error) {
    throw new StartRefused(
      `Migration ${migration.name}${lineOf(error, migration.text)}: ${(error as Error).message}\n` +
        'Nothing was changed: the database is as it was before this start, and the version before starts on it.',
      { cause: error },
    )
  }
}

/** `, line 12`, when the server reported the position of the error. */
function lineOf(error: unknown, text: string): string {
  const position = error instanceof Error && 'position' in error ? Number(error.position) : Number.NaN
  return Number.isNaN(position) ? '' : `, line ${text.slice(0, position).split('\n').length}`
}
