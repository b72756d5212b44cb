import type { Figure } from '@tour-ops/contract/reports/reports'
import { expect, test } from 'vitest'
import { figureLines } from './figure-text.ts'

const revenue = (value: number | null, others: Figure['others'] = []): Figure => ({
  metric: 'net_revenue',
  unit: 'money',
  value,
  top: value ?? 0,
  bottom: null,
  currency: 'EUR',
  before: null,
  others,
})
const krona = { currency: 'ISK', value: 15_000, before: 9000 }

const textsOf = (figure: Figure): string[] => figureLines(figure).map(({ text }) => text)

test('each currency has its own line, and its own value before', () => {
  expect(figureLines(revenue(17_800, [krona])).map(({ key, before }) => [key, before !== null])).toEqual([
    ['EUR', false],
    ['ISK', true],
  ])
})

test('nothing in the currency of the organization is not shown as zero beside money in another', () => {
  expect(textsOf(revenue(0, [krona]))).toHaveLength(1)
  expect(textsOf(revenue(0, [krona]))[0]).toContain('15,000')
  expect(textsOf(revenue(null, [krona]))).toHaveLength(1)
})

test('without any money there is one line, and a dash where there is nothing to divide by', () => {
  expect(textsOf(revenue(0))).toEqual(['€0.00'])
  expect(textsOf(revenue(null))).toEqual(['–'])
})
