import { createHash } from 'node:crypto'
import fs from 'node:fs/promises'
import path from 'node:path'
import type { Logger } from 'pino'
import type pg from 'pg'

/** The product's own migrations: `0001_name.sql` and so on, forward only. */
const migrationsFolder = path.resolve(import.meta.dirname, '../../../migrations')

/** Held while migrating, so that several processes may start together. The number is ours and means nothing. */
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
 * Brings the schema up to date: every file that was not applied yet, each in one transaction of its own.
 *
 * @returns names of the files applied now.
 * @throws Error when an applied file was changed, when the database is newer than the files, or with file and line of the
 *   statement that failed; what came before it stays applied.
 */
export async function migrate(
  ownerPool: pg.Pool,
  log: Logger,
  migrations?: readonly Migration[],
): Promise<readonly string[]> {
  const wanted = migrations ?? (await readMigrations())
  const client = await ownerPool.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [advisoryLockKey])
    try {
      return await applyMissing(client, wanted, log)
    } finally {
      await client.query('select pg_advisory_unlock($1)', [advisoryLockKey])
    }
  } finally {
    client.release()
  }
}

async function applyMissing(client: pg.PoolClient, wanted: readonly Migration[], log: Logger): Promise<string[]> {
  await client.query(`create schema if not exists migrations`)
  await client.query(`create table if not exists migrations.applied (
    name text primary key, hash text not null, applied_at timestamptz not null default clock_timestamp())`)
  const { rows } = await client.query<{ name: string; hash: string }>(
    'select name, hash from migrations.applied order by name',
  )
  const applied = new Map(rows.map((row) => [row.name, row.hash]))
  refuseUnexpectedHistory(applied, wanted)
  const missing = wanted.filter((migration) => !applied.has(migration.name))
  for (const migration of missing) {
    const startedAt = performance.now()
    await applyOne(client, migration)
    log.info({ migration: migration.name, tookMs: Math.round(performance.now() - startedAt) }, 'migration applied')
  }
  return missing.map((migration) => migration.name)
}

function refuseUnexpectedHistory(applied: ReadonlyMap<string, string>, wanted: readonly Migration[]): void {
  const names = new Set(wanted.map((migration) => migration.name))
  const unknown = [...applied.keys()].filter((name) => !names.has(name))
  if (unknown.length > 0) {
    throw new Error(`The database is newer than this program: it holds ${unknown.join(', ')}. Start the newer version.`)
  }
  const changed = wanted.find(
    (migration) => applied.has(migration.name) && applied.get(migration.name) !== migration.hash,
  )
  if (changed) {
    throw new Error(
      `Migration ${changed.name} was changed after it had been applied to this database. Migrations only go forward: ` +
        'restore the file and put the change into a new one.',
    )
  }
  const newest = [...applied.keys()].at(-1) ?? ''
  const late = wanted.find((migration) => !applied.has(migration.name) && migration.name < newest)
  if (late)
    throw new Error(`Migration ${late.name} sorts before ${newest}, which is applied already. Give it a later number.`)
}

async function applyOne(client: pg.PoolClient, migration: Migration): Promise<void> {
  await client.query('begin')
  try {
    await client.query(migration.text)
    // A file may set a role for its statements; what follows is the owner's.
    await client.query('reset role')
    await client.query('insert into migrations.applied (name, hash) values ($1, $2)', [migration.name, migration.hash])
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw new Error(`Migration ${migration.name}${lineOf(error, migration.text)}: ${(error as Error).message}`, {
      cause: error,
    })
  }
}

/** `, line 12`, when the server said where in the text it stumbled. */
function lineOf(error: unknown, text: string): string {
  const position = error instanceof Error && 'position' in error ? Number(error.position) : Number.NaN
  return Number.isNaN(position) ? '' : `, line ${text.slice(0, position).split('\n').length}`
}
