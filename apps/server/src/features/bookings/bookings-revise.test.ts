import { cancelBooking, createBooking, getBooking, type Booking } from '@tour-ops/contract/bookings/bookings'
import { getAvailability } from '@tour-ops/contract/bookings/availability'
import { changeParty } from '@tour-ops/contract/bookings/party'
import { restoreRevision, reviseBooking } from '@tour-ops/contract/bookings/revise'
import type { In } from '@tour-ops/contract/callable'
import { getDeparture } from '@tour-ops/contract/departures/departures'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { seats } from '../../../testing/bookings.ts'
import { afterAWhile, messagesOf, sentMails } from '../../../testing/guest-mail.ts'
import { addDeparture, assignGuide, book, coreVerbOf, officeWithTour } from '../../../testing/operations.ts'
import { type TestCaller, testDatabase, type TestWorld } from '../../../testing/world.ts'

let world: TestWorld
beforeAll(async () => {
  world = await testDatabase()
})
afterAll(() => world.close())

const start = new Date('2030-07-01T12:00:00Z')
const adults = (quantity: number) => ({ unitType: 'adult' as const, quantity })
const children = (quantity: number) => ({ unitType: 'child' as const, quantity })
const ana = { name: 'Ana Ruiz', email: 'ana@example.org' }

/** Two departures of a tour, both with the same room. */
async function desk(capacity = 6) {
  const office = await officeWithTour(world, start)
  const early = await addDeparture(office.caller, office.tourId, { capacity })
  const late = await addDeparture(office.caller, office.tourId, { capacity, startTimeLocal: '14:00' })
  return { ...office, early, late }
}

type Change = Omit<In<typeof reviseBooking>, 'id' | 'version'>

const revise = (caller: TestCaller, { id, version }: Pick<Booking, 'id' | 'version'>, to: Change) =>
  caller.call(coreVerbOf(reviseBooking), { id, version, ...to })

const undo = (caller: TestCaller, { id, version }: Pick<Booking, 'id' | 'version'>) =>
  caller.call(coreVerbOf(restoreRevision), { id, version })

const bookingOf = (caller: TestCaller, id: string) => caller.call(coreVerbOf(getBooking), { id })

/** Guests as they are sent back, unchanged. */
const guestsOf = ({ guests }: Booking) =>
  guests.map(({ travelerId, unitType, note, childSeat }) => ({ travelerId, unitType, note, childSeat }))

/** Where the guests on the manifest sit. */
const seatsOf = (caller: TestCaller, bookingId: string) =>
  caller.transaction(async (tx) => {
    const { rows } = await sql<{ seat: string | null }>`select m.seat_or_group as seat from manifest_entries m
      where m.org_id = ${caller.orgId} and m.booking_id = ${bookingId} and m.status = 'expected' order by m.id`.execute(
      tx,
    )
    return rows.map(({ seat }) => seat)
  })

const seatAll = (caller: TestCaller, bookingId: string) =>
  caller.transaction((tx) =>
    sql`update manifest_entries m set seat_or_group = 'Bus ' || t.last_name from travelers t
      where t.org_id = m.org_id and t.id = m.traveler_id and m.org_id = ${caller.orgId} and m.booking_id = ${bookingId}`.execute(
      tx,
    ),
  )

const same = ({ version: _version, ...booking }: Booking) => booking

