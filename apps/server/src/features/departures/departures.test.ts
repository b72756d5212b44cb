import { getBooking } from '@tour-ops/contract/bookings/bookings'
import { createDeparture } from '@tour-ops/contract/departures/departure-schedule'
import { departureHistory, getDeparture, listDepartures, noteDeparture } from '@tour-ops/contract/departures/departures'
import { checkIn, getManifest, listCheckIns, markNoShow } from '@tour-ops/contract/bookings/manifest'
import { recordHeadcount, seeRunSheet } from '@tour-ops/contract/departures/run-sheet'
import { getTour, publishTour, saveTourDraft } from '@tour-ops/contract/tours/tours'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { movableClock } from '../../platform/clock.ts'
import { newId } from '../../platform/ids.ts'
import {
  addDeparture,
  addPlace,
  assignGuide,
  book,
  coreVerbOf,
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

test('the office sees whether the guide has the current plan on screen', async () => {
  const { caller, clock, tourId } = await desk()
  const id = await addDeparture(caller, tourId)
  const staffId = await assignGuide(caller, id)
  const guide = await world.as('guide', { orgId: caller.orgId, staffId, clock })
  const [unseen] = (await get(caller, id)).crew
  expect(unseen).toMatchObject({ seenVersion: null, isSelf: false })
  expect((await get(guide, id)).crew).toMatchObject([{ seenVersion: null, isSelf: true }])
  expect(await guide.call(coreVerbOf(seeRunSheet), { id })).toEqual({ seenVersion: 1 })
  const [seen] = (await get(caller, id)).crew
  // The version stays: who accepts while the screen opens, or is taken off, has nothing to look at again.
  expect(seen).toMatchObject({ seenVersion: 1, version: unseen?.version })
  await guide.call(coreVerbOf(seeRunSheet), { id })
  await caller.call(coreVerbOf(seeRunSheet), { id })
  expect((await get(caller, id)).crew).toEqual([seen])
})

describe('the day of a departure', () => {
  test('runs from scheduled to completed along its guards', async () => {
    const { caller, clock, tourId } = await desk()
    const id = await addDeparture(caller, tourId)
    const booking = await book(caller, id, 4)
    const held = await book(caller, id, 1, { mode: 'hold', guests: [] })
    await expect(setStatus(caller, id, { to: 'boarding' })).rejects.toMatchObject({
      code: 'aborted',
      details: { reason: 'conditions_unmet', unmet: expect.arrayContaining(['no_lead_guide']), overridable: false },
    })
    await assignGuide(caller, id)
    expect(await setStatus(caller, id, { to: 'boarding' })).toMatchObject({ status: 'boarding' })

    const manifest = await caller.call(coreVerbOf(getManifest), { departureId: id })
    const entries = manifest.groups.flatMap((group) => group.parties.flatMap((party) => party.entries))
    const come = entries.slice(0, 3).map((entry) => ({ entryId: entry.id, clientEventId: newId() }))
    await caller.call(coreVerbOf(checkIn), { departureId: id, entries: come })

    const leave = setStatus(caller, id, { to: 'in_progress' })
    await expect(leave).rejects.toMatchObject({
      details: { reason: 'conditions_unmet', unmet: expect.arrayContaining(['headcount_missing']), overridable: true },
    })
    await caller.call(coreVerbOf(recordHeadcount), { departureId: id, counted: 3 })
    clock.set(new Date('2030-07-14T09:02:00Z'))
    await expect(setStatus(caller, id, { to: 'in_progress' })).rejects.toMatchObject({
      details: { reason: 'conditions_unmet', unmet: expect.arrayContaining(['guests_undecided']), overridable: true },
    })
    await setStatus(caller, id, { to: 'in_progress', reason: 'The fourth guest takes a taxi' })
    const running = await get(caller, id)
    expect(running).toMatchObject({
      status: 'in_progress',
      salesStatus: 'closed',
      aboard: 3,
      actualStartAt: '2030-07-14T09:02:00.000Z',
      lastHeadcount: { stopName: 'BSÍ terminal', expected: 3, counted: 3 },
    })
    expect(await caller.call(coreVerbOf(getBooking), { id: held.id })).toMatchObject({
      status: 'cancelled',
      cancelReason: 'departed',
    })

    await expect(setStatus(caller, id, { to: 'completed' })).rejects.toMatchObject({
      details: { reason: 'conditions_unmet', unmet: expect.arrayContaining(['guests_undecided']) },
    })
    await caller.call(coreVerbOf(markNoShow), { departureId: id, entryIds: [entries[3]?.id ?? ''] })
    clock.set(new Date('2030-07-14T17:05:00Z'))
    await setStatus(caller, id, { to: 'completed' })
    expect(await caller.call(coreVerbOf(getBooking), { id: booking.id })).toMatchObject({ status: 'completed' })
    const crew = (await get(caller, id)).crew
    expect(crew).toEqual([expect.objectContaining({ role: 'lead_guide', status: 'completed' })])

    expect((await get(caller, id)).nextStatuses).toMatchObject([{ to: 'in_progress', needsReason: true }])
    clock.set(new Date('2030-07-14T19:06:00Z'))
    await expect(setStatus(caller, id, { to: 'in_progress', reason: 'mistap' })).rejects.toMatchObject({
      details: { reason: 'conditions_unmet', unmet: expect.arrayContaining(['reopen_window_over']) },
    })
  })

  test('an illegal step is refused, and says from where to where', async () => {
    const { caller, tourId } = await desk()
    const id = await addDeparture(caller, tourId)
    await expect(setStatus(caller, id, { to: 'completed' })).rejects.toMatchObject({
      code: 'aborted',
      details: { reason: 'illegal_transition', from: 'scheduled', to: 'completed' },
    })
  })

  test('running below the minimum is a manager’s decision with a reason', async () => {
    const { caller, tourId } = await desk()
    const id = await addDeparture(caller, tourId)
    const dispatcher = await world.as('dispatcher', { orgId: caller.orgId, clock: movableClock(start) })
    await expect(setStatus(dispatcher, id, { to: 'guaranteed' })).rejects.toMatchObject({
      details: { reason: 'conditions_unmet', unmet: expect.arrayContaining(['below_min_pax']) },
    })
    await expect(setStatus(dispatcher, id, { to: 'guaranteed', reason: 'agent asked' })).rejects.toMatchObject({
      code: 'permission-denied',
    })
    expect(await setStatus(caller, id, { to: 'guaranteed', reason: 'agent asked' })).toMatchObject({
      status: 'guaranteed',
    })
    expect((await get(caller, id)).guaranteedAt).toBe(start.toISOString())
  })

  test('cancelling frees crew and vehicles, ends holds and waitlist, and keeps the confirmed to be moved', async () => {
    const { caller, tourId } = await desk()
    const id = await addDeparture(caller, tourId, { capacity: 2 })
    const staffId = await assignGuide(caller, id)
    const sold = await book(caller, id, 1)
    const held = await book(caller, id, 1, { mode: 'hold' })
    const waiting = await book(caller, id, 1, { mode: 'waitlist' })
    await expect(setStatus(caller, id, { to: 'cancelled' })).rejects.toMatchObject({
      details: { fieldErrors: { cancelReason: [expect.any(String)] } },
    })
    await setStatus(caller, id, { to: 'cancelled', cancelReason: 'weather', reason: 'Storm' })
    const departure = await get(caller, id)
    expect(departure).toMatchObject({
      status: 'cancelled',
      cancelReason: 'weather',
      seatsHeld: 0,
      waitlistCount: 0,
      nextStatuses: [],
    })
    const states = await Promise.all(
      [sold, held, waiting].map(({ id: each }) => caller.call(coreVerbOf(getBooking), { id: each })),
    )
    expect(states.map((booking) => booking.status)).toEqual(['confirmed', 'cancelled', 'cancelled'])
    const other = await addDeparture(caller, tourId, { startTimeLocal: '10:00' })
    await assignGuide(caller, other, { staffId })
  })

  test('of a cancelled departure nothing is ready and nobody is aboard', async () => {
    const { caller, tourId } = await desk()
    const id = await addDeparture(caller, tourId)
    await assignGuide(caller, id)
    const { guests } = await book(caller, id, 1)
    await setStatus(caller, id, { to: 'boarding' })
    await caller.call(coreVerbOf(checkIn), {
      departureId: id,
      entries: [{ entryId: guests[0]?.entryId ?? '', clientEventId: newId() }],
    })
    await setStatus(caller, id, { to: 'cancelled', cancelReason: 'vehicle' })
    const departure = await get(caller, id)
    expect(departure.readiness).toMatchObject({ ready: false, total: 0 })
    expect(departure.counts).toMatchObject({ aboard: 0, expected: 1 })
    const { entries } = (await caller.call(coreVerbOf(getManifest), { departureId: id })).groups[0]?.parties[0] ?? {}
    expect(entries).toMatchObject([{ status: 'expected', checkInAt: null, checkInByName: null }])
    const { events } = await caller.call(coreVerbOf(listCheckIns), { departureId: id })
    expect(events.map(({ kind }) => kind).toSorted()).toEqual(['board', 'undo'])
    const ready = await caller.call(coreVerbOf(listDepartures), { filters: { readiness: ['ready'] } })
    expect(ready.rows.map((row) => row.id)).not.toContain(id)
  })
})

test('a guide sees own departures and nothing else', async () => {
  const { caller, tourId } = await desk()
  const mine = await addDeparture(caller, tourId)
  const other = await addDeparture(caller, tourId, { startTimeLocal: '12:00' })
  const staffId = await assignGuide(caller, mine)
  const guide = await world.as('guide', { orgId: caller.orgId, staffId })
  expect((await guide.call(coreVerbOf(listDepartures), {})).rows.map((row) => row.id)).toEqual([mine])
  await expect(get(guide, other)).rejects.toMatchObject({ code: 'not-found' })
  await expect(guide.call(coreVerbOf(departureHistory), { id: other })).rejects.toMatchObject({ code: 'not-found' })
  await expect(guide.call(coreVerbOf(noteDeparture), { id: mine, version: 1 })).rejects.toMatchObject({
    code: 'permission-denied',
  })
})

test('the history names who did what', async () => {
  const { caller, tourId } = await desk()
  const id = await addDeparture(caller, tourId)
  const { version } = await get(caller, id)
  await caller.call(coreVerbOf(noteDeparture), { id, version, weatherNote: 'Calm' })
  const { rows } = await caller.call(coreVerbOf(departureHistory), { id })
  expect(rows[0]).toMatchObject({
    action: 'departures-note',
    actorName: 'Test operations_manager',
    changes: [{ field: 'weather_note', before: null, after: 'Calm' }],
  })
})

test('publishing again plans chosen future departures again and leaves the others as sold', async () => {
  const { caller, tourId, pickupPlaceId } = await desk()
  const chosen = await addDeparture(caller, tourId, { localDate: '2030-07-20' })
  const kept = await addDeparture(caller, tourId, { localDate: '2030-07-21' })
  const pickupStopId = (await get(caller, chosen)).stops[0]?.id
  const booking = await book(caller, chosen, 1, { pickupStopId: pickupStopId ?? null })
  const tour = await caller.call(coreVerbOf(getTour), { id: tourId })
  const content = tour.revision?.content
  const stops = content?.stops.map((stop) => (stop.kind === 'pickup' ? { ...stop, offsetMin: -60 } : stop)) ?? []
  const draft = await caller.call(coreVerbOf(saveTourDraft), {
    id: tourId,
    version: tour.version,
    content: { ...content, stops },
  })
  const published = await caller.call(coreVerbOf(publishTour), {
    id: tourId,
    version: draft.version,
    applyToDepartureIds: [chosen],
  })
  expect(published).toMatchObject({ revisionNumber: 2, appliedTo: 1 })
  expect((await get(caller, chosen)).stops[0]).toMatchObject({
    placeId: pickupPlaceId,
    plannedArriveAt: '2030-07-20T08:00:00.000Z',
  })
  expect((await get(caller, kept)).stops[0]).toMatchObject({ plannedArriveAt: '2030-07-21T08:20:00.000Z' })
  expect(await get(caller, kept)).toMatchObject({ revisionNumber: 1 })
  expect(await caller.call(coreVerbOf(getBooking), { id: booking.id })).toMatchObject({ pickupPlaceName: 'City Hall' })
})

test('a departure of another organization does not exist', async () => {
  const { caller, tourId } = await desk()
  const id = await addDeparture(caller, tourId)
  const stranger = await world.as('admin')
  await expect(get(stranger, id)).rejects.toMatchObject({ code: 'not-found' })
  await expect(
    stranger.call(coreVerbOf(createDeparture), { tourId, localDate: '2030-07-15', startTimeLocal: '09:00' }),
  ).rejects.toMatchObject({
    code: 'not-found',
  })
  await addPlace(stranger)
})
