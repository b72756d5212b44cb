import { type Booking, getBooking, nameGuests } from '@tour-ops/contract/bookings/bookings'
import { restoreNames } from '@tour-ops/contract/bookings/party'
import type { In } from '@tour-ops/contract/callable'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addDeparture, book, coreVerbOf, officeWithTour } from '../../../testing/operations.ts'
import { testDatabase, type TestCaller, type TestWorld } from '../../../testing/world.ts'
import { newId } from '../../platform/ids.ts'

let world: TestWorld
beforeAll(async () => {
  world = await testDatabase()
})
afterAll(() => world.close())

/** A party of two, each with a group on the bus, a pickup and a room for both. */
async function seated() {
  const office = await officeWithTour(world, new Date('2030-07-01T12:00:00Z'))
  const { caller, tourId } = office
  const departureId = await addDeparture(caller, tourId)
  const { id } = await book(caller, departureId, 2)
  const roomId = newId()
  await caller.transaction(async (tx) => {
    await sql`insert into rooms (org_id, id, departure_id, night_date, type, room_key)
      values (${caller.orgId}, ${roomId}, ${departureId}, '2030-07-14', 'DBL', '204')`.execute(tx)
    await sql`update manifest_entries m set seat_or_group = 'Bus ' || t.last_name, pickup_stop_id = (select s.id from departure_stops s
        where s.org_id = m.org_id and s.departure_id = m.departure_id and s.kind = 'pickup')
      from travelers t where t.org_id = m.org_id and t.id = m.traveler_id and m.org_id = ${caller.orgId} and m.booking_id = ${id}`.execute(
      tx,
    )
    await sql`insert into room_assignments (org_id, room_id, manifest_entry_id)
      select org_id, ${roomId}, id from manifest_entries where org_id = ${caller.orgId} and booking_id = ${id}`.execute(
      tx,
    )
  })
  const booking = await caller.call(coreVerbOf(getBooking), { id })
  const [first, second] = booking.guests
  if (!first || !second) throw new Error('The party has two guests')
  return { ...office, departureId, booking, first, second }
}

interface Place {
  name: string
  seat: string | null
  hasPickup: boolean
  room: string | null
}

const placesOf = (caller: TestCaller, bookingId: string): Promise<Place[]> =>
  caller.transaction(async (tx) => {
    const { rows } = await sql<Place>`
      select t.last_name as name, m.seat_or_group as seat, m.pickup_stop_id is not null as "hasPickup", r.room_key as room
      from manifest_entries m join travelers t on t.org_id = m.org_id and t.id = m.traveler_id
      left join room_assignments a on a.org_id = m.org_id and a.manifest_entry_id = m.id
      left join rooms r on r.org_id = a.org_id and r.id = a.room_id
      where m.org_id = ${caller.orgId} and m.booking_id = ${bookingId} and m.status <> 'cancelled' order by t.last_name`.execute(
      tx,
    )
    return rows
  })

const name = (caller: TestCaller, { id, version }: Booking, to: Omit<In<typeof nameGuests>, 'id' | 'version'>) =>
  caller.call(coreVerbOf(nameGuests), { id, version, ...to })

const kept = ({ travelerId, unitType }: Booking['guests'][number]) => ({ travelerId, unitType })
const ines = { lastName: 'Ines', unitType: 'adult' as const }

describe('somebody who comes instead of a guest', () => {
  test('has their group, pickup and room, and no seat more is taken', async () => {
    const { caller, booking, first, second } = await seated()
    const [before, other] = await placesOf(caller, booking.id)
    const saved = await name(caller, booking, {
      guests: [ines, kept(second)],
      swaps: [{ leaving: first.travelerId, guest: 0 }],
    })
    expect(saved).toMatchObject({ pax: 2, amountTotalMinor: booking.amountTotalMinor })
    expect(await placesOf(caller, booking.id)).toEqual([{ ...before, name: 'Ines' }, other])
  })

  test('is undone with one press, and so are guests who were left out; never once something followed or it is too long ago', async () => {
    const { caller, clock, booking, first, second } = await seated()
    const before = await placesOf(caller, booking.id)
    const undo = ({ id, version }: Booking) => caller.call(coreVerbOf(restoreNames), { id, version })
    const swapped = await name(caller, booking, {
      guests: [ines, kept(second)],
      swaps: [{ leaving: first.travelerId, guest: 0 }],
    })
    const back = await undo(swapped)
    expect(await placesOf(caller, booking.id)).toEqual(before)
    expect(back.guests).toEqual(booking.guests)
    const stays = { details: { reason: 'cancellation_stays' } }
    await expect(undo(back)).rejects.toMatchObject(stays)
    const alone = await name(caller, back, { guests: [kept(second)] })
    expect((await undo(alone)).guests).toEqual(booking.guests)
    const late = await name(caller, await caller.call(coreVerbOf(getBooking), { id: booking.id }), { guests: [] })
    clock.set(new Date('2030-07-01T12:15:01Z'))
    await expect(undo(late)).rejects.toMatchObject(stays)
  })

  test('takes the place of somebody who leaves, and of one only', async () => {
    const { caller, booking, first, second } = await seated()
    const refused = (rule: string, at: number) => ({
      details: { fieldIssues: { [`swaps.${at}.leaving`]: [{ code: rule }] } },
    })
    await expect(
      name(caller, booking, { guests: [ines, kept(first)], swaps: [{ leaving: first.travelerId, guest: 0 }] }),
    ).rejects.toMatchObject(refused('traveler_unknown', 0))
    await expect(
      name(caller, booking, { guests: [kept(first)], swaps: [{ leaving: second.travelerId, guest: 0 }] }),
    ).rejects.toMatchObject(refused('traveler_unknown', 0))
    await expect(
      name(caller, booking, {
        guests: [ines, { ...ines, lastName: 'Nora' }],
        swaps: [
          { leaving: first.travelerId, guest: 0 },
          { leaving: first.travelerId, guest: 1 },
        ],
      }),
    ).rejects.toMatchObject(refused('traveler_repeated', 1))
    expect((await placesOf(caller, booking.id)).map((place) => place.room)).toEqual(['204', '204'])
  })
})
