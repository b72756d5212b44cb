import { expect, test } from 'vitest'
import { splitMatches } from './matches.ts'

const marked = (text: string, words: string) =>
  splitMatches(text, words)
    .map(({ part, isMatch }) => (isMatch ? `[${part}]` : part))
    .join('')

test('what was searched is marked, case aside', () => {
  expect(marked('Golden Circle', 'gol')).toBe('[Gol]den Circle')
  expect(marked('Igor Golubev', 'gol')).toBe('Igor [Gol]ubev')
})

test('accents do not matter', () => {
  expect(marked('Björn Ólafsson', 'olaf')).toBe('Björn [Ólaf]sson')
  expect(marked('Sofia', 'sofía')).toBe('[Sofia]')
})

test('every word is marked, overlapping ones once', () => {
  expect(marked('Golden Circle Golden', 'golden cir')).toBe('[Golden] [Cir]cle [Golden]')
})

test('nothing searched, nothing marked; the text stays whole', () => {
  expect(splitMatches('Golden', ' ')).toEqual([{ part: 'Golden', isMatch: false, at: 0 }])
  expect(marked('田中 恵子', '恵')).toBe('田中 [恵]子')
})
