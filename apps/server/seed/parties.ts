import { createBooking } from '@tour-ops/contract/bookings/bookings'
import { getManifest } from '@tour-ops/contract/bookings/manifest'
import type { In } from '@tour-ops/contract/callable'
import pLimit from 'p-limit'
import { localDateOf } from '../src/platform/local-time.ts'
import type { SeededDeparture } from './calendar.ts'
import type { SeededTour } from './catalogue.ts'
import { type Counting, uncounted } from './counted-tables.ts'
import { reachOf, type SeededGuest } from './guests.ts'
import { type Person, sideBySide } from './person.ts'
import type { Random } from './random.ts'

type Channel = NonNullable<In<typeof createBooking>['channel']>
export const channelWeights: readonly (readonly [Channel, number])[] = [
  ['direct', 40],
  ['ota', 30],
  ['agent', 15],
  ['phone', 10],
  ['partner', 5],
]
const partySizes: readonly (readonly [number, number])[] = [
  [1, 18],
  [2, 48],
  [3, 12],
  [4, 15],
  [5, 4],
  [6, 3],
]

/** How far ahead guests book, in days. */
const soldDays = 12

/** Sold share falls with the days ahead: nobody books everything a month early. */
const soldShare = (demand: number, daysAhead: number): number =>
  daysAhead <= 1 ? demand : demand * Math.max(0.12, 1 - daysAhead / (soldDays + 1))

/** Seats that the scripted day asks for, by tour and days from today. See docs/domain.md, "Demo organization". */
function scriptedSeats(departure: SeededDeparture, daysAhead: number): number | undefined {
  if (departure.tourCode === 'ALFA' && daysAhead === 0) return departure.startTimeLocal === '16:00' ? 16 : 15
  if (departure.tourCode === 'FOOD' && daysAhead === 0) return 3
  if (departure.tourCode === 'SINT' && daysAhead === 0) return 8
  return undefined
}

export async function seedParties(
  office: Person,
  tours: readonly SeededTour[],
  departures: readonly SeededDeparture[],
  guests: readonly SeededGuest[],
  random: Random,
  now: Date,
  count: Counting = uncounted,
): Promise<void> {
  const horizon = now.getTime() + soldDays * 86_400_000
  const open = departures
    .filter(({ startsAt }) => Date.parse(startsAt) <= horizon)
    .map((departure) => ({ departure, choices: random.fork() }))
  await pLimit(sideBySide).map(open, async ({ departure, choices }, place) => {
    await count(place)
    const tour = tours.find((one) => one.id === departure.tourId)
    if (!tour) return
    const today = localDateOf(now, departure.timeZone)
    const daysAhead = Math.round((Date.parse(departure.localDate) - Date.parse(today)) / 86_400_000)
    const wanted =
      scriptedSeats(departure, daysAhead) ??
      Math.round(departure.capacity * soldShare(tour.demand, daysAhead) * (0.75 + choices.next() * 0.3))
    const adultMinor = tour.prices.find(([unitType]) => unitType === 'adult')?.[1] ?? 0
    const sale = { office: office.apart(), departure, adultMinor, guests, random: choices, now }
    const aboard = await fill(sale, Math.min(wanted, departure.capacity) - departure.seatsConfirmed)
    if (departure.tourCode === 'ALFA' && daysAhead === 0 && departure.startTimeLocal === '16:00') {
      await book(sale, 3, 'waitlist', aboard)
    }
  })
}

/** What is sold, to whom and by whom. */
interface Sale {
  readonly office: Person
  readonly departure: SeededDeparture
  /** What an adult's seat costs. */
  readonly adultMinor: number
  readonly guests: readonly SeededGuest[]
  readonly random: Random
  readonly now: Date
}

/**
 * Books parties for this many seats, as far as there are guests. A person travels once on the same departure.
 *
 * @returns who is aboard.
 */
async function fill(sale: Sale, seats: number): Promise<Set<string>> {
  const { office, departure, random } = sale
  const aboard = departure.seatsConfirmed > 0 ? await guestsOf(office, departure.id) : new Set<string>()
  let left = seats
  while (left > 0) {
    const size = Math.min(left, random.weighted(partySizes))
    await book(sale, size, 'confirm', aboard)
    left -= size
  }
  return aboard
}

async function guestsOf(office: Person, departureId: string): Promise<Set<string>> {
  const { groups } = await office.call(getManifest, { departureId })
  return new Set(
    groups.flatMap(({ parties }) => parties.flatMap(({ entries }) => entries.map((one) => one.travelerId))),
  )
}

async function book(
  { office, departure, adultMinor, guests, random, now }: Sale,
  size: number,
  mode: 'confirm' | 'waitlist',
  aboard: Set<string>,
): Promise<void> {
  // visitors may have removed so many that nobody is left to pick
  if (guests.length - aboard.size < size) return
  const party: SeededGuest[] = []
  while (party.length < size) {
    const guest = random.pick(guests)
    if (aboard.has(guest.id)) continue
    aboard.add(guest.id)
    party.push(guest)
  }
  const first = party[0]
  if (!first) return
  const bookedAt = Date.parse(departure.startsAt) - random.between(26, 24 * 20) * 3_600_000
  office.at(new Date(Math.min(bookedAt, now.getTime() - random.between(1, 72) * 3_600_000)))
  await office.call(createBooking, {
    departureId: departure.id,
    mode,
    channel: random.weighted(channelWeights),
    contact: { name: first.name, ...reachOf(first), country: first.country, locale: first.language },
    tellGuest: false,
    units: [{ unitType: 'adult', quantity: size }],
    guests: party.map((guest) => ({ travelerId: guest.id, unitType: 'adult' as const })),
    ...(random.chance(0.9) && mode === 'confirm' && { amountPaidMinor: size * adultMinor, paidBy: 'card_terminal' }),
  })
}
