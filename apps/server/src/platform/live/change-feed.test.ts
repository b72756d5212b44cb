import { setTimeout as sleep } from 'node:timers/promises'
import { liveTopics } from '@tour-ops/contract/live-paths'
import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { testDatabase, type TestWorld } from '../../testing.ts'
import { newId } from '../ids.ts'
import { openChangeFeed, type ChangeRow } from './change-feed.ts'
import { comparePositions, eventIdOf, positionOfEventId } from './feed-position.ts'

let world: TestWorld
beforeAll(async () => {
  world = await testDatabase()
}, 60_000)
afterAll(() => world?.close())

test('positions are ordered as numbers and not as texts', () => {
  const at = (tx: string, seq: string) => ({ tx, seq })
  expect(comparePositions(at('982', '1'), at('1000', '1'))).toBeLessThan(0)
  expect(comparePositions(at('1000', '10'), at('1000', '9'))).toBeGreaterThan(0)
  expect(comparePositions(at('7', '7'), at('7', '7'))).toBe(0)
})

test('an event id leads back to its position, in its own database only', () => {
  const id = eventIdOf('epoch-1', { tx: '42', seq: '7' })
  expect(positionOfEventId('epoch-1', id)).toEqual({ tx: '42', seq: '7' })
  for (const foreign of ['', 'epoch-2.42.7', 'epoch-1.42', 'epoch-1.x.7', `epoch-1.42.7'; drop table changes`]) {
    expect(positionOfEventId('epoch-1', foreign)).toBeUndefined()
  }
})

// PGlite has one connection: transactions cannot overlap there, and nothing can be committed late.
const overlaps = inject('embeddedPostgres') !== null

test.each(['notify', 'poll'] as const)('every committed row is seen once and in order (%s)', async (mode) => {
  const seen: ChangeRow[] = []
  const options = { db: world.database, log: pino({ level: 'silent' }), mode }
  const feed = await openChangeFeed({ ...options, onRows: (rows) => seen.push(...rows) })
  const ada = await world.as('dispatcher')
  const committed: string[] = []
  const writers = Array.from({ length: overlaps ? 6 : 2 }, async (_, writer) => {
    for (let round = 0; round < 15; round += 1) {
      const id = newId()
      await ada.transaction(async (tx) => {
        await sql`insert into suppliers (org_id, id, name, kind) values (${ada.orgId}, ${id}, ${id}, 'other')`.execute(
          tx,
        )
        if (overlaps) await sleep((writer * 7 + round * 3) % 40)
      })
      committed.push(id)
    }
  })
  await Promise.all(writers)
  const own = () => seen.filter(({ owner, topic }) => owner === ada.orgId && topic === 'suppliers')
  await expect.poll(() => own().length).toBe(committed.length)
  expect(new Set(own().map(({ entityId }) => entityId))).toEqual(new Set(committed))
  for (const [index, row] of seen.entries()) {
    const previous = seen[index - 1]
    if (previous) expect(comparePositions(previous, row)).toBeLessThan(0)
  }
  await feed.close()
})

test('every table that writes to the change log is a topic with a permission', async () => {
  const { rows } = await world.database.ownerPool.query<{ name: string }>(`
    select distinct c.relname as name from pg_trigger t join pg_class c on c.oid = t.tgrelid join pg_proc p on p.oid = t.tgfoid
    where p.proname = 'record_changes'`)
  expect(rows.map(({ name }) => name).toSorted()).toEqual(liveTopics.toSorted())
})
