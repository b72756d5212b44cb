import { expect, test } from 'vitest'
import { TourMatcher } from './tour-match.ts'

const tours = [
  { id: '1', code: 'GOLD', name: 'Golden Circle' },
  { id: '2', code: 'GOLD-E', name: 'Golden Circle Evening' },
  { id: '3', code: 'SOUTH', name: 'South Coast & Glaciers' },
  { id: '4', code: 'NL', name: 'Northern Lights' },
  { id: '5', code: 'NL-B', name: 'Northern Lights' },
]
const codes = (text: string, words: Record<string, string> = {}) =>
  new TourMatcher(tours, words).find(text).map(({ code }) => code)

test('a tour is found by code, by name in any spelling, and by what a person said', () => {
  expect(codes('gold')).toEqual(['GOLD'])
  expect(codes('GOLDEN  circle')).toEqual(['GOLD'])
  expect(codes('South coast and glaciers'), 'one word differs').toEqual(['SOUTH'])
  expect(codes('55120P1', { '55120P1': 'SOUTH' })).toEqual(['SOUTH'])
})

test('a longer name is taken for the tour whose words it has, and none where two are as near', () => {
  expect(codes('Golden Circle from Reykjavik by small bus')).toEqual(['GOLD'])
  expect(codes('Golden Circle Evening Tour')).toEqual(['GOLD-E'])
  expect(codes('Whale watching')).toEqual([])
  expect(codes('Lights')).toEqual([])
})

test('tours of the same name are all meant; the departure decides', () => {
  expect(codes('Northern Lights')).toEqual(['NL', 'NL-B'])
})
