import path from 'node:path'
import { Kysely, PostgresDialect } from 'kysely'
import type { Logger } from 'pino'
import type { Pool } from 'pg'
import { EmbeddedUnavailable } from './embedded.ts'
import { lockFolder } from './folder-lock.ts'
import { findEmbedded, startEmbedded } from './launcher.ts'
import { Listener } from './listener.ts'
import { checkApplicationLogin, databaseName, ensureApplicationLogin, letApplicationIn } from './logins.ts'
import { migrate } from './migrate.ts'
import { startPglite, type PgliteServer } from './pglite.ts'
import { applicationPoolSize, makePool, ownerPoolSize } from './pool.ts'
import { followPrimary, newClient, type Connection } from './primary.ts'
import { withPreparedStatements } from './prepared-statements.ts'
import type { Tables } from './tables.ts'
import { runTransaction, type TransactionScope, type Tx } from './transaction.ts'

export type { TransactionScope, Tx }

export interface Database {
  readonly kind: 'url' | 'embedded' | 'pglite'
  /** Connections of the application: no row of any organization is visible outside `transaction`. */
  readonly pool: Pool
  /** Connections of the owner, for migrations, jobs and identity. On PGlite it is the same single connection. */
  readonly ownerPool: Pool
  readonly kysely: Kysely<Tables>
  /**
   * Runs `run` in one transaction inside the scope. Serialization failures and deadlocks are repeated up to three times,
   * so `run` touches nothing but its transaction.
   *
   * @throws AppError for refusals by constraint, `cancelled` or `deadline-exceeded` after an abort of the signal.
   */
  transaction<T>(scope: TransactionScope, run: (tx: Tx) => Promise<T>): Promise<T>
  /**
   * Calls back for every NOTIFY on the channel. After a lost connection it reconnects by itself and calls once with an empty
   * payload, since what was sent meanwhile is lost.
   *
   * @returns Stops listening.
   */
  listen(channel: string, onNotify: (payload: string) => void): Promise<() => Promise<void>>
  /** False while our own PostgreSQL is down and being started again. A server at an address is not ours to watch. */
  isRunning(): boolean
  close(): Promise<void>
}

export interface DatabaseConfig {
  /** Address of the application's login; without it the database is embedded. */
  readonly databaseUrl?: string | null
  /** Address of the owner, who migrates. */
  readonly migrationDatabaseUrl?: string | null
  /** Folder for everything that is stored: the embedded database is below it. */
  readonly dataDir: string
  /** `auto` prefers PostgreSQL and falls back to PGlite with a warning. */
  readonly embeddedEngine?: 'auto' | 'postgres' | 'pglite'
  /** Most connections of each of the two pools, where an address is given; many small instances share one server. */
  readonly poolSize?: number
  readonly log: Logger
  /** Our own PostgreSQL ended and could not be started again. */
  readonly onLost?: (error: Error) => void
}

/**
 * Opens the database that the configuration names: an address, or the embedded one below `dataDir`. Nothing is migrated yet.
 *
 * @throws Error with a message for the person who starts the program.
 */
export async function openDatabase(config: DatabaseConfig): Promise<Database> {
  if (config.databaseUrl) return openUrl(config.databaseUrl, config)
  if (config.embeddedEngine === 'pglite') return openPgliteFolder(config.dataDir, config.log)
  try {
    return await openEmbedded(config)
  } catch (error) {
    if (!(error instanceof EmbeddedUnavailable) || config.embeddedEngine === 'postgres') throw error
    config.log.warn(
      `WARNING: ${error.message}. The database runs inside this process instead (PGlite): one process only, and a power ` +
        'failure may cost the latest changes. For real work give a PostgreSQL with DATABASE_URL.',
    )
    return openPgliteFolder(config.dataDir, config.log)
  }
}

/**
 * Opens the database for a command: next to a server that runs on it, or as `openDatabase` where none runs.
 *
 * @throws Error with a message for the person who started the command.
 */
export async function openDatabaseBeside(config: DatabaseConfig): Promise<Database> {
  const admin = config.databaseUrl ? null : await findEmbedded(config.dataDir, config.log)
  if (!admin) return openDatabase(config)
  const owner = { ...admin, database: databaseName }
  // as the owner, who takes the application's role for each transaction
  return connectDatabase('embedded', { application: owner, owner }, config.log, async () => undefined)
}

/**
 * Brings the schema up to date and lets the application's login use it. Several processes may do so at once.
 *
 * @returns names of the migrations applied now.
 */
export async function migrateDatabase(database: Database, log: Logger): Promise<readonly string[]> {
  const applied = await migrate(database.ownerPool, log)
  if (database.kind === 'url') await letApplicationIn(database)
  return applied
}

/**
 * Of every connection, the application's and the owner's, whatever the server's own settings are; long work of the owner lifts them for
 * itself (`longWork`). A callable may take 70 s (spec, section 9). A process that stops in the middle of a transaction holds its locks and
 * its connection no longer than 15 s. What waits for a file, or reads one, does so between transactions (`slowVerb`, jobs).
 */
const limits = { statement_timeout: 70_000, lock_timeout: 15_000, idle_in_transaction_session_timeout: 15_000 }

