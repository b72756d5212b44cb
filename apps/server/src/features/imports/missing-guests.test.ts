import { cancelBooking, getBooking, restoreBooking } from '@tour-ops/contract/bookings/bookings'
import { changeParty } from '@tour-ops/contract/bookings/party'
import { missingFromImport } from '@tour-ops/contract/imports/imports'
import type { ImportBatch } from '@tour-ops/contract/imports/import-batch'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  addDeparture,
  amara,
  file,
  importDesk,
  type Importer,
  jonas,
  mehmet,
  type TestDeparture,
  verbOf,
} from '../../../testing/imports.ts'
import { verbsOf } from '../../../testing/verbs.ts'
import { testDatabase, type TestCaller, type TestWorld } from '../../../testing/world.ts'
import { bookingsVerbs } from '../bookings/bookings-service.ts'

const bookingVerb = verbsOf(bookingsVerbs)

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
  await importer.importFile(file(amara, jonas, mehmet))
})

const missing = async ({ id }: Pick<ImportBatch, 'id'>) => who.call(verbOf(missingFromImport), { id })
const named = (found: Awaited<ReturnType<typeof missing>>) =>
  found.rows.map(({ guests, isWhole, isSameSeller }) => ({ guests, isWhole, isSameSeller }))
const checked = async (...lines: string[]) => importer.preview(await importer.upload(file(...lines)))

const lea = 'FJ-8;fjordsales;GOLD-311121-0900;Lea;Berg;ADT;1991-01-01;NO;;;Harpa;;0;'

test('parties on the departures of a file who are not in it are listed, before and after it is applied', async () => {
  const batch = await checked(mehmet, lea)
  const all = [{ guests: ['Amara Okafor', 'Jonas Weber'], isWhole: true, isSameSeller: true }]
  expect(named(await missing(batch))).toEqual(all)
  expect(named(await missing(await importer.apply(batch)))).toEqual(all)
})

test('nobody is missing from a file that has them all, however they are written', async () => {
  const shouted = mehmet.replace('Mehmet;Kaya', 'MEHMET;KAYA')
  expect(await missing(await checked(amara, jonas, shouted))).toEqual({ rows: [], total: 0 })
})

test('of a party of which the file names some, the others are listed', async () => {
  expect(named(await missing(await checked(amara, mehmet)))).toEqual([
    { guests: ['Jonas Weber'], isWhole: false, isSameSeller: true },
  ])
})

test('a guest whose line is rejected is in the file, and not missing from it', async () => {
  // a departure that is not there, and the name the other way round
  const wrong = mehmet.replace('GOLD-311121-0900', 'NONE-1').replace('FJ-2', 'FJ-77')
  const batch = await checked(amara, jonas, wrong)
  expect(batch.counts).toMatchObject({ reject: 1 })
  expect(await missing(batch)).toEqual({ rows: [], total: 0 })
})

test('guests of departures that the file does not have are not missing, and those of other sellers come last', async () => {
  const south = await addDeparture(who, { code: 'SOUTH-311122-0800' })
  const elsewhere = lea.replace(gold.code, south.code)
  await importer.importFile(
    file(elsewhere, lea.replaceAll('fjordsales', 'walk in').replace('Lea', 'Ola').replace('FJ-8', 'W-1')),
  )
  expect(named(await missing(await checked(mehmet)))).toEqual([
    { guests: ['Amara Okafor', 'Jonas Weber'], isWhole: true, isSameSeller: true },
    { guests: ['Ola Berg'], isWhole: true, isSameSeller: false },
  ])
})

test('a missing party is cancelled as any booking, is not missing then, and is again once that is undone', async () => {
  const batch = await checked(mehmet)
  const [party] = (await missing(batch)).rows
  if (!party) throw new Error('somebody is missing')
  const { booking } = await who.call(bookingVerb(cancelBooking), {
    id: party.bookingId,
    version: party.version,
    reason: 'guest_request',
    note: null,
    feeReason: null,
  })
  expect(await importer.seats(gold.id)).toBe(1)
  expect((await missing(batch)).total).toBe(0)
  await who.call(bookingVerb(restoreBooking), { id: booking.id, version: booking.version })
  expect(await importer.seats(gold.id)).toBe(3)
  expect((await missing(batch)).total).toBe(1)
})

test('of a party that is partly in the file, those who are not leave by the function of the booking’s page, at its price', async () => {
  const batch = await checked(amara, mehmet)
  const [party] = (await missing(batch)).rows
  if (!party) throw new Error('somebody is missing')
  const before = await who.call(bookingVerb(getBooking), { id: party.bookingId })
  const leaving = before.guests.filter(({ travelerId }) => party.travelerIds.includes(travelerId))
  expect(leaving.map(({ name }) => name)).toEqual(['Jonas Weber'])
  const { booking } = await who.call(bookingVerb(changeParty), {
    id: party.bookingId,
    version: party.version,
    units: [{ unitType: 'adult', quantity: 1 }],
    leaving: party.travelerIds,
    feeReason: null,
  })
  expect([before.amountTotalMinor, booking.amountTotalMinor]).toEqual([7400, 4900])
  expect(await importer.seats(gold.id)).toBe(2)
  expect((await missing(batch)).total).toBe(0)
})

test('nobody is said to be missing before the check, and after the undo', async () => {
  const batch = await importer.upload(file(mehmet, lea))
  expect(await missing(batch)).toEqual({ rows: [], total: 0 })
  const undone = await importer.undo(await importer.apply(await importer.preview(batch)))
  expect(await missing(undone)).toEqual({ rows: [], total: 0 })
})
