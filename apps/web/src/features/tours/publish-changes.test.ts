import { TourContent } from '@tour-ops/contract/tours/tour-content'
import { expect, test } from 'vitest'
import { changesOf } from './publish-changes.ts'

const [terminal, geysir, falls] = [
  '01890000-0000-7000-8000-000000000001',
  '01890000-0000-7000-8000-000000000002',
  '01890000-0000-7000-8000-000000000003',
]
const names = new Map([
  [terminal, 'BSÍ'],
  [geysir, 'Geysir'],
  [falls, 'Gullfoss'],
])
const told = (before: TourContent, after: TourContent, dayCount = 1) =>
  changesOf(before, after, { nameOf: (id) => names.get(id) ?? id, start: '09:00', dayCount })

const price = { unitType: 'adult', priceMinor: 8900, currency: 'EUR', paxCount: 1 } as const
const stops = [
  { dayIndex: 1, order: 1, placeId: terminal, kind: 'start', offsetMin: 0 },
  { dayIndex: 1, order: 2, placeId: geysir, kind: 'visit', offsetMin: 195, dwellMin: 75 },
  { dayIndex: 1, order: 3, placeId: terminal, kind: 'end', offsetMin: 480 },
] as const
const content = (change: object = {}) => TourContent.parse({ stops, units: [price], ...change })

test('a stop that moves is named with its times before and after, its neighbours are not', () => {
  const moved = [stops[0], { ...stops[1], offsetMin: 180, dwellMin: 60 }, stops[2]]
  expect(told(content(), content({ stops: moved }))).toEqual(['Geysir: 12:15–13:30 → 12:00–13:00'])
  expect(told(content(), content())).toEqual([])
})

test('the second stop at a place is compared with the second', () => {
  const later = [{ ...stops[0], offsetMin: 10 }, stops[1], { ...stops[2], offsetMin: 510 }]
  expect(told(content(), content({ stops: later }), 2)).toEqual([
    'BSÍ: Day 1 09:00 → Day 1 09:10',
    'BSÍ: Day 1 17:00 → Day 1 17:30',
  ])
})

test('added and removed stops carry their times; order, details and prices are listed', () => {
  const other = [stops[0], { ...stops[1], placeId: falls }, { ...stops[2], note: 'Platform 4' }]
  expect(told(content(), content({ stops: other, units: [{ ...price, priceMinor: 9900 }] }))).toEqual([
    'Added: Gullfoss 12:15–13:30',
    'Removed: Geysir 12:15–13:30',
    'BSÍ: details',
    'Adult: €89.00 → €99.00',
  ])
})
