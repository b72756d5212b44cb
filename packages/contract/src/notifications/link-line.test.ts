import { expect, test } from 'vitest'
import { guestTextOf } from './guest-messages.ts'
import { hasLinkLine, isLinkLine, withLinkLine } from './link-line.ts'

test('the address comes where a line holds nothing else, whatever spaces are beside it', () => {
  expect(withLinkLine('Dear {link},\n {link} \t\n{link}\r\nBye', 'https://a.example')).toBe(
    'Dear {link},\nhttps://a.example\nhttps://a.example\nBye',
  )
  expect(hasLinkLine('Hello\n{link} ')).toBe(true)
  expect(hasLinkLine('Hello {link}')).toBe(false)
})

test('what a text may say is what the address is put into', () => {
  const check = guestTextOf(['link'])
  for (const line of ['{{link}}', '{{link}} ', '\t{{link}}', '{{link}}.', 'See {{link}}']) {
    const { success } = check.safeParse({ language: 'en', subject: 'S', body: `Hello\n${line}\nBye` })
    expect([line, success]).toEqual([line, isLinkLine(line.replace('{{link}}', '{link}'))])
  }
})
