import type { Logger } from 'pino'
import { Pool, types, type PoolClient } from 'pg'
import type { Connection } from './primary.ts'

/** Connections of one process to the server it started; the rest of `max_connections` is for other processes. */
export const applicationPoolSize = 10
export const ownerPoolSize = 4

// Longest time a caller waits for a free connection, longer than any callable may take (spec, section 9: 70 s) is of no use.
const connectTimeoutMs = 15_000

/** A pool of connections in which every client has an error handler. */
export function makePool(config: Connection, log: Logger): Pool {
  readNumbersAndDatesAsPlainValues()
  const pool = new Pool({
    connectionTimeoutMillis: connectTimeoutMs,
    idleTimeoutMillis: 30_000,
    ...config,
  })
  // `pool.end()` resolves before the sockets are closed, and a server that stops or restarts breaks idle clients: without
  // handlers either ends the process. The next query meets the same error and reports it to its caller.
  pool.on('connect', (client) => client.on('error', (error) => log.debug({ err: error }, 'database connection closed')))
  pool.on('error', (error) => log.debug({ err: error }, 'idle database connection closed'))
  return pool
}

/**
 * First statement of a transaction that may be long and has no caller who waits: an upgrade, a backup, a restore. A lock that somebody else
 * holds still ends it, since everybody else would wait behind it.
 */
export const longWork = `set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0;
  set local lock_timeout = '60s'`

/** Runs statements in one transaction on a connection of the pool; whatever fails is rolled back and thrown. */
export async function inTransaction<T>(pool: Pool, run: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    const result = await run(client)
    await client.query('commit')
    return result
  } catch (error) {
    // On a connection that broke there is nothing left to roll back.
    await client.query('rollback').catch(() => undefined)
    throw error
  } finally {
    client.release()
  }
}

/** Lifts the pool's limits of time for a connection, until it is closed or they are reset. */
export const noLimits = 'set statement_timeout = 0; set lock_timeout = 0; set idle_in_transaction_session_timeout = 0'

/**
 * Runs statements without the pool's limits of time on a connection of the pool: a wait for work of the same kind in another process, or
 * what takes as long as the tables are large. The limits are back before the connection is.
 */
export async function withoutLimits<T>(pool: Pool, run: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  try {
    await client.query(noLimits)
    return await run(client)
  } finally {
    // A connection that is broken, or was left in the middle of something, is closed.
    await client.query('reset statement_timeout; reset lock_timeout; reset idle_in_transaction_session_timeout').then(
      () => client.release(),
      (error: Error) => client.release(error),
    )
  }
}

/**
 * How values arrive in TypeScript: int8 as number (as text beyond 2^53, so that nothing is rounded), `date` as `YYYY-MM-DD`,
 * `time` as `HH:MM:SS`,
 * `timestamp` as `YYYY-MM-DD HH:MM:SS`, ranges and numeric as text, timestamptz as Date. Set globally, since PGlite's adapter knows no
 * parsers of a single query.
 */
function readNumbersAndDatesAsPlainValues(): void {
  types.setTypeParser(oids.int8, numberWhereSafe)
  types.setTypeParser(oids.date, asWritten)
  types.setTypeParser(oids.timestamp, asWritten)
  types.setTypeParser(oids.int8Array, (value) => parseArray(value, numberWhereSafe))
  types.setTypeParser(oids.dateArray, (value) => parseArray(value, asWritten))
  types.setTypeParser(oids.timestampArray, (value) => parseArray(value, asWritten))
}

/** Object identifiers of built-in types; they are the same in every PostgreSQL. Source: PostgreSQL, pg_type.dat. */
const oids = { int8: 20, date: 1082, timestamp: 1114, int8Array: 1016, dateArray: 1182, timestampArray: 1115 }

const asWritten = (value: string): string => value

function numberWhereSafe(value: string): number | string {
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : value
}

/** Reads a one-dimensional array literal of numbers or times: `{1,2,NULL}`, `{"2026-01-31 09:00:00"}`. */
const parseArray = <T>(literal: string, parse: (value: string) => T): (T | null)[] =>
  literal === '{}'
    ? []
    : literal
        .slice(1, -1)
        .replaceAll('"', '')
        .split(',')
        .map((value) => (value === 'NULL' ? null : parse(value)))
