import type pg from 'pg'
import { readConfig } from '../apps/server/src/config.ts'
import { startServer } from '../apps/server/src/server.ts'
import { accountOf } from '../apps/server/testing/accounts.ts'
import { freePort, signIn } from '../apps/server/testing/programs.ts'
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
      // jobs of the server may run at the same moment: the settings of a transaction name its callable
      const own = heard.transactions.find((each) => each.some(({ values }) => values.includes(name)))
      if (!own) throw new Error(`No transaction of ${name} was heard.`)
      recorded.push({ body, statements: own })
    }
    return recorded
  } finally {
    await server.close()
  }
}

/** Records what is sent on the connections that somebody takes, for each time one is taken. */
function listenIn(pool: pg.Pool): { transactions: Statement[][]; stop: () => void } {
  const transactions: Statement[][] = []
  const connect = pool.connect.bind(pool) as (...given: unknown[]) => Promise<pg.PoolClient>
  pool.connect = (async (...given: unknown[]) => {
    // with a callback it is `pool.query`, which no transaction goes through
    if (given.length > 0) return connect(...given)
    const client = await connect()
    const statements: Statement[] = []
    transactions.push(statements)
    const query = client.query.bind(client) as (text: string, values?: unknown[]) => Promise<pg.QueryResult>
    client.query = (async (text: string | { text: string; values?: unknown[] }, values: unknown[] = []) => {
      const [statement, given] = typeof text === 'string' ? [text, values] : [text.text, text.values ?? values]
      statements.push({ text: statement, values: given })
      return query(statement, given)
    }) as typeof client.query
    const release = client.release.bind(client)
    client.release = (error) => {
      client.query = query as typeof client.query
      release(error)
    }
    return client
  }) as typeof pool.connect
  return { transactions, stop: () => (pool.connect = connect as typeof pool.connect) }
}
