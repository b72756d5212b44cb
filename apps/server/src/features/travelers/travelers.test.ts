import {
  bookingsOfTravelers,
  countTravelerViews,
  createTraveler,
  exportTravelers,
  getTraveler,
  listTravelers,
  revealTraveler,
  saveTravelerDocument,
  similarTravelers,
  tagTravelers,
  updateTraveler,
} from '@tour-ops/contract/travelers/travelers'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addDeparture, book, officeWithTour, publishedTour, setStatus } from '../../../testing/operations.ts'
import { verbsOf } from '../../../testing/verbs.ts'
import { testDatabase, type TestWorld } from '../../../testing/world.ts'
import { travelersVerbs } from './verbs.ts'

let world: TestWorld
const verbOf = verbsOf(travelersVerbs)
beforeAll(async () => {
  world = await testDatabase()
})
afterAll(() => world.close())

const jurgen = {
  firstName: 'Jürgen',
  lastName: 'Groß',
  nationality: 'DE',
  languages: ['de'],
  email: 'j.gross@example.org',
  phone: '+44 7700 900201',
  dietary: ['vegan' as const],
}

test('a traveler is created, found without accents and by phone, and listed with flags', async () => {
  const office = await world.as('operations_manager')
  const { id } = await office.call(verbOf(createTraveler), { ...jurgen, medicalNote: 'Asthma' })
  const find = async (q: string) => (await office.call(verbOf(listTravelers), { q })).rows.map((row) => row.id)
  expect(await find('jurgen gross')).toEqual([id])
  expect(await find('07700 900201')).toEqual([id])
  expect(await find('j.gross@')).toEqual([id])
  expect(await find('somebody else')).toEqual([])
  const { rows } = await office.call(verbOf(listTravelers), {})
  expect(rows[0]).toMatchObject({ name: 'Jürgen Groß', flags: ['vegan', 'medical'], trip: null })
})

test('the total of a filter is right on every page, and right after a write', async () => {
  const office = await world.as('operations_manager')
  const add = async (lastName: string, more: object = {}) =>
    (await office.call(verbOf(createTraveler), { lastName, tags: ['vip'], ...more })).id
  const [first, second] = [await add('Amara'), await add('Berg')]
  await add('Chen', { tags: [] })
  const pageOf = async (page: number) => {
    const vips = { filters: { tag: ['vip'] }, sort: [{ by: 'lastName' as const }], size: 1, page }
    const { total, rows } = await office.call(verbOf(listTravelers), vips)
    return [total, rows.map((row) => row.id)]
  }
  expect([await pageOf(1), await pageOf(2)]).toEqual([
    [2, [first]],
    [2, [second]],
  ])
  const third = await add('Dahl')
  expect(await pageOf(3)).toEqual([3, [third]])
})

test('names of every alphabet sort and page with a total', async () => {
  const office = await world.as('operations_manager')
  for (const lastName of ['Zürcher', 'Ångström', '王', 'Коваленко', 'Adam']) {
    await office.call(verbOf(createTraveler), { lastName })
  }
  const page = await office.call(verbOf(listTravelers), { sort: [{ by: 'lastName' }], size: 2, page: 1 })
  expect(page).toMatchObject({ total: 5, rows: [{ lastName: 'Adam' }, { lastName: 'Ångström' }] })
  const last = await office.call(verbOf(listTravelers), { sort: [{ by: 'lastName', descending: true }], size: 1 })
  expect(last.rows[0]?.lastName).toBe('王')
})

test('the medical note is never part of a profile, each look at it is recorded', async () => {
  const office = await world.as('operations_manager')
  const { id } = await office.call(verbOf(createTraveler), {
    ...jurgen,
    medicalNote: 'Asthma',
    dateOfBirth: '1980-04-02',
  })
  const profile = await office.call(verbOf(getTraveler), { id })
  expect(profile).toMatchObject({ hasMedicalNote: true, hasDateOfBirth: true })
  expect(JSON.stringify(profile)).not.toContain('Asthma')
  const revealed = await office.call(verbOf(revealTraveler), { id, fields: ['medical'] })
  expect(revealed).toEqual({ medicalNote: 'Asthma', dateOfBirth: null, documents: [] })
  const looks = await office.transaction((tx) =>
    sql<{
      actor_id: string
    }>`select actor_id from audit_entries where action = 'travelers-reveal' and entity_id = ${id}`.execute(tx),
  )
  expect(looks.rows).toEqual([{ actor_id: office.userId }])
})

test('a dispatcher may not look outside 48 hours of a tour, a viewer never', async () => {
  const office = await world.as('operations_manager')
  const { id } = await office.call(verbOf(createTraveler), { ...jurgen, medicalNote: 'Asthma' })
  const dispatcher = await world.as('dispatcher', { orgId: office.orgId })
  const viewer = await world.as('viewer', { orgId: office.orgId })
  await expect(dispatcher.call(verbOf(revealTraveler), { id, fields: ['medical'] })).rejects.toMatchObject({
    code: 'permission-denied',
    details: { reason: 'outside_duty_window' },
  })
  await expect(viewer.call(verbOf(revealTraveler), { id, fields: ['medical'] })).rejects.toMatchObject({
    details: { reason: 'missing_permission' },
  })
})

