import type { In } from '@tour-ops/contract/callable'
import { departureHistory, getDeparture } from '@tour-ops/contract/departures/departures'
import { markStop, recordHeadcount } from '@tour-ops/contract/departures/run-sheet'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  addDeparture,
  assignGuide,
  coreVerbOf,
  estimate,
  officeWithTour,
  setStatus,
} from '../../../testing/operations.ts'
import { testDatabase, type TestCaller, type TestWorld } from '../../../testing/world.ts'

let world: TestWorld
beforeAll(async () => {
  world = await testDatabase()
})
afterAll(() => world.close())

const start = new Date('2030-07-14T08:00:00Z')
const desk = (change?: Parameters<typeof officeWithTour>[2]) => officeWithTour(world, start, change)
const get = (caller: TestCaller, id: string) => caller.call(coreVerbOf(getDeparture), { id })

/** A departure at 09:00 that boards, with its guide and nobody booked. */
async function boarding() {
  const { caller, clock, tourId } = await desk()
  const id = await addDeparture(caller, tourId)
  await assignGuide(caller, id)
  await setStatus(caller, id, { to: 'boarding' })
  return { caller, clock, id }
}

/** The same, left in time. */
async function onTheRoad() {
  const departure = await boarding()
  departure.clock.set(new Date('2030-07-14T09:00:00Z'))
  await setStatus(departure.caller, departure.id, { to: 'in_progress', reason: 'nobody to count' })
  return departure
}

