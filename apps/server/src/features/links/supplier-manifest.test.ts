import { cancelBooking, getBooking } from '@tour-ops/contract/bookings/bookings'
import type { In } from '@tour-ops/contract/callable'
import { createLink, listLinks, pauseLink, revokeLink } from '@tour-ops/contract/links/links'
import { SharedManifest } from '@tour-ops/contract/links/shared-manifest'
import {
  answerOffer,
  answerRollCall,
  answerSharedProposal,
  confirmParty,
  getSharedPage,
  giveFeedback,
  setGuestEmails,
  writeSharedMessage,
} from '@tour-ops/contract/links/shared-page'
import { createService, createSupplier, setServiceStatus } from '@tour-ops/contract/vehicles/vehicles'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { movableClock } from '../../platform/clock.ts'
import { newId } from '../../platform/ids.ts'
import { guestOf } from '../../../testing/links.ts'
import { addDeparture, addPlace, assignGuide, book, publishedTour } from '../../../testing/operations.ts'
import { verbsOf } from '../../../testing/verbs.ts'
import { type TestCaller, testDatabase, type TestWorld } from '../../../testing/world.ts'
import { allVerbs } from '../../verbs.ts'

let world: TestWorld
beforeAll(async () => {
  world = await testDatabase()
})
afterAll(() => world.close())

const verbOf = verbsOf(allVerbs)
/** Four days before the departure, which starts on 14 July at nine. */
const clock = movableClock(new Date('2030-07-10T08:00:00Z'))

const everything = { stops: true, contacts: true, needs: true, rooms: true, pickups: true, manifestNames: true }
const gone = { code: 'not-found', details: { reason: 'shared_link_over' } }

/** A party of three, of whom two are named with all that a supplier must not see, on a departure with a dinner. */
async function dinnerForThree() {
  const caller = await world.as('operations_manager', { clock })
  const { tourId } = await publishedTour(caller)
  const departureId = await addDeparture(caller, tourId)
  await assignGuide(caller, departureId)
  const person = { phone: '+447700900123', email: 'secret@example.com', unitType: 'adult' as const }
  const booking = await book(caller, departureId, 3, {
    contact: { name: 'Zelda Contact', phone: '+447700900456', email: 'contact@example.com' },
    notes: 'Secret note of the booking',
    guests: [
      { ...person, firstName: 'Sofia', lastName: 'Marin', dietary: ['vegan', 'nut_allergy'], mobility: 'wheelchair' },
      { ...person, firstName: 'Luca', lastName: 'Marin', dietary: ['vegan'] },
    ],
  })
  const supplier = await newSupplier(caller, 'Harbor Kitchen')
  const service = await caller.call(verbOf(createService), {
    departureId,
    supplierId: supplier,
    kind: 'meal',
    description: 'Dinner, three courses',
    quantity: 3,
    costMinor: 12_345,
    currency: 'EUR',
  })
  await caller.transaction(async (tx) => {
    await sql`update travelers set dietary_note = 'Secret diet note', mobility_note = 'Secret mobility note', emergency_name = 'Secret relative',
      emergency_phone = '+447700900789' where org_id = ${caller.orgId}`.execute(tx)
    await sql`update manifest_entries set note = 'Secret manifest note' where org_id = ${caller.orgId}`.execute(tx)
  })
  return { caller, tourId, departureId, booking, supplier, service }
}

const newSupplier = async (caller: TestCaller, name: string): Promise<string> =>
  (await caller.call(verbOf(createSupplier), { name, kind: 'restaurant' })).id

const newLink = (caller: TestCaller, subjectId: string, more: Partial<In<typeof createLink>> = {}) =>
  caller.call(verbOf(createLink), { kind: 'supplier_manifest', subjectId, label: 'Kitchen', ...more })

/** The page, which holds what its shape names and nothing else. */
async function open(token: string): Promise<SharedManifest> {
  return SharedManifest.parse(await guestOf(world, clock)(getSharedPage, { token }))
}

test('a supplier sees how many come, what they need, its own services and the day: as numbers', async () => {
  const { caller, departureId, supplier } = await dinnerForThree()
  const other = await newSupplier(caller, 'Somebody else')
  await caller.call(verbOf(createService), {
    departureId,
    supplierId: other,
    kind: 'hotel',
    description: 'A night',
    quantity: 2,
  })
  const { token } = await newLink(caller, departureId, { supplierId: supplier, scopes: { needs: true } })
  const page = await open(token)
  expect(page).toMatchObject({
    state: 'before',
    supplierName: 'Harbor Kitchen',
    departure: { tourName: 'Golden Circle', startsAt: '2030-07-14T09:00:00.000Z' },
    meeting: { placeName: 'BSÍ terminal', at: '2030-07-14T09:00:00.000Z', lat: null },
    services: [
      { kind: 'meal', description: 'Dinner, three courses', quantity: 3, date: '2030-07-14', status: 'to_request' },
    ],
    guests: { total: 3, units: [{ unitType: 'adult', n: 3 }], unnamed: 1, noShow: 0 },
    needs: {
      dietary: [
        { need: 'vegan', n: 2 },
        { need: 'nut_allergy', n: 1 },
      ],
      mobility: [{ need: 'wheelchair', n: 1 }],
    },
    names: [],
    rooms: [],
  })
  expect(page.stops.map(({ name }) => name)).toEqual(['BSÍ terminal', 'Geysir', 'BSÍ terminal'])
})

