import { getBooking } from '@tour-ops/contract/bookings'
import type { In } from '@tour-ops/contract/callable'
import { createDeparture } from '@tour-ops/contract/departure-schedule'
import {
  departureHistory,
  exportDepartures,
  getDeparture,
  listDepartures,
  noteDeparture,
  setDepartureStatus,
} from '@tour-ops/contract/departures'
import { checkIn, getManifest, listCheckIns, markNoShow } from '@tour-ops/contract/manifest'
import { markStop, recordHeadcount, seeRunSheet } from '@tour-ops/contract/run-sheet'
import { getTour, publishTour, saveTourDraft } from '@tour-ops/contract/tours'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { movableClock } from '../../platform/clock.ts'
import { newId } from '../../platform/ids.ts'
import {
  addDeparture,
  addPlace,
  assignGuide,
  book,
  coreVerbOf,
  estimate,
  publishedTour,
} from '../../testing-operations.ts'
import { testDatabase, type TestCaller, type TestWorld } from '../../testing.ts'

let world: TestWorld
beforeAll(async () => {
  world = await testDatabase()
})
afterAll(() => world.close())

const start = new Date('2030-07-14T08:00:00Z')

async function desk() {
  const clock = movableClock(start)
  const caller = await world.as('operations_manager', { clock })
  const plan = await publishedTour(caller)
  return { caller, clock, ...plan }
}

const get = (caller: TestCaller, id: string) => caller.call(coreVerbOf(getDeparture), { id })
const setStatus = async (
  caller: TestCaller,
  id: string,
  change: Omit<In<typeof setDepartureStatus>, 'id' | 'version'>,
) => {
  const { version } = await get(caller, id)
  return caller.call(coreVerbOf(setDepartureStatus), { id, version, ...change })
}

test('the office sees whether the guide has the current plan on screen', async () => {
  const { caller, clock, tourId } = await desk()
  const id = await addDeparture(caller, tourId)
  const staffId = await assignGuide(caller, id)
  const guide = await world.as('guide', { orgId: caller.orgId, staffId, clock })
  expect((await get(caller, id)).crew).toMatchObject([{ seenVersion: null, isSelf: false }])
  expect((await get(guide, id)).crew).toMatchObject([{ seenVersion: null, isSelf: true }])
  expect(await guide.call(coreVerbOf(seeRunSheet), { id })).toEqual({ seenVersion: 1 })
  const [seen] = (await get(caller, id)).crew
  expect(seen).toMatchObject({ seenVersion: 1 })
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
      details: { reason: 'no_lead_guide', overridable: false },
    })
    await assignGuide(caller, id)
    expect(await setStatus(caller, id, { to: 'boarding' })).toMatchObject({ status: 'boarding' })

    const manifest = await caller.call(coreVerbOf(getManifest), { departureId: id })
    const entries = manifest.groups.flatMap((group) => group.parties.flatMap((party) => party.entries))
    const come = entries.slice(0, 3).map((entry) => ({ entryId: entry.id, clientEventId: newId() }))
    await caller.call(coreVerbOf(checkIn), { departureId: id, entries: come })

    const leave = setStatus(caller, id, { to: 'in_progress' })
    await expect(leave).rejects.toMatchObject({ details: { reason: 'headcount_missing', overridable: true } })
    await caller.call(coreVerbOf(recordHeadcount), { departureId: id, counted: 3 })
    clock.set(new Date('2030-07-14T09:02:00Z'))
    await expect(setStatus(caller, id, { to: 'in_progress' })).rejects.toMatchObject({
      details: { reason: 'guests_undecided', overridable: true },
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
      details: { reason: 'guests_undecided' },
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
      details: { reason: 'reopen_window_over' },
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
      details: { reason: 'below_min_pax' },
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

describe('the run sheet', () => {
  test('marks carry the delay on, in order, with a head count before leaving', async () => {
    const { caller, clock, tourId } = await desk()
    const id = await addDeparture(caller, tourId)
    await assignGuide(caller, id)
    await setStatus(caller, id, { to: 'boarding' })
    clock.set(new Date('2030-07-14T09:00:00Z'))
    await setStatus(caller, id, { to: 'in_progress', reason: 'nobody to count' })
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
    const { caller, tourId } = await desk()
    const id = await addDeparture(caller, tourId)
    await assignGuide(caller, id)
    await setStatus(caller, id, { to: 'boarding' })
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
    const { caller, clock, tourId } = await desk()
    const id = await addDeparture(caller, tourId)
    await assignGuide(caller, id)
    await setStatus(caller, id, { to: 'boarding' })
    clock.set(new Date('2030-07-14T09:00:00Z'))
    await setStatus(caller, id, { to: 'in_progress', reason: 'nobody to count' })
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

  test('what should have happened and was not marked makes the departure late, and nobody is said to have done it', async () => {
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
    const { caller, tourId } = await desk()
    const id = await addDeparture(caller, tourId)
    await assignGuide(caller, id)
    await setStatus(caller, id, { to: 'boarding' })
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

  test.for(['lead_guide', 'vehicle'] as const)('what is cancelled needs no %s any more', async (need) => {
    const caller = await world.as('operations_manager', { clock: movableClock(start) })
    const { tourId } = await publishedTour(caller, { requirements: { vehicleClass: '4x4' } })
    const id = await addDeparture(caller, tourId)
    const needing = () => caller.call(coreVerbOf(listDepartures), { filters: { needs: [need] } })
    expect((await needing()).rows).toMatchObject([{ id }])
    await setStatus(caller, id, { to: 'cancelled', cancelReason: 'low_pax' })
    expect(await needing()).toMatchObject({ rows: [], total: 0 })
  })
})

test('a list of several days asks each guest of each departure for a document that lasts until the end', async () => {
  const caller = await world.as('operations_manager', { clock: movableClock(start) })
  const { tourId } = await publishedTour(caller, { kind: 'multi_day', durationDays: 3, minPax: 0 })
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

test('publishing again plans chosen future departures anew and leaves the others as sold', async () => {
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
