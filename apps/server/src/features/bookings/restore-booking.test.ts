import { cancelBooking, getBooking, restoreBooking } from '@tour-ops/contract/bookings/bookings'
import { getManifest } from '@tour-ops/contract/bookings/manifest'
import { changeParty } from '@tour-ops/contract/bookings/party'
import { recordPayment } from '@tour-ops/contract/bookings/payments'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { seats } from '../../../testing/bookings.ts'
import { afterAWhile, messagesOf, sentMails } from '../../../testing/guest-mail.ts'
import { addDeparture, book, coreVerbOf, officeWithTour, setStatus } from '../../../testing/operations.ts'
import { type TestCaller, testDatabase, type TestWorld } from '../../../testing/world.ts'

let world: TestWorld
beforeAll(async () => {
  world = await testDatabase()
})
afterAll(() => world.close())

const minuteMs = 60_000
const stays = { code: 'aborted', details: { reason: 'cancellation_stays' } }

async function desk(capacity = 20) {
  const office = await officeWithTour(world, new Date('2030-07-01T12:00:00Z'), {
    cancellationSteps: [{ daysBefore: 0, refundPercent: 50 }],
  })
  const { caller, tourId } = office
  return { ...office, departureId: await addDeparture(caller, tourId, { capacity }) }
}

const bookingOf = (caller: TestCaller, id: string) => caller.call(coreVerbOf(getBooking), { id })

async function cancel(caller: TestCaller, id: string) {
  const { version } = await bookingOf(caller, id)
  const { booking } = await caller.call(coreVerbOf(cancelBooking), { id, version, reason: 'guest_request', note: null })
  return booking
}

const restore = (caller: TestCaller, { id, version }: { id: string; version: number }) =>
  caller.call(coreVerbOf(restoreBooking), { id, version })

