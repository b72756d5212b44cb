import { expect, test } from 'vitest'
import { LinkKey, linkKey, partsOfKey } from './link-key.ts'

const token = 'A_z-09'.repeat(7)
const pass = 'b'.repeat(43)

test('a key is the end of the address, with the pass of the browser where there is one', () => {
  for (const given of [pass, null]) {
    const key = linkKey(token, given)
    expect(LinkKey.safeParse(key).success).toBe(true)
    expect(partsOfKey(key)).toEqual({ token, pass: given })
  }
  expect(partsOfKey('').token).toBe('')
})
