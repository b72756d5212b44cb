import { cancelBooking, getBooking } from '@tour-ops/contract/bookings/bookings'
import type { In } from '@tour-ops/contract/callable'
import { createLink, listLinks, revokeLink } from '@tour-ops/contract/links/links'
import {
  answerOffer,
  answerRollCall,
  confirmParty,
  getSharedPage,
  giveFeedback,
  setGuestEmails,
  SharedPage,
  writeSharedMessage,
} from '@tour-ops/contract/links/shared-page'
import { getIncident, reportIncident } from '@tour-ops/contract/monitoring/incidents'
import { askRollCall } from '@tour-ops/contract/monitoring/roll-calls'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { movableClock } from '../../platform/clock.ts'
import { guestOf } from '../../../testing/links.ts'
import { addDeparture, assignGuide, book, publishedTour } from '../../../testing/operations.ts'
import { verbsOf } from '../../../testing/verbs.ts'
import { type TestCaller, testDatabase, type TestWorld } from '../../../testing/world.ts'
import { allVerbs } from '../../verbs.ts'

let world: TestWorld
beforeAll(async () => {
  world = await testDatabase()
})
afterAll(() => world.close())

const verbOf = verbsOf(allVerbs)
const everything = { map: true, stops: true, crew: true, contacts: true, details: true, feedback: true, messages: true }
const gone = { code: 'not-found', details: { reason: 'shared_link_over' } }
/** Four days before. */
const beforehand = '2030-07-10T08:00:00Z'

/** A party of two on 14 July at nine, of whom one has a link. */
async function oneOfTwo(guests = ['Sofia Marin', 'Luca Haddad']) {
  const clock = movableClock(new Date(beforehand))
  const caller = await world.as('operations_manager', { clock })
  const { tourId } = await publishedTour(caller)
  const departureId = await addDeparture(caller, tourId)
  await assignGuide(caller, departureId)
  const bookOn = (departure: string, names = guests, travelerId?: string) =>
    book(caller, departure, names.length, {
      contact: { name: 'Zelda Contact', email: 'zelda@example.com' },
      guests: names.map((name, index) => {
        const [firstName = '', lastName = ''] = name.split(' ')
        const known = index === 0 && travelerId !== undefined
        return known
          ? { travelerId, unitType: 'adult' as const }
          : { firstName, lastName, unitType: 'adult' as const, dietary: ['vegan' as const] }
      }),
    })
  const booking = await bookOn(departureId)
  const travelerId = booking.guests.find(({ name }) => name.startsWith('Sofia'))?.travelerId ?? ''
  const link = await newLink(caller, travelerId)
  const asGuest = guestOf(world, clock)
  /** The page, which holds what its shape names and nothing else. */
  const page = async (token = link.token) => SharedPage.parse(await asGuest(getSharedPage, { token }))
  return { clock, caller, tourId, departureId, booking, bookOn, travelerId, link, asGuest, page }
}

const newLink = (caller: TestCaller, subjectId: string, more: Partial<In<typeof createLink>> = {}) =>
  caller.call(verbOf(createLink), { kind: 'traveler', subjectId, label: 'Sofia', scopes: everything, ...more })

test('a traveler sees their tour and their own details, and nobody else, not even of their party', async () => {
  const { caller, page, travelerId } = await oneOfTwo()
  const shown = await page()
  expect(shown).toMatchObject({
    kind: 'traveler',
    state: 'before',
    departure: { tourName: 'Golden Circle', startsAt: '2030-07-14T09:00:00.000Z' },
    meeting: { placeName: 'BSÍ terminal' },
    crew: [{ firstName: 'Björn' }],
    guests: [],
    bookingRef: null,
    party: { isOpen: true, confirmedAt: null, openSeats: [], people: [{ firstName: 'Sofia', lastName: 'Marin' }] },
    ownTours: [],
    // what the party writes and pays is on the link of its booking
    thread: null,
    news: [],
    payment: null,
    emails: null,
    offer: null,
  })
  expect(JSON.stringify(shown)).not.toMatch(/Luca|Haddad|Zelda|example\.com/)
  const { rows } = await caller.call(verbOf(listLinks), { q: 'marin' })
  expect(rows).toMatchObject([
    { kind: 'traveler', subject: 'Sofia Marin', scopes: { manifestNames: false, offer: false } },
  ])
  const named = await newLink(caller, travelerId, { scopes: { ...everything, manifestNames: true, offer: true } })
  expect(JSON.stringify(await page(named.token))).not.toMatch(/Luca|Haddad/)
})

