import fs from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testDatabase, type TestWorld } from '../../../testing/world.ts'
import { describeDatabase } from './generate-tables.ts'

let world: TestWorld
beforeAll(async () => {
  world = await testDatabase()
})
afterAll(() => world.close())

test('tables.ts and schema.sql say what the migrations make', async () => {
  for (const [file, text] of await describeDatabase(world.database.ownerPool)) {
    const written = await fs.readFile(file, 'utf8').catch(() => '')
    expect(written, `run: node apps/server/src/platform/db/generate-tables.ts (${path.basename(file)} is old)`).toBe(
      text,
    )
  }
})

test('every table that belongs to organizations is guarded by forced row-level security, partitions are out of reach', async () => {
  const { rows } = await world.database.ownerPool.query<{ name: string }>(`
    select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'org_id'
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and not (c.relrowsecurity and c.relforcerowsecurity)
    union all select c.relname from pg_class c where c.relispartition and has_table_privilege('app_user', c.oid, 'select, insert, update, delete')`)
  expect(rows).toEqual([])
})