describe('a cancellation that is undone', () => {
  test('leaves the booking as it was: guests, price, what is owed, and the seats that it takes', async () => {
    const { caller, departureId } = await desk(3)
    const sold = await book(caller, departureId, 3, { amountPaidMinor: 1000, paidBy: 'cash' })
    const leaving = sold.guests[2]?.travelerId ?? ''
    await caller.call(coreVerbOf(changeParty), {
      id: sold.id,
      version: sold.version,
      units: [{ unitType: 'adult', quantity: 2 }],
      leaving: [leaving],
    })
    const before = await bookingOf(caller, sold.id)
    const cancelled = await cancel(caller, sold.id)
    expect(cancelled.status).toBe('cancelled')
    expect(new Set(cancelled.guests.map(({ status }) => status))).toEqual(new Set(['cancelled']))
    expect(cancelled.cancellationFeeMinor).toBeGreaterThan(0)
    const restored = await restore(caller, cancelled)
    expect(restored).toEqual({ ...before, version: restored.version })
    expect(restored.guests.map(({ status }) => status)).toEqual(['expected', 'expected'])
    expect((await seats(caller, departureId)).seatsConfirmed).toBe(2)
    const { groups } = await caller.call(coreVerbOf(getManifest), { departureId })
    expect(JSON.stringify(groups)).not.toContain(leaving)
  })

  test('puts a party that waited back where it stood', async () => {
    const { caller, departureId } = await desk(1)
    await book(caller, departureId, 1)
    const first = await book(caller, departureId, 1, { mode: 'waitlist' })
    await book(caller, departureId, 1, { mode: 'waitlist' })
    const restored = await restore(caller, await cancel(caller, first.id))
    expect(restored).toMatchObject({ status: 'waitlisted', waitlistRank: 1 })
  })

  test('is refused where the seats went to others, and takes none of theirs', async () => {
    const { caller, departureId } = await desk(2)
    const sold = await book(caller, departureId, 2)
    const cancelled = await cancel(caller, sold.id)
    await book(caller, departureId, 1)
    await expect(restore(caller, cancelled)).rejects.toMatchObject({
      code: 'aborted',
      details: { reason: 'seats_exhausted', seatsLeft: 1, asked: 2 },
    })
    expect(await bookingOf(caller, sold.id)).toMatchObject({ status: 'cancelled' })
  })

  test('and a sale at the same moment take the last seat once', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { caller, departureId } = await desk(1)
      const cancelled = await cancel(caller, (await book(caller, departureId, 1)).id)
      const outcomes = await Promise.allSettled([
        restore(caller, cancelled),
        book(caller, departureId, 1),
        restore(caller, cancelled),
      ])
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
      expect(await seats(caller, departureId)).toMatchObject({ seatsConfirmed: 1, seatsLeft: 0 })
    }
  })

  test('is refused after the minutes of undo, once something followed, for a booking that was never cancelled, and for one of others', async () => {
    const { caller, clock, departureId } = await desk()
    const late = await cancel(caller, (await book(caller, departureId, 1)).id)
    clock.set(new Date(clock.now().getTime() + 16 * minuteMs))
    await expect(restore(caller, late)).rejects.toMatchObject(stays)

    const paid = await book(caller, departureId, 1, { amountPaidMinor: 1000, paidBy: 'cash' })
    const cancelled = await cancel(caller, paid.id)
    await caller.call(coreVerbOf(recordPayment), {
      bookingId: paid.id,
      kind: 'refund',
      method: 'cash',
      amountMinor: 500,
    })
    await expect(restore(caller, cancelled)).rejects.toMatchObject({ details: { reason: 'version_conflict' } })
    await expect(restore(caller, await bookingOf(caller, paid.id))).rejects.toMatchObject(stays)

    const kept = await book(caller, departureId, 1)
    await expect(restore(caller, kept)).rejects.toMatchObject(stays)
    const stranger = await world.as('operations_manager', { clock })
    await expect(restore(stranger, cancelled)).rejects.toMatchObject({ code: 'not-found' })
    const viewer = await world.as('viewer', { orgId: caller.orgId, clock })
    await expect(restore(viewer, cancelled)).rejects.toMatchObject({ code: 'permission-denied' })
  })

  test('is refused for a hold that has run out, and for holds of a departure that was cancelled', async () => {
    const { caller, clock, departureId } = await desk()
    const held = await book(caller, departureId, 1, { mode: 'hold', holdMinutes: 5 })
    const cancelled = await cancel(caller, held.id)
    clock.set(new Date(clock.now().getTime() + 6 * minuteMs))
    await expect(restore(caller, cancelled)).rejects.toMatchObject(stays)
    const lost = await book(caller, departureId, 1, { mode: 'hold', holdMinutes: 60 })
    const left = await cancel(caller, lost.id)
    const sold = await cancel(caller, (await book(caller, departureId, 1)).id)
    await setStatus(caller, departureId, { to: 'cancelled', cancelReason: 'weather' })
    await expect(restore(caller, left)).rejects.toMatchObject(stays)
    expect(await restore(caller, sold)).toMatchObject({ status: 'confirmed' })
  })

  test('is refused where a guest was booked again meanwhile', async () => {
    const { caller, departureId } = await desk()
    const sold = await book(caller, departureId, 1)
    const travelerId = sold.guests[0]?.travelerId ?? ''
    const cancelled = await cancel(caller, sold.id)
    await book(caller, departureId, 1, { guests: [{ travelerId, unitType: 'adult' }] })
    await expect(restore(caller, cancelled)).rejects.toMatchObject({ details: { reason: 'traveler_booked_already' } })
  })

  test('is what the schema allows to nobody else: another row, a later time, or without saying so', async () => {
    const { caller, clock, departureId } = await desk()
    const one = await cancel(caller, (await book(caller, departureId, 1)).id)
    const other = await cancel(caller, (await book(caller, departureId, 1)).id)
    const revive = (id: string, restored: string) =>
      caller.transaction(async (tx) => {
        await sql`select set_config('app.restored_booking_id', ${restored}, true)`.execute(tx)
        await sql`update bookings set status = 'confirmed' where id = ${id}`.execute(tx)
      })
    const illegal = { code: 'aborted', details: { reason: 'illegal_transition' } }
    await expect(revive(one.id, '')).rejects.toMatchObject(illegal)
    await expect(revive(one.id, other.id)).rejects.toMatchObject(illegal)
    clock.set(new Date(clock.now().getTime() + 16 * minuteMs))
    await expect(revive(one.id, one.id)).rejects.toMatchObject(illegal)
  })
})

describe('the contact of a cancelled booking', () => {
  const ana = { name: 'Ana', email: 'ana@example.com', locale: 'en' }

  test('hears nothing of a cancellation that is undone within minutes, and of the next one', async () => {
    const { caller, clock, departureId } = await desk()
    const { id } = await book(caller, departureId, 1, { contact: ana })
    await sentMails(world, clock)
    await restore(caller, await cancel(caller, id))
    await afterAWhile(caller)
    expect(await sentMails(world, clock)).toEqual([])
    await cancel(caller, id)
    await afterAWhile(caller)
    expect((await sentMails(world, clock)).map(({ subject }) => subject)).toEqual([
      'Your booking is cancelled: Golden Circle',
    ])
    expect(await messagesOf(caller, id)).toEqual([
      'booking_cancelled sent',
      'booking_cancelled suppressed',
      'booking_confirmed sent',
    ])
  })

  test('who has read of it reads what is booked', async () => {
    const { caller, clock, departureId } = await desk()
    const { id } = await book(caller, departureId, 2, { contact: ana })
    const cancelled = await cancel(caller, id)
    await afterAWhile(caller)
    await sentMails(world, clock)
    await restore(caller, cancelled)
    const [mail] = await sentMails(world, clock)
    expect(mail?.subject).toBe('Your booking has changed: Golden Circle')
    expect(mail?.body).toContain('Your 2 seats are now booked')
  })
})
