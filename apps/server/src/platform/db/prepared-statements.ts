import type { PostgresCursor, PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely'
import type { Logger } from 'pino'
import type { Pool, PoolClient } from 'pg'
import { isDatabaseError } from './violations.ts'

/** Statements with more parameters are inserts of many rows, whose texts hardly ever repeat. */
const maxParameters = 100
/** Each name costs memory on every connection (a plan takes up to half a megabyte). */
const maxNames = 400
/** Texts that were seen once, stored to notice the second time. */
const maxSeenOnce = 2_000

/** A table changed since the statement was prepared. Source: PostgreSQL, appendix A, feature_not_supported. */
const resultTypeChanged = '0A000'
/** The connection is not the one that prepared the statement: a pooler is in between. Source: PostgreSQL, appendix A. */
const namesOfAnotherConnection = ['26000', '42P05']

/**
 * Whether repeating the transaction helps after this error: the statements were prepared for a table that has changed since, or a
 * pooler hides the connection. Both are noticed by `withPreparedStatements`, which names statements differently from then on.
 */
export const isStalePreparation = (error: unknown): boolean =>
  isDatabaseError(error) &&
  (namesOfAnotherConnection.includes(error.code) ||
    (error.code === resultTypeChanged && /cached plan/.test(error.message)))

/**
 * The column in which a statement that takes a role answers with its name. A plan belongs to the role that it was made for: a name that
 * several roles share would be planned again at each change.
 */
export const roleColumn = 'database_role'

/** Which name a statement's text goes by. One for all connections of a pool: `pg` prepares it on each at its first use there. */
export class StatementNames {
  readonly #names = new Map<string, string>()
  readonly #seenOnce = new Set<string>()
  #isOff = false
  #made = 0

  /** The name from the second use on; undefined for texts that are not worth one. */
  nameOf(text: string, parameters: number, role = ''): string | undefined {
    if (this.#isOff || parameters === 0 || parameters > maxParameters) return undefined
    const key = `${role} ${text}`
    const name = this.#names.get(key)
    if (name !== undefined || this.#names.size >= maxNames) return name
    if (!this.#seenOnce.delete(key)) {
      this.#noteFirstUse(key)
      return undefined
    }
    this.#made += 1
    const made = `statement_${this.#made}`
    this.#names.set(key, made)
    return made
  }

  /** Forgets all names, so that every statement is prepared again, under a new one. */
  renew(): void {
    this.#names.clear()
  }

  /** Stops using names. */
  stop(): void {
    this.#isOff = true
    this.#names.clear()
    this.#seenOnce.clear()
  }

  #noteFirstUse(text: string): void {
    this.#seenOnce.add(text)
    if (this.#seenOnce.size <= maxSeenOnce) return
    for (const oldest of this.#seenOnce) {
      this.#seenOnce.delete(oldest)
      return
    }
  }
}

/**
 * The pool for the query builder: statements that repeat are prepared by name, which saves PostgreSQL planning the same text for
 * every call (most of a call's time). Where a pooler gives every transaction another connection and keeps no prepared statements
 * (PgBouncer before 1.21, or `max_prepared_statements = 0`), naming ends by itself.
 */
export function withPreparedStatements(pool: Pool, log: Logger, names = new StatementNames()): PostgresPool {
  // the query builder knows its connections by identity
  const clients = new WeakMap<PoolClient, PreparingClient>()
  return {
    options: pool.options,
    connect: async () => {
      const client = await pool.connect()
      const known = clients.get(client) ?? new PreparingClient(client, names, log)
      clients.set(client, known)
      return known
    },
    end: () => pool.end(),
  }
}

class PreparingClient implements PostgresPoolClient {
  readonly #client: PoolClient
  readonly #names: StatementNames
  readonly #log: Logger
  /** That the transaction has taken; empty for the login's own. */
  #role = ''

  constructor(client: PoolClient, names: StatementNames, log: Logger) {
    this.#client = client
    this.#names = names
    this.#log = log
  }

  query<R>(text: string, values: readonly unknown[]): Promise<PostgresQueryResult<R>>
  query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>
  query<R>(
    text: string | PostgresCursor<R>,
    values: readonly unknown[] = [],
  ): Promise<PostgresQueryResult<R>> | PostgresCursor<R> {
    if (typeof text !== 'string') throw new Error('Cursors are not used: read page by page.')
    return this.#query(text, [...values])
  }

  release(destroy?: boolean): void {
    this.#client.release(destroy)
  }

  async #query<R>(text: string, values: unknown[]): Promise<PostgresQueryResult<R>> {
    try {
      const name = this.#names.nameOf(text, values.length, this.#role)
      const result = await this.#client.query<object>(name === undefined ? { text, values } : { name, text, values })
      if (text === 'commit' || text === 'rollback') this.#role = ''
      this.#role = roleTaken(result.rows[0]) ?? this.#role
      return result as unknown as PostgresQueryResult<R>
    } catch (error) {
      if (isStalePreparation(error)) noteStale(error, this.#names, this.#log)
      throw error
    }
  }
}

/** The role that a statement has taken, where it was one of those. */
function roleTaken(row: object | undefined): string | undefined {
  return row && roleColumn in row && typeof row[roleColumn] === 'string' ? row[roleColumn] : undefined
}

function noteStale(error: unknown, names: StatementNames, log: Logger): void {
  if (isDatabaseError(error) && error.code === resultTypeChanged) return names.renew()
  names.stop()
  log.warn(
    'The pooler in front of the database keeps no prepared statements, so each is planned again, which costs about two thirds of ' +
      "the database's time. With PgBouncer, use 1.21 or newer and set max_prepared_statements.",
  )
}
