import { issueInvoice } from '@tour-ops/contract/bookings/billing'
import {
  type Booking,
  cancelBooking,
  exportBookings,
  getBooking,
  restoreBooking,
  updateBooking,
} from '@tour-ops/contract/bookings/bookings'
import { checkDiscount, discountRecord } from '@tour-ops/contract/bookings/discount-codes'
import type { In } from '@tour-ops/contract/callable'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addDeparture, book, coreVerbOf, officeWithTour, publishedTour } from '../../../testing/operations.ts'
import { verbsOf } from '../../../testing/verbs.ts'
import { testDatabase, type TestCaller, type TestWorld } from '../../../testing/world.ts'
import { allVerbs } from '../../verbs.ts'

const verbOf = verbsOf(allVerbs)
let world: TestWorld
beforeAll(async () => {
  world = await testDatabase()
})
afterAll(() => world.close())

/** A departure of 14 July, whose adults pay 89 EUR, on 10 July. */
async function desk() {
  const office = await officeWithTour(world, new Date('2030-07-10T12:00:00Z'))
  const { caller, tourId } = office
  const departureId = await addDeparture(caller, tourId, { localDate: '2030-07-14', capacity: 20 })
  const add = (fields: Partial<In<typeof discountRecord.create>> = {}) =>
    caller.call(verbOf(discountRecord.create), { code: 'SUMMER', kind: 'percent', value: 10, ...fields })
  const sell = (discountCode: string, more: object = {}, by: TestCaller = caller) =>
    book(by, departureId, 2, { guests: [], discountCode, ...more })
  const usesOf = async () =>
    (await caller.call(verbOf(discountRecord.list), {})).rows.map(({ code, uses }) => [code, uses])
  return { ...office, departureId, add, sell, usesOf }
}

const cancel = async (caller: TestCaller, { id }: Booking) => {
  const { version } = await caller.call(coreVerbOf(getBooking), { id })
  return (await caller.call(coreVerbOf(cancelBooking), { id, version, reason: 'guest_request' })).booking
}
const wrong = (field: string, rule: string) => ({
  code: 'invalid-argument',
  details: { fieldErrors: { [field]: [expect.anything()] }, fieldIssues: { [field]: [{ code: rule }] } },
})
const usedUp = { code: 'aborted', details: { reason: 'discount_used_up' } }

