import { PGlite } from '@electric-sql/pglite'
import { btree_gist } from '@electric-sql/pglite/contrib/btree_gist'
import { citext } from '@electric-sql/pglite/contrib/citext'
import { pgcrypto } from '@electric-sql/pglite/contrib/pgcrypto'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { unaccent } from '@electric-sql/pglite/contrib/unaccent'
import { createPgConfig } from '@electric-sql/pglite/node-postgres'
import type { Logger } from 'pino'
import type pg from 'pg'
import { makePool } from './pool.ts'
import type { Connection } from './primary.ts'

/** PostgreSQL compiled to WebAssembly, inside this process: one connection, no fsync, no background work. */
export interface PgliteServer {
  readonly lite: PGlite
  readonly pool: pg.Pool
  /** Does what PostgreSQL's background processes would do: new statistics, dead rows removed, log written to the tables. */
  maintain(): Promise<void>
  stop(): Promise<void>
}

export interface PgliteOptions {
  /** A folder of the disk; in memory without one. */
  readonly folder?: string
  /** A dump of a data folder to start from instead of an empty database. */
  readonly loadDataDir?: Blob
}

/** Opens PGlite behind the same kind of pool as the other databases. The caller holds the lock on the folder. */
export async function startPglite(options: PgliteOptions, log: Logger): Promise<PgliteServer> {
  const lite = await PGlite.create({
    ...(options.folder === undefined ? {} : { dataDir: options.folder }),
    ...(options.loadDataDir === undefined ? {} : { loadDataDir: options.loadDataDir }),
    extensions: { btree_gist, citext, pg_trgm, pgcrypto, unaccent },
    // Without a background checkpointer the log grows to its limit: 724 MB instead of 308 MB after the same load.
    startParams: [...PGlite.defaultStartParams, '-c', 'max_wal_size=64MB', '-c', 'timezone=UTC'],
  })
  const adapter = createPgConfig(lite)
  // Spread alone loses `connection`, which is the adapter itself; its type is not pg's Connection but does what pg needs.
  const config = {
    ...adapter,
    connection: adapter.connection,
    max: 1,
    idleTimeoutMillis: 0,
  } as unknown as Connection
  const pool = makePool(config, log)
  return {
    lite,
    pool,
    maintain: async () => {
      await pool.query('vacuum (analyze)')
      await pool.query('checkpoint')
    },
    stop: async () => {
      await pool.end()
      await lite.close()
    },
  }
}