test('nothing private is on the page, whatever is chosen, and names only with the scope for them', async () => {
  const { caller, departureId, supplier } = await dinnerForThree()
  const seen = async (scopes: In<typeof createLink>['scopes']) => {
    const { token } = await newLink(caller, departureId, { supplierId: supplier, scopes })
    const page = await open(token)
    return { page, text: JSON.stringify(page) }
  }
  const without = await seen({ ...everything, manifestNames: false })
  expect(without.text).not.toMatch(/Sofia|Luca|Marin/)
  const all = await seen({ ...everything, map: true, crew: true, position: true, details: true, messages: true })
  expect(all.page.names).toEqual([
    { name: 'Luca Marin', unitType: 'adult' },
    { name: 'Sofia Marin', unitType: 'adult' },
  ])
  for (const { text } of [without, all]) {
    expect(text).not.toMatch(/Secret|secret|447700900|example\.com|Zelda|Okafor|12345|Björn|Ólafsson/)
  }
  const least = await seen({ stops: false, contacts: false, needs: false, rooms: false, manifestNames: false })
  expect(least.page).toMatchObject({ stops: [], needs: null, rooms: [], names: [], organization: { phone: null } })
})

test('a hotel gets the rooms of each night, with who sleeps in them only where names are chosen', async () => {
  const { caller, departureId, booking } = await dinnerForThree()
  const placeId = await addPlace(caller, 'Hotel Geysir')
  await caller.transaction(async (tx) => {
    const room = newId()
    await sql`insert into rooms (org_id, id, departure_id, night_date, place_id, type, share_note)
      values (${caller.orgId}, ${room}, ${departureId}, '2030-07-14', ${placeId}, 'TWN', 'Secret share note')`.execute(
      tx,
    )
    await sql`insert into room_assignments (org_id, room_id, manifest_entry_id)
      select org_id, ${room}, id from manifest_entries where org_id = ${caller.orgId} and booking_id = ${booking.id}`.execute(
      tx,
    )
  })
  const rooms = async (manifestNames: boolean) => {
    const { token } = await newLink(caller, departureId, { scopes: { rooms: true, manifestNames } })
    return (await open(token)).rooms
  }
  const room = { night: '2030-07-14', placeName: 'Hotel Geysir', type: 'TWN', guests: 2 }
  expect(await rooms(false)).toEqual([{ ...room, names: [] }])
  expect(await rooms(true)).toEqual([{ ...room, names: ['Luca Marin', 'Sofia Marin'] }])
})

test('pickups of the guests are for whoever drives them', async () => {
  const { caller, departureId } = await dinnerForThree()
  const kinds = async (pickups: boolean) =>
    (await open((await newLink(caller, departureId, { scopes: { pickups } })).token)).stops.map(({ kind }) => kind)
  expect(await kinds(false)).toEqual(['start', 'meal', 'end'])
  expect(await kinds(true)).toEqual(['pickup', 'start', 'meal', 'end'])
})

test('who cancelled, did not come or was erased is not cooked for', async () => {
  const { caller, departureId, booking } = await dinnerForThree()
  const { token } = await newLink(caller, departureId, { scopes: everything })
  const others = await book(caller, departureId, 2)
  expect((await open(token)).guests).toMatchObject({ total: 5, unnamed: 1, noShow: 0 })
  const { version } = await caller.call(verbOf(getBooking), { id: others.id })
  await caller.call(verbOf(cancelBooking), { id: others.id, version, reason: 'guest_request' })
  expect((await open(token)).guests).toMatchObject({ total: 3, units: [{ unitType: 'adult', n: 3 }] })
  const first = (name: string) => booking.guests.find((guest) => guest.name.startsWith(name))?.travelerId ?? ''
  await caller.transaction(async (tx) => {
    await sql`update manifest_entries set status = 'no_show' where org_id = ${caller.orgId} and traveler_id = ${first('Sofia')}`.execute(
      tx,
    )
    await sql`update travelers set anonymised_at = now() where org_id = ${caller.orgId} and id = ${first('Luca')}`.execute(
      tx,
    )
  })
  expect(await open(token)).toMatchObject({
    guests: { total: 3, noShow: 1 },
    needs: { dietary: [], mobility: [] },
    names: [],
  })
})