test('a traveler confirms and corrects themselves, and neither changes nor names anybody else', async () => {
  const { caller, booking, page, asGuest, link } = await oneOfTwo()
  const [own] = (await page()).party?.people ?? []
  if (!own) throw new Error('The link shows no details.')
  const { token } = link
  const other = booking.guests.find(({ name }) => name.startsWith('Luca'))
  const people = [{ ...own, id: other?.entryId ?? '', version: 1 }]
  await expect(asGuest(confirmParty, { token, people })).rejects.toMatchObject(gone)
  const named = [{ unitType: 'adult' as const, firstName: 'New', lastName: 'Guest', dietary: [], dietaryNote: null }]
  await expect(asGuest(confirmParty, { token, people: [own], named, openSeats: 0 })).rejects.toMatchObject(gone)
  const after = await asGuest(confirmParty, { token, people: [{ ...own, firstName: 'Sofía' }] })
  expect(after).toMatchObject({ people: [{ firstName: 'Sofía' }] })
  expect(after.confirmedAt).not.toBeNull()
  const { guests } = await caller.call(verbOf(getBooking), { id: booking.id })
  expect(Object.fromEntries(guests.map(({ name, confirmedAt }) => [name, confirmedAt !== null]))).toEqual({
    'Luca Haddad': false,
    'Sofía Marin': true,
  })
})

test('the page goes from tour to tour, names those to come, and the link lives until the last is over', async () => {
  const { clock, caller, tourId, departureId, bookOn, travelerId, page } = await oneOfTwo()
  const second = await addDeparture(caller, tourId, { localDate: '2030-07-20' })
  await bookOn(second, ['Sofia Marin'], travelerId)
  const dates = async () => {
    const { departure, ownTours } = await page()
    return [departure.localDate, ...ownTours.map(({ startsAt }) => startsAt)]
  }
  expect(await dates()).toEqual(['2030-07-14', '2030-07-20T09:00:00.000Z'])
  await caller.transaction(async (tx) => {
    await sql`update manifest_entries set status = 'no_show' where departure_id = ${departureId}`.execute(tx)
    for (const status of ['boarding', 'in_progress', 'completed']) {
      await sql`update departures set status = ${status}, actual_start_at = '2030-07-14T09:00:00Z',
        actual_end_at = ${status === 'completed' ? '2030-07-14T17:00:00Z' : null} where id = ${departureId}`.execute(tx)
    }
  })
  clock.set(new Date('2030-07-15T08:00:00Z'))
  expect(await dates()).toEqual(['2030-07-14', '2030-07-20T09:00:00.000Z'])
  clock.set(new Date('2030-07-17T08:00:00Z'))
  expect(await dates()).toEqual(['2030-07-20'])
  // the office chose no end: two hours after the last of them
  clock.set(new Date('2030-07-20T18:59:00Z'))
  expect(await dates()).toEqual(['2030-07-20'])
  clock.set(new Date('2030-07-20T19:00:00Z'))
  await expect(page()).rejects.toMatchObject(gone)
})

test('who booked alone also writes to the office and says how it was', async () => {
  const { clock, caller, departureId, link, asGuest, page } = await oneOfTwo(['Sofia Marin'])
  const { token } = link
  expect(await page()).toMatchObject({ thread: { messages: [] }, bookingRef: expect.any(String) })
  const { messages } = await asGuest(writeSharedMessage, { token, body: 'Where is the bus?' })
  expect(messages).toMatchObject([{ author: 'guest', body: 'Where is the bus?' }])
  await caller.transaction(async (tx) => {
    for (const status of ['checked_in', 'on_tour', 'finished'])
      await sql`update manifest_entries set status = ${status} where departure_id = ${departureId}`.execute(tx)
    for (const status of ['boarding', 'in_progress', 'completed']) {
      await sql`update departures set status = ${status}, actual_start_at = '2030-07-14T09:00:00Z',
        actual_end_at = ${status === 'completed' ? '2030-07-14T17:00:00Z' : null} where id = ${departureId}`.execute(tx)
    }
    await sql`update bookings set status = 'completed' where departure_id = ${departureId}`.execute(tx)
  })
  clock.set(new Date('2030-07-14T18:00:00Z'))
  expect((await page()).feedback).toMatchObject({ guideName: 'Björn', said: null })
  expect(await asGuest(giveFeedback, { token, tourRating: 5, version: null })).toMatchObject({
    said: { tourRating: 5 },
  })
})

