import { sql } from 'kysely'
import { importRows } from '@tour-ops/contract/imports/imports'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { testDatabase, type TestCaller, type TestWorld } from '../../../testing/world.ts'
import {
  amara,
  file,
  importDesk,
  type Importer,
  jonas,
  mehmet,
  type TestDeparture,
  verbOf,
} from '../../../testing/imports.ts'

// An optional cell that is not understood rejects nobody: it is kept in the note of the booking and listed.

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

const notesOf = (ref: string) =>
  importer.look(
    (orgId) =>
      sql<{ notes: string | null }>`select notes from bookings where org_id = ${orgId} and external_ref = ${ref}`,
  )

const unclear = [
  amara.replace('City Hall;8:20', 'Grand Plaza;8:20').replace('+44 7700 900181', 'ask the hotel'),
  jonas.replace('City Hall;8:20', 'Grand Plaza;8:20').replace('2019-01-30', '2019-02-30'),
]

test('what is not understood is counted, listed with what became of it, and kept as it was; the same file again changes nothing', async () => {
  const checked = await importer.preview(await importer.upload(file(...unclear, mehmet)))
  expect(checked.counts).toMatchObject({ reject: 0, add: 3, warned: 2, seats: 3 })
  const { rows, total } = await who.call(verbOf(importRows), { id: checked.id, warned: true })
  expect(total).toBe(2)
  expect(
    rows.map(({ line, warnings }) => [line, warnings.map(({ column, code, result }) => [column, code, result])]),
  ).toEqual([
    [
      2,
      [
        ['Mobile', 'phone_invalid', 'note'],
        ['Hotel stop', 'pickup_unknown', 'note'],
      ],
    ],
    [3, [['Born', 'date_impossible', 'left_out']]],
  ])
  await importer.apply(checked)
  expect(await notesOf('FJ-1')).toEqual([
    { notes: 'Mobile (Amara Okafor): ask the hotel\nHotel stop: 08:20 Grand Plaza' },
  ])
  expect(await importer.seats(gold.id)).toBe(3)
  const again = await importer.preview(await importer.upload(file(...unclear, mehmet)))
  expect(again.counts).toMatchObject({ add: 0, change: 0, unchanged: 3, warned: 2 })
})

test('a note that somebody wrote stays, and undo puts it back', async () => {
  await importer.importFile(file(amara, jonas))
  await who.transaction((tx) =>
    sql`update bookings set notes = 'VIP, front seats' where org_id = ${who.orgId}`.execute(tx),
  )
  const applied = await importer.importFile(file(...unclear))
  expect((await notesOf('FJ-1'))[0]?.notes).toBe(
    'VIP, front seats\nMobile (Amara Okafor): ask the hotel\nHotel stop: 08:20 Grand Plaza',
  )
  await importer.undo(applied)
  expect(await notesOf('FJ-1')).toEqual([{ notes: 'VIP, front seats' }])
})

test('lines without a reference that meet on one booking keep what each of them had', async () => {
  await importer.importFile(file(amara, jonas))
  const head = 'Departure;First name;Last name;Phone'
  const lines = [`${gold.code};Amara;Okafor;12`, `${gold.code};Jonas;Weber;later`]
  const plain = [head, ...lines].join('\n')
  const applied = await importer.importFile(plain)
  expect(applied.counts).toMatchObject({ reject: 0, warned: 2 })
  expect(await notesOf('FJ-1')).toEqual([{ notes: 'Phone (Amara Okafor): 12\nPhone (Jonas Weber): later' }])
  const again = await importer.preview(await importer.upload(plain))
  expect(again.counts).toMatchObject({ change: 0, unchanged: 2 })
  await importer.undo(applied)
  expect(await notesOf('FJ-1')).toEqual([{ notes: null }])
})

test('a room on a day tour is kept in the note', async () => {
  const content = ['Order id;Departure;First name;Last name;Room', `R-1;${gold.code};Elsa;Nystrom;101`].join('\n')
  const applied = await importer.importFile(content)
  expect(applied.counts).toMatchObject({ add: 1, warned: 1 })
  expect(await notesOf('R-1')).toEqual([{ notes: 'Room (Elsa Nystrom): 101' }])
})
