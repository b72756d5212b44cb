import { getAvailability } from '@tour-ops/contract/bookings/availability'
import { getBooking, moveBookings } from '@tour-ops/contract/bookings/bookings'
import { changeParty, getParty } from '@tour-ops/contract/bookings/party'
import { splitParty } from '@tour-ops/contract/bookings/split'
import { listProposals } from '@tour-ops/contract/bookings/proposals'
import { TourContent } from '@tour-ops/contract/tours/tour-content'
import { duplicateTour, getTour, publishTour, saveTourDraft, saveTourOptions } from '@tour-ops/contract/tours/tours'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { move } from '../../../testing/bookings.ts'
import {
  addDeparture,
  book,
  coreVerbOf,
  officeWithTour,
  publishedTour,
  setStatus,
} from '../../../testing/operations.ts'
import { testDatabase, type TestWorld } from '../../../testing/world.ts'
import { selectDepartures } from '../imports/plan-store.ts'

let world: TestWorld
beforeAll(async () => {
  world = await testDatabase()
})
afterAll(() => world.close())

const adults = (quantity: number) => [{ unitType: 'adult' as const, quantity }]

/** A tour of 89.00 for an adult and 45.00 for a child, and its option with lunch, where an adult pays 119.00. */
async function withLunch() {
  const { caller, tourId } = await officeWithTour(world, new Date('2030-07-01T12:00:00Z'))
  const { version } = await caller.call(coreVerbOf(getTour), { id: tourId })
  await caller.call(coreVerbOf(saveTourOptions), {
    id: tourId,
    version,
    options: [
      { name: 'Classic', startTimesLocal: ['09:00'] },
      { name: 'With lunch', startTimesLocal: ['11:00'], prices: { adult: 11_900 } },
    ],
  })
  const { options } = await caller.call(coreVerbOf(getTour), { id: tourId })
  const optionOf = (name: string) => options.find((option) => option.name === name)?.id
  const classic = await addDeparture(caller, tourId, { optionId: optionOf('Classic') })
  const lunch = await addDeparture(caller, tourId, { optionId: optionOf('With lunch'), startTimeLocal: '11:00' })
  return { caller, tourId, classic, lunch }
}

test('an option is sold at its own prices, and at those of the tour for the kinds that it does not name', async () => {
  const { caller, tourId, classic, lunch } = await withLunch()
  const { units } = (await caller.call(coreVerbOf(getTour), { id: tourId })).revision?.content ?? { units: [] }
  const childMinor = units.find(({ unitType }) => unitType === 'child')?.priceMinor ?? 0
  const family = { guests: [], units: [...adults(1), { unitType: 'child' as const, quantity: 1 }] }
  expect((await book(caller, lunch, 2, family)).amountTotalMinor).toBe(11_900 + childMinor)
  expect((await book(caller, classic, 2, family)).amountTotalMinor).toBe(8_900 + childMinor)
  const { days } = await caller.call(coreVerbOf(getAvailability), { tourId, from: '2030-07-14', days: 1 })
  const offered = days[0]?.departures.map(({ optionName, optionPrices }) => [optionName, optionPrices])
  expect(offered).toEqual([
    ['Classic', {}],
    ['With lunch', { adult: 11_900 }],
  ])
})

test('a party that moves to a dearer option pays the difference where that is wanted, and less again when it is undone', async () => {
  const { caller, classic, lunch } = await withLunch()
  const booking = await book(caller, classic, 2, { amountTotalMinor: 17_000, priceReason: 'Regular guest' })
  expect((await caller.call(coreVerbOf(getParty), { id: booking.id, departureId: lunch })).prices[0]?.priceMinor).toBe(
    8_900,
  )
  const upgraded = await caller.call(coreVerbOf(moveBookings), {
    parties: [{ id: booking.id, version: booking.version }],
    toDepartureId: lunch,
    atPriceThere: true,
  })
  expect((await caller.call(coreVerbOf(getBooking), { id: booking.id })).amountTotalMinor).toBe(23_000)
  await move(caller, upgraded.parties, classic)
  expect((await caller.call(coreVerbOf(getBooking), { id: booking.id })).amountTotalMinor).toBe(17_000)
})

