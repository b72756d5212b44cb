import { expect, test } from 'vitest'
import { nameInEmail, subjectLine } from './email-text.ts'

test('a name in an e-mail is one line of at most 80 characters', () => {
  expect(nameInEmail('Ada\r\nBcc: all@example\u2028Love\u0000lace')).toBe('Ada Bcc: all@example Love lace')
  const long = nameInEmail('👩🏽‍🚀'.repeat(60))
  expect([...long]).toHaveLength(80)
  expect(long.endsWith('…')).toBe(true)
})

test('a name in an e-mail is no link, in whatever kind of dots', () => {
  for (const name of [
    'Win at https://evil.example/x',
    'evil.example',
    'evil。example',
    'evil．example',
    'www.evil.example',
  ]) {
    expect(nameInEmail(name)).not.toMatch(/:\/\/|[^\s][.。．｡][^\s]/)
  }
  // joining what was taken apart must not make one either
  expect(nameInEmail('evil.\u200bexample')).toBe('evil. example')
})

test('names stay as people write them', () => {
  for (const name of ['Íris Jónsdóttir', 'J. R. R. Tolkien', 'St. Mary’s Tours & Co.', 'نرگس‌سادات', '王小明']) {
    expect(nameInEmail(name)).toBe(name)
  }
})

test('directions of writing cannot be turned around in a subject', () => {
  expect(subjectLine('You owe \u202e001\u202c\nX-Header: 1')).toBe('You owe 001 X-Header: 1')
})
