import { AppError } from '@tour-ops/contract/errors'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '../ids.ts'
import { testDatabase, type TestWorld } from '../../../testing/world.ts'
import { violations } from './violations.ts'

let world: TestWorld
beforeAll(async () => {
  world = await testDatabase()
})
afterAll(() => world.close())

/** Keys that our own identifiers and triggers keep, so that nobody can run into them. */
const unreachable = [/_pkey$/, /_of_\w+_unique$/, /_on_departure_unique$/, /_token_unique$/, /_hash_unique$/]

test('every named violation exists in the database, and everything that must be unique has a sentence', async () => {
  const { rows } = await world.database.ownerPool.query<{ name: string; mustBeUnique: boolean }>(`
    select conname::text as name, contype in ('u', 'x', 'p') as "mustBeUnique" from pg_constraint
    where connamespace = 'public'::regnamespace and contype <> 'n' and conparentid = 0
    union select c.relname::text, true from pg_index i join pg_class c on c.oid = i.indexrelid
    where c.relnamespace = 'public'::regnamespace and i.indisunique and not c.relispartition
    union select match[1], false from pg_proc, regexp_matches(prosrc, 'constraint = ''(\\w+)''', 'g') as match
    union select machine || suffix, false from (select distinct machine from legal_transitions) m, unnest(array['_transition', '_initial']) suffix
    union select 'audit_entries_append_only', false`)
  const names = new Set(rows.map((row) => row.name))
  expect(Object.keys(violations).filter((name) => !names.has(name))).toEqual([])
  const unique = rows.filter((row) => row.mustBeUnique && !unreachable.some((pattern) => pattern.test(row.name)))
  expect(unique.map((row) => row.name).filter((name) => !(name in violations))).toEqual([])
})

test('a duplicate names the entry of the form', async () => {
  const admin = await world.as('admin')
  const plate = { org_id: admin.orgId, plate: 'AB-12', label: 'Bus', seats: 20 }
  await admin.transaction((tx) =>
    tx
      .insertInto('vehicles')
      .values({ ...plate, id: newId() })
      .execute(),
  )
  const again = admin.transaction((tx) =>
    tx
      .insertInto('vehicles')
      .values({ ...plate, id: newId() })
      .execute(),
  )
  await expect(again).rejects.toMatchObject({
    code: 'invalid-argument',
    details: {
      fieldErrors: { plate: ['Another vehicle has this number plate.'] },
      fieldIssues: { plate: [{ code: 'plate_taken' }] },
    },
  })
})

test('an illegal change of status says from what to what', async () => {
  const admin = await world.as('admin')
  const id = newId()
  const change = admin.transaction(async (tx) => {
    const incident = { org_id: admin.orgId, id, number: 'INC-1', category: 'other' as const, severity: 3 }
    await tx.insertInto('incidents').values(incident).execute()
    await tx.updateTable('incidents').set({ status: 'resolved' }).where('id', '=', id).execute()
  })
  await expect(change).rejects.toMatchObject({
    code: 'aborted',
    details: { reason: 'illegal_transition', from: 'reported', to: 'resolved' },
  })
})

test('a rule that is checked at the end of the transaction is told like the others', async () => {
  const admin = await world.as('admin')
  const leave = admin.transaction((tx) =>
    tx.updateTable('members').set({ role: 'viewer' }).where('user_id', '=', admin.userId).execute(),
  )
  await expect(leave).rejects.toMatchObject({ code: 'aborted', details: { reason: 'last_admin' } })
})

test('a reference to nothing is not found, and what is still needed cannot go', async () => {
  const admin = await world.as('admin')
  const dangling = admin.transaction((tx) =>
    tx
      .insertInto('incident_entries')
      .values({ org_id: admin.orgId, id: newId(), incident_id: newId(), kind: 'note', text: 'seen' })
      .execute(),
  )
  await expect(dangling).rejects.toMatchObject({ code: 'not-found', details: { reason: 'reference_missing' } })
})

test('a rule that no sentence is written for stays inside the server', async () => {
  const admin = await world.as('admin')
  const error = await admin
    .transaction((tx) => sql`update org_settings set map_zoom = 99 where org_id = ${admin.orgId}`.execute(tx))
    .catch((thrown: unknown) => thrown)
  expect(error).not.toBeInstanceOf(AppError)
  const told = AppError.from(error)
  expect([told.code, told.message]).toEqual(['internal', 'Something went wrong on our side.'])
})