describe('a booking that is revised', () => {
  test('has another departure, seats, guests, contact, price and note in one step', async () => {
    const { caller, early, late } = await desk()
    const sold = await book(caller, early, 2)
    const [first] = guestsOf(sold)
    const { stops } = await caller.call(coreVerbOf(getDeparture), { id: late })
    const pickup = stops.find((stop) => stop.kind === 'pickup' || stop.kind === 'start')
    const { booking, promoted } = await revise(caller, sold, {
      departureId: late,
      units: [adults(2), children(1)],
      guests: [
        { travelerId: first?.travelerId, unitType: 'adult', note: 'Window' },
        { firstName: 'Nils', lastName: 'Lind', unitType: 'child', age: 7 },
      ],
      contact: { ...ana, locale: 'es' },
      pickupStopId: pickup?.id ?? null,
      notes: 'Birthday',
      amountTotalMinor: 20_000,
      priceReason: 'Loyal',
    })
    expect(promoted).toEqual([])
    expect(booking).toMatchObject({
      departureId: late,
      units: [adults(2), children(1)],
      pax: 3,
      guests: [
        { travelerId: first?.travelerId, note: 'Window' },
        { name: 'Nils Lind', unitType: 'child' },
      ],
      contact: { ...ana, locale: 'es' },
      pickupStopId: pickup?.id,
      notes: 'Birthday',
      amountTotalMinor: 20_000,
      priceReason: 'Loyal',
    })
    expect(await seats(caller, early)).toMatchObject({ seatsConfirmed: 0, seatsLeft: 6 })
    expect(await seats(caller, late)).toMatchObject({ seatsConfirmed: 3, seatsLeft: 3 })
  })

  test('costs by itself what it did, with the difference of its seats', async () => {
    const { caller, early } = await desk()
    const sold = await book(caller, early, 2, { amountTotalMinor: 15_000, priceReason: 'Loyal' })
    const { booking } = await revise(caller, sold, { units: [adults(2), children(1)] })
    expect(booking).toMatchObject({ amountTotalMinor: 15_000 + 4500, priceReason: 'Loyal' })
  })

  test('is not written where nothing differs', async () => {
    const { caller, early } = await desk()
    const sold = await book(caller, early, 2)
    const { contact, notes, pickupStopId, amountTotalMinor } = sold
    const { booking } = await revise(caller, sold, {
      departureId: early,
      units: [adults(2)],
      guests: guestsOf(sold),
      contact,
      notes,
      pickupStopId,
      amountTotalMinor,
    })
    expect(booking).toEqual(sold)
  })

  test('that becomes smaller gives up its seats first, and goes where no more are left', async () => {
    const { caller, early, late } = await desk(3)
    const sold = await book(caller, early, 3)
    await book(caller, late, 1)
    const { booking } = await revise(caller, sold, {
      departureId: late,
      units: [adults(2)],
      guests: guestsOf(sold).slice(0, 2),
    })
    expect(booking).toMatchObject({ departureId: late, pax: 2 })
    expect(booking.guests.map(({ travelerId }) => travelerId)).toEqual(
      sold.guests.slice(0, 2).map(({ travelerId }) => travelerId),
    )
    expect(await seats(caller, late)).toMatchObject({ seatsConfirmed: 3, seatsLeft: 0 })
  })

  test('that becomes larger takes its seats where it goes, and none where it was', async () => {
    const { caller, early, late } = await desk(3)
    const sold = await book(caller, early, 2)
    await book(caller, early, 1)
    const { booking } = await revise(caller, sold, { departureId: late, units: [adults(3)] })
    expect(booking).toMatchObject({ departureId: late, pax: 3 })
    expect(await seats(caller, early)).toMatchObject({ seatsConfirmed: 1, seatsLeft: 2 })
  })

  test('gives a child the seat of a child, and who comes instead of somebody their place', async () => {
    const { caller, early } = await desk()
    const sold = await book(caller, early, 2)
    const [first, second] = guestsOf(sold)
    await seatAll(caller, sold.id)
    const { booking } = await revise(caller, sold, {
      units: [adults(1), children(1)],
      guests: [
        { travelerId: first?.travelerId, unitType: 'child' },
        { lastName: 'Lind', unitType: 'adult' },
      ],
      swaps: [{ leaving: second?.travelerId ?? '', guest: 1 }],
    })
    expect(booking.guests.map(({ name, unitType }) => `${name} ${unitType}`)).toEqual([
      'Guest Number 1 child',
      'Lind adult',
    ])
    expect(await seatsOf(caller, sold.id)).toEqual(['Bus Number 1', 'Bus Number 2'])
  })

  test('offers the seats that it leaves to who waits for them', async () => {
    const { caller, early, late } = await desk(2)
    const sold = await book(caller, early, 2)
    const waiting = await book(caller, early, 2, { mode: 'waitlist', guests: [] })
    const { promoted } = await revise(caller, sold, { departureId: late })
    expect(promoted).toEqual([waiting.bookingRef])
  })

  test('keeps of seats that it gives up what is asked for', async () => {
    const { caller, early } = await desk()
    const sold = await book(caller, early, 2)
    const { booking } = await revise(caller, sold, {
      units: [adults(1)],
      guests: guestsOf(sold).slice(0, 1),
      feeMinor: 1000,
      feeReason: 'Late',
    })
    expect(booking).toMatchObject({ amountTotalMinor: 8900 + 1000, cancellationFeeMinor: 1000 })
  })

  test('tells its contact once what has changed, and nothing where somebody said so', async () => {
    const { caller, clock, early, late } = await desk()
    const sold = await book(caller, early, 2, { contact: ana })
    await sentMails(world, clock)
    const { booking } = await revise(caller, sold, { departureId: late, units: [adults(3)], notes: 'Late' })
    expect(await messagesOf(caller, sold.id)).toEqual(['booking_changed queued', 'booking_confirmed sent'])
    await afterAWhile(caller)
    const mails = await sentMails(world, clock)
    expect(mails.map(({ subject }) => subject)).toEqual(['Your booking has changed: Golden Circle'])
    await revise(caller, booking, { departureId: early, units: [adults(2)], tellGuest: false })
    await afterAWhile(caller)
    expect(await sentMails(world, clock)).toEqual([])
  })
})