describe('the run sheet', () => {
  test('marks carry the delay on, in order, with a head count before leaving', async () => {
    const { caller, clock, id } = await onTheRoad()
    const mark = async (index: number, change: Omit<In<typeof markStop>, 'id' | 'version'>) => {
      const stop = (await get(caller, id)).stops[index]
      return caller.call(coreVerbOf(markStop), { id: stop?.id ?? '', version: stop?.version ?? 0, ...change })
    }
    await expect(mark(3, { to: 'arrived' })).rejects.toMatchObject({ details: { reason: 'earlier_stop_open' } })
    await mark(1, { to: 'arrived' })
    await mark(1, { to: 'departed', at: '2030-07-14T09:00:00Z' })
    clock.set(new Date('2030-07-14T12:33:00Z'))
    await expect(mark(2, { to: 'arrived', at: '2030-07-14T13:00:00Z' })).rejects.toMatchObject({
      details: { fieldErrors: { at: ['This time is in the future. Enter when it happened.'] } },
    })
    expect(await mark(2, { to: 'arrived' })).toMatchObject({ delaySeconds: 18 * 60 })
    expect(await get(caller, id)).toMatchObject({ delaySeconds: 18 * 60 })
    await expect(mark(2, { to: 'departed' })).rejects.toMatchObject({ details: { reason: 'headcount_missing' } })
    await caller.call(coreVerbOf(recordHeadcount), { departureId: id, counted: 0 })
    clock.set(new Date('2030-07-14T13:48:00Z'))
    expect(await mark(2, { to: 'departed' })).toMatchObject({ delaySeconds: 18 * 60 })
    const { stops, nextStop } = await get(caller, id)
    expect(stops[3]).toMatchObject({ etaAt: '2030-07-14T17:18:00.000Z', delaySeconds: 18 * 60, status: 'planned' })
    expect(stops[2]).toMatchObject({
      source: 'dispatcher',
      actualDepartAt: '2030-07-14T13:48:00.000Z',
      headcountActual: 0,
    })
    expect(nextStop).toMatchObject({ name: 'BSÍ terminal', number: 4, of: 4 })
  })

  test('a time long before the tour began is refused', async () => {
    const { caller, id } = await boarding()
    const [stop] = (await get(caller, id)).stops
    const marked = caller.call(coreVerbOf(markStop), {
      id: stop?.id ?? '',
      version: stop?.version ?? 0,
      to: 'arrived',
      at: '2030-07-13T09:00:00Z',
    })
    await expect(marked).rejects.toMatchObject({
      details: { fieldErrors: { at: ['This is long before the tour began. Check the time.'] } },
    })
  })

  test('nobody arrives before what is marked at the stop before, and within its minute the mark holds', async () => {
    const { caller, clock, id } = await onTheRoad()
    const mark = async (index: number, to: 'arrived' | 'departed', at?: string) => {
      const stop = (await get(caller, id)).stops[index]
      const given = { id: stop?.id ?? '', version: stop?.version ?? 0, to, reason: 'not counted' }
      return caller.call(coreVerbOf(markStop), at ? { ...given, at: `2030-07-${at}Z` } : given)
    }
    await mark(1, 'arrived', '14T09:00:00')
    clock.set(new Date('2030-07-14T09:05:42Z'))
    await mark(1, 'departed')
    // still out after midnight, and 03:40 typed
    clock.set(new Date('2030-07-15T01:04:00Z'))
    const refused = (at: string) => ({ details: { fieldErrors: { at: [at] } } })
    await expect(mark(2, 'arrived', '14T03:40:00')).rejects.toMatchObject(
      refused('This is earlier than what is marked at the stop before. Check the time.'),
    )
    await mark(2, 'arrived', '14T09:05:00')
    expect((await get(caller, id)).stops[2]?.actualArriveAt).toBe('2030-07-14T09:05:42.000Z')
    await expect(mark(2, 'departed', '14T09:04:00')).rejects.toMatchObject(refused('They left before they arrived.'))
  })

  test('what should have happened and was not marked makes the departure late, and no person is named for it', async () => {
    const { caller, clock, tourId } = await desk()
    const id = await addDeparture(caller, tourId)
    await assignGuide(caller, id)
    const told = async () => {
      await estimate(caller, clock.now())
      const { delaySeconds, stops } = await get(caller, id)
      return { late: delaySeconds / 60, geysir: stops[2]?.etaAt?.slice(11, 16) ?? null }
    }
    expect(await told()).toEqual({ late: 0, geysir: null })
    clock.set(new Date('2030-07-14T09:12:00Z'))
    expect(await told()).toEqual({ late: 12, geysir: '12:27' })
    await setStatus(caller, id, { to: 'boarding' })
    clock.set(new Date('2030-07-14T09:15:00Z'))
    await setStatus(caller, id, { to: 'in_progress', reason: 'nobody to count' })
    expect((await get(caller, id)).delaySeconds).toBe(15 * 60)
    clock.set(new Date('2030-07-14T12:00:00Z'))
    expect(await told()).toEqual({ late: 15, geysir: '12:30' })
    const before = await get(caller, id)
    const changes = (await caller.call(coreVerbOf(departureHistory), { id, size: 200 })).rows.length
    clock.set(new Date('2030-07-14T12:46:00Z'))
    expect(await told()).toEqual({ late: 31, geysir: '12:46' })
    const after = await get(caller, id)
    expect(after.version).toBe(before.version)
    expect(after.stops.map(({ version }) => version)).toEqual(before.stops.map(({ version }) => version))
    expect((await caller.call(coreVerbOf(departureHistory), { id, size: 200 })).rows).toHaveLength(changes)
  })

  test('a head count that differs needs a reason and opens one alert, a later one that fits closes it', async () => {
    const { caller, id } = await boarding()
    const count = (counted: number, reason?: string) =>
      caller.call(coreVerbOf(recordHeadcount), { departureId: id, counted, ...(reason ? { reason } : {}) })
    await expect(count(2)).rejects.toMatchObject({ details: { reason: 'headcount_mismatch', expected: 0, counted: 2 } })
    await count(2, 'two walked on')
    await count(1, 'one left')
    expect((await get(caller, id)).openAlerts).toBe(1)
    await count(0)
    expect((await get(caller, id)).openAlerts).toBe(0)
  })
})
