import { createBooking, getBooking, nameGuests } from '@tour-ops/contract/bookings/bookings'
import { checkIn } from '@tour-ops/contract/bookings/manifest'
import { changeParty, getParty, restoreParty } from '@tour-ops/contract/bookings/party'
import type { In } from '@tour-ops/contract/callable'
import type { UnitType } from '@tour-ops/contract/units'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { seats } from '../../../testing/bookings.ts'
import { addDeparture, book, coreVerbOf, officeWithTour, setStatus, assignGuide } from '../../../testing/operations.ts'
import { type TestCaller, testDatabase, type TestWorld } from '../../../testing/world.ts'
import { newId } from '../../platform/ids.ts'

let world: TestWorld
beforeAll(async () => {
  world = await testDatabase()
})
afterAll(() => world.close())

const start = new Date('2030-07-01T12:00:00Z')
const adults = (quantity: number) => ({ unitType: 'adult' as const, quantity })
const children = (quantity: number) => ({ unitType: 'child' as const, quantity })

async function desk(capacity = 6) {
  const office = await officeWithTour(world, start)
  return { ...office, departureId: await addDeparture(office.caller, office.tourId, { capacity }) }
}

/** Changes a booking in the version that it has now. */
async function change(caller: TestCaller, id: string, to: Omit<In<typeof changeParty>, 'id' | 'version'>) {
  const { version } = await caller.call(coreVerbOf(getBooking), { id })
  return caller.call(coreVerbOf(changeParty), { id, version, ...to })
}

/** Undoes the last change of a party. */
async function restoreSeatsOf(caller: TestCaller, id: string) {
  const { version } = await caller.call(coreVerbOf(getBooking), { id })
  return caller.call(coreVerbOf(restoreParty), { id, version })
}

describe('a party that became smaller', () => {
  const refused = { details: { reason: 'cancellation_stays' } }

  test('is brought back with its guests, seats, kinds and price, and without what was kept', async () => {
    const { caller, departureId } = await desk()
    const { id } = await book(caller, departureId, 2)
    const { booking: larger } = await change(caller, id, { units: [adults(3), children(1)] })
    const [guest] = larger.guests
    await change(caller, id, {
      units: [adults(1)],
      leaving: guest ? [guest.travelerId] : [],
      feeMinor: 1_000,
      feeReason: 'Late',
    })
    const back = await restoreSeatsOf(caller, id)
    const same = ({ version: _version, ...booking }: typeof larger) => booking
    expect(same(back)).toEqual(same(larger))
    expect(await seats(caller, departureId)).toMatchObject({ seatsConfirmed: 4, seatsLeft: 2 })
  })

  test('stays smaller where its seats were sold or something followed', async () => {
    const { caller, departureId } = await desk(2)
    const { id } = await book(caller, departureId, 2)
    const [guest] = (await caller.call(coreVerbOf(getBooking), { id })).guests
    await change(caller, id, { units: [adults(1)], leaving: guest ? [guest.travelerId] : [] })
    await book(caller, departureId, 1)
    await expect(restoreSeatsOf(caller, id)).rejects.toMatchObject({ details: { reason: 'seats_exhausted' } })
    const other = await desk()
    const booking = await book(other.caller, other.departureId, 1)
    await change(other.caller, booking.id, { units: [adults(2)] })
    await change(other.caller, booking.id, { units: [adults(1)] })
    await other.caller.transaction((tx) =>
      sql`update bookings set notes = 'Seen' where org_id = ${other.caller.orgId} and id = ${booking.id}`.execute(tx),
    )
    await expect(restoreSeatsOf(other.caller, booking.id)).rejects.toMatchObject(refused)
  })
})

describe('a party that became larger, or has other kinds of seats,', () => {
  test('is what it was before: seats, kinds and price, and who waits is offered the seats that it gives back', async () => {
    const { caller, departureId } = await desk(4)
    const sold = await book(caller, departureId, 2)
    await change(caller, sold.id, { units: [adults(3), children(1)] })
    const waiting = await book(caller, departureId, 2, { mode: 'waitlist', guests: [] })
    const back = await restoreSeatsOf(caller, sold.id)
    expect(back).toEqual({ ...sold, version: back.version })
    expect(await caller.call(coreVerbOf(getBooking), { id: waiting.id })).toMatchObject({ status: 'on_hold' })
    await change(caller, sold.id, { units: [adults(1), children(1)] })
    expect(await restoreSeatsOf(caller, sold.id)).toMatchObject({
      units: [adults(2)],
      amountTotalMinor: 2 * 8900,
      guests: [{ unitType: 'adult' }, { unitType: 'adult' }],
    })
  })

  test('keeps what it has where more guests are named by now than it had seats', async () => {
    const { caller, departureId } = await desk()
    const sold = await book(caller, departureId, 1)
    const { booking } = await change(caller, sold.id, { units: [adults(2)] })
    await caller.call(coreVerbOf(nameGuests), {
      id: sold.id,
      version: booking.version,
      guests: [
        { travelerId: sold.guests[0]?.travelerId ?? '', unitType: 'adult' },
        { lastName: 'Lind', unitType: 'adult' },
      ],
    })
    await expect(restoreSeatsOf(caller, sold.id)).rejects.toMatchObject({
      details: { fieldIssues: { guests: [{ code: 'names_above_seats' }] } },
    })
    expect((await caller.call(coreVerbOf(getBooking), { id: sold.id })).pax).toBe(2)
  })
})

