import { setTimeout as sleep } from 'node:timers/promises'
import { liveTopics } from '@tour-ops/contract/live/live-paths'
import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { testDatabase, type TestCaller, type TestWorld } from '../../../testing/world.ts'
import type { Tx } from '../db/database.ts'
import { newId } from '../ids.ts'
import { openChangeFeed } from './change-feed.ts'
import { eventIdOf, parseSnapshot, snapshotOfEventId } from './feed-position.ts'
import type { ChangeRow } from './read-changes.ts'

let world: TestWorld
beforeAll(async () => {
  world = await testDatabase()
})
afterAll(() => world?.close())

test('an event id leads back to its snapshot, in its own database only', () => {
  const id = eventIdOf('epoch-1', { read: 3, snapshot: '40:45:40,42' })
  expect(snapshotOfEventId('epoch-1', id)).toBe('40:45:40,42')
  const foreign = ['', '1:1:', 'epoch-2.40:45:', 'epoch-1.42.7', 'epoch-1.x:7:', `epoch-1.1:7:'; drop table changes`]
  for (const text of foreign) expect(snapshotOfEventId('epoch-1', text)).toBeUndefined()
  // PostgreSQL refuses these as well
  for (const snapshot of ['0:1:', '5:4:', '4:6:3', '4:6:6', '4:8:6,5', '4:8:5,5', '4:8:,', '4:9223372036854775808:']) {
    expect(parseSnapshot(snapshot)).toBeUndefined()
  }
})

// PGlite has one connection: transactions cannot overlap there, and nothing can be committed late.
const overlaps = inject('embeddedPostgres') !== null
const log = pino({ level: 'silent' })

const insertSupplier = (tx: Tx, orgId: string, id: string) =>
  sql`insert into suppliers (org_id, id, name, kind) values (${orgId}, ${id}, ${id}, 'other')`.execute(tx)

/** Writers whose transactions overlap, stay open and are rolled back. Resolves with what was committed. */
async function writeAll(member: TestCaller, writers: number, rounds: number): Promise<string[]> {
  const committed: string[] = []
  const write = async (writer: number): Promise<void> => {
    for (let round = 0; round < rounds; round += 1) {
      const ids = [newId(), newId()]
      const isRolledBack = (writer + round) % 5 === 0
      const written = member.transaction(async (tx) => {
        for (const id of ids) {
          await insertSupplier(tx, member.orgId, id)
          if (overlaps) await sleep((writer * 7 + round * 13) % (round % 6 === 0 ? 120 : 25))
        }
        if (isRolledBack) throw new Error('rolled back')
      })
      await (isRolledBack ? expect(written).rejects.toThrow('rolled back') : written)
      if (!isRolledBack) committed.push(...ids)
    }
  }
  await Promise.all(Array.from({ length: writers }, (_, writer) => write(writer)))
  return committed
}

const suppliersOf = (rows: readonly ChangeRow[], orgId: string): string[] =>
  rows.filter(({ owner, topic }) => owner === orgId && topic === 'suppliers').map(({ entityId }) => entityId)

test.each(['notify', 'poll'] as const)('every committed row is seen once, and no other (%s)', async (mode) => {
  const seen: ChangeRow[] = []
  const feed = await openChangeFeed({ db: world.database, log, mode, onRows: (rows) => seen.push(...rows) })
  const ada = await world.as('dispatcher')
  const committed = await writeAll(ada, overlaps ? 8 : 2, 15)
  await expect.poll(() => suppliersOf(seen, ada.orgId).length).toBe(committed.length)
  expect(suppliersOf(seen, ada.orgId).toSorted()).toEqual(committed.toSorted())
  await feed.close()
})

test('resuming from a position gives every row that was not delivered before it', async () => {
  const seen: ChangeRow[] = []
  const positions: { snapshot: string; handedOn: number }[] = []
  const feed = await openChangeFeed({
    db: world.database,
    log,
    mode: 'notify',
    onRows: (rows, { snapshot }) => {
      positions.push({ snapshot, handedOn: seen.length })
      seen.push(...rows)
    },
  })
  const ada = await world.as('dispatcher')
  const committed = await writeAll(ada, overlaps ? 8 : 2, 10)
  await expect.poll(() => suppliersOf(seen, ada.orgId).length).toBe(committed.length)
  expect(positions.length).toBeGreaterThan(5)
  for (const { snapshot, handedOn } of positions) {
    const { rows } = await world.database.pool.query<ChangeRow>(
      `select org_id as owner, topic, entity_id as "entityId" from changes_of($1, $2::pg_snapshot, 100000)`,
      [[ada.orgId], snapshot],
    )
    const before = suppliersOf(seen.slice(0, handedOn), ada.orgId)
    expect([...before, ...suppliersOf(rows, ada.orgId)].toSorted()).toEqual(committed.toSorted())
  }
  await feed.close()
})

test('more rows than one batch are read to their end, each once', async () => {
  const seen: ChangeRow[] = []
  const feed = await openChangeFeed({ db: world.database, log, mode: 'notify', onRows: (rows) => seen.push(...rows) })
  const ada = await world.as('dispatcher')
  const ids = Array.from({ length: 3_500 }, () => newId())
  await ada.transaction((tx) =>
    sql`insert into suppliers (org_id, id, name, kind) select ${ada.orgId}, id, id::text, 'other' from unnest(${ids}::uuid[]) as id`.execute(
      tx,
    ),
  )
  await expect.poll(() => suppliersOf(seen, ada.orgId).length).toBe(ids.length)
  expect(suppliersOf(seen, ada.orgId).toSorted()).toEqual(ids.toSorted())
  await feed.close()
})

test.runIf(overlaps)('a transaction that stays open delays nobody but itself', async () => {
  const seen: ChangeRow[] = []
  const feed = await openChangeFeed({ db: world.database, log, mode: 'notify', onRows: (rows) => seen.push(...rows) })
  const [ada, eve] = [await world.as('dispatcher'), await world.as('dispatcher')]
  const [late, own, foreign] = [newId(), newId(), newId()]
  const commit = Promise.withResolvers<void>()
  const long = ada.transaction(async (tx) => {
    await insertSupplier(tx, ada.orgId, late)
    await commit.promise
  })
  await ada.transaction((tx) => insertSupplier(tx, ada.orgId, own))
  await eve.transaction((tx) => insertSupplier(tx, eve.orgId, foreign))
  await expect.poll(() => suppliersOf(seen, eve.orgId)).toEqual([foreign])
  await expect.poll(() => suppliersOf(seen, ada.orgId)).toEqual([own])
  commit.resolve()
  await long
  await expect.poll(() => suppliersOf(seen, ada.orgId)).toEqual([own, late])
  await feed.close()
})

test('every table that writes to the change log is a topic with a permission', async () => {
  const { rows } = await world.database.ownerPool.query<{ name: string }>(`
    select distinct c.relname as name from pg_trigger t join pg_class c on c.oid = t.tgrelid join pg_proc p on p.oid = t.tgfoid
    where p.proname = 'record_changes'`)
  expect(rows.map(({ name }) => name).toSorted()).toEqual(liveTopics.toSorted())
})