test('a passport number is stored encrypted and shows its last four characters', async () => {
  const office = await world.as('operations_manager')
  const { id } = await office.call(verbOf(createTraveler), jurgen)
  await office.call(verbOf(saveTravelerDocument), {
    travelerId: id,
    kind: 'passport',
    number: 'X00TEST99',
    country: 'DE',
    expiresOn: '2030-01-01',
  })
  const { documents } = await office.call(verbOf(getTraveler), { id })
  expect(documents[0]).toMatchObject({ kind: 'passport', numberHint: 'ST99', expiring: false })
  const revealed = await office.call(verbOf(revealTraveler), { id, fields: ['documents'] })
  expect(revealed.documents).toEqual([{ id: documents[0]?.id, number: 'X00TEST99' }])
  const stored = await office.transaction((tx) =>
    sql<{
      n: string
    }>`select encode(number_encrypted, 'escape') as n from traveler_documents where traveler_id = ${id}`.execute(tx),
  )
  expect(stored.rows[0]?.n).not.toContain('X00TEST99')
})

test('an update that somebody else was faster with is refused and changes nothing', async () => {
  const office = await world.as('operations_manager')
  const { id, version } = await office.call(verbOf(createTraveler), jurgen)
  await office.call(verbOf(updateTraveler), { id, version, ...jurgen, lastName: 'Gross' })
  await expect(office.call(verbOf(updateTraveler), { id, version, ...jurgen, lastName: 'Lost' })).rejects.toMatchObject(
    {
      code: 'aborted',
      details: { reason: 'version_conflict', current: version + 1 },
    },
  )
  expect((await office.call(verbOf(getTraveler), { id })).lastName).toBe('Gross')
})

test('the same phone under another name is offered as the same person', async () => {
  const office = await world.as('operations_manager')
  const { id } = await office.call(verbOf(createTraveler), jurgen)
  const { travelers } = await office.call(verbOf(similarTravelers), {
    firstName: 'J.',
    lastName: 'Gross',
    email: null,
    phone: '+447700900201',
  })
  expect(travelers[0]).toMatchObject({ id, because: expect.arrayContaining(['phone']) })
})

test('tags are set on many, counted views and the export follow', async () => {
  const office = await world.as('operations_manager')
  const { id } = await office.call(verbOf(createTraveler), jurgen)
  const bare = await office.call(verbOf(createTraveler), { lastName: '=cmd' })
  expect(await office.call(verbOf(tagTravelers), { ids: [id, bare.id], add: ['vip'] })).toEqual({ changed: 2 })
  expect(await office.call(verbOf(countTravelerViews), {})).toMatchObject({ all: 2, missing_data: 1 })
  const { csv, rows } = await office.call(verbOf(exportTravelers), {
    filters: { tag: ['vip'] },
    sort: [{ by: 'lastName' }],
    columns: ['last_name', 'tags'],
  })
  expect(rows).toBe(2)
  expect(csv).toContain("'=cmd,vip")
})

test('a trip says in the list and on the page when its departure is cancelled', async () => {
  const office = await world.as('admin')
  const { tourId } = await publishedTour(office)
  const departureId = await addDeparture(office, tourId)
  await book(office, departureId, 1)
  await setStatus(office, departureId, { to: 'cancelled', cancelReason: 'weather' })
  const { rows } = await office.call(verbOf(listTravelers), {})
  expect(rows.map(({ trip }) => trip?.departureStatus)).toEqual(['cancelled'])
  const { trips } = await office.call(verbOf(getTraveler), { id: rows[0]?.id ?? '' })
  expect(trips.map((trip) => trip.departureStatus)).toEqual(['cancelled'])
})

test('one organization never sees the travelers of another', async () => {
  const office = await world.as('operations_manager')
  const { id } = await office.call(verbOf(createTraveler), jurgen)
  const foreign = await world.as('admin')
  expect(await foreign.call(verbOf(listTravelers), { q: 'gross' })).toEqual({ rows: [], total: 0 })
  await expect(foreign.call(verbOf(getTraveler), { id })).rejects.toMatchObject({ code: 'not-found' })
  await expect(foreign.call(verbOf(revealTraveler), { id, fields: ['medical'] })).rejects.toMatchObject({
    code: 'not-found',
  })
})

test('to write to travelers is to write to the party of the trip they are on or leave for, each once', async () => {
  const { caller, clock, tourId } = await officeWithTour(world, new Date('2030-07-14T08:00:00Z'))
  const soon = await addDeparture(caller, tourId)
  const later = await addDeparture(caller, tourId, { localDate: '2030-07-20' })
  const { id: bookingId, guests } = await book(caller, soon, 2)
  const [contact = '', companion = ''] = guests.map(({ travelerId }) => travelerId)
  await book(caller, later, 1, { guests: [{ travelerId: contact, unitType: 'adult' }] })
  const { id: nobody } = await caller.call(verbOf(createTraveler), jurgen)
  const asked = () => caller.call(verbOf(bookingsOfTravelers), { ids: [contact, companion, nobody, nobody] })
  expect(await asked()).toEqual({ bookingIds: [bookingId], without: 1 })
  // of what is only waited for nobody is written to
  const sooner = await addDeparture(caller, tourId, { startTimeLocal: '08:30', capacity: 1 })
  await book(caller, sooner, 1)
  await book(caller, sooner, 1, { mode: 'waitlist', guests: [{ travelerId: contact, unitType: 'adult' }] })
  expect(await asked()).toEqual({ bookingIds: [bookingId], without: 1 })
  // a month after their last trip nobody is written to
  clock.set(new Date('2030-09-14T08:00:00Z'))
  expect(await asked()).toEqual({ bookingIds: [], without: 3 })
})
