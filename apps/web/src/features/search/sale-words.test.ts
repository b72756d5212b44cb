import { expect, test } from 'vitest'
import { isTourNamed, saleWordsOf } from './sale-words.ts'

/** A Friday. */
const today = '2026-11-27'

test('seats, tour and day are read from a line in any order, in the language of the reader', () => {
  expect(saleWordsOf('6 South Coast Tue', today, 'en')).toEqual({
    seats: 6,
    day: '2026-12-01',
    tour: ['south', 'coast'],
  })
  expect(saleWordsOf('tomorrow gold 2', today, 'en')).toEqual({ seats: 2, day: '2026-11-28', tour: ['gold'] })
  expect(saleWordsOf('Friday, 12 glacier', today, 'en')).toEqual({ seats: 12, day: today, tour: ['glacier'] })
  expect(saleWordsOf('4 Südküste Di.', today, 'de')).toMatchObject({ seats: 4, day: '2026-12-01' })
  expect(saleWordsOf('3 costa mañana', today, 'es')).toMatchObject({ seats: 3, day: '2026-11-28' })
  expect(saleWordsOf('2 south', today, 'en')).toEqual({ seats: 2, day: null, tour: ['south'] })
})

test('a name, a time, a number alone and a number of three digits are no sale', () => {
  for (const line of ['Amara Okafor', '6', '6 tue', 'gold 9:00', 'room 101', '+44 7700 900118'])
    expect(saleWordsOf(line, today, 'en'), line).toBeNull()
})

test('a tour is named by all of the words, accents and case aside', () => {
  const tour = { name: 'Südküste & Vík', code: 'SOUTH' }
  expect(isTourNamed(tour, ['sudkuste', 'vik'])).toBe(true)
  expect(isTourNamed(tour, ['south'])).toBe(true)
  expect(isTourNamed(tour, ['vik', 'gold'])).toBe(false)
})
