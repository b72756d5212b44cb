import { checkIn } from '@tour-ops/contract/bookings/manifest'
import { guestAudience, previewGuestText, sendGuestMessage } from '@tour-ops/contract/notifications/guest-messages'
import { listOutbox } from '@tour-ops/contract/notifications/notifications'
import { getDeparture } from '@tour-ops/contract/departures/departures'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '../../platform/ids.ts'
import { inHalfAnHour } from '../../../testing/accounts.ts'
import { afterAWhile, sentMails, withoutQuietHours } from '../../../testing/guest-mail.ts'
import { addDeparture, assignGuide, book, coreVerbOf, publishedTour, setStatus } from '../../../testing/operations.ts'
import { verbsOf } from '../../../testing/verbs.ts'
import { type TestCaller, testDatabase, type TestWorld } from '../../../testing/world.ts'
import { guestMessageVerbs } from './guest-messages-service.ts'
import { notificationVerbs } from './outbox-service.ts'

let world: TestWorld
beforeAll(async () => {
  world = await testDatabase()
})
afterAll(() => world.close())

const verbOf = verbsOf([...guestMessageVerbs, ...notificationVerbs])
const texts = [{ language: 'en' as const, subject: 'Stay in the bus', body: 'Hello {{name}}, the road is closed.' }]

/** A departure that boards with a party of two, of whom so many are aboard, and a party of one who has not come yet. */
async function boarding(caller: TestCaller, tourId: string, name: string, aboard: number) {
  const departureId = await addDeparture(caller, tourId, { ...inHalfAnHour('Atlantic/Reykjavik') })
  await assignGuide(caller, departureId)
  const sell = (contact: string, pax: number) =>
    book(caller, departureId, pax, {
      contact: { name: contact, email: `${contact.toLowerCase()}@example.com`, locale: 'en' },
      tellGuest: false,
    })
  const { guests } = await sell(name, 2)
  await sell(`${name}late`, 1)
  await setStatus(caller, departureId, { to: 'boarding' })
  const entries = guests.slice(0, aboard).map(({ entryId }) => ({ entryId: entryId ?? '', clientEventId: newId() }))
  if (entries.length > 0) await caller.call(coreVerbOf(checkIn), { departureId, entries })
  return departureId
}

async function twoGroups() {
  const caller = await world.as('operations_manager')
  await withoutQuietHours(caller)
  const { tourId } = await publishedTour(caller, { minPax: 0 })
  const { tourId: otherTourId } = await publishedTour(caller, { minPax: 0, name: 'Coast' })
  const one = await boarding(caller, tourId, 'Ana', 2)
  const other = await boarding(caller, otherTourId, 'Bert', 1)
  return { caller, one, other, departureIds: [one, other] }
}

test('a message to those aboard of several departures counts and reaches them alone, and the outbox says whom it was for', async () => {
  const { caller, one, other, departureIds } = await twoGroups()
  expect(await caller.call(verbOf(guestAudience), { audience: { departureIds } })).toMatchObject({ count: 4, pax: 6 })
  const audience = { departureIds, onlyAboard: true }
  expect(await caller.call(verbOf(guestAudience), { audience })).toMatchObject({
    // one e-mail for each party, and of the second one guest
    count: 2,
    pax: 3,
    unreachedCount: 0,
    tours: ['Coast', 'Golden Circle'],
  })
  const { message } = await caller.call(verbOf(previewGuestText), { audience, texts, at: 1 })
  expect(message).toMatchObject({ name: 'Bert', body: 'Hello Bert, the road is closed.' })
  // those who hold seats are not aboard
  expect(await caller.call(verbOf(guestAudience), { audience: { ...audience, withUnconfirmed: true } })).toMatchObject({
    count: 2,
  })
  await expect(caller.call(verbOf(sendGuestMessage), { audience, texts, count: 4 })).rejects.toMatchObject({
    details: { reason: 'audience_changed' },
  })
  await caller.call(verbOf(sendGuestMessage), { audience, texts, count: 2 })
  await afterAWhile(caller)
  expect((await sentMails(world)).map(({ to }) => to).toSorted()).toEqual(['ana@example.com', 'bert@example.com'])

  const codes = await Promise.all(
    [one, other].map(async (id) => ({ id, code: (await caller.call(coreVerbOf(getDeparture), { id })).code })),
  )
  const { rows } = await caller.call(verbOf(listOutbox), { q: 'stay in the bus' })
  const meant = { departures: codes.toSorted((a, b) => (a.code < b.code ? -1 : 1)), count: 2, onlyAboard: true }
  expect(rows.map((row) => row.meant)).toEqual([meant, meant])
  // of each of them it is found, of another one it is not
  const foundOf = async (id: string) =>
    (await caller.call(verbOf(listOutbox), { q: 'stay in the bus', filters: { departureId: [id] } })).total
  expect([await foundOf(one), await foundOf(other), await foundOf(newId())]).toEqual([2, 2, 0])
})

test('of a departure on which nobody is aboard it reaches nobody, of a booking that was chosen as well its contact', async () => {
  const caller = await world.as('operations_manager')
  const { tourId } = await publishedTour(caller, { minPax: 0 })
  const departureId = await boarding(caller, tourId, 'Cleo', 0)
  const audience = { departureIds: [departureId], onlyAboard: true }
  expect(await caller.call(verbOf(guestAudience), { audience })).toMatchObject({ count: 0, pax: 0, tours: [] })
  const { id } = await book(caller, await addDeparture(caller, tourId), 2, {
    contact: { name: 'Dan', email: 'dan@example.com' },
    tellGuest: false,
  })
  expect(await caller.call(verbOf(guestAudience), { audience: { ...audience, bookingIds: [id] } })).toMatchObject({
    count: 1,
    pax: 2,
  })
})

test('departures of another organization are refused, and who may not write writes to nobody', async () => {
  const { departureIds } = await twoGroups()
  const stranger = await world.as('operations_manager')
  const { tourId } = await publishedTour(stranger, { minPax: 0 })
  const own = await boarding(stranger, tourId, 'Eve', 2)
  const audience = { departureIds: [own, ...departureIds], onlyAboard: true }
  await expect(stranger.call(verbOf(sendGuestMessage), { audience, texts, count: 1 })).rejects.toMatchObject({
    code: 'not-found',
  })
  const viewer = await world.as('viewer', { orgId: stranger.orgId })
  await expect(
    viewer.call(verbOf(sendGuestMessage), { audience: { departureIds: [own], onlyAboard: true }, texts, count: 1 }),
  ).rejects.toMatchObject({ code: 'permission-denied' })
})
