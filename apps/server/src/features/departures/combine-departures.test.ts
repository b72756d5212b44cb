import { cancelBooking, getBooking } from '@tour-ops/contract/bookings/bookings'
import { checkIn } from '@tour-ops/contract/bookings/manifest'
import { combineDepartures, separateDepartures } from '@tour-ops/contract/departures/combine'
import { getDeparture } from '@tour-ops/contract/departures/departures'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { seats } from '../../../testing/bookings.ts'
import { messagesOf } from '../../../testing/guest-mail.ts'
import {
  addDeparture,
  assignGuide,
  book,
  officeWithTour,
  publishedTour,
  setStatus,
} from '../../../testing/operations.ts'
import { verbsOf } from '../../../testing/verbs.ts'
import { testDatabase, type TestCaller, type TestWorld } from '../../../testing/world.ts'
import { newId } from '../../platform/ids.ts'
import { allVerbs } from '../../verbs.ts'

let world: TestWorld
beforeAll(async () => {
  world = await testDatabase()
})
afterAll(() => world.close())

const verbOf = verbsOf(allVerbs)

/** Two departures of a day, the first with three parties of two. */
async function twoDepartures({ capacityFirst = 20, capacityThere = 10 } = {}) {
  const { caller, clock, tourId } = await officeWithTour(world, new Date('2030-07-10T12:00:00Z'))
  const first = await addDeparture(caller, tourId, { capacity: capacityFirst })
  const second = await addDeparture(caller, tourId, { startTimeLocal: '11:00', capacity: capacityThere })
  const contact = () => ({ name: 'Ines Vogel', email: `${newId()}@example.com`, locale: 'de' })
  const pickup = (await caller.call(verbOf(getDeparture), { id: first })).stops.find(({ kind }) => kind === 'pickup')
  const parties = [
    await book(caller, first, 2, { contact: contact(), pickupStopId: pickup?.id ?? null }),
    await book(caller, first, 2, { contact: contact(), mode: 'hold' }),
    await book(caller, first, 2, { contact: contact() }),
  ]
  const combine = async (intoId: string, { as = caller, id = first }: { as?: TestCaller; id?: string } = {}) => {
    const { version } = await caller.call(verbOf(getDeparture), { id })
    return as.call(verbOf(combineDepartures), { id, version, intoId })
  }
  const separate = (id: string, version: number, as = caller) => as.call(verbOf(separateDepartures), { id, version })
  const statusOf = async (id: string) => (await caller.call(verbOf(getDeparture), { id })).status
  return { caller, clock, tourId, first, second, parties, combine, separate, statusOf }
}

test('two departures become one: every party moves with its seats, hold and pickup, is told, and the empty one is cancelled', async () => {
  const { caller, first, second, parties, combine } = await twoDepartures()
  await assignGuide(caller, first)
  const { code, crew } = await caller.call(verbOf(getDeparture), { id: second })
  expect(await combine(second)).toMatchObject({ code, seats: 6 })
  const after = await caller.call(verbOf(getDeparture), { id: first })
  expect(after).toMatchObject({ status: 'cancelled', cancelReason: 'combined', seatsConfirmed: 0, seatsHeld: 0 })
  expect(after.crew.filter(({ status }) => status === 'accepted')).toEqual([])
  expect(crew).toEqual([])
  expect(await seats(caller, second)).toMatchObject({ seatsConfirmed: 4, seatsHeld: 2, seatsLeft: 4 })
  const moved = await Promise.all(parties.map(({ id }) => caller.call(verbOf(getBooking), { id })))
  expect(moved.map(({ departureId, status }) => [departureId, status])).toEqual([
    [second, 'confirmed'],
    [second, 'on_hold'],
    [second, 'confirmed'],
  ])
  expect(moved[0]).toMatchObject({ pickupPlaceName: 'City Hall', pickupAt: '2030-07-14T10:20:00.000Z' })
  const [told, held] = parties
  expect((await messagesOf(caller, told?.id ?? '')).some((message) => message.startsWith('booking_changed'))).toBe(true)
  expect(await messagesOf(caller, held?.id ?? '')).toEqual([])
})