test('what was sold keeps its price when the option changes; who comes later pays the new one', async () => {
  const { caller, tourId, lunch } = await withLunch()
  const booking = await book(caller, lunch, 2, { guests: [] })
  const tour = await caller.call(coreVerbOf(getTour), { id: tourId })
  await caller.call(coreVerbOf(saveTourOptions), {
    id: tourId,
    version: tour.version,
    options: tour.options.map((option) => ({ ...option, prices: { adult: 12_900, child: 7_000 } })),
  })
  const { id } = booking
  const { version, amountTotalMinor } = await caller.call(coreVerbOf(getBooking), { id })
  expect(amountTotalMinor).toBe(23_800)
  const units = [...adults(2), { unitType: 'child' as const, quantity: 1 }]
  const { booking: larger } = await caller.call(coreVerbOf(changeParty), { id, version, units })
  expect(larger.amountTotalMinor).toBe(23_800 + 7_000)
  const contact = { name: 'Nora Lind', email: null, phone: null, locale: null, country: null }
  const wish = { id, version: larger.version, units: adults(1), guests: [], contact }
  expect((await caller.call(coreVerbOf(splitParty), wish)).other.amountTotalMinor).toBe(11_900)
  expect((await book(caller, lunch, 1, { guests: [] })).amountTotalMinor).toBe(12_900)
})

test('a copy of a tour has the prices of its options', async () => {
  const { caller, tourId } = await withLunch()
  const copy = await caller.call(coreVerbOf(duplicateTour), { id: tourId, code: 'COPY', name: 'Copy' })
  const { options } = await caller.call(coreVerbOf(getTour), { id: copy.id })
  expect(options.map(({ prices }) => prices)).toEqual([{}, { adult: 11_900 }])
})

test('times that are saved without prices leave the prices; another currency of the tour ends them', async () => {
  const { caller, tourId } = await withLunch()
  const tour = await caller.call(coreVerbOf(getTour), { id: tourId })
  const { version } = await caller.call(coreVerbOf(saveTourOptions), {
    id: tourId,
    version: tour.version,
    options: tour.options.map(({ id, name }) => ({ id, name, startTimesLocal: ['12:00'] })),
  })
  const pricesNow = async () =>
    (await caller.call(coreVerbOf(getTour), { id: tourId })).options.map(({ prices }) => prices)
  expect(await pricesNow()).toEqual([{}, { adult: 11_900 }])
  const content = tour.revision?.content ?? TourContent.parse({})
  const units = content.units.map((unit) => ({ ...unit, currency: 'ISK' }))
  const draft = await caller.call(coreVerbOf(saveTourDraft), { id: tourId, version, content: { ...content, units } })
  await caller.call(coreVerbOf(publishTour), { id: tourId, version: draft.version, note: null })
  expect(await pricesNow()).toEqual([{}, {}])
})

test('an import and a proposal ask the prices of the option', async () => {
  const { caller, tourId, lunch } = await withLunch()
  const facts = await caller.transaction((tx) =>
    selectDepartures(tx, caller.orgId, { codes: [], days: [{ tour: tourId, date: '2030-07-14' }] }),
  )
  expect(facts.find(({ id }) => id === lunch)?.prices).toMatchObject([{ priceMinor: 11_900 }, { unitType: 'child' }])
  const other = await publishedTour(caller, { name: 'South Coast' })
  const stranded = await addDeparture(caller, other.tourId, { startTimeLocal: '08:00' })
  const party = await book(caller, stranded, 2, { guests: [] })
  await setStatus(caller, stranded, { to: 'cancelled', cancelReason: 'weather' })
  const { parties } = await caller.call(coreVerbOf(listProposals), { departureId: stranded })
  const difference = 2 * (11_900 - 8_900)
  expect(parties[0]?.amountsThere).toContainEqual({
    departureId: lunch,
    amountMinor: party.amountTotalMinor + difference,
  })
})

test.each(['[]', '{"dog": 100}', '{"adult": -1}', '{"adult": 1.5}', '{"adult": "9"}', '{"adult": 1000000000001}'])(
  'the schema takes no prices like %s',
  async (prices) => {
    const { caller, tourId } = await withLunch()
    const write = caller.transaction((tx) =>
      sql`update tour_options set prices = ${prices}::jsonb where org_id = ${caller.orgId} and tour_id = ${tourId}`.execute(
        tx,
      ),
    )
    await expect(write).rejects.toThrow()
  },
)
