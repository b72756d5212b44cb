import { livePath } from '@tour-ops/contract/live/live-paths'
import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { foundOrganization } from '../../../testing/accounts.ts'
import { makeServerPair, type ServerPair } from '../../../testing/standby.ts'
import { openDatabase, type Database, type Tx } from '../db/database.ts'
import { isWindows } from '../db/embedded.ts'
import { newId } from '../ids.ts'
import { openChangeFeed, type ChangeFeed } from './change-feed.ts'
import { changesSince } from './changes-since.ts'
import { eventIdOf } from './feed-position.ts'
import { startLiveTestServer, testToken } from '../../../testing/listen.ts'
import { openLive } from './live.ts'
import type { ChangeRow } from './read-changes.ts'

// A standby that was behind is promoted: it gives transaction numbers again that the former primary had used for lost transactions. A reader that
// remembers the former primary's numbers must not take the new transactions for seen.

const log = pino({ level: 'silent' })
let pair: ServerPair
let database: Database
let orgId = ''
let userId = ''
beforeAll(async () => {
  if (isWindows) return
  pair = await makeServerPair('promoted-standby', async ({ ownerPool }) => {
    orgId = await foundOrganization(ownerPool)
    const { rows } = await ownerPool.query<{ user_id: string }>('select user_id from members where org_id = $1', [
      orgId,
    ])
    userId = rows[0]?.user_id ?? ''
  })
  pair.start('first')
  pair.startStandby()
  await pair.until('first', `select from pg_stat_replication where state = 'streaming'`)
  database = await openDatabase({ databaseUrl: pair.url, dataDir: pair.root, log })
}, 180_000)
afterAll(async () => {
  await database?.close()
  await pair?.close()
})

const inOrganization = <T>(run: (tx: Tx) => Promise<T>): Promise<T> =>
  database.transaction({ orgId, actor: { kind: 'system', id: null }, action: 'test', requestId: newId() }, run)

async function addPlace(): Promise<string> {
  const id = newId()
  const place = sql`insert into places (org_id, id, name, lat, lng) values (${orgId}, ${id}, 'Vík', 63.4, -19)`
  await inOrganization((tx) => place.execute(tx))
  return id
}

const look = (seen: string | null) => inOrganization((tx) => changesSince({ tx, orgId }, seen))

test.skipIf(isWindows)(
  'a promoted standby that had missed something: earlier answers are no longer right, and the feed begins again',
  { timeout: 180_000 },
  async () => {
    const told: ChangeRow[] = []
    let breaks = 0
    const feed: ChangeFeed = await openChangeFeed({
      db: database,
      log,
      mode: 'notify',
      onRows: (rows) => told.push(...rows),
      onBreak: () => (breaks += 1),
    })
    const hears = (id: string) =>
      expect.poll(() => told.some((row) => row.entityId === id), { timeout: 20_000 }).toBe(true)
    const liveServer = await openLive({ db: database, log })
    const live = await startLiveTestServer(liveServer)
    const target = livePath.changes(orgId, 'places')
    const stream = await live.listen(testToken({ userId, orgId }), [target])
    await stream.until(({ event }) => event === 'current')
    await hears(await addPlace())

    // from here on the standby gets nothing
    await pair.kill('second')
    let lost = ''
    for (let n = 0; n < 60; n += 1) lost = await addPlace()
    await hears(lost)
    const before = { seen: (await look(null)).seen, eventId: eventIdOf(feed.epoch, feed.position) }
    expect((await look(before.seen)).changed?.size, 'nothing was written since').toBe(0)

    await pair.kill('first')
    pair.startStandby()
    await pair.until('second', 'select where pg_is_in_recovery()')
    pair.promoteSecond()
    await expect
      .poll(
        () =>
          look(before.seen).then(
            () => true,
            () => false,
          ),
        { timeout: 30_000 },
      )
      .toBe(true)

    const fresh = await addPlace()
    const xmax = Number(before.seen.split(':')[1])
    const number = await inOrganization((tx) =>
      sql<{ tx: string }>`select tx::text from changes where org_id = ${orgId} and entity_id = ${fresh}`.execute(tx),
    )
    expect(Number(number.rows[0]?.tx), 'a number that the former primary had given').toBeLessThan(xmax)
    expect((await look(before.seen)).changed, 'what was kept is no longer right').toBeNull()
    await expect.poll(() => breaks, { timeout: 20_000 }).toBe(1)
    expect(eventIdOf(feed.epoch, feed.position).split('.')[0]).not.toBe(before.eventId.split('.')[0])
    await hears(await addPlace())
    expect(breaks).toBe(1)

    await stream.ended
    const lastEventId = stream.lastEventId()
    expect(lastEventId).not.toBe('')
    const again = await live.listen(testToken({ userId, orgId }), [target], { lastEventId, known: [target] })
    await again.until(({ event }) => event === 'reset')
    again.cut()
    await live.close()
    await liveServer.close()
    await feed.close()
  },
)
