import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { testDatabase, type TestCaller, type TestWorld } from '../../../testing/world.ts'
import { movableClock } from '../clock.ts'
import { refusalOf, sampleStart, type Row, type Samples } from '../../../testing/sample-rows.ts'
import { rowWriter, type RowWriter, sampleOffice } from '../../../testing/row-writer.ts'

// Invariant I3 of docs/domain.md, "Invariants", and those guards of "States" that rows can keep.

let world: TestWorld
let caller: TestCaller
let samples: Samples
beforeAll(async () => {
  world = await testDatabase()
  ;({ caller, samples } = await sampleOffice(world))
})
afterAll(() => world.close())

const now = rowWriter(() => ({ caller, samples }))
const { add, change, read, refusedChange } = now
const at = (hours: number): Date => new Date(sampleStart.getTime() + hours * 3_600_000)
/** Somebody of the same organization, hours after the start of the sample departure. */
const writerAt = async (hours: number): Promise<RowWriter> => {
  const member = await world.as('admin', { orgId: caller.orgId, clock: movableClock(at(hours)) })
  return rowWriter(() => ({ caller: member, samples }))
}

describe('I3: no seat is sold twice', () => {
  const book = (departureId: string, qty: number, more: Row = {}, by = now): Promise<string> => {
    const units = JSON.stringify([{ unitType: 'adult', qty }])
    return by.add('bookings', { departure_id: departureId, units, pax: qty, ...more })
  }
  const counters = async (departureId: string): Promise<unknown[]> => {
    const row = await read('departures', departureId)
    return [row['seats_confirmed'], row['seats_held'], row['waitlist_count']]
  }
  const full = 'departures_seats_within_capacity'

  test('the counters follow every booking, hold, change, move and cancellation', async () => {
    const here = await add('departures', { capacity: 10 })
    const there = await add('departures', { capacity: 10 })
    const booking = await book(here, 3)
    const hold = await book(here, 2, { status: 'on_hold' })
    await book(here, 4, { status: 'waitlisted' })
    await book(here, 9, { status: 'requested' })
    expect(await counters(here)).toEqual([3, 2, 1])
    await change('bookings', booking, { pax: 4, units: '[{"unitType": "family", "qty": 2, "paxCount": 2}]' })
    await change('bookings', hold, { status: 'confirmed' })
    expect(await counters(here)).toEqual([6, 0, 1])
    await change('bookings', booking, { departure_id: there })
    expect([await counters(here), await counters(there)]).toEqual([
      [2, 0, 1],
      [4, 0, 0],
    ])
    await change('bookings', booking, { status: 'cancelled' })
    expect(await counters(there)).toEqual([0, 0, 0])
  })

  test('a booking over capacity and overbooking limit is refused, and so are a larger one and a smaller capacity', async () => {
    const departureId = await add('departures', { capacity: 4, overbook_limit: 1 })
    const booking = await book(departureId, 3)
    await book(departureId, 2, { status: 'on_hold' })
    expect(await refusalOf(book(departureId, 1))).toBe(full)
    expect(await refusedChange('bookings', booking, { pax: 4, units: '[{"unitType": "adult", "qty": 4}]' })).toBe(full)
    expect(await refusedChange('departures', departureId, { capacity: 3 })).toBe(full)
    expect(await counters(departureId)).toEqual([3, 2, 0])
  })

  test('holds that have expired make room for the next party', async () => {
    const departureId = await add('departures', { capacity: 2 })
    const hold = await book(departureId, 2, { status: 'on_hold', expires_at: at(-1) })
    expect(await refusalOf(book(departureId, 1))).toBe(full)
    const later = await writerAt(-0.5)
    await book(departureId, 1, {}, later)
    expect(await counters(departureId)).toEqual([1, 0, 0])
    expect(await read('bookings', hold)).toMatchObject({ status: 'expired' })
  })

  test('a hold that has expired cannot be confirmed, and none is made that has', async () => {
    const departureId = await add('departures')
    const hold = await book(departureId, 1, { status: 'on_hold', expires_at: at(-1) })
    const later = await writerAt(-0.5)
    expect(await later.refusedChange('bookings', hold, { status: 'confirmed' })).toBe('bookings_hold_not_expired')
    const stale = book(departureId, 1, { status: 'on_hold', expires_at: at(-2) }, later)
    expect(await refusalOf(stale)).toBe('bookings_hold_ends_in_future')
    expect(await refusalOf(book(departureId, 1, { status: 'on_hold', expires_at: null }))).toBe(
      'bookings_hold_has_expiry',
    )
  })

  test('nobody writes the counters', async () => {
    const departureId = await add('departures', { seats_confirmed: 3 })
    expect(await counters(departureId)).toEqual([0, 0, 0])
    expect(await refusedChange('departures', departureId, { seats_held: 1 })).toBe('departures_counters_are_derived')
  })

  test('a sale does not make an edit of the departure conflict', async () => {
    const departureId = await add('departures')
    await book(departureId, 1)
    expect(await read('departures', departureId)).toMatchObject({ version: 1, seats_confirmed: 1 })
    await change('departures', departureId, { internal_note: 'bring umbrellas' })
    expect(await read('departures', departureId)).toMatchObject({ version: 2 })
  })
})

describe('guards of transitions', () => {
  test('a departure is cancelled for a reason', async () => {
    const departureId = await add('departures', { cancel_reason: null })
    expect(await refusedChange('departures', departureId, { status: 'cancelled' })).toBe(
      'departures_cancel_reason_given',
    )
  })

  test('a departure is completed when nobody is expected or missing, and reopened for two hours', async () => {
    const departureId = await add('departures')
    const bookingId = await add('bookings', { departure_id: departureId })
    const entry = { departure_id: departureId, booking_id: bookingId, traveler_id: await add('travelers') }
    const entryId = await add('manifest_entries', entry)
    await change('departures', departureId, { status: 'boarding' })
    await change('departures', departureId, { status: 'in_progress', actual_start_at: at(0) })
    const complete = { status: 'completed', actual_end_at: at(8) }
    expect(await refusedChange('departures', departureId, complete)).toBe('departures_everyone_accounted_for')
    await change('manifest_entries', entryId, { status: 'no_show' })
    await change('departures', departureId, complete)
    const late = await writerAt(10.1)
    const refusal = await late.refusedChange('departures', departureId, { status: 'in_progress' })
    expect(refusal).toBe('departures_reopen_within_two_hours')
    const soon = await writerAt(9)
    await soon.change('departures', departureId, { status: 'in_progress' })
  })

  test('sales reopen only before the start', async () => {
    const departureId = await add('departures', { sales_status: 'closed' })
    const late = await writerAt(1)
    const refusal = await late.refusedChange('departures', departureId, { sales_status: 'open' })
    expect(refusal).toBe('departures_sales_reopen_while_future')
    await change('departures', departureId, { sales_status: 'open' })
  })
})
