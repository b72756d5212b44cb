import { expect, test } from 'vitest'
import { minorOf } from './minor-of.ts'

test('an amount may be typed with a point or a comma', () => {
  expect(minorOf('89.50', 2)).toBe(8950)
  expect(minorOf('89,5', 2)).toBe(8950)
  expect(minorOf(' 1 200 ', 2)).toBe(120_000)
})

test('the digits are the currency’s own, and no cent is lost to binary fractions', () => {
  expect(minorOf('12900', 0)).toBe(12_900)
  expect(minorOf('1.005', 3)).toBe(1005)
  expect(minorOf('0.29', 2)).toBe(29)
  expect(minorOf('1.15', 2)).toBe(115)
})

test('nothing typed is null, and what is no amount stays text so that the schema refuses it', () => {
  expect(minorOf('', 2)).toBeNull()
  expect(minorOf('about 12', 2)).toBe('about 12')
  expect(minorOf('-5', 2)).toBe('-5')
  expect(minorOf('1.200,50', 2)).toBe('1.200,50')
  expect(minorOf('.', 2)).toBe('.')
})

test('more digits than the currency has are refused, since a comma may have meant thousands', () => {
  expect(minorOf('12,345', 2)).toBe('12,345')
  expect(minorOf('12900.5', 0)).toBe('12900.5')
})
