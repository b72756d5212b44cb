import { getDeparture } from '@tour-ops/contract/departures/departures'
import { createLink } from '@tour-ops/contract/links/links'
import { getSharedPage, type SharedPage } from '@tour-ops/contract/links/shared-page'
import { mapToday } from '@tour-ops/contract/map/map'
import { monitoringList } from '@tour-ops/contract/monitoring/monitoring-list'
import { markStop } from '@tour-ops/contract/departures/run-sheet'
import { whereaboutsOf } from '@tour-ops/contract/departures/stop-progress'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { guestOf } from '../testing/links.ts'
import { addDeparture, assignGuide, estimate, officeWithTour, setStatus } from '../testing/operations.ts'
import { verbsOf } from '../testing/verbs.ts'
import { testDatabase, type TestWorld } from '../testing/world.ts'
import { allVerbs } from '../src/verbs.ts'

const verbOf = verbsOf(allVerbs)
let world: TestWorld
beforeAll(async () => {
  world = await testDatabase()
})
afterAll(() => world.close())

const at = (time: string) => new Date(`2030-07-14T${time}:00Z`)
const iso = (time: string) => at(time).toISOString()

/** The tour of the tests, to be boarded: City Hall 08:20, BSÍ 09:00, Geysir 12:15 to 13:30 with 5 min of slack, back at 17:00. */
async function boarding() {
  const { caller, clock, tourId } = await officeWithTour(world, at('08:30'), { minPax: 0 })
  const id = await addDeparture(caller, tourId)
  await assignGuide(caller, id)
  const { token } = await caller.call(verbOf(createLink), {
    kind: 'departure_guest',
    subjectId: id,
    label: 'For the guests',
  })
  const become = async (to: 'boarding' | 'in_progress', time: string): Promise<void> => {
    clock.set(at(time))
    await setStatus(caller, id, { to, reason: 'no count' })
  }
  const mark = async (index: number, to: 'arrived' | 'departed', time: string): Promise<void> => {
    clock.set(at(time))
    const stop = (await caller.call(verbOf(getDeparture), { id })).stops[index]
    await caller.call(verbOf(markStop), { id: stop?.id ?? '', version: stop?.version ?? 0, to, reason: 'no count' })
  }
  const guest = (): Promise<SharedPage> => guestOf(world, clock)(getSharedPage, { token })
  /** What boards, run sheet, map and guest page say of a moment. */
  const seen = async (time: string) => {
    clock.set(at(time))
    await estimate(caller, clock.now())
    const { rows } = await caller.call(verbOf(monitoringList), {})
    const departure = await caller.call(verbOf(getDeparture), { id })
    const map = (await caller.call(verbOf(mapToday), {})).departures[0]
    const page = await guest()
    const marked = page.stops.map((stop) => ({ ...stop, actualArriveAt: stop.arrivedAt }))
    return {
      late: departure.delaySeconds / 60,
      board: rows[0]?.next,
      row: departure.nextStop,
      sheet: departure.stops[whereaboutsOf(departure.stops, departure.actualStartAt).next]?.placeName,
      map: map && map.stops[whereaboutsOf(map.stops, map.startedAt).next]?.name,
      guest: page.stops[whereaboutsOf(marked, page.departure.startedAt).next]?.name,
      departure,
      page,
    }
  }
  await become('boarding', '08:30')
  return { become, mark, seen }
}

test('once started the start is behind for everybody, though nobody marked a stop', async () => {
  const { become, seen } = await boarding()
  expect(await seen('08:40')).toMatchObject({ board: { name: 'City Hall' }, sheet: 'City Hall', map: 'City Hall' })
  await become('in_progress', '09:00')
  const { departure, page, ...said } = await seen('10:30')
  expect(said).toMatchObject({
    late: 0,
    board: { name: 'Geysir', status: 'planned', etaAt: iso('12:15') },
    row: { name: 'Geysir', number: 3, of: 4 },
    sheet: 'Geysir',
    map: 'Geysir',
    guest: 'Geysir',
  })
  expect(page).toMatchObject({ departure: { startedAt: departure.actualStartAt }, meeting: { isPast: true } })
})

test('who was at the start when the tour set out is no longer there, and not late for it', async () => {
  const { become, mark, seen } = await boarding()
  await mark(0, 'arrived', '08:35')
  await mark(1, 'arrived', '08:50')
  expect((await seen('08:55')).board).toMatchObject({ name: 'BSÍ terminal', status: 'arrived' })
  await become('in_progress', '09:04')
  expect(await seen('10:30')).toMatchObject({
    late: 4,
    board: { name: 'Geysir', etaAt: iso('12:19') },
    row: { number: 3 },
    sheet: 'Geysir',
    map: 'Geysir',
    guest: 'Geysir',
  })
})

test('who came to the start after the tour was set under way is there', async () => {
  const { become, mark, seen } = await boarding()
  await become('in_progress', '08:50')
  await mark(1, 'arrived', '09:18')
  expect(await seen('09:18')).toMatchObject({ late: 18, board: { name: 'BSÍ terminal', status: 'arrived' } })
})

test('they leave a stop at a time that has not passed, by the estimates of the stops after it', async () => {
  const { become, mark, seen } = await boarding()
  await become('in_progress', '09:00')
  await mark(2, 'arrived', '12:25')
  const leavesOf = async (time: string) => {
    const { board, departure, page } = await seen(time)
    const ofGuest = page.stops.find(({ name }) => name === 'Geysir')?.leavesAt
    return [board?.leavesAt, departure.stops[2]?.leavesAt, ofGuest, departure.stops[3]?.etaAt]
  }
  // ten minutes late, of which the slack makes up five
  expect(await leavesOf('13:00')).toEqual([iso('13:35'), iso('13:35'), iso('13:35'), iso('17:05')])
  expect(await leavesOf('13:50')).toEqual([iso('13:50'), iso('13:50'), iso('13:50'), iso('17:20')])
})
