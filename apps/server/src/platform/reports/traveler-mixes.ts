import type { Report } from '@tour-ops/contract/reports/reports'
import { groupBy, mergeSmall } from './group-mixes.ts'
import type { BookingFact, TravelerFact } from './report-store.ts'

/** Youngest age of each band, largest first; ours. */
const ageBands: readonly (readonly [from: number, band: string])[] = [
  [75, '75+'],
  [60, '60-74'],
  [45, '45-59'],
  [30, '30-44'],
  [16, '16-29'],
  [0, '0-15'],
]
const unknown = 'unknown'

const ageBandOf = ({ age }: TravelerFact): string =>
  age === null ? unknown : (ageBands.find(([from]) => age >= from)?.[1] ?? unknown)

/** Fewest days of each band, largest first. */
const leadBands: readonly (readonly [from: number, band: string])[] = [
  [91, '91+'],
  [31, '31-90'],
  [8, '8-30'],
  [3, '3-7'],
  [1, '1-2'],
  [0, '0'],
]
const leadBandOf = ({ leadDays }: BookingFact): string =>
  leadDays === null ? unknown : (leadBands.find(([from]) => leadDays >= from)?.[1] ?? unknown)

/** Parties this large and larger are one band. */
const largestParty = 7
const partyOf = ({ pax }: BookingFact): string => (pax >= largestParty ? `${largestParty}+` : String(pax))

type Mix = Report['mixes'][number]

const mixOf = <T>(of: string, items: readonly T[], keysOf: (item: T) => readonly string[]): Mix => ({
  of,
  parts: mergeSmall(groupBy(items, keysOf)).map(({ key, members }) => ({ key, n: members.length })),
})

/** Who travels, and how they book; groups under five are merged. */
export const travelerMixes = (people: readonly TravelerFact[], bookings: readonly BookingFact[]): Mix[] => [
  mixOf('nationality', people, (person) => [person.nationality ?? unknown]),
  mixOf('language', people, (person) => [person.language ?? unknown]),
  mixOf('age', people, (person) => [ageBandOf(person)]),
  mixOf('dietary', people, (person) => (person.dietary.length > 0 ? person.dietary : ['none'])),
  mixOf('mobility', people, (person) => [person.mobility]),
  mixOf('channel', bookings, (booking) => [booking.channel]),
  mixOf('party', bookings, (booking) => [partyOf(booking)]),
  mixOf('lead', bookings, (booking) => [leadBandOf(booking)]),
]
