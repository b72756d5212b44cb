import { expect, test } from 'vitest'
import { SealedText } from './sealed-text.ts'

const box = new SealedText('a secret of the installation, long enough')

test('a sealed number opens again and never looks the same twice', () => {
  expect(box.open(box.seal('X1234567'))).toBe('X1234567')
  expect(box.seal('X1234567').equals(box.seal('X1234567'))).toBe(false)
})

test('a changed value and a foreign secret are refused', () => {
  const sealed = box.seal('X1234567')
  sealed[sealed.length - 1] = (sealed.at(-1) ?? 0) ^ 1
  expect(() => box.open(sealed)).toThrow()
  expect(() => new SealedText('another secret').open(box.seal('X'))).toThrow()
})
