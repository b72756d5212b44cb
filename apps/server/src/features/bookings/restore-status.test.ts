import {
  type Booking,
  cancelBooking,
  confirmBooking,
  extendHold,
  getBooking,
  nameGuests,
  offerBooking,
  rejectBooking,
  takeBackMinutes,
} from '@tour-ops/contract/bookings/bookings'
import { issueInvoice } from '@tour-ops/contract/bookings/billing'
import { restoreStatus } from '@tour-ops/contract/bookings/restore-status'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../../platform/ids.ts'
import { seats } from '../../../testing/bookings.ts'
import { afterAWhile, sentMails, withoutQuietHours } from '../../../testing/guest-mail.ts'
import { addDeparture, book, coreVerbOf, officeWithTour } from '../../../testing/operations.ts'
import { type TestCaller, testDatabase, type TestWorld } from '../../../testing/world.ts'

let world: TestWorld
beforeAll(async () => {
  world = await testDatabase()
})
afterAll(() => world.close())

const start = new Date('2030-07-01T12:00:00Z')
const amara = { name: 'Amara Okafor', email: 'amara@example.com' }

async function desk(capacity = 4) {
  const office = await officeWithTour(world, start)
  await withoutQuietHours(office.caller)
  return { ...office, departureId: await addDeparture(office.caller, office.tourId, { capacity }) }
}

type Seen = Pick<Booking, 'id' | 'version'>
const at = ({ id, version }: Seen): Seen => ({ id, version })
const now = (caller: TestCaller, { id }: Seen) => caller.call(coreVerbOf(getBooking), { id })
const undo = (caller: TestCaller, seen: Seen) => caller.call(coreVerbOf(restoreStatus), at(seen))
const confirm = (caller: TestCaller, seen: Seen) => caller.call(coreVerbOf(confirmBooking), at(seen))
const offer = (caller: TestCaller, seen: Seen) => caller.call(coreVerbOf(offerBooking), at(seen))
const stays = { details: { reason: 'cancellation_stays' } }
const withoutVersion = (booking: Booking) => ({ ...booking, version: 0 })

const columns = sql`org_id, departure_id, kind, channel, contact_name, contact_email, contact_locale, units, pax, amount_total_minor, currency`

/** A booking that somebody has still to decide on. */
async function requested(caller: TestCaller, departureId: string): Promise<Booking> {
  const { id: modelId, ...model } = await book(caller, departureId, 2, { mode: 'waitlist', contact: amara })
  const id = newId()
  await caller.transaction(async (tx) => {
    await sql`insert into bookings (${columns}, id, booking_ref, status) select ${columns}, ${id}::uuid, ${model.bookingRef} || 'R', 'requested'
      from bookings where org_id = ${caller.orgId} and id = ${modelId}`.execute(tx)
    await sql`update manifest_entries set booking_id = ${id} where org_id = ${caller.orgId} and booking_id = ${modelId}`.execute(
      tx,
    )
  })
  const gone = { id: modelId, version: model.version, reason: 'duplicate' as const, note: null, tellGuest: false }
  await caller.call(coreVerbOf(cancelBooking), gone)
  return caller.call(coreVerbOf(getBooking), { id })
}

