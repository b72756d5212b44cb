import { expect, test } from 'vitest'
import { agesOn, fitOf, wholeYearsBetween } from './guest-ages.ts'

test.each([
  ['2020-07-14', '2030-07-14', 10],
  ['2020-07-14', '2030-07-13', 9],
  ['2020-02-29', '2029-02-28', 8],
  ['2020-02-29', '2029-03-01', 9],
  ['2030-07-14', '2030-07-13', -1],
  ['2030-07-14', '2029-07-14', -1],
])('from %s to %s are %i whole years', (first, last, years) => {
  expect(wholeYearsBetween(first, last)).toBe(years)
})

test('by the date of birth an age is known on every day', () => {
  const born = '2020-07-14'
  expect(agesOn('2030-07-13', { born })).toEqual({ from: 9, to: 9 })
  expect(agesOn('2030-07-14', { born })).toEqual({ from: 10, to: 10 })
  expect(agesOn('2019-01-01', { born })).toEqual({ from: 0, to: 0 })
})

test('one that was said is known on that day of the year, and may be a year more on others', () => {
  const here = { years: 9, on: '2030-07-14' }
  const on = (day: string) => agesOn(day, { here, born: null })
  expect(on('2030-07-14')).toEqual({ from: 9, to: 9 })
  expect(on('2030-07-20')).toEqual({ from: 9, to: 10 })
  expect(on('2031-07-14')).toEqual({ from: 10, to: 10 })
  expect(on('2031-07-13')).toEqual({ from: 9, to: 10 })
  expect(on('2030-07-01')).toEqual({ from: 8, to: 9 })
  expect(agesOn('2029-06-01', { here: { years: 1, on: '2030-07-14' }, born: null })).toEqual({ from: 0, to: 0 })
})

test('what was said for this trip counts before the date of birth, and that before what was said for another', () => {
  const day = '2030-07-14'
  const [here, elsewhere] = [
    { years: 9, on: day },
    { years: 7, on: day },
  ]
  expect(agesOn(day, { here, born: '2020-07-14', elsewhere })?.from).toBe(9)
  expect(agesOn(day, { born: '2020-07-14', elsewhere })?.from).toBe(10)
  expect(agesOn(day, { born: null, elsewhere })?.from).toBe(7)
  expect(agesOn(day, { born: null })).toBeNull()
})

test('ages fit a kind of seat only where all that they may be are within its limits', () => {
  const child = { minAge: 3, maxAge: 11 }
  expect(fitOf({ from: 11, to: 11 }, child)).toBe('fits')
  expect(fitOf({ from: 11, to: 12 }, child)).toBe('unknown')
  expect(fitOf({ from: 12, to: 12 }, child)).toBe('unfit')
  expect(fitOf({ from: 2, to: 3 }, child)).toBe('unknown')
  expect(fitOf({ from: 1, to: 2 }, child)).toBe('unfit')
  expect(fitOf({ from: 66, to: 67 }, { minAge: 65, maxAge: null })).toBe('fits')
})
