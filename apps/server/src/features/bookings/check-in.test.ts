import { cancelBooking } from '@tour-ops/contract/bookings/bookings'
import {
  checkIn,
  getManifest,
  listCheckIns,
  markNoShow,
  setEntryStatus,
  undoCheckIn,
  type ManifestEntry,
} from '@tour-ops/contract/bookings/manifest'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '../../platform/ids.ts'
import { addDeparture, assignGuide, book, coreVerbOf, officeWithTour, setStatus } from '../../../testing/operations.ts'
import { testDatabase, type TestCaller, type TestWorld } from '../../../testing/world.ts'

let world: TestWorld
beforeAll(async () => {
  world = await testDatabase()
})
afterAll(() => world.close())

const start = new Date('2030-07-14T08:00:00Z')

/** A departure that boards, with a party of three, its guide, and a clock at 08:00. */
async function boardingDeparture() {
  const { caller, clock, tourId } = await officeWithTour(world, start)
  const departureId = await addDeparture(caller, tourId)
  const booking = await book(caller, departureId, 3)
  const staffId = await assignGuide(caller, departureId)
  const guide = await world.as('guide', { orgId: caller.orgId, staffId, clock })
  const become = async (to: 'boarding' | 'in_progress') => {
    await setStatus(caller, departureId, { to, reason: 'test' })
  }
  return { caller, guide, clock, departureId, booking, become }
}

const entriesOf = async (caller: TestCaller, departureId: string): Promise<ManifestEntry[]> => {
  const { groups } = await caller.call(coreVerbOf(getManifest), { departureId })
  return groups.flatMap((group) => group.parties.flatMap((party) => party.entries))
}

const event = (entryId: string, clientEventId = newId()) => ({ entryId, clientEventId })

test('check-in opens with boarding', async () => {
  const { guide, departureId, become } = await boardingDeparture()
  const [first] = await entriesOf(guide, departureId)
  const tap = () => guide.call(coreVerbOf(checkIn), { departureId, entries: [event(first?.id ?? '')] })
  await expect(tap()).rejects.toMatchObject({ code: 'aborted', details: { reason: 'check_in_closed' } })
  await become('boarding')
  expect((await tap()).entries).toMatchObject([
    { outcome: 'done', status: 'checked_in', checkInAt: start.toISOString() },
  ])
})

test('the same event sent twice is written once, and a second tap on somebody aboard changes nothing', async () => {
  const { guide, departureId, become } = await boardingDeparture()
  await become('boarding')
  const [first] = await entriesOf(guide, departureId)
  const tapped = event(first?.id ?? '')
  await guide.call(coreVerbOf(checkIn), { departureId, entries: [tapped] })
  const again = await guide.call(coreVerbOf(checkIn), { departureId, entries: [tapped, event(first?.id ?? '')] })
  expect(again.entries.map(({ outcome, reason }) => [outcome, reason])).toEqual([
    ['repeated', null],
    ['repeated', 'already'],
  ])
  const { events } = await guide.call(coreVerbOf(listCheckIns), { departureId })
  expect(events).toHaveLength(1)
})

test('many at once are answered one by one; what cannot be does not keep the others back', async () => {
  const { caller, guide, departureId, become } = await boardingDeparture()
  const held = await book(caller, departureId, 1, { mode: 'hold' })
  await become('boarding')
  const entries = await entriesOf(guide, departureId)
  const { entries: outcomes } = await guide.call(coreVerbOf(checkIn), {
    departureId,
    method: 'bulk',
    entries: [...entries.map((entry) => event(entry.id)), event(newId()), event(held.guests[0]?.entryId ?? '')],
  })
  expect(outcomes.map(({ outcome, reason }) => [outcome, reason])).toEqual([
    ['done', null],
    ['done', null],
    ['done', null],
    ['refused', 'not_on_this_departure'],
    ['refused', 'booking_not_confirmed'],
  ])
  const { counts } = await guide.call(coreVerbOf(getManifest), { departureId })
  expect(counts).toMatchObject({ total: 3, aboard: 3, toCome: 0 })
})

