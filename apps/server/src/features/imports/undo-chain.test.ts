import { checkImportUndo } from '@tour-ops/contract/imports/imports'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  amara,
  file,
  fileHead,
  importDesk,
  type Importer,
  jonas,
  mehmet,
  type TestDeparture,
  verbOf,
} from '../../../testing/imports.ts'
import { testDatabase, type TestCaller, type TestWorld } from '../../../testing/world.ts'

// What an undo leaves alone: what somebody has changed since, and not what another import wrote and took back.

let world: TestWorld
let who: TestCaller
let importer: Importer
let gold: TestDeparture
beforeAll(async () => {
  world = await testDatabase()
})
afterAll(() => world.close())
beforeEach(async () => {
  ;({ who, importer, gold } = await importDesk(world))
})

/** The file with a passport and a medical note. */
const withDocuments = (passport: string, note: string, ...lines: string[]): string =>
  [`${fileHead};Passport no;Medical note`, ...lines.map((line) => `${line};${passport};${note}`)].join('\r\n')

const nameOf = async ({ userId, orgId }: TestCaller): Promise<string | undefined> => {
  const [row] = await importer.look(
    () =>
      sql<{
        name: string
      }>`select coalesce(name, email) as name from members where org_id = ${orgId} and user_id = ${userId}`,
  )
  return row?.name
}

const amend = (statement: ReturnType<typeof sql>) => who.transaction((tx) => statement.execute(tx))

async function left() {
  const [rows] = await importer.look(
    (orgId) => sql<{ travelers: number; bookings: number; documents: number; notes: number }>`
      select (select count(*)::int from travelers where org_id = ${orgId}) as travelers,
        (select count(*)::int from bookings where org_id = ${orgId}) as bookings,
        (select count(*)::int from traveler_documents where org_id = ${orgId}) as documents,
        (select count(*)::int from traveler_private where org_id = ${orgId}) as notes`,
  )
  return rows
}
const nothing = { travelers: 0, bookings: 0, documents: 0, notes: 0 }

test('after the undo of a later import that changed its guests, an earlier one is undone wholly', async () => {
  const first = await importer.importFile(withDocuments('X1234567', 'insulin', amara, jonas, mehmet))
  const before = await importer.guests()
  const changed = [
    amara
      .replace('900181', '900999')
      .replace('vegan, no nuts', 'gluten free')
      .replace('City Hall;8:20;0', 'Harpa;8:40;10'),
    jonas.replace('City Hall;8:20;0', ';;'),
    mehmet,
    mehmet.replace('Mehmet', 'Elif').replace('1990-05-31', '').replace('+90 532 000 0000', '').replace('12,50', ''),
  ]
  const second = await importer.importFile(withDocuments('Y7654321', 'epilepsy', ...changed))
  expect(second.counts).toMatchObject({ change: 3, add: 1 })
  expect(await importer.undo(second)).toMatchObject({ status: 'undone', keptBecauseEdited: [] })
  expect(await importer.guests()).toEqual(before)
  expect(await who.call(verbOf(checkImportUndo), { id: first.id })).toEqual({ edited: [], total: 0 })
  expect(await importer.undo(first)).toMatchObject({ status: 'undone', keptBecauseEdited: [] })
  expect(await left()).toEqual(nothing)
  expect(await importer.seats(gold.id)).toBe(0)
})

test('a booking that a later import cancelled and its undo restored is removed with the import that made it', async () => {
  const first = await importer.importFile(file(amara, jonas))
  const cancelled = [
    'Order no.;Reseller;Trip code;Family name;Status',
    `FJ-1;fjordsales;${gold.code};Okafor;Cancelled`,
  ].join('\r\n')
  const second = await importer.importFile(cancelled)
  expect(await importer.seats(gold.id)).toBe(0)
  await importer.undo(second)
  expect(await importer.seats(gold.id)).toBe(2)
  expect(await importer.undo(first)).toMatchObject({ keptBecauseEdited: [] })
  expect(await left()).toEqual(nothing)
})

test('while the later import stays, the earlier one leaves its guests alone and says who imported', async () => {
  const first = await importer.importFile(file(amara, mehmet))
  await importer.importFile(file(amara.replace('900181', '900999'), mehmet))
  const undone = await importer.undo(first)
  expect(undone.keptBecauseEdited).toEqual([
    { name: 'Amara Okafor', departureCode: gold.code, editedByName: await nameOf(who), editedAt: expect.any(String) },
  ])
  expect((await importer.guests()).map(({ name, phone }) => [name, phone])).toEqual([['Amara Okafor', '+447700900999']])
})

test('what a person changed stays, with who and when, and what was changed back is undone', async () => {
  const applied = await importer.importFile(file(amara, mehmet))
  const phoneOf = (name: string, phone: string) =>
    amend(sql`update travelers set phone = ${phone} where org_id = ${who.orgId} and last_name = ${name}`)
  await phoneOf('Okafor', '+15550100')
  await phoneOf('Kaya', '+15550101')
  await phoneOf('Kaya', '+905320000000')
  const edited = [
    { name: 'Amara Okafor', departureCode: gold.code, editedByName: await nameOf(who), editedAt: expect.any(String) },
  ]
  expect(await who.call(verbOf(checkImportUndo), { id: applied.id })).toEqual({ edited, total: 1 })
  expect((await importer.undo(applied)).keptBecauseEdited).toEqual(edited)
  expect((await importer.guests()).map(({ name, phone }) => [name, phone])).toEqual([['Amara Okafor', '+15550100']])
})

test.each([
  ['a birth date', sql`update traveler_private set date_of_birth = '1970-01-01'`],
  ['an emergency contact', sql`update travelers set emergency_name = 'Ada'`],
  ['a field that the file does not have', sql`update travelers set email = 'new@example.com'`],
  ['a note of the booking', sql`update bookings set notes = 'Window seat'`],
  ['the kind of guest', sql`update manifest_entries set unit_type = 'child'`],
  ['the passport', sql`delete from traveler_documents`],
])('%s that somebody changed keeps a guest whom the import made', async (_what, statement) => {
  const applied = await importer.importFile(withDocuments('X1234567', 'insulin', mehmet))
  await amend(sql`${statement} where org_id = ${who.orgId}`)
  const { keptBecauseEdited } = await importer.undo(applied)
  expect(keptBecauseEdited).toMatchObject([{ name: 'Mehmet Kaya', editedByName: await nameOf(who) }])
  expect(await importer.guests()).toHaveLength(1)
})

test('of a guest who was known before, an undo restores what the import wrote and keeps what somebody added elsewhere', async () => {
  await importer.importFile(file(mehmet))
  const second = await importer.importFile(file(mehmet.replace('532 000', '532 999')))
  await amend(sql`update travelers set email = 'mehmet@example.com' where org_id = ${who.orgId}`)
  expect(await importer.undo(second)).toMatchObject({ status: 'undone', keptBecauseEdited: [] })
  const [guest] = await importer.look(
    (orgId) => sql<{ phone: string; email: string }>`select phone, email from travelers where org_id = ${orgId}`,
  )
  expect(guest).toEqual({ phone: '+905320000000', email: 'mehmet@example.com' })
})