test('a supplier whose services were all called off, and one of a cancelled departure, learn nothing of the guests', async () => {
  const { caller, departureId, supplier, service } = await dinnerForThree()
  const { token } = await newLink(caller, departureId, { supplierId: supplier, scopes: everything })
  const nothing = { meeting: null, stops: [], guests: null, needs: null, rooms: [], names: [] }
  await caller.call(verbOf(setServiceStatus), { id: service.id, version: 1, to: 'cancelled' })
  expect(await open(token)).toMatchObject({ state: 'released', services: [{ status: 'cancelled' }], ...nothing })
  const again = await newLink(caller, departureId, { scopes: everything })
  await caller.transaction((tx) =>
    sql`update departures set status = 'cancelled', cancel_reason = 'weather' where id = ${departureId}`.execute(tx),
  )
  expect(await open(again.token)).toMatchObject({ state: 'cancelled', services: [], ...nothing })
  expect(await open(token)).toMatchObject({ state: 'released', ...nothing })
})

test('a link is for a supplier with services there, of the own organization, and of this kind only', async () => {
  const { caller, departureId, supplier } = await dinnerForThree()
  const refusedField = (field: string, rule: string) => ({
    code: 'invalid-argument',
    details: { fieldIssues: { [field]: [{ code: rule }] } },
  })
  const notThere = refusedField('supplierId', 'supplier_not_on_departure')
  const idle = await newSupplier(caller, 'Idle')
  await expect(newLink(caller, departureId, { supplierId: idle })).rejects.toMatchObject(notThere)
  const guests = newLink(caller, departureId, { kind: 'departure_guest', supplierId: supplier })
  await expect(guests).rejects.toMatchObject(notThere)
  const stranger = await dinnerForThree()
  await expect(newLink(caller, departureId, { supplierId: stranger.supplier })).rejects.toMatchObject(notThere)
  const theirs = newLink(caller, stranger.departureId)
  await expect(theirs).rejects.toMatchObject(refusedField('subjectId', 'subject_missing'))
  const viewer = await world.as('viewer', { orgId: caller.orgId })
  await expect(newLink(viewer, departureId)).rejects.toMatchObject({ code: 'permission-denied' })
  // nor would the database store it
  const { id } = await newLink(caller, departureId, { supplierId: supplier })
  const write = caller.transaction((tx) =>
    sql`update shared_links set supplier_id = ${stranger.supplier} where id = ${id}`.execute(tx),
  )
  await expect(write).rejects.toThrow('Something this refers to does not exist any more.')
})

test('paused, revoked and expired links are over for suppliers too, and nothing of the guests can be done there', async () => {
  const { caller, departureId, supplier } = await dinnerForThree()
  const link = await newLink(caller, departureId, { supplierId: supplier, scopes: everything })
  const { token } = link
  const guest = guestOf(world, clock)
  const acts = [
    () => guest(confirmParty, { token, people: [] }),
    () => guest(giveFeedback, { token, tourRating: 5 }),
    () => guest(answerOffer, { token, take: true }),
    () => guest(answerSharedProposal, { token, answer: 'refund' }),
    () => guest(setGuestEmails, { token, isOptedOut: true }),
    () => guest(writeSharedMessage, { token, body: 'Hello' }),
    () => guest(answerRollCall, { token, people: [newId()], answer: 'safe' }),
  ]
  for (const act of acts) await expect(act()).rejects.toMatchObject(gone)
  const paused = await caller.call(verbOf(pauseLink), { id: link.id, version: link.version, paused: true })
  await expect(open(token)).rejects.toMatchObject(gone)
  await caller.call(verbOf(pauseLink), { ...paused, paused: false })
  await open(token)
  clock.set(new Date('2030-07-14T19:00:00Z'))
  await expect(open(token)).rejects.toMatchObject(gone)
  clock.set(new Date('2030-07-10T08:00:00Z'))
  await caller.call(verbOf(revokeLink), { ids: [link.id] })
  await expect(open(token)).rejects.toMatchObject(gone)
})

test('the list says for whom a link is, and finds it by the supplier', async () => {
  const { caller, departureId, supplier } = await dinnerForThree()
  await newLink(caller, departureId, { supplierId: supplier, scopes: { ...everything, crew: true } })
  const { rows } = await caller.call(verbOf(listLinks), { q: 'harbor kitchen' })
  expect(rows).toMatchObject([
    { kind: 'supplier_manifest', departureId, scopes: { needs: true, crew: false, map: false } },
  ])
  expect(rows[0]?.subject).toMatch(/^Harbor Kitchen · Golden Circle · /)
})