describe('nothing moves, and nothing is cancelled,', () => {
  test('where the other departure has too few seats for all', async () => {
    const { first, second, combine, statusOf, caller } = await twoDepartures({ capacityThere: 5 })
    await expect(combine(second)).rejects.toMatchObject({
      details: { reason: 'seats_exhausted', seatsLeft: 5, asked: 6 },
    })
    expect(await statusOf(first)).toBe('scheduled')
    expect(await seats(caller, first)).toMatchObject({ seatsConfirmed: 4, seatsHeld: 2 })
  })

  test('once a guest is checked in', async () => {
    const { caller, clock, first, second, parties, combine, statusOf } = await twoDepartures()
    clock.set(new Date('2030-07-14T08:30:00Z'))
    await assignGuide(caller, first)
    await setStatus(caller, first, { to: 'boarding' })
    const [party] = parties
    await caller.call(verbOf(checkIn), {
      departureId: first,
      entries: [{ entryId: party?.guests[0]?.entryId ?? '', clientEventId: newId() }],
    })
    await expect(combine(second)).rejects.toMatchObject({ details: { reason: 'guests_aboard' } })
    expect(await statusOf(first)).toBe('boarding')
  })

  test('into itself, another tour, another day, or what another organization has', async () => {
    const { caller, tourId, first, combine, statusOf } = await twoDepartures()
    const other = await publishedTour(caller, { name: 'South Coast' })
    const elsewhere = await twoDepartures()
    for (const [id, code] of [
      [first, 'invalid-argument'],
      [await addDeparture(caller, other.tourId), 'invalid-argument'],
      [await addDeparture(caller, tourId, { localDate: '2030-07-15' }), 'invalid-argument'],
      [elsewhere.second, 'not-found'],
    ] as const) {
      await expect(combine(id)).rejects.toMatchObject({ code })
    }
    expect(await statusOf(first)).toBe('scheduled')
  })

  test('by who only looks or plans tours, or in a version that was not seen', async () => {
    const { caller, first, second, combine } = await twoDepartures()
    for (const role of ['viewer', 'tour_designer', 'guide'] as const) {
      await expect(combine(second, { as: await world.as(role, { orgId: caller.orgId }) })).rejects.toMatchObject({
        code: 'permission-denied',
      })
    }
    await expect(
      caller.call(verbOf(combineDepartures), { id: first, version: 99, intoId: second }),
    ).rejects.toMatchObject({ details: { reason: 'version_conflict' } })
  })

  test('where others buy the last seats first: seats are never sold twice', async () => {
    const { caller, first, second, combine, statusOf } = await twoDepartures({ capacityThere: 8 })
    const [combined, sold] = await Promise.allSettled([combine(second), book(caller, second, 4)])
    expect([combined, sold].filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await statusOf(first)).toBe(combined.status === 'fulfilled' ? 'cancelled' : 'scheduled')
    const { seatsConfirmed, seatsHeld } = await seats(caller, second)
    expect(seatsConfirmed + seatsHeld).toBe(combined.status === 'fulfilled' ? 6 : 4)
  })

  test('when two are combined into each other at once: one of them stays', async () => {
    const { caller, first, second, combine, statusOf } = await twoDepartures()
    await book(caller, second, 2)
    const results = await Promise.allSettled([combine(second), combine(first, { id: second })])
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect([await statusOf(first), await statusOf(second)].toSorted()).toEqual(['cancelled', 'scheduled'])
  })
})

describe('who waits for seats', () => {
  test('waits on the other departure, behind those who wait there, and is offered what is left', async () => {
    const { caller, first, second, combine } = await twoDepartures({ capacityFirst: 6, capacityThere: 9 })
    const patient = await book(caller, first, 4, { mode: 'waitlist' })
    const lucky = await book(caller, first, 2, { mode: 'waitlist' })
    await combine(second)
    const [waits, holds] = await Promise.all([patient, lucky].map(({ id }) => caller.call(verbOf(getBooking), { id })))
    expect(waits).toMatchObject({ departureId: second, status: 'waitlisted', waitlistRank: 1 })
    expect(holds).toMatchObject({ departureId: second, status: 'on_hold' })
    expect(await seats(caller, second)).toMatchObject({ seatsConfirmed: 4, seatsHeld: 4 })
  })
})

