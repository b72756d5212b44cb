import type pg from 'pg'
import { readConfig } from '../apps/server/src/config.ts'
import { startServer } from '../apps/server/src/server.ts'
import { accountOf } from '../apps/server/src/testing-boarding.ts'
import { freePort, signIn } from '../apps/server/src/testing-programs.ts'
import type { Recorded, Statement } from './bare-list-server.ts'
import { silent, type Prepared } from './prepared.ts'

/**
 * What our server sends to the database for each body of a call, word for word: from BEGIN to COMMIT, the settings of the
 * organization included. The look at the session, which comes before the transaction, is not in it.
 */
export async function recordTransactions(
  { dataDir }: Prepared,
  name: string,
  bodies: readonly string[],
): Promise<Recorded[]> {
  const limits = { RATE_LIMIT_IP: '0', RATE_LIMIT_USER: '0', RATE_LIMIT_IDENTITY: '0' }
  const config = readConfig({
    DATA_DIR: dataDir,
    DEMO: 'off',
    LOG_LEVEL: 'silent',
    PORT: String(await freePort()),
    ...limits,
  })
  const server = await startServer(config, silent)
  try {
    const { bearer } = await signIn(server.welcome.address, accountOf('dispatcher'))
    const recorded: Recorded[] = []
    for (const body of bodies) {
      const heard = listenIn(server.services.db.pool)
      const response = await fetch(`${server.welcome.address}/api/${name}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${bearer}` },
        body,
      })
      heard.stop()
      if (!response.ok) throw new Error(`${name} answered ${response.status}: ${await response.text()}`)
      recorded.push({ body, statements: withIds(heard.statements) })
    }
    return recorded
  } finally {
    await server.close()
  }
}

interface Heard {
  readonly text: string
  readonly values: readonly unknown[]
  readonly rows: readonly Record<string, unknown>[]
}

/** Hears what is sent on the next connection that somebody takes. */
function listenIn(pool: pg.Pool): { statements: Heard[]; stop: () => void } {
  const statements: Heard[] = []
  const connect = pool.connect.bind(pool) as (...given: unknown[]) => Promise<pg.PoolClient>
  pool.connect = (async (...given: unknown[]) => {
    // with a callback it is `pool.query`, which no transaction goes through
    if (given.length > 0) return connect(...given)
    const client = await connect()
    const query = client.query.bind(client) as (text: string, values?: unknown[]) => Promise<pg.QueryResult>
    client.query = (async (text: string | { text: string; values?: unknown[] }, values: unknown[] = []) => {
      const [statement, given] = typeof text === 'string' ? [text, values] : [text.text, text.values ?? values]
      const result = await query(statement, given)
      statements.push({ text: statement, values: given, rows: result.rows as Record<string, unknown>[] })
      return result
    }) as typeof client.query
    const release = client.release.bind(client)
    client.release = (error) => {
      client.query = query as typeof client.query
      release(error)
    }
    return client
  }) as typeof pool.connect
  return { statements, stop: () => (pool.connect = connect as typeof pool.connect) }
}

/** The second statement asks for the rows of the ids that the first has found; the peer must put its own there. */
function withIds(heard: readonly Heard[]): Statement[] {
  const begin = heard.findIndex(({ text }) => /^begin|^start transaction/i.test(text))
  const found = heard.flatMap(({ rows }) => rows.map((row) => row['ids'])).find(Array.isArray)
  return heard.slice(begin).map(({ text, values }) => ({
    text,
    values: values.map((value) =>
      found && Array.isArray(value) && String(value) === String(found) ? 'ids' : { value },
    ),
  }))
}