describe('a revision is refused as a whole', () => {
  test('where somebody else has changed the booking', async () => {
    const { caller, early } = await desk()
    const sold = await book(caller, early, 1)
    await revise(caller, sold, { notes: 'Theirs' })
    await expect(revise(caller, sold, { notes: 'Mine' })).rejects.toMatchObject({
      code: 'aborted',
      details: { reason: 'version_conflict' },
    })
    expect(await bookingOf(caller, sold.id)).toMatchObject({ notes: 'Theirs' })
  })

  test('without enough seats, by how many there are for it there', async () => {
    const { caller, early, late } = await desk(4)
    const sold = await book(caller, early, 2)
    await book(caller, late, 2)
    await expect(revise(caller, sold, { departureId: late, units: [adults(3)], notes: 'Never' })).rejects.toMatchObject(
      { details: { reason: 'seats_exhausted', asked: 3, seatsLeft: 2, departureId: late } },
    )
    await expect(revise(caller, sold, { units: [adults(5)], notes: 'Never' })).rejects.toMatchObject({
      details: { reason: 'seats_exhausted', seatsLeft: 2 },
    })
    expect(await bookingOf(caller, sold.id)).toEqual(sold)
  })

  test('in the words of the field: another price without a reason, more names than seats, a child alone', async () => {
    const { caller, early } = await desk()
    const sold = await book(caller, early, 2)
    const issue = (field: string, code: string) => ({ details: { fieldIssues: { [field]: [{ code }] } } })
    await expect(revise(caller, sold, { notes: 'Never', amountTotalMinor: 1 })).rejects.toMatchObject(
      issue('priceReason', 'price_reason_missing'),
    )
    await expect(
      revise(caller, sold, { units: [adults(1)], guests: guestsOf(sold), notes: 'Never' }),
    ).rejects.toMatchObject(issue('guests', 'names_above_seats'))
    await expect(revise(caller, sold, { units: [children(2)] })).rejects.toMatchObject(issue('units', 'adult_missing'))
    expect(await bookingOf(caller, sold.id)).toEqual(sold)
  })

  test('where guests are aboard who would leave, and of a booking that is cancelled', async () => {
    const { caller, early, late } = await desk()
    await assignGuide(caller, early)
    const sold = await book(caller, early, 2)
    await caller.transaction((tx) =>
      sql`update manifest_entries set status = 'checked_in' where org_id = ${caller.orgId} and id = ${sold.guests[0]?.entryId}`.execute(
        tx,
      ),
    )
    const { version } = await bookingOf(caller, sold.id)
    await expect(revise(caller, { ...sold, version }, { departureId: late })).rejects.toMatchObject({
      details: { reason: 'guests_aboard' },
    })
    await expect(
      revise(caller, { ...sold, version }, { units: [adults(1)], guests: guestsOf(sold).slice(1) }),
    ).rejects.toMatchObject({ details: { fieldIssues: { guests: [{ code: 'aboard_left_out' }] } } })
    const other = await book(caller, early, 1)
    await caller.call(coreVerbOf(cancelBooking), { id: other.id, version: other.version, reason: 'other' })
    const gone = await bookingOf(caller, other.id)
    await expect(revise(caller, gone, { units: [adults(2)] })).rejects.toMatchObject({
      details: { reason: 'illegal_transition' },
    })
  })

  test('for those who may not change bookings, and of another organization', async () => {
    const { caller, early } = await desk()
    const sold = await book(caller, early, 1)
    const guide = await world.as('guide', { orgId: caller.orgId })
    await expect(revise(guide, sold, { notes: 'Mine' })).rejects.toMatchObject({ code: 'permission-denied' })
    const stranger = await world.as('operations_manager')
    await expect(revise(stranger, sold, { notes: 'Mine' })).rejects.toMatchObject({ code: 'not-found' })
    await expect(undo(stranger, sold)).rejects.toMatchObject({ code: 'not-found' })
  })
})

