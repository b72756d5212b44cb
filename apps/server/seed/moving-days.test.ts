import { getManifest, undoCheckIn } from '@tour-ops/contract/bookings/manifest'
import { getDeparture } from '@tour-ops/contract/departures/departures'
import { markStop } from '@tour-ops/contract/departures/run-sheet'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '../src/platform/ids.ts'
import { addDeparture, assignGuide, book, coreVerbOf, officeWithTour, setStatus } from '../testing/operations.ts'
import { testDatabase, type TestWorld } from '../testing/world.ts'
import { MovingDays } from './moving-days.ts'
import { person } from './person.ts'

let world: TestWorld
beforeAll(async () => {
  world = await testDatabase()
})
afterAll(() => world?.close())

/** A tour at 09:00 with a pickup at 08:20, and the demo's crew in addition to the office. */
async function morning(habits: ConstructorParameters<typeof MovingDays>[2]) {
  const { caller, clock, tourId } = await officeWithTour(world, new Date('2030-07-14T07:00:00Z'), { minPax: 0 })
  const { caller: dispatcher } = await world.as('dispatcher', { orgId: caller.orgId })
  const services = { ...world.services, clock }
  const days = new MovingDays(
    services,
    person(services, { userId: dispatcher.userId, orgId: caller.orgId, name: 'Dana', email: 'dana@example.com' }),
    habits,
  )
  const id = await addDeparture(caller, tourId)
  const at = (time: string) => {
    clock.set(new Date(`2030-07-14T${time}:00Z`))
    return days.look()
  }
  const seen = () => caller.call(coreVerbOf(getDeparture), { id })
  const counts = async () => (await caller.call(coreVerbOf(getManifest), { departureId: id })).counts
  /** A party that is picked up at 08:20. */
  const party = async (pax: number) => book(caller, id, pax, { pickupStopId: (await seen()).stops[0]?.id ?? null })
  return { caller, id, at, seen, counts, party }
}

test('a departure boards, leaves with everybody, counts heads on the way and comes back', async () => {
  const { caller, id, at, seen, counts, party } = await morning({ absent: 0, miscounted: 1 })
  await assignGuide(caller, id)
  await party(6)
  await at('07:59')
  expect((await seen()).status).toBe('scheduled')
  await at('08:00')
  expect((await seen()).status).toBe('boarding')
  expect(await counts()).toMatchObject({ aboard: 0, toCome: 6 })
  await at('08:20')
  expect(await counts()).toMatchObject({ aboard: 6, toCome: 0 })
  await at('08:59')
  expect((await seen()).status).toBe('boarding')
  await at('09:12')
  expect(await seen()).toMatchObject({ status: 'in_progress', openAlerts: 0 })

  const mark = async (index: number, time: string, to: 'arrived' | 'departed' = 'arrived') => {
    const stop = (await seen()).stops[index]
    const change = { id: stop?.id ?? '', version: stop?.version ?? 0, to }
    await caller.call(coreVerbOf(markStop), { ...change, at: `2030-07-14T${time}:00Z` })
  }
  await at('12:20')
  await mark(2, '12:20')
  await at('13:30')
  expect((await seen()).stops[2]).toMatchObject({ headcountActual: null })
  await at('13:32')
  expect(await seen()).toMatchObject({ openAlerts: 1 })
  expect((await seen()).stops[2]).toMatchObject({ headcountActual: 5 })
  await at('13:34')
  await mark(2, '13:34', 'departed')
  await at('13:35')
  expect(await seen()).toMatchObject({ openAlerts: 0 })
  expect((await seen()).stops[2]).toMatchObject({ headcountActual: 6 })
  await at('16:50')
  expect((await seen()).status).toBe('in_progress')
  await mark(3, '16:50')
  await at('16:51')
  expect((await seen()).status).toBe('completed')
})

test('who does not come is waited for and then marked, and the others leave', async () => {
  const { caller, id, at, seen, counts, party } = await morning({ absent: 1, miscounted: 0 })
  await assignGuide(caller, id)
  await party(2)
  await at('08:00')
  await at('09:06')
  expect(await counts()).toMatchObject({ toCome: 2, noShow: 0 })
  await at('09:12')
  expect(await counts()).toMatchObject({ aboard: 0, noShow: 2 })
  expect((await seen()).status).toBe('in_progress')
})

test('what a visitor undoes is not done again, and what they have to decide is left to them', async () => {
  const { caller, id, at, seen, counts, party } = await morning({ absent: 0, miscounted: 0 })
  const { guests } = await party(3)
  // nobody leads it
  await at('08:01')
  expect((await seen()).status).toBe('scheduled')
  await assignGuide(caller, id)
  await at('08:21')
  await at('08:22')
  expect(await counts()).toMatchObject({ aboard: 3 })
  const entries = [{ entryId: guests[0]?.entryId ?? '', clientEventId: newId() }]
  await caller.call(coreVerbOf(undoCheckIn), { departureId: id, entries })
  await at('08:23')
  expect(await counts()).toMatchObject({ aboard: 2, toCome: 1 })
  await setStatus(caller, id, { to: 'cancelled', cancelReason: 'weather' })
  await at('08:24')
  expect((await seen()).status).toBe('cancelled')
})

test('nothing is caught up with that was over before anybody looked', async () => {
  const { caller, id, at, seen, party } = await morning({ absent: 0, miscounted: 0 })
  await assignGuide(caller, id)
  await party(2)
  await at('18:00')
  expect((await seen()).status).toBe('scheduled')
})
