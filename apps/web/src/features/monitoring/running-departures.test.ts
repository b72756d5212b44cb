import { expect, test } from 'vitest'
import { countWords } from './running-departures.tsx'

const rows = (count: number) => Array.from({ length: count })

test('what runs now is counted, and where not all of it is shown, how much is', () => {
  expect(countWords(rows(1), 1)).toBe('1 departure')
  expect(countWords(rows(12), 12)).toBe('12 departures')
  expect(countWords(rows(12), 15)).toBe('12 of 15 departures')
})