describe('a party', () => {
  test('grows and shrinks with its seats and its price', async () => {
    const { caller, departureId } = await desk()
    const { id } = await book(caller, departureId, 2)
    const { booking } = await change(caller, id, { units: [adults(3), children(1)] })
    expect(booking).toMatchObject({ pax: 4, amountTotalMinor: 3 * 8900 + 4500, units: [adults(3), children(1)] })
    expect(await seats(caller, departureId)).toMatchObject({ seatsConfirmed: 4, seatsLeft: 2 })
    const smaller = await change(caller, id, { units: [adults(2)] })
    expect(smaller.booking).toMatchObject({ pax: 2, amountTotalMinor: 2 * 8900 })
    expect(await seats(caller, departureId)).toMatchObject({ seatsConfirmed: 2, seatsLeft: 4 })
  })

  test('loses one guest, who leaves the manifest; a price that was agreed on changes by the difference', async () => {
    const { caller, departureId } = await desk()
    const { id, guests } = await book(caller, departureId, 3, {
      amountTotalMinor: 20_000,
      priceReason: 'Came by at closing time',
      amountPaidMinor: 20_000,
    })
    const [gone] = guests
    const { booking } = await change(caller, id, { units: [adults(2)], leaving: [gone?.travelerId ?? ''] })
    expect(booking.guests.map(({ travelerId }) => travelerId)).toEqual(
      guests.slice(1).map(({ travelerId }) => travelerId),
    )
    expect(booking).toMatchObject({ pax: 2, amountTotalMinor: 11_100, amountPaidMinor: 20_000, paymentStatus: 'paid' })
    const again = await change(caller, id, { units: [adults(3)], amountTotalMinor: 25_000 })
    expect(again.booking).toMatchObject({ amountTotalMinor: 25_000, paymentStatus: 'deposit' })
  })

  test('that is too large is told what is left, and nothing of it changes', async () => {
    const { caller, departureId } = await desk(4)
    const { id } = await book(caller, departureId, 3)
    await expect(change(caller, id, { units: [adults(6)] })).rejects.toMatchObject({
      code: 'aborted',
      details: { reason: 'seats_exhausted', seatsLeft: 1, asked: 3 },
    })
    expect((await caller.call(coreVerbOf(getBooking), { id })).pax).toBe(3)
  })

  test('that gives up seats makes room for who waits', async () => {
    const { caller, departureId } = await desk(4)
    const { id } = await book(caller, departureId, 4, { guests: [] })
    const waiting = await book(caller, departureId, 2, { mode: 'waitlist', guests: [] })
    expect((await change(caller, id, { units: [adults(3)] })).promoted).toEqual([])
    expect((await change(caller, id, { units: [adults(2)] })).promoted).toEqual([waiting.bookingRef])
  })

  test('that waits and becomes smaller is offered the seats that it fits now', async () => {
    const { caller, departureId } = await desk(4)
    await book(caller, departureId, 2, { guests: [] })
    const { id, bookingRef } = await book(caller, departureId, 3, { mode: 'waitlist', guests: [] })
    const { booking, promoted } = await change(caller, id, { units: [adults(2)] })
    expect(promoted).toEqual([bookingRef])
    expect(booking.status).toBe('on_hold')
  })

  test('that an agent settles stays so, and amounts are never of two currencies', async () => {
    const { caller, departureId } = await desk()
    const { id } = await book(caller, departureId, 2, { guests: [], isOnAgentCredit: true, currency: 'GBP' })
    expect((await change(caller, id, { units: [adults(1)] })).booking.paymentStatus).toBe('agent_credit')
    await expect(change(caller, id, { units: [adults(1), children(1)] })).rejects.toMatchObject({
      code: 'invalid-argument',
    })
  })

  test('keeps a seat for everybody who stays, and an adult for its children', async () => {
    const { caller, departureId } = await desk()
    const { id } = await book(caller, departureId, 2)
    await expect(change(caller, id, { units: [adults(1)] })).rejects.toMatchObject({
      details: { fieldErrors: { guests: ['1 seat, but 2 names.'] } },
    })
    await expect(change(caller, id, { units: [children(2)] })).rejects.toMatchObject({ code: 'invalid-argument' })
  })

  test('of other kinds of seats gives its guests the kinds that are booked', async () => {
    const { caller, departureId } = await desk()
    const { id } = await book(caller, departureId, 3)
    const { booking } = await change(caller, id, { units: [adults(1), children(2)] })
    const kinds = booking.guests.map(({ unitType }) => unitType).toSorted()
    expect(kinds).toEqual<UnitType[]>(['adult', 'child', 'child'])
  })

  test('pays what it paid for seats that it has, and what the tour asks now for others', async () => {
    const { caller, departureId } = await desk()
    const { id } = await book(caller, departureId, 1)
    const { prices } = await caller.call(coreVerbOf(getParty), { id })
    expect(prices).toMatchObject([
      { unitType: 'adult', priceMinor: 8900 },
      { unitType: 'child', priceMinor: 4500 },
    ])
  })

  test('cannot lose who is aboard or was never on it, and somebody else’s change is not undone', async () => {
    const { caller, clock, departureId } = await desk()
    await assignGuide(caller, departureId)
    const { id, version, guests } = await book(caller, departureId, 2)
    const stranger = newId()
    await expect(change(caller, id, { units: [adults(1)], leaving: [stranger] })).rejects.toMatchObject({
      code: 'invalid-argument',
    })
    await caller.call(coreVerbOf(changeParty), { id, version, units: [adults(3)] })
    await expect(caller.call(coreVerbOf(changeParty), { id, version, units: [adults(2)] })).rejects.toMatchObject({
      details: { reason: 'version_conflict' },
    })
    clock.set(new Date('2030-07-14T08:40:00Z'))
    await setStatus(caller, departureId, { to: 'boarding' })
    const entryId = guests[0]?.entryId ?? ''
    await caller.call(coreVerbOf(checkIn), { departureId, entries: [{ entryId, clientEventId: newId() }] })
    await expect(
      change(caller, id, { units: [adults(2)], leaving: [guests[0]?.travelerId ?? ''] }),
    ).rejects.toMatchObject({ code: 'invalid-argument' })
  })

  test('of another organization, or for somebody who does not sell, cannot be changed', async () => {
    const { caller, departureId } = await desk()
    const { id, version } = await book(caller, departureId, 1)
    const stranger = await world.as('operations_manager')
    const viewer = await world.as('viewer', { orgId: caller.orgId })
    const wanted = { id, version, units: [adults(2)] }
    await expect(stranger.call(coreVerbOf(changeParty), wanted)).rejects.toMatchObject({ code: 'not-found' })
    await expect(viewer.call(coreVerbOf(changeParty), wanted)).rejects.toMatchObject({ code: 'permission-denied' })
  })

  test('whose kind of seat was stored without a price costs nothing for what it has', async () => {
    const { caller, departureId } = await desk()
    const { id } = await book(caller, departureId, 1)
    const units = JSON.stringify([{ unitType: 'adult', qty: 1 }])
    await caller.transaction((tx) => sql`update bookings set units = ${units}::jsonb where id = ${id}`.execute(tx))
    const { prices } = await caller.call(coreVerbOf(getParty), { id })
    expect(prices.find(({ unitType }) => unitType === 'adult')).toMatchObject({ priceMinor: 0, paxCount: 1 })
  })
})

// PGlite has one connection: nothing happens at the same moment there
describe.runIf(process.env['TEST_DATABASE'] === 'embedded')('at the same moment (runs on PostgreSQL)', () => {
  test('parties that grow and new ones never take more seats than there are', async () => {
    const { caller, departureId } = await desk(8)
    const parties = [await book(caller, departureId, 2), await book(caller, departureId, 2)]
    const contact = { name: 'Somebody else' }
    const sale = { departureId, mode: 'confirm', contact, units: [adults(1)] } satisfies In<typeof createBooking>
    await Promise.allSettled([
      ...parties.map(({ id }) => change(caller, id, { units: [adults(5)] })),
      ...Array.from({ length: 6 }, () => caller.call(coreVerbOf(createBooking), sale)),
    ])
    const { seatsConfirmed, seatsLeft } = await seats(caller, departureId)
    expect(seatsConfirmed).toBeLessThanOrEqual(8)
    expect(seatsConfirmed + seatsLeft).toBe(8)
  })
})
