import { listBookings } from '@tour-ops/contract/bookings/bookings'
import type { In } from '@tour-ops/contract/callable'
import { getDeparture } from '@tour-ops/contract/departures/departures'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addDeparture, book, coreVerbOf, officeWithTour } from '../../../testing/operations.ts'
import { testDatabase, type TestWorld } from '../../../testing/world.ts'

let world: TestWorld
beforeAll(async () => {
  world = await testDatabase()
})
afterAll(() => world.close())

type Question = In<typeof listBookings>

const orders = [
  'startsAt',
  'createdAt',
  'bookingRef',
  'contact',
  'status',
  'pax',
  'balance',
  'expiresAt',
  'waitlistRank',
] as const

test('the pages of a list are its parts, in every order and with every filter, and each says how many there are', async () => {
  const { caller, tourId } = await officeWithTour(world, new Date('2030-07-01T12:00:00Z'))
  const other = await officeWithTour(world, new Date('2030-07-01T12:00:00Z'))
  await book(other.caller, await addDeparture(other.caller, other.tourId, {}), 2)
  const [small, large] = [
    await addDeparture(caller, tourId, { capacity: 4 }),
    await addDeparture(caller, tourId, { capacity: 20, localDate: '2030-07-19' }),
  ]
  for (const [index, name] of ['Ada', 'Bo', 'Cy'].entries()) {
    await book(caller, large, index + 1, { contact: { name } })
  }
  await book(caller, small, 4, { contact: { name: 'Dee' } })
  for (const name of ['Eve', 'Flo']) await book(caller, small, 2, { mode: 'waitlist', contact: { name } })
  const list = (question: Question) => caller.call(coreVerbOf(listBookings), question)

  const { localDate } = await caller.call(coreVerbOf(getDeparture), { id: small })
  const filters: [Question['filters'], number][] = [
    [undefined, 6],
    [{ departureId: [large] }, 3],
    [{ tourId: [tourId] }, 6],
    [{ tourId: [other.tourId] }, 0],
    [{ from: localDate, to: localDate }, 3],
    [{ tourId: [tourId], from: '2030-07-19' }, 3],
    [{ status: ['waitlisted'] }, 2],
    [{ unread: true }, 0],
  ]
  for (const [filter, total] of filters) {
    for (const by of orders) {
      for (const descending of filter === undefined ? [false, true] : [true]) {
        const question = { filters: filter, sort: [{ by, descending }] }
        const whole = await list({ ...question, size: 50 })
        const pages = [await list({ ...question, size: 2 }), await list({ ...question, size: 2, page: 2 })]
        expect({ total: whole.total, rows: whole.rows.length }, JSON.stringify(question)).toEqual({
          total,
          rows: total,
        })
        expect(pages.flatMap(({ rows }) => rows)).toEqual(whole.rows.slice(0, 4))
        expect(await list({ ...question, size: 2, page: 9 })).toEqual({ rows: [], total })
      }
    }
  }
  const waiting = await list({ filters: { status: ['waitlisted'] }, sort: [{ by: 'waitlistRank', descending: true }] })
  expect(waiting.rows.map(({ contact, waitlistRank }) => [contact.name, waitlistRank])).toEqual([
    ['Flo', 2],
    ['Eve', 1],
  ])
})