test('an undo is a new row, and the log cannot be changed', async () => {
  const { caller, guide, departureId, become } = await boardingDeparture()
  await become('boarding')
  const [first] = await entriesOf(guide, departureId)
  await guide.call(coreVerbOf(checkIn), { departureId, entries: [event(first?.id ?? '')] })
  const { entries } = await guide.call(coreVerbOf(undoCheckIn), { departureId, entries: [event(first?.id ?? '')] })
  expect(entries).toMatchObject([{ outcome: 'done', status: 'expected', checkInAt: null }])
  const { events } = await guide.call(coreVerbOf(listCheckIns), { departureId })
  expect(events.map((each) => each.kind)).toEqual(['undo', 'board'])
  await expect(caller.transaction((tx) => sql`delete from check_ins`.execute(tx))).rejects.toThrow()
})

test('the time of a phone that was offline is accepted, not about the future', async () => {
  const { guide, departureId, become } = await boardingDeparture()
  await become('boarding')
  const [first, second] = await entriesOf(guide, departureId)
  const { entries } = await guide.call(coreVerbOf(checkIn), {
    departureId,
    entries: [
      { ...event(first?.id ?? ''), deviceAt: '2030-07-14T07:42:00Z' },
      { ...event(second?.id ?? ''), deviceAt: '2030-07-14T12:00:00Z' },
    ],
  })
  expect(entries.map((entry) => entry.checkInAt)).toEqual(['2030-07-14T07:42:00.000Z', start.toISOString()])
})

test('a no-show is marked from five minutes before the time, and a guest who comes late is on tour at once', async () => {
  const { guide, clock, departureId, become } = await boardingDeparture()
  await become('boarding')
  const [late] = await entriesOf(guide, departureId)
  const miss = () => guide.call(coreVerbOf(markNoShow), { departureId, entryIds: [late?.id ?? ''] })
  await expect(miss()).rejects.toMatchObject({ details: { reason: 'too_early', from: '2030-07-14T08:55:00.000Z' } })
  clock.set(new Date('2030-07-14T08:55:00Z'))
  expect(await miss()).toEqual({ changed: 1 })
  await become('in_progress')
  const { entries } = await guide.call(coreVerbOf(checkIn), { departureId, entries: [event(late?.id ?? '')] })
  expect(entries).toMatchObject([{ outcome: 'done', status: 'on_tour' }])
  const [aboard] = (await entriesOf(guide, departureId)).filter((entry) => entry.status === 'on_tour')
  await guide.call(coreVerbOf(setEntryStatus), {
    entryId: aboard?.id ?? '',
    version: aboard?.version ?? 0,
    to: 'missing',
  })
  const undone = await guide.call(coreVerbOf(undoCheckIn), { departureId, entries: [event(late?.id ?? '')] })
  expect(undone.entries).toMatchObject([{ outcome: 'refused', reason: 'is_missing' }])
})

test('a party of which somebody is aboard is not cancelled', async () => {
  const { caller, departureId, booking, become } = await boardingDeparture()
  await become('boarding')
  const [first] = await entriesOf(caller, departureId)
  await caller.call(coreVerbOf(checkIn), { departureId, entries: [event(first?.id ?? '')] })
  await expect(
    caller.call(coreVerbOf(cancelBooking), { id: booking.id, version: booking.version, reason: 'other' }),
  ).rejects.toMatchObject({ details: { reason: 'guests_aboard', aboard: 1 } })
})

test('another guide and a viewer cannot check in', async () => {
  const { caller, departureId, become } = await boardingDeparture()
  await become('boarding')
  const [first] = await entriesOf(caller, departureId)
  const stranger = await world.as('guide', { orgId: caller.orgId })
  const viewer = await world.as('viewer', { orgId: caller.orgId })
  const tap = (who: TestCaller) => who.call(coreVerbOf(checkIn), { departureId, entries: [event(first?.id ?? '')] })
  await expect(tap(stranger)).rejects.toMatchObject({ code: 'not-found' })
  await expect(tap(viewer)).rejects.toMatchObject({ code: 'permission-denied' })
})
