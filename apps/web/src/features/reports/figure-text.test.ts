import type { Figure } from '@tour-ops/contract/reports/reports'
import { expect, test } from 'vitest'
import { figureBasis, figureLines } from './figure-text.ts'

const revenue = (value: number | null, others: Figure['others'] = []): Figure => ({
  metric: 'net_revenue',
  unit: 'money',
  value,
  top: value ?? 0,
  bottom: null,
  range: null,
  currency: 'EUR',
  before: null,
  others,
})
const krona = { currency: 'ISK', value: 15_000, before: 9000 }

/** Spaces that do not break are read as spaces. */
const plain = (text: string): string => text.replaceAll(/\s/g, ' ')
const textsOf = (figure: Figure): string[] => figureLines(figure).map(({ text }) => text)

test('each currency has its own line, and its own value before', () => {
  expect(figureLines(revenue(17_800, [krona])).map(({ key, before }) => [key, before !== null])).toEqual([
    ['EUR', false],
    ['ISK', true],
  ])
})

test('nothing in the currency of the organization is not shown as zero next to money in another', () => {
  expect(textsOf(revenue(0, [krona]))).toHaveLength(1)
  expect(textsOf(revenue(0, [krona]))[0]).toContain('15,000')
  expect(textsOf(revenue(null, [krona]))).toHaveLength(1)
})

test('without any money there is one line, and a dash where there is nothing to divide by', () => {
  expect(textsOf(revenue(0))).toEqual(['€0.00'])
  expect(textsOf(revenue(null))).toEqual(['–'])
})

test('ratings show the number of opinions and their range of certainty', () => {
  const rating: Figure = {
    ...revenue(null),
    metric: 'guide_rating',
    unit: 'rating',
    value: 4.6512,
    bottom: 38,
    range: { low: 4.431, high: 4.9 },
    currency: null,
  }
  expect(textsOf(rating)).toEqual(['4.65'])
  expect(figureBasis(rating)).toBe('4.43 to 4.90 · 38 answers')
  expect(figureBasis({ ...rating, value: null, bottom: 1, range: null })).toBe('1 answer')
  expect(figureBasis({ ...rating, value: null, bottom: 0, range: null })).toBeNull()
  expect(figureBasis(revenue(100))).toBeNull()
})

test('a recommendation has its sign', () => {
  const nps = (value: number): Figure => ({ ...revenue(value), metric: 'nps', unit: 'points', currency: null })
  expect([41.6, 0.2, -7.9].map((value) => textsOf(nps(value)))).toEqual([['+42'], ['0'], ['-8']])
})

test('a duration is in minutes, and from an hour on in hours', () => {
  const duration = (seconds: number): Figure => ({
    ...revenue(seconds),
    metric: 'time_to_resolve',
    unit: 'seconds',
    currency: null,
  })
  expect(textsOf(duration(300)).map(plain)).toEqual(['5 min'])
  expect(textsOf(duration(15_780)).map(plain)).toEqual(['4 h 23 min'])
})
