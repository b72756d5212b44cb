import { previewSchedule, scheduleDepartures } from '@tour-ops/contract/departures/departure-schedule'
import { getDeparture, listDepartures } from '@tour-ops/contract/departures/departures'
import { createTour } from '@tour-ops/contract/tours/tours'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { movableClock } from '../../platform/clock.ts'
import { addDeparture, coreVerbOf, publishedTour } from '../../../testing/operations.ts'
import { testDatabase, type TestCaller, type TestWorld } from '../../../testing/world.ts'

let world: TestWorld
beforeAll(async () => {
  world = await testDatabase()
})
afterAll(() => world.close())

const start = new Date('2030-07-14T08:00:00Z')
const rule = { rrule: 'FREQ=DAILY', from: '2031-03-29', to: '2031-03-31', startTimesLocal: ['01:30', '10:00'] }

const scheduler = (): Promise<TestCaller> => world.as('operations_manager', { clock: movableClock(start) })

test('a rule is previewed with clashes, then created with stops in local time', async () => {
  const caller = await scheduler()
  const { tourId } = await publishedTour(caller, { timeZone: 'Europe/Lisbon', code: 'ALFA' })
  await addDeparture(caller, tourId, { localDate: '2031-03-31', startTimeLocal: '10:00' })
  const preview = await caller.call(coreVerbOf(previewSchedule), { tourId, ...rule })
  expect(preview.rows.map((row) => [row.code, row.startsAt, row.clash])).toEqual([
    ['ALFA-310329-0130', '2031-03-29T01:30:00.000Z', null],
    ['ALFA-310329-1000', '2031-03-29T10:00:00.000Z', null],
    ['ALFA-310330-0130', '2031-03-30T01:30:00.000Z', 'no_such_time'],
    ['ALFA-310330-1000', '2031-03-30T09:00:00.000Z', null],
    ['ALFA-310331-0130', '2031-03-31T00:30:00.000Z', null],
    ['ALFA-310331-1000', '2031-03-31T09:00:00.000Z', 'exists'],
  ])
  expect(preview).toMatchObject({ willCreate: 4, skipped: 2 })
  const created = await caller.call(coreVerbOf(scheduleDepartures), { tourId, ...rule })
  expect(created).toMatchObject({ created: 4, skipped: 2 })
  const departure = await caller.call(coreVerbOf(getDeparture), { id: created.ids[2] ?? '' })
  expect(departure).toMatchObject({
    code: 'ALFA-310330-1000',
    startTimeLocal: '10:00',
    localDate: '2031-03-30',
    capacity: 20,
  })
  expect(departure.stops.map((stop) => stop.plannedArriveAt)).toEqual([
    '2031-03-30T08:20:00.000Z',
    '2031-03-30T09:00:00.000Z',
    '2031-03-30T12:15:00.000Z',
    '2031-03-30T17:00:00.000Z',
  ])
  await expect(caller.call(coreVerbOf(scheduleDepartures), { tourId, ...rule })).rejects.toMatchObject({
    details: { reason: 'nothing_to_create' },
  })
})

test('a year of two a day is one batch of two statements, and past days are left out', async () => {
  const caller = await scheduler()
  const { tourId } = await publishedTour(caller)
  const result = await caller.call(coreVerbOf(scheduleDepartures), {
    tourId,
    rrule: 'FREQ=DAILY',
    from: '2030-07-01',
    to: '2031-06-30',
    startTimesLocal: ['09:00', '12:00'],
  })
  expect(result).toMatchObject({ created: 704, skipped: 26 })
  const list = await caller.call(coreVerbOf(listDepartures), { size: 500, page: 2 })
  expect(list).toMatchObject({ total: 704 })
  expect(list.rows).toHaveLength(204)
})

test('a tour that is not published has no departures', async () => {
  const caller = await world.as('tour_designer')
  const { tourId } = await publishedTour(caller)
  await caller.transaction((tx) => sql`update tours set status = 'archived' where id = ${tourId}`.execute(tx))
  await expect(addDeparture(caller, tourId)).rejects.toMatchObject({ details: { reason: 'not_published' } })
})

test('a tour that never was published shows what its schedule would create, and creates nothing', async () => {
  const caller = await world.as('tour_designer', { clock: movableClock(start) })
  const { id: tourId } = await caller.call(coreVerbOf(createTour), {
    code: 'NEW',
    name: 'New tour',
    kind: 'walking',
    timeZone: 'UTC',
    durationMin: 120,
    defaultCapacity: 8,
  })
  const preview = await caller.call(coreVerbOf(previewSchedule), { tourId, ...rule })
  expect(preview).toMatchObject({ willCreate: 6, skipped: 0 })
  await expect(caller.call(coreVerbOf(scheduleDepartures), { tourId, ...rule })).rejects.toMatchObject({
    details: { reason: 'not_published' },
  })
})

test('the same code twice is refused at the field', async () => {
  const caller = await scheduler()
  const { tourId } = await publishedTour(caller)
  await addDeparture(caller, tourId)
  await expect(addDeparture(caller, tourId)).rejects.toMatchObject({
    details: { fieldErrors: { startTimeLocal: [expect.any(String)] } },
  })
})