describe('a discount code', () => {
  test('for several tours is taken on each of them and on no other; tours of others, or that do not exist, are refused', async () => {
    const { caller, tourId, add, sell } = await desk()
    const south = await publishedTour(caller, { name: 'South Coast' })
    const north = await publishedTour(caller, { name: 'North Coast' })
    const there = await addDeparture(caller, south.tourId, { localDate: '2030-07-14' })
    const elsewhere = await addDeparture(caller, north.tourId, { localDate: '2030-07-14' })
    await add({ code: 'TWO', tourIds: [south.tourId, tourId] })
    expect((await sell('TWO')).discount).toMatchObject({ code: 'TWO' })
    const check = (departureId: string) => caller.call(verbOf(checkDiscount), { departureId, code: 'TWO' })
    expect(await check(there)).toMatchObject({ percent: 10 })
    await expect(check(elsewhere)).rejects.toMatchObject(wrong('code', 'discount_other_tour'))

    const listed = async (id: string) =>
      (await caller.call(verbOf(discountRecord.list), { filters: { tourIds: [id] } })).rows.map(({ labels }) => labels)
    expect(await listed(tourId)).toEqual([{ tourIds: ['South Coast', 'Golden Circle'] }])
    expect(await listed(north.tourId)).toEqual([])
    const { csv } = await caller.call(verbOf(discountRecord.export), { q: '', sort: [] })
    expect(csv).toContain('"South Coast, Golden Circle"')

    const stranger = await world.as('admin')
    const theirs = { code: 'THEIRS', kind: 'percent' as const, value: 5, tourIds: [tourId] }
    await expect(stranger.call(verbOf(discountRecord.create), theirs)).rejects.toMatchObject({
      details: { reason: 'reference_missing' },
    })
  })

  test('takes off percent, or an amount and never more than the seats cost; the booking, its invoice and the export keep it', async () => {
    const { caller, departureId, add, sell } = await desk()
    await add()
    await add({ code: 'MINUS-20', kind: 'amount', value: 20, currency: 'EUR' })
    await add({ code: 'FREE', kind: 'amount', value: 5000, currency: 'EUR' })
    // however it is typed
    const sold = await sell('summer')
    expect(sold).toMatchObject({
      amountTotalMinor: 16_020,
      priceReason: null,
      discount: { code: 'SUMMER', amountMinor: 1780 },
    })
    expect(await sell('MINUS-20')).toMatchObject({ amountTotalMinor: 15_800, discount: { amountMinor: 2000 } })
    expect(await sell('FREE')).toMatchObject({ amountTotalMinor: 0, discount: { amountMinor: 17_800 } })
    const invoice = await caller.call(verbOf(issueInvoice), { bookingId: sold.id, buyer: { name: 'Amara' } })
    const { rows } = await caller.transaction((tx) =>
      sql<{
        lines: unknown
        total: number
      }>`select lines, total_minor as total from billing_documents where org_id = ${caller.orgId} and id = ${invoice.id}`.execute(
        tx,
      ),
    )
    expect(rows[0]).toMatchObject({
      total: 16_020,
      lines: [
        { kind: 'unit', amountMinor: 17_800 },
        { kind: 'difference', reason: 'SUMMER', amountMinor: -1780 },
      ],
    })
    const { csv } = await caller.call(coreVerbOf(exportBookings), { filters: { departureId: [departureId] } })
    expect(csv).toMatch(/SUMMER"?,"?1780/)
  })

  test('makes the price of the list smaller: another price takes a reason, the discounted one takes none', async () => {
    const { caller, add, sell } = await desk()
    await add()
    await expect(sell('SUMMER', { amountTotalMinor: 17_800 })).rejects.toMatchObject(
      wrong('priceReason', 'price_reason_missing'),
    )
    const { id, version, contact } = await sell('SUMMER')
    const update = (of: number, change: object) =>
      caller.call(coreVerbOf(updateBooking), { id, version: of, contact, amountTotalMinor: 16_020, ...change })
    const agreed = await update(version, { amountTotalMinor: 15_000, priceReason: 'Came before' })
    expect(await update(agreed.version, {})).toMatchObject({ amountTotalMinor: 16_020, priceReason: null })
  })

  test('is refused by name where it does not exist, was archived, or is for another tour, day or currency, by sale as by check', async () => {
    const { caller, departureId, add, sell } = await desk()
    const { tourId: otherTour } = await publishedTour(caller, { name: 'South Coast' })
    await add({ code: 'OTHER', tourIds: [otherTour] })
    await add({ code: 'PAST', validUntil: '2030-07-09' })
    await add({ code: 'LATER', validFrom: '2030-07-11' })
    await add({ code: 'JULY-13', validBy: 'departure', validUntil: '2030-07-13' })
    await add({ code: 'KRONA', kind: 'amount', value: 5, currency: 'ISK' })
    const { id, version } = await add({ code: 'GONE' })
    await caller.call(verbOf(discountRecord.archive), { id, version, archived: true })
    for (const [code, rule] of [
      ['NOTHING', 'discount_unknown'],
      ['GONE', 'discount_unknown'],
      ['OTHER', 'discount_other_tour'],
      ['PAST', 'discount_not_valid'],
      ['LATER', 'discount_not_valid'],
      ['JULY-13', 'discount_not_valid'],
      ['KRONA', 'discount_other_currency'],
    ] as const) {
      await expect(sell(code), code).rejects.toMatchObject(wrong('discountCode', rule))
      await expect(caller.call(verbOf(checkDiscount), { departureId, code }), code).rejects.toMatchObject(
        wrong('code', rule),
      )
    }
    await add({ code: 'TODAY', validFrom: '2030-07-10', validUntil: '2030-07-10' })
    await add({ code: 'JULY-14', validBy: 'departure', validFrom: '2030-07-14', validUntil: '2030-07-14' })
    for (const code of ['TODAY', 'JULY-14']) {
      expect(await caller.call(verbOf(checkDiscount), { departureId, code })).toEqual({
        code,
        percent: 10,
        amountMinor: null,
      })
    }
  })

  test('counts the bookings that have it: one that is cancelled gives its use back, and takes it again only while there is one', async () => {
    const { caller, add, sell, usesOf } = await desk()
    await add({ maxUses: 1 })
    const first = await sell('SUMMER', { mode: 'hold' })
    expect(await usesOf()).toEqual([['SUMMER', 1]])
    await expect(sell('SUMMER')).rejects.toMatchObject(usedUp)
    const cancelled = await cancel(caller, first)
    expect(cancelled.discount).toEqual({ code: 'SUMMER', amountMinor: 1780 })
    expect(await usesOf()).toEqual([['SUMMER', 0]])
    const second = await sell('SUMMER')
    const restore = () => caller.call(coreVerbOf(restoreBooking), { id: cancelled.id, version: cancelled.version })
    await expect(restore()).rejects.toMatchObject(usedUp)
    await cancel(caller, second)
    expect(await restore()).toMatchObject({ status: 'on_hold', discount: { code: 'SUMMER' } })
    expect(await usesOf()).toEqual([['SUMMER', 1]])
  })

  test('of many sales at once on different departures, as many have it as it may be used', async () => {
    const { caller, tourId, add, usesOf } = await desk()
    await add({ maxUses: 3 })
    const starts = Array.from({ length: 10 }, (_, index) => `${String(index + 8).padStart(2, '0')}:00`)
    const departures: string[] = []
    for (const startTimeLocal of starts) {
      departures.push(await addDeparture(caller, tourId, { localDate: '2030-07-15', startTimeLocal }))
    }
    const sales = await Promise.allSettled(
      departures.map((id) => book(caller, id, 1, { guests: [], discountCode: 'SUMMER' })),
    )
    expect(sales.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
    for (const sale of sales) if (sale.status === 'rejected') expect(sale.reason).toMatchObject(usedUp)
    expect(await usesOf()).toEqual([['SUMMER', 3]])
  })

  test('exists once however it is typed, and its form says what is wrong', async () => {
    const { add } = await desk()
    await add()
    await expect(add({ code: 'Summer' })).rejects.toMatchObject(wrong('code', 'discount_code_taken'))
    await expect(add({ code: 'MUCH', value: 101 })).rejects.toMatchObject(wrong('value', 'too_large'))
    await expect(add({ code: 'EURO', kind: 'amount' })).rejects.toMatchObject(wrong('currency', 'currency_form'))
    await expect(add({ code: 'BACK', validFrom: '2030-07-02', validUntil: '2030-07-01' })).rejects.toMatchObject(
      wrong('validUntil', 'last_before_first'),
    )
  })

  test('is made by those who plan tours, and used by those who sell', async () => {
    const { caller, clock, add, sell } = await desk()
    const dispatcher = await world.as('dispatcher', { orgId: caller.orgId, clock })
    const mine = { code: 'MINE', kind: 'percent' as const, value: 5 }
    await expect(dispatcher.call(verbOf(discountRecord.create), mine)).rejects.toMatchObject({
      code: 'permission-denied',
    })
    await add()
    expect(await sell('SUMMER', {}, dispatcher)).toMatchObject({ discount: { code: 'SUMMER' } })
    const stranger = await world.as('operations_manager', { clock })
    expect((await stranger.call(verbOf(discountRecord.list), {})).rows).toEqual([])
  })
})
