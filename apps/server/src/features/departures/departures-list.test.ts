import type { In } from '@tour-ops/contract/callable'
import { exportDepartures, getDeparture, listDepartures } from '@tour-ops/contract/departures/departures'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addDeparture, assignGuide, book, coreVerbOf, officeWithTour, setStatus } from '../../../testing/operations.ts'
import { testDatabase, type TestCaller, type TestWorld } from '../../../testing/world.ts'

let world: TestWorld
beforeAll(async () => {
  world = await testDatabase()
})
afterAll(() => world.close())

const start = new Date('2030-07-14T08:00:00Z')
const desk = (change?: Parameters<typeof officeWithTour>[2]) => officeWithTour(world, start, change)
const get = (caller: TestCaller, id: string) => caller.call(coreVerbOf(getDeparture), { id })

describe('readiness', () => {
  test('names what fails, and is counted in lists', async () => {
    const { caller, tourId } = await desk()
    const id = await addDeparture(caller, tourId, { language: 'es' })
    expect((await get(caller, id)).readiness).toEqual({
      done: 1,
      total: 3,
      ready: false,
      failing: ['lead_guide', 'minimum_pax'],
    })
    await assignGuide(caller, id, { language: 'en' })
    await book(caller, id, 4)
    expect((await get(caller, id)).readiness.failing).toEqual(['language'])
    await caller.transaction((tx) =>
      sql`update field_staff set languages = '[{"tag":"es-MX","level":"C1"}]'`.execute(tx),
    )
    expect((await get(caller, id)).readiness).toMatchObject({ ready: true, done: 3 })
    const other = await addDeparture(caller, tourId, { startTimeLocal: '12:00' })
    const notReady = await caller.call(coreVerbOf(listDepartures), { filters: { readiness: ['not_ready'] } })
    expect(notReady.rows.map((row) => row.id)).toEqual([other])
    const needsGuide = await caller.call(coreVerbOf(listDepartures), { filters: { needs: ['lead_guide'] } })
    expect(needsGuide.rows.map((row) => row.id)).toEqual([other])
  })

  test.for(['lead_guide', 'vehicle'] as const)('a cancelled departure needs no %s', async (need) => {
    const { caller, tourId } = await desk({ requirements: { vehicleClass: '4x4' } })
    const id = await addDeparture(caller, tourId)
    const needing = () => caller.call(coreVerbOf(listDepartures), { filters: { needs: [need] } })
    expect((await needing()).rows).toMatchObject([{ id }])
    await setStatus(caller, id, { to: 'cancelled', cancelReason: 'low_pax' })
    expect(await needing()).toMatchObject({ rows: [], total: 0 })
  })
})

test('a list of several days asks each guest of each departure for a document that lasts until the end', async () => {
  const { caller, tourId } = await desk({ kind: 'multi_day', durationDays: 3, minPax: 0 })
  const ids: string[] = []
  for (const startTimeLocal of ['09:00', '10:00']) {
    const id = await addDeparture(caller, tourId, { startTimeLocal })
    await assignGuide(caller, id)
    await book(caller, id, 2)
    ids.push(id)
  }
  const [first = '', second = ''] = ids
  const failing = async () => {
    const { rows } = await caller.call(coreVerbOf(listDepartures), {})
    return rows.map((row) => [row.id, row.readiness.failing])
  }
  const give = (departureId: string, kind: string, expiresOn: string | null) =>
    caller.transaction((tx) =>
      sql`insert into traveler_documents (org_id, id, traveler_id, kind, expires_on)
        select org_id, gen_random_uuid(), traveler_id, ${kind}, ${expiresOn}::date from manifest_entries
        where org_id = ${caller.orgId} and departure_id = ${departureId}`.execute(tx),
    )
  await give(first, 'passport', '2030-07-13')
  await give(second, 'visa', null)
  const bothFail = [
    [first, ['documents']],
    [second, ['documents']],
  ]
  expect(await failing()).toEqual(bothFail)
  await give(first, 'id', null)
  expect(await failing()).toEqual([
    [first, []],
    [second, ['documents']],
  ])
})

test('a page behind the last one says how many there are', async () => {
  const { caller, tourId } = await desk()
  await addDeparture(caller, tourId)
  await addDeparture(caller, tourId, { startTimeLocal: '12:00' })
  expect(await caller.call(coreVerbOf(listDepartures), { page: 9, size: 50 })).toEqual({ rows: [], total: 2 })
  const filters = { readiness: ['not_ready' as const] }
  expect(await caller.call(coreVerbOf(listDepartures), { page: 9, size: 50, filters })).toEqual({ rows: [], total: 2 })
})

test('lists filter by day, band and words, sort by several columns, and export what they show', async () => {
  const { caller, tourId } = await desk()
  const full = await addDeparture(caller, tourId, { capacity: 2 })
  await addDeparture(caller, tourId, { startTimeLocal: '12:00', capacity: 10 })
  await addDeparture(caller, tourId, { localDate: '2030-07-20' })
  await book(caller, full, 2)
  const ask = (input: In<typeof listDepartures>) => caller.call(coreVerbOf(listDepartures), input)
  expect((await ask({ filters: { from: '2030-07-14', to: '2030-07-14' } })).total).toBe(2)
  expect((await ask({ filters: { load: ['full'] } })).rows.map((row) => row.id)).toEqual([full])
  expect((await ask({ q: 'golden' })).total).toBe(3)
  const sorted = await ask({ sort: [{ by: 'seatsLeft', descending: true }, { by: 'startsAt' }] })
  expect(sorted.rows.map((row) => row.seatsLeft)).toEqual([20, 10, 0])
  const { csv, rows } = await caller.call(coreVerbOf(exportDepartures), {
    filters: { load: ['full'] },
    columns: ['code', 'confirmed'],
  })
  expect(rows).toBe(1)
  expect(csv).toMatch(/^\ufeffcode,confirmed\r\nT\w+-300714-0900,2\r\n$/)
})
