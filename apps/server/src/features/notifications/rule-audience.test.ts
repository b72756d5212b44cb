import { listGuestRules, setGuestRule } from '@tour-ops/contract/notifications/guest-rules'
import { everybody } from '@tour-ops/contract/notifications/rule-audience'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { withoutQuietHours } from '../../../testing/guest-mail.ts'
import { addDeparture, book, officeWithTour, publishedTour } from '../../../testing/operations.ts'
import { verbsOf } from '../../../testing/verbs.ts'
import { type TestCaller, testDatabase, type TestWorld } from '../../../testing/world.ts'
import { guestRuleVerbs } from './guest-rules-service.ts'
import { remindGuests } from './remind-guests.ts'

let world: TestWorld
beforeAll(async () => {
  world = await testDatabase()
})
afterAll(() => world.close())

const verbOf = verbsOf(guestRuleVerbs)
const contact = { name: 'Ana López', email: 'ana@example.com' }

/** An office with a departure of each of two tours, on the same day. */
async function desk() {
  const office = await officeWithTour(world, new Date('2030-07-10T08:00:00Z'))
  await withoutQuietHours(office.caller)
  const other = await publishedTour(office.caller, { code: 'OTHER', name: 'Other tour' })
  const localDate = '2030-07-15'
  const departureId = await addDeparture(office.caller, office.tourId, { localDate })
  return { ...office, departureId, otherId: await addDeparture(office.caller, other.tourId, { localDate }) }
}

const kinds = async (caller: TestCaller, bookingId: string) => {
  const { rows } = await caller.transaction((tx) =>
    sql<{ kind: string }>`select kind from messages where subject_id = ${bookingId} order by created_at, id`.execute(
      tx,
    ),
  )
  return rows.map(({ kind }) => kind)
}

test('a rule for a tour tells its guests, and one for a channel of sale those who bought there', async () => {
  const { caller, tourId, departureId, otherId } = await desk()
  const set = (audience: typeof everybody) =>
    caller.call(verbOf(setGuestRule), { event: 'booking_confirmed', audience })
  const sold = async (id: string, channel: 'phone' | 'ota') =>
    kinds(caller, (await book(caller, id, 1, { contact, channel })).id)
  await set({ tourIds: [tourId], channels: [] })
  expect([await sold(departureId, 'ota'), await sold(otherId, 'ota')]).toEqual([['booking_confirmed'], []])
  await set({ tourIds: [], channels: ['phone'] })
  expect([await sold(departureId, 'ota'), await sold(otherId, 'phone')]).toEqual([[], ['booking_confirmed']])
  // both have to be so
  await set({ tourIds: [tourId], channels: ['phone'] })
  expect([await sold(departureId, 'ota'), await sold(otherId, 'phone')]).toEqual([[], []])
  expect(await sold(departureId, 'phone')).toEqual(['booking_confirmed'])
  await set(everybody)
  expect([await sold(departureId, 'ota'), await sold(otherId, 'phone')]).toEqual([
    ['booking_confirmed'],
    ['booking_confirmed'],
  ])
})

test('what a job tells goes to those whom the rule is for', async () => {
  const { caller, clock, tourId, departureId, otherId } = await desk()
  const audience = { tourIds: [tourId], channels: [] }
  await caller.call(verbOf(setGuestRule), { event: 'pickup_reminder', audience })
  const meant = await book(caller, departureId, 1, { contact, tellGuest: false })
  const notMeant = await book(caller, otherId, 1, { contact, tellGuest: false })
  clock.set(new Date('2030-07-14T18:00:00Z'))
  for (let twice = 0; twice < 2; twice += 1) await remindGuests({ ...world.services, clock })
  expect([await kinds(caller, meant.id), await kinds(caller, notMeant.id)]).toEqual([['pickup_reminder'], []])
})

test('switched or set, a rule keeps whom it is for; of another office it names no tour', async () => {
  const { caller, tourId } = await desk()
  const { caller: stranger, tourId: theirs } = await desk()
  const audience = { tourIds: [tourId], channels: ['direct' as const] }
  await caller.call(verbOf(setGuestRule), { event: 'pickup_reminder', audience })
  await caller.call(verbOf(setGuestRule), { event: 'pickup_reminder', isOn: false, setting: 7 })
  const ruleOf = async (of: TestCaller) =>
    (await of.call(verbOf(listGuestRules), {})).rules.find(({ event }) => event === 'pickup_reminder')
  expect(await ruleOf(caller)).toMatchObject({ isOn: false, setting: 7, audience })
  expect(await ruleOf(stranger)).toMatchObject({ isOn: true, audience: everybody })
  const refused = caller.call(verbOf(setGuestRule), {
    event: 'booking_changed',
    audience: { tourIds: [tourId, theirs], channels: [] },
  })
  await expect(refused).rejects.toMatchObject({
    code: 'invalid-argument',
    details: { fieldIssues: { 'audience.tourIds': [{ code: 'not_listed' }] } },
  })
})