describe('a revision that is undone', () => {
  test('leaves the booking as it was: departure, seats, guests, places, contact, price and note', async () => {
    const { caller, early, late } = await desk()
    const sold = await book(caller, early, 3, { contact: ana, notes: 'Quiet' })
    await seatAll(caller, sold.id)
    const guests = guestsOf(sold)
    const { booking } = await revise(caller, sold, {
      departureId: late,
      units: [adults(1), children(1)],
      guests: [
        { ...guests[0], unitType: 'child' },
        { lastName: 'Lind', unitType: 'adult' },
      ],
      swaps: [{ leaving: guests[1]?.travelerId ?? '', guest: 1 }],
      contact: { name: 'Bo Lind', phone: '+44 7700 900118' },
      amountTotalMinor: 100,
      priceReason: 'Mistake',
      notes: 'Loud',
    })
    const back = await undo(caller, booking)
    expect(same(back)).toEqual(same(sold))
    expect(await seatsOf(caller, sold.id)).toEqual(['Bus Number 1', 'Bus Number 2', 'Bus Number 3'])
    expect(await seats(caller, early)).toMatchObject({ seatsConfirmed: 3 })
    expect(await seats(caller, late)).toMatchObject({ seatsConfirmed: 0 })
  })

  test('takes nobody else their seats, and stays where something followed', async () => {
    const { caller, early, late } = await desk(2)
    const sold = await book(caller, early, 2)
    const { booking } = await revise(caller, sold, { departureId: late })
    await book(caller, early, 1)
    await expect(undo(caller, booking)).rejects.toMatchObject({ details: { reason: 'seats_exhausted' } })
    const { booking: smaller } = await revise(caller, booking, { notes: 'Seen' })
    const { booking: last } = await caller.call(coreVerbOf(changeParty), {
      id: sold.id,
      version: smaller.version,
      units: [adults(1)],
      leaving: [sold.guests[0]?.travelerId ?? ''],
    })
    await expect(undo(caller, last)).rejects.toMatchObject({ details: { reason: 'cancellation_stays' } })
  })

  test('is not written about where nobody was told of it yet', async () => {
    const { caller, clock, early, late } = await desk()
    const sold = await book(caller, early, 2, { contact: ana })
    await sentMails(world, clock)
    const { booking } = await revise(caller, sold, { departureId: late, units: [adults(3)] })
    await undo(caller, booking)
    await afterAWhile(caller)
    expect(await sentMails(world, clock)).toEqual([])
  })
})

test('two bookings that grow and a sale never have more than the last seats', async () => {
  const { caller, early, late } = await desk(4)
  const here = await book(caller, early, 1, { guests: [] })
  const there = await book(caller, late, 1, { guests: [] })
  const results = await Promise.allSettled([
    revise(caller, here, { units: [adults(3)] }),
    revise(caller, there, { departureId: early, units: [adults(3)] }),
    caller.call(coreVerbOf(createBooking), {
      departureId: early,
      mode: 'confirm',
      contact: { name: 'Bo Lind' },
      units: [adults(3)],
    }),
  ])
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  for (const result of results) {
    if (result.status === 'rejected') expect(result.reason).toMatchObject({ details: { reason: 'seats_exhausted' } })
  }
  const { seatsConfirmed, seatsLeft } = await seats(caller, early)
  expect(seatsConfirmed + seatsLeft).toBe(4)
})

test('the seats of a booking are free for it where somebody looks for others', async () => {
  const { caller, tourId, early } = await desk(4)
  const sold = await book(caller, early, 3)
  const look = async (bookingId?: string) => {
    const { days } = await caller.call(coreVerbOf(getAvailability), {
      tourId,
      from: '2030-07-14',
      days: 1,
      ...(bookingId && { bookingId }),
    })
    return days[0]?.departures.find(({ id }) => id === early)?.seatsLeft
  }
  expect(await look()).toBe(1)
  expect(await look(sold.id)).toBe(4)
})