describe('undone in its first minutes', () => {
  test('a confirmation leaves the hold as it was, and a further one is one', async () => {
    const { caller, departureId } = await desk()
    const held = await book(caller, departureId, 2, { mode: 'hold' })
    const back = await undo(caller, await confirm(caller, held))
    expect(withoutVersion(back)).toEqual(withoutVersion(held))
    expect(await seats(caller, departureId)).toMatchObject({ seatsConfirmed: 0, seatsHeld: 2 })
    expect(await confirm(caller, back)).toMatchObject({ status: 'confirmed' })
  })

  test('what was paid with it stays paid', async () => {
    const { caller, departureId } = await desk()
    const held = await book(caller, departureId, 1, { mode: 'hold' })
    const confirmed = await caller.call(coreVerbOf(confirmBooking), {
      ...at(held),
      amountPaidMinor: 4_000,
      paidBy: 'cash',
    })
    expect(await undo(caller, confirmed)).toMatchObject({ status: 'on_hold', amountPaidMinor: 4_000 })
  })

  test('a longer hold ends when it did', async () => {
    const { caller, departureId } = await desk()
    const held = await book(caller, departureId, 2, { mode: 'hold' })
    const until = '2030-07-05T12:00:00.000Z'
    const longer = await caller.call(coreVerbOf(extendHold), { ...at(held), until })
    expect(longer.expiresAt).not.toBe(held.expiresAt)
    expect((await undo(caller, longer)).expiresAt).toBe(held.expiresAt)
  })

  test('a rejection leaves the request with its guests', async () => {
    const { caller, departureId } = await desk()
    const wish = await requested(caller, departureId)
    const declined = await caller.call(coreVerbOf(rejectBooking), { ...at(wish), reason: 'Full' })
    expect(declined.status).toBe('rejected')
    expect(withoutVersion(await undo(caller, declined))).toEqual(withoutVersion(wish))
  })

  test('a confirmed request gives its seats to who waits', async () => {
    const { caller, departureId } = await desk(2)
    const confirmed = await confirm(caller, await requested(caller, departureId))
    const waiting = await book(caller, departureId, 2, { mode: 'waitlist', guests: [] })
    expect(await undo(caller, confirmed)).toMatchObject({ status: 'requested' })
    expect(await now(caller, waiting)).toMatchObject({ status: 'on_hold' })
  })

  test('an offer puts the party back on its place, and an ended hold ends again without its guests', async () => {
    const { caller, clock, departureId } = await desk()
    const waiting = await book(caller, departureId, 2, { mode: 'waitlist' })
    const back = await undo(caller, await offer(caller, waiting))
    expect(withoutVersion(back)).toEqual(withoutVersion(waiting))
    expect(await seats(caller, departureId)).toMatchObject({ seatsHeld: 0, waitlistCount: 1 })

    const held = await book(caller, departureId, 1, { mode: 'hold', holdMinutes: 5 })
    clock.set(new Date(start.getTime() + 6 * 60_000))
    // the next sale ends it
    await book(caller, departureId, 1, { guests: [], mode: 'hold' })
    const again = await offer(caller, await now(caller, held))
    expect(again.guests).toMatchObject([{ status: 'expected' }])
    const ended = await undo(caller, again)
    expect(ended).toMatchObject({ status: 'expired', guests: [{ status: 'cancelled' }] })
  })

  test('a hold that is held again has the guests whom it had at its end, and nobody who had been replaced before', async () => {
    const { caller, clock, departureId } = await desk()
    const held = await book(caller, departureId, 2, { mode: 'hold', holdMinutes: 5 })
    const [first, second] = held.guests
    if (!first || !second) throw new Error('The party has two guests')
    await caller.call(coreVerbOf(nameGuests), {
      ...at(held),
      guests: [
        { lastName: 'Ines', unitType: 'adult' },
        { travelerId: second.travelerId, unitType: second.unitType },
      ],
    })
    clock.set(new Date(start.getTime() + 6 * 60_000))
    await book(caller, departureId, 1, { guests: [], mode: 'hold' })
    const again = await offer(caller, await now(caller, held))
    const there = again.guests.filter(({ status }) => status === 'expected').map(({ travelerId }) => travelerId)
    expect(there).toHaveLength(2)
    expect(there).toContain(second.travelerId)
    expect(there).not.toContain(first.travelerId)
  })
})

describe('stays', () => {
  test('what something followed, what is too long ago, and a hold that has run out meanwhile', async () => {
    const { caller, clock, departureId } = await desk()
    const short = await book(caller, departureId, 1, { mode: 'hold', holdMinutes: 10, guests: [] })
    const confirmed = await confirm(caller, short)
    clock.set(new Date(start.getTime() + 11 * 60_000))
    await expect(undo(caller, confirmed)).rejects.toMatchObject(stays)
    const late = await confirm(caller, await book(caller, departureId, 1, { mode: 'hold', guests: [] }))
    clock.set(new Date(start.getTime() + (12 + takeBackMinutes) * 60_000))
    await expect(undo(caller, late)).rejects.toMatchObject(stays)
    const followed = await confirm(caller, await book(caller, departureId, 1, { mode: 'hold', guests: [] }))
    const longGone = { ...at(followed), reason: 'guest_request' as const, note: null }
    const { booking } = await caller.call(coreVerbOf(cancelBooking), longGone)
    await expect(undo(caller, booking)).rejects.toMatchObject(stays)
  })

  test('a booking that was sold at once, and one that has an invoice', async () => {
    const { caller, departureId } = await desk()
    await expect(undo(caller, await book(caller, departureId, 1))).rejects.toMatchObject(stays)
    const confirmed = await confirm(caller, await book(caller, departureId, 1, { mode: 'hold', guests: [] }))
    await caller.call(coreVerbOf(issueInvoice), { bookingId: confirmed.id, buyer: { name: 'Amara Okafor' } })
    await expect(undo(caller, await now(caller, confirmed))).rejects.toMatchObject(stays)
  })

  test('an illegal status, whoever writes it: only the booking that is restored, and only in time', async () => {
    const { caller, departureId } = await desk()
    const { id } = await confirm(caller, await book(caller, departureId, 1, { mode: 'hold' }))
    const write = (restored: string, status: string) =>
      caller.transaction(async (tx) => {
        await sql`select set_config('app.restored_booking_id', ${restored}, true)`.execute(tx)
        await sql`update bookings set status = ${status}, expires_at = app_now() + interval '1 hour' where org_id = ${caller.orgId} and id = ${id}`.execute(
          tx,
        )
      })
    await expect(write('', 'on_hold')).rejects.toMatchObject({ details: { reason: 'illegal_transition' } })
    await expect(write(id, 'waitlisted')).rejects.toMatchObject({ details: { reason: 'illegal_transition' } })
    await write(id, 'on_hold')
  })
})

