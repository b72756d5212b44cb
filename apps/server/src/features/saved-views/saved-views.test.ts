import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fromPglite, migrateDatabase } from '../../platform/db/database.ts'
import { migrate, readMigrations } from '../../platform/db/migrate.ts'
import { startPglite } from '../../platform/db/pglite.ts'
import { testDatabase, type TestWorld } from '../../../testing/world.ts'
import { deleteView, importMappings, listSavedViews, saveView } from '@tour-ops/contract/saved-views/saved-views'
import type { Verb } from '../../platform/verb.ts'
import { savedViewsVerbs } from './saved-views-service.ts'

let world: TestWorld
beforeAll(async () => {
  world = await testDatabase()
})
afterAll(() => world.close())

const [list, save, remove] = savedViewsVerbs as [
  Verb<typeof listSavedViews>,
  Verb<typeof saveView>,
  Verb<typeof deleteView>,
]
const arriving = { screen: 'travelers', name: 'Arriving', search: { view: 'arriving' }, columns: ['name', 'phone'] }

test('a view is stored for its owner, and for everybody once it is shared', async () => {
  const ana = await world.as('dispatcher')
  const ben = await world.as('viewer', { orgId: ana.orgId })
  const { id, version } = await ana.call(save, arriving)
  expect((await ana.call(list, { screen: 'travelers' })).views).toEqual([
    { id, version, ...arriving, isShared: false, isOwn: true },
  ])
  expect((await ben.call(list, { screen: 'travelers' })).views).toEqual([])
  await ana.call(save, { id, version, ...arriving, isShared: true })
  expect((await ben.call(list, { screen: 'travelers' })).views).toMatchObject([{ id, isOwn: false, isShared: true }])
})

test('only its owner changes or deletes a view', async () => {
  const ana = await world.as('dispatcher')
  const ben = await world.as('admin', { orgId: ana.orgId })
  const { id, version } = await ana.call(save, { ...arriving, isShared: true })
  await expect(ben.call(save, { id, version, ...arriving, name: 'Mine now' })).rejects.toMatchObject({
    code: 'not-found',
  })
  await expect(ben.call(remove, { id })).rejects.toMatchObject({ code: 'not-found' })
  await ana.call(remove, { id })
  expect((await ana.call(list, { screen: 'travelers' })).views).toEqual([])
})

test('mappings of imports, which are stored with the views, are not views: nobody can read, change, create or delete one as a view', async () => {
  const ana = await world.as('dispatcher')
  const screen = importMappings
  const { rows } = await ana.transaction((tx) =>
    sql<{ id: string; version: number }>`insert into saved_views (org_id, id, user_id, screen, name, filters, shared)
      values (${ana.orgId}, uuidv7(), ${ana.userId}, ${screen}, 'Fjord Sales', '{"columns": {}}', true) returning id, version`.execute(
      tx,
    ),
  )
  const [{ id, version } = { id: '', version: 0 }] = rows
  expect((await ana.call(list, { screen })).views).toEqual([])
  await expect(ana.call(save, { ...arriving, screen })).rejects.toMatchObject({ code: 'not-found' })
  await expect(ana.call(save, { ...arriving, id, version })).rejects.toMatchObject({ code: 'not-found' })
  await expect(ana.call(remove, { id })).rejects.toMatchObject({ code: 'not-found' })
})

test('a name is used once per table and person, and the refusal names the field', async () => {
  const ana = await world.as('dispatcher')
  await ana.call(save, arriving)
  await expect(ana.call(save, arriving)).rejects.toMatchObject({
    details: { fieldErrors: { name: [expect.any(String)] } },
  })
})

test(
  'views of users that were saved by the former column show when somebody was last seen',
  { timeout: 60_000 },
  async () => {
    const log = pino({ level: 'silent' })
    const lite = await startPglite({}, log)
    const db = fromPglite(lite, log, () => lite.stop())
    try {
      const migrations = await readMigrations()
      await migrate(
        db.ownerPool,
        log,
        migrations.filter(({ name }) => name < '0140'),
      )
      const query = (text: string) => db.ownerPool.query(text)
      await query(`insert into organizations (org_id, name) values ('org', 'Org')`)
      await query(
        `insert into members (org_id, user_id, role, email) values ('org', 'ana', 'admin', 'ana@example.com')`,
      )
      await query(`insert into saved_views (org_id, id, user_id, screen, name, filters, columns) values
      ('org', gen_random_uuid(), 'ana', 'members', 'Away', '{"sort": "-lastSignInAt,name"}', '["name", "lastSignInAt"]')`)
      await migrateDatabase(db, log)
      const { rows } = await query('select filters, columns from saved_views')
      expect(rows).toEqual([{ filters: { sort: '-lastSeenAt,name' }, columns: ['name', 'lastSeenAt'] }])
    } finally {
      await db.close()
    }
  },
)