test('of a party a traveler says nothing in the name of all, and nothing that is for its contact', async () => {
  const { link, asGuest } = await oneOfTwo()
  const { token } = link
  const acts = [
    () => asGuest(writeSharedMessage, { token, body: 'Hello' }),
    () => asGuest(giveFeedback, { token, tourRating: 1, version: null }),
    () => asGuest(answerOffer, { token, take: true }),
    () => asGuest(setGuestEmails, { token, isOptedOut: true }),
  ]
  for (const act of acts) await expect(act()).rejects.toMatchObject(gone)
})

test('while a roll call asks, a traveler answers for themselves alone', async () => {
  const { clock, caller, departureId, link, asGuest, page } = await oneOfTwo()
  clock.set(new Date('2030-07-14T10:00:00Z'))
  const incident = await caller.call(verbOf(reportIncident), {
    category: 'weather',
    severity: 2,
    title: 'Storm',
    departureId,
  })
  await caller.call(verbOf(askRollCall), { incidentId: incident.id, question: null })
  const { rollCall } = await page()
  expect(rollCall?.people).toMatchObject([{ firstName: 'Sofia', answer: null }])
  const asked = await caller.call(verbOf(getIncident), { id: incident.id })
  const others = (asked.rollCall?.people ?? []).filter(({ name }) => name.includes('Luca')).map(({ id }) => id)
  expect(others).toHaveLength(1)
  const { token } = link
  await expect(asGuest(answerRollCall, { token, people: others, answer: 'safe' })).rejects.toMatchObject(gone)
  const own = rollCall?.people.map(({ id }) => id) ?? []
  expect(await asGuest(answerRollCall, { token, people: own, answer: 'safe' })).toMatchObject({
    people: [{ answer: 'safe' }],
  })
})

test('whose seat was given up or cancelled reads that and no more', async () => {
  const { caller, booking, page, travelerId } = await oneOfTwo()
  await caller.transaction((tx) =>
    sql`update manifest_entries set status = 'cancelled' where traveler_id = ${travelerId}`.execute(tx),
  )
  const off = { state: 'not_booked', meeting: null, stops: [], crew: [], party: null, bookingRef: null }
  expect(await page()).toMatchObject(off)
  const { version } = await caller.call(verbOf(getBooking), { id: booking.id })
  await caller.call(verbOf(cancelBooking), { id: booking.id, version, reason: 'guest_request' })
  expect(await page()).toMatchObject(off)
})

test.each(['anonymised_at = now()', 'archived_at = now()', 'merged'])(
  'a profile that is gone (%s) has no page any more, and gets no link',
  async (how) => {
    const { caller, booking, page, travelerId } = await oneOfTwo()
    const other = booking.guests.find((guest) => guest.travelerId !== travelerId)?.travelerId ?? ''
    const change = how === 'merged' ? sql`merged_into_id = ${other}` : sql.raw(how)
    await page()
    await caller.transaction((tx) => sql`update travelers set ${change} where id = ${travelerId}`.execute(tx))
    await expect(page()).rejects.toMatchObject(gone)
    await expect(newLink(caller, travelerId)).rejects.toMatchObject({ code: 'invalid-argument' })
  },
)

test('a traveler of another organization, and one without tours, gets no link; revoking ends the page at once', async () => {
  const { caller, travelerId, link, page } = await oneOfTwo()
  const missing = { code: 'invalid-argument', details: { fieldIssues: { subjectId: [{ code: 'subject_missing' }] } } }
  const stranger = await world.as('admin')
  await expect(newLink(stranger, travelerId)).rejects.toMatchObject(missing)
  await caller.transaction((tx) => sql`update manifest_entries set status = 'cancelled'`.execute(tx))
  await expect(newLink(caller, travelerId)).rejects.toMatchObject(missing)
  const viewer = await world.as('viewer', { orgId: caller.orgId })
  await expect(newLink(viewer, travelerId)).rejects.toMatchObject({ code: 'permission-denied' })
  await page()
  await caller.call(verbOf(revokeLink), { ids: [link.id] })
  await expect(page()).rejects.toMatchObject(gone)
})