interface Connections {
  /** The application's login. */
  readonly application: Connection
  readonly owner: Connection
}

/** Opens pools on a PostgreSQL server; `stop` runs after they are closed. */
export function connectDatabase(
  kind: 'url' | 'embedded',
  connections: Connections,
  log: Logger,
  stop: () => Promise<void>,
  isRunning: () => boolean = () => true,
): Database {
  const application = { application_name: 'tour-operations', ...limits, ...connections.application }
  const pool = makePool({ max: applicationPoolSize, ...application }, log)
  const ownerPool = makePool(
    { max: ownerPoolSize, application_name: 'tour-operations owner', ...limits, ...connections.owner },
    log,
  )
  const listener = new Listener(application, log)
  const kysely = queryBuilder(pool, log)
  const cancelBackend = (pid: number): Promise<void> => cancelQuery(application, pid, log)
  const deps = { kysely, log, cancelBackend }
  return {
    kind,
    pool,
    ownerPool,
    kysely,
    transaction: (scope, run) => runTransaction(deps, scope, run),
    listen: (channel, onNotify) => listener.listen(channel, onNotify),
    isRunning,
    close: once(async () => {
      await Promise.all([listener.close(), pool.end(), ownerPool.end()])
      await stop()
    }),
  }
}

const queryBuilder = (pool: Pool, log: Logger): Kysely<Tables> =>
  new Kysely<Tables>({ dialect: new PostgresDialect({ pool: withPreparedStatements(pool, log) }) })

/** A separate connection: a cancellation must not wait for a place in the pool that the canceled query holds. */
async function cancelQuery(config: Connection, pid: number, log: Logger): Promise<void> {
  const client = newClient(config, { connectionTimeoutMillis: 5_000 })
  client.on('error', (error) => log.debug({ err: error }, 'canceling connection failed'))
  try {
    await client.connect()
    await client.query('select pg_cancel_backend($1)', [pid])
    await client.end()
  } catch (error) {
    log.warn({ err: error, pid }, 'could not cancel a query')
  }
}

async function openEmbedded({ dataDir, log, onLost }: DatabaseConfig): Promise<Database> {
  const server = await startEmbedded(dataDir, log, onLost ? { onLost } : {})
  try {
    const { application, owner } = await ensureApplicationLogin(server.admin)
    const isRunning = (): boolean => server.isRunning
    return connectDatabase('embedded', { application, owner }, log, () => server.stop(), isRunning)
  } catch (error) {
    await server.stop()
    throw error
  }
}

async function openUrl(url: string, { migrationDatabaseUrl, poolSize, log }: DatabaseConfig): Promise<Database> {
  const size = poolSize === undefined ? {} : { max: poolSize }
  const followed = followPrimary(url, log)
  const followedByOwner = followPrimary(migrationDatabaseUrl ?? url, log)
  const stop = async (): Promise<void> => {
    followed.stop()
    followedByOwner.stop()
  }
  const application = { ...followed.connection, ...size }
  const owner = { ...followedByOwner.connection, ...size }
  try {
    await checkApplicationLogin(application, log)
    return connectDatabase('url', { application, owner }, log, stop)
  } catch (error) {
    await stop()
    throw error
  }
}

async function openPgliteFolder(dataDir: string, log: Logger): Promise<Database> {
  const folder = path.resolve(dataDir, 'pglite')
  const lock = lockFolder(folder)
  try {
    const server = await startPglite({ folder }, log)
    const stopMaintaining = maintainRegularly(server, log)
    return fromPglite(server, log, async () => {
      stopMaintaining()
      await server.stop()
      lock.release()
    })
  } catch (error) {
    lock.release()
    throw error
  }
}

/** PGlite has no background processes: a checkpoint and a vacuum every hour are what its size needs. */
const maintenanceEveryMs = 3_600_000

function maintainRegularly(server: PgliteServer, log: Logger): () => void {
  const timer = setInterval(() => {
    server.maintain().catch((error: unknown) => log.warn({ err: error }, 'the maintenance of the database failed'))
  }, maintenanceEveryMs)
  timer.unref()
  return () => clearInterval(timer)
}

/** Puts PGlite behind the same interface. Its one connection is the superuser's. */
export function fromPglite(server: PgliteServer, log: Logger, stop: () => Promise<void>): Database {
  const { pool } = server
  const kysely = queryBuilder(pool, log)
  const deps = { kysely, log, cancelBackend: null }
  return {
    kind: 'pglite',
    pool,
    ownerPool: pool,
    kysely,
    transaction: (scope, run) => runTransaction(deps, scope, run),
    listen: async (channel, onNotify) => {
      // While the connection is ours no transaction is open: LISTEN inside one would be rolled back with it.
      const client = await pool.connect()
      try {
        const unlisten = await server.lite.listen(channel, onNotify)
        return () => unlisten()
      } finally {
        client.release()
      }
    },
    isRunning: () => true,
    close: once(stop),
  }
}

function once(close: () => Promise<void>): () => Promise<void> {
  let closing: Promise<void> | undefined
  return () => (closing ??= close())
}
