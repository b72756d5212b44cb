import { expect, test } from 'vitest'
import { countText } from './running-departures.tsx'

const rows = (count: number) => Array.from({ length: count })

test('what runs now is counted, and where not all of it is shown, how much is', () => {
  expect(countText(rows(1), 1)).toBe('1 departure')
  expect(countText(rows(12), 12)).toBe('12 departures')
  expect(countText(rows(12), 15)).toBe('12 of 15 departures')
})
