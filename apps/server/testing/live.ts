import { pino } from 'pino'
import { testDatabase, type TestCaller, type TestWorld } from './world.ts'
import type { Database } from '../src/platform/db/database.ts'
import { inTransaction } from '../src/platform/db/pool.ts'
import { startLiveTestServer, type LiveTestServer } from './listen.ts'
import { openLive, type LiveServer } from '../src/platform/live/live.ts'

// For tests: live documents over a database of the run. `listen.ts` is for programs of their own as well.

export interface LiveTestWorld {
  readonly world: TestWorld
  readonly live: LiveServer
  readonly server: LiveTestServer
  close(): Promise<void>
}

/** A database for the tests of one file, with live documents over it and a server of their own. */
export async function openLiveTestWorld(mode?: Parameters<typeof openLive>[0]['mode']): Promise<LiveTestWorld> {
  const world = await testDatabase()
  await beginLongAgo(world)
  const live = await openLive({ db: world.database, log: pino({ level: 'silent' }), ...(mode ? { mode } : {}) })
  const server = await startLiveTestServer(live)
  return {
    world,
    live,
    server,
    async close() {
      await live.close()
      await server.close()
      await world.close()
    },
  }
}

/** Writes to the row of a member, as SQL says it. */
export const setMember = ({ database }: TestWorld, { orgId, userId }: TestCaller, change: string): Promise<unknown> =>
  database.ownerPool.query(`
    begin; select set_config('app.org_id', '${orgId}', true);
    update members set ${change} where user_id = '${userId}'; commit`)

/**
 * Gives the changes of an organization numbers from before every transaction, as those have that were written long ago. A snapshot is one
 * of the whole database server: to a listener next to another test's transaction that is older than the whole log (other test files
 * run on the same server), changes would seem to have been pruned.
 *
 * @returns how many there are.
 */
export async function ageChanges({ ownerPool }: Database, orgId: string): Promise<number> {
  return inTransaction(ownerPool, async (client) => {
    await client.query(`select set_config('app.org_id', $1, true)`, [orgId])
    // the number of the first transaction that a server ever gives
    const { rowCount } = await client.query(`update changes set tx = '3'`)
    return rowCount ?? 0
  })
}

/** Writes the first changes of a database and makes them old, as the log of an installation is that has run for a while. */
export async function beginLongAgo(world: TestWorld): Promise<void> {
  const { orgId } = await world.as('viewer')
  if ((await ageChanges(world.database, orgId)) === 0) throw new Error('A new member is a change.')
}
