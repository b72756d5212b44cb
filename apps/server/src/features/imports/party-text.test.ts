import { expect, test } from 'vitest'
import { countOf, kindsOf, partyOf, unknownKindsIn } from './party-text.ts'

const unitsOf = (text: string) => partyOf(text, {})?.units

test.each([
  ['4 Adults', { adult: 4 }],
  ['2 Adults, 1 Child (8)', { adult: 2, child: 1 }],
  ['1 Senior, 1 Infant', { senior: 1, infant: 1 }],
  ['Adult x 2; Child x 1', { adult: 2, child: 1 }],
  ['2x Adult (Age 18 - 99)', { adult: 2 }],
  ['Adults: 2 / Students: 1', { adult: 2, student: 1 }],
  ['2 Erwachsene und 1 Kleinkind', { adult: 2, infant: 1 }],
  ['2 adultos y 3 niños', { adult: 2, child: 3 }],
  ['2 adultes et 1 enfant', { adult: 2, child: 1 }],
  ['2 adulti e 2 bambini', { adult: 2, child: 2 }],
  ['1 ADT+1 CHD', { adult: 1, child: 1 }],
])('%s is read as counts', (text, units) => {
  expect(unitsOf(text)).toEqual(units)
})

test('a number alone, or of people, counts guests of no said kind', () => {
  expect(partyOf('4', {})).toEqual({ units: {}, guests: 4 })
  expect(partyOf('3 pax', {})).toEqual({ units: {}, guests: 3 })
  expect(partyOf('5 Teilnehmer', {})).toEqual({ units: {}, guests: 5 })
})

test('what is only partly understood is not read, and the word is what a person is asked about', () => {
  expect(partyOf('2 Adults, 1 Locals', {})).toBeUndefined()
  expect(unknownKindsIn('2 Adults, 1 Locals', {})).toEqual(['Locals'])
  expect(partyOf('2 Adults, 1 Locals', { Locals: 'other' })?.units).toEqual({ adult: 2, other: 1 })
  expect(partyOf('family', {})).toBeUndefined()
  expect(partyOf('', {})).toBeUndefined()
  expect([countOf('3'), countOf('2.0'), countOf('-'), countOf('two')]).toEqual([3, 2, 0, undefined])
})

test('who leads a party is grown up', () => {
  expect(kindsOf({ child: 1, senior: 1, adult: 1 })).toEqual(['adult', 'senior', 'child'])
})
