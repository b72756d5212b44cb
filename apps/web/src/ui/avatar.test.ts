import { expect, test } from 'vitest'
import { initialsOf } from './avatar.tsx'

test('first letters of the first and the last word', () => {
  expect(initialsOf('Íris Jónsdóttir')).toBe('ÍJ')
  expect(initialsOf('Ana Maria da Silva')).toBe('AS')
  expect(initialsOf('  björn ')).toBe('B')
})

test('any alphabet, and no half of a surrogate pair', () => {
  expect(initialsOf('田中 恵子')).toBe('田恵')
  expect(initialsOf('𝒜da Lovelace')).toBe('𝒜L')
  expect(initialsOf('')).toBe('')
})