describe('its contact', () => {
  const subjects = async (clock: Parameters<typeof sentMails>[1]) =>
    (await sentMails(world, clock)).map(({ subject }) => subject)

  test('reads nothing of a confirmation that has not left, and of the next one once', async () => {
    const { caller, clock, departureId } = await desk()
    const held = await book(caller, departureId, 2, { mode: 'hold', contact: amara })
    const back = await undo(caller, await confirm(caller, held))
    await afterAWhile(caller)
    expect(await subjects(clock)).toEqual([])
    await confirm(caller, back)
    expect(await subjects(clock)).toHaveLength(1)
  })

  test('who has read one reads that the booking is cancelled, and of the next confirmation', async () => {
    const { caller, clock, departureId } = await desk()
    const held = await book(caller, departureId, 2, { mode: 'hold', holdMinutes: 600, contact: amara })
    const confirmed = await confirm(caller, held)
    expect(await subjects(clock)).toHaveLength(1)
    const back = await undo(caller, confirmed)
    await afterAWhile(caller)
    expect(await subjects(clock)).toEqual([expect.stringContaining('cancelled')])
    await confirm(caller, back)
    expect(await subjects(clock)).toHaveLength(1)
  })

  test('who is confirmed again before that leaves reads nothing more', async () => {
    const { caller, clock, departureId } = await desk()
    const confirmed = await confirm(caller, await book(caller, departureId, 2, { mode: 'hold', contact: amara }))
    expect(await subjects(clock)).toHaveLength(1)
    await confirm(caller, await undo(caller, confirmed))
    await afterAWhile(caller)
    expect(await subjects(clock)).toEqual([])
  })

  test('is written the offer all the same where only its longer hold was taken back', async () => {
    const { caller, clock, departureId } = await desk()
    const waiting = await book(caller, departureId, 2, { mode: 'waitlist', contact: amara })
    const offered = await offer(caller, waiting)
    const until = '2030-07-05T12:00:00.000Z'
    await undo(caller, await caller.call(coreVerbOf(extendHold), { ...at(offered), until }))
    await afterAWhile(caller)
    expect(await subjects(clock)).toContainEqual(expect.stringContaining('have opened up'))
  })

  test('is not written an offer that was taken back', async () => {
    const { caller, clock, departureId } = await desk()
    const waiting = await book(caller, departureId, 2, { mode: 'waitlist', contact: amara })
    await undo(caller, await offer(caller, waiting))
    await afterAWhile(caller)
    expect(await subjects(clock)).toEqual([])
  })
})

test('an offer that is undone while the party takes it is one of both, and seats are counted right', async () => {
  const { caller, departureId } = await desk(2)
  for (let turn = 0; turn < 4; turn += 1) {
    const waiting = await book(caller, departureId, 2, { mode: 'waitlist', guests: [] })
    const offered = await offer(caller, waiting)
    const done = await Promise.allSettled([undo(caller, offered), confirm(caller, offered)])
    expect(done.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const { id, version, status } = await now(caller, waiting)
    const taken = status === 'confirmed' ? 2 : 0
    expect(status).toBe(taken > 0 ? 'confirmed' : 'waitlisted')
    expect(await seats(caller, departureId)).toMatchObject({ seatsConfirmed: taken, seatsHeld: 0 })
    await caller.call(coreVerbOf(cancelBooking), { id, version, reason: 'guest_request', note: null })
  }
})

test('seats of a confirmed request that is undone are sold once, whoever else sells at that moment', async () => {
  const { caller, departureId } = await desk(2)
  const confirmed = await confirm(caller, await requested(caller, departureId))
  const done = await Promise.allSettled([
    undo(caller, confirmed),
    undo(caller, confirmed),
    ...[1, 2, 3].map(() => book(caller, departureId, 2, { guests: [] })),
  ])
  expect(done.slice(0, 2).filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  const sold = done.slice(2).filter(({ status }) => status === 'fulfilled').length
  expect(sold).toBeLessThanOrEqual(1)
  expect(await seats(caller, departureId)).toMatchObject({ seatsConfirmed: sold * 2, seatsHeld: 0 })
})
