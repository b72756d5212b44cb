import { mergedGroup } from '@tour-ops/contract/reports/reports'
import { expect, test } from 'vitest'
import { groupBy, mergeSmall } from './group-mixes.ts'
import { bucketsOf, comparedPeriod } from './report-period.ts'

test('a period is compared with the days right before it or with those of the year before', () => {
  const march = { from: '2028-03-01', to: '2028-03-31' }
  expect(comparedPeriod(march, 'none')).toBeNull()
  expect(comparedPeriod(march, 'previous')).toEqual({ from: '2028-01-30', to: '2028-02-29' })
  expect(comparedPeriod(march, 'last_year')).toEqual({ from: '2027-03-01', to: '2027-03-31' })
})

test('buckets cover the period without gap and without overlap', () => {
  expect(bucketsOf({ from: '2030-07-01', to: '2030-07-03' }).map(({ from }) => from)).toEqual([
    '2030-07-01',
    '2030-07-02',
    '2030-07-03',
  ])
  expect(bucketsOf({ from: '2030-07-01', to: '2030-08-10' }).at(-1)).toEqual({ from: '2030-08-05', to: '2030-08-10' })
  const year = bucketsOf({ from: '2030-01-15', to: '2030-12-31' })
  expect(year).toHaveLength(12)
  expect(year[0]).toEqual({ from: '2030-01-15', to: '2030-01-31' })
  expect(year[1]).toEqual({ from: '2030-02-01', to: '2030-02-28' })
})

const people = (key: string, count: number): string[] => Array.from({ length: count }, () => key)
const merged = (...all: string[][]) =>
  mergeSmall(groupBy(all.flat(), (key) => [key])).map(({ key, members }) => [key, members.length])

test('groups under five are merged, and what is merged is never under five while there is somebody to join', () => {
  expect(merged(people('DE', 9), people('US', 5), people('FR', 4), people('JP', 2))).toEqual([
    ['DE', 9],
    ['US', 5],
    [mergedGroup, 6],
  ])
  expect(merged(people('DE', 9), people('US', 6), people('FR', 1))).toEqual([
    ['DE', 9],
    [mergedGroup, 7],
  ])
  expect(merged(people('DE', 3))).toEqual([[mergedGroup, 3]])
  expect(merged(people('DE', 8))).toEqual([['DE', 8]])
})
