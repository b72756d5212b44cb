import { expect, test } from 'vitest'
import { foundOptions, splitMatches } from './matches.ts'

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

test('of many options the one whose code is typed comes first, then those that begin with the words', () => {
  const names = { da: 'Danish', de: 'German', is: 'Icelandic', ga: 'Irish', es: 'Español' }
  const options = Object.entries(names).map(([value, label]) => ({ value, label }))
  const found = (query: string) => foundOptions(options, query).map(({ label }) => label)
  expect(found('is')).toEqual(['Icelandic', 'Danish', 'Irish'])
  expect(found('I')).toEqual(['Icelandic', 'Irish', 'Danish'])
  expect(found('espa')).toEqual(['Español'])
  expect(found(' ')).toHaveLength(options.length)
  expect(found('xyz')).toEqual([])
})
