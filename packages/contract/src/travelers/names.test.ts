import { expect, test } from 'vitest'
import { namePartsOf } from './names.ts'

test('a name is parted before its last word, at its comma, or after the family name where that comes first', () => {
  const parts = (text: string) => Object.values(namePartsOf(text))
  expect(parts('Amara Okafor')).toEqual(['Amara', 'Okafor'])
  expect(parts('  Ana  María López ')).toEqual(['Ana María', 'López'])
  expect(parts('Okafor, Amara')).toEqual(['Amara', 'Okafor'])
  expect(parts('山田 太郎')).toEqual(['太郎', '山田'])
  expect(parts('김 민수')).toEqual(['민수', '김'])
  expect(parts('张伟')).toEqual(['', '张伟'])
  expect(parts('Tuula')).toEqual(['', 'Tuula'])
})