describe('combining is undone', () => {
  const stays = { details: { reason: 'cancellation_stays' } }

  test('within minutes: both departures are what they were, with parties, holds, pickups, waitlist, crew, vehicle, service and equipment', async () => {
    const { caller, first, second, parties, combine, separate } = await twoDepartures({ capacityFirst: 6 })
    const waiting = await book(caller, first, 8, { mode: 'waitlist' })
    await assignGuide(caller, first)
    await equip(caller, first)
    const before = await stateOf(caller, first, [...parties, waiting])
    const { version } = await combine(second)
    expect(await seats(caller, second)).toMatchObject({ seatsConfirmed: 4, seatsHeld: 2 })
    expect(await separate(first, version)).toMatchObject({ seats: 6, missing: 0 })
    expect(await stateOf(caller, first, [...parties, waiting])).toEqual(before)
    expect(before).toMatchObject({ crew: ['accepted'], vehicles: 1, services: ['to_request'], equipment: [3] })
    expect(await seats(caller, second)).toMatchObject({ seatsConfirmed: 0, seatsHeld: 0 })
    // the e-mail about the change had not left yet
    expect(await messagesOf(caller, parties[0]?.id ?? '')).not.toContain('booking_changed queued')
  })

  test('without a guide who has something else to do by now, which the answer counts', async () => {
    const { caller, first, second, combine, separate } = await twoDepartures()
    const staffId = await assignGuide(caller, first)
    const { version } = await combine(second)
    await assignGuide(caller, second, { staffId })
    expect(await separate(first, version)).toMatchObject({ missing: 1 })
    expect(await caller.call(verbOf(getDeparture), { id: first })).toMatchObject({
      status: 'scheduled',
      leadGuide: null,
    })
  })

  test('while who was offered seats on the other departure keeps them', async () => {
    const { caller, first, second, combine, separate } = await twoDepartures({ capacityFirst: 6, capacityThere: 8 })
    const lucky = await book(caller, first, 2, { mode: 'waitlist' })
    const { version } = await combine(second)
    await separate(first, version)
    expect(await caller.call(verbOf(getBooking), { id: lucky.id })).toMatchObject({
      departureId: second,
      status: 'on_hold',
    })
  })

  test('not once something followed, the minutes are over, or the departure was cancelled for another reason', async () => {
    const { caller, clock, first, second, parties, combine, separate } = await twoDepartures()
    const { version } = await combine(second)
    const [moved] = parties
    const { version: seen } = await caller.call(verbOf(getBooking), { id: moved?.id ?? '' })
    await caller.call(verbOf(cancelBooking), {
      id: moved?.id ?? '',
      version: seen,
      reason: 'guest_request',
      note: null,
    })
    await expect(separate(first, version)).rejects.toMatchObject(stays)
    const late = await twoDepartures()
    const combined = await late.combine(late.second)
    late.clock.set(new Date('2030-07-10T12:15:01Z'))
    await expect(late.separate(late.first, combined.version)).rejects.toMatchObject(stays)
    expect(clock.now()).toEqual(new Date('2030-07-10T12:00:00Z'))
    await setStatus(caller, second, { to: 'cancelled', cancelReason: 'weather' })
    const { version: cancelled } = await caller.call(verbOf(getDeparture), { id: second })
    await expect(separate(second, cancelled)).rejects.toMatchObject(stays)
  })

  test('by nobody who may not combine, and the schema lets no other departure live again', async () => {
    const { caller, first, second, combine, separate } = await twoDepartures()
    const { version } = await combine(second)
    for (const role of ['viewer', 'tour_designer', 'guide'] as const) {
      const other = await world.as(role, { orgId: caller.orgId })
      await expect(separate(first, version, other)).rejects.toMatchObject({ code: 'permission-denied' })
    }
    await expect(
      caller.transaction((tx) =>
        sql`update departures set status = 'scheduled' where org_id = ${caller.orgId} and id = ${first}`.execute(tx),
      ),
    ).rejects.toMatchObject({ details: { reason: 'illegal_transition' } })
  })
})

/** A vehicle, a service and three pieces of equipment on a departure. */
async function equip(caller: TestCaller, id: string): Promise<void> {
  const [vehicle, entry, bikes] = [newId(), newId(), newId()]
  await caller.transaction(async (tx) => {
    await sql`insert into vehicles (org_id, id, plate, label, seats) values (${caller.orgId}, ${vehicle}, 'RVK 1', 'Minibus', 19)`.execute(
      tx,
    )
    await sql`insert into vehicle_calendar_entries (org_id, id, vehicle_id, during, kind)
      select org_id, ${entry}::uuid, ${vehicle}::uuid, tstzrange(starts_at, ends_at), 'departure' from departures where org_id = ${caller.orgId} and id = ${id}`.execute(
      tx,
    )
    await sql`insert into vehicle_assignments (org_id, departure_id, calendar_entry_id) values (${caller.orgId}, ${id}, ${entry})`.execute(
      tx,
    )
    await sql`insert into departure_services (org_id, id, departure_id, kind, status) values (${caller.orgId}, ${newId()}, ${id}, 'meal', 'to_request')`.execute(
      tx,
    )
    await sql`insert into equipment (org_id, id, name, kind, quantity) values (${caller.orgId}, ${bikes}, 'Bikes', 'other', 3)`.execute(
      tx,
    )
    await sql`insert into equipment_issues (org_id, departure_id, equipment_id, quantity) values (${caller.orgId}, ${id}, ${bikes}, 3)`.execute(
      tx,
    )
  })
}

/** What a departure and its parties are, without versions. */
async function stateOf(caller: TestCaller, id: string, parties: readonly { id: string }[]) {
  const { status, salesStatus, cancelReason, crew } = await caller.call(verbOf(getDeparture), { id })
  const bookings = await Promise.all(parties.map((party) => caller.call(verbOf(getBooking), { id: party.id })))
  const rows = await caller.transaction(async (tx) => {
    const { rows: found } = await sql<{ vehicles: number; services: string[]; equipment: number[] }>`
      select (select count(*)::int from vehicle_assignments v join vehicle_calendar_entries e on e.org_id = v.org_id and e.id = v.calendar_entry_id
          where v.org_id = d.org_id and v.departure_id = d.id and e.status = 'confirmed') as vehicles,
        array(select status from departure_services s where s.org_id = d.org_id and s.departure_id = d.id) as services,
        array(select quantity from equipment_issues i where i.org_id = d.org_id and i.departure_id = d.id) as equipment
      from departures d where d.org_id = ${caller.orgId} and d.id = ${id}`.execute(tx)
    return found[0]
  })
  return {
    status,
    salesStatus,
    cancelReason,
    crew: crew.map((member) => member.status),
    seats: await seats(caller, id),
    bookings: bookings.map((booking) => ({ ...booking, version: 0 })),
    ...rows,
  }
}
