import { expect, test } from 'vitest'
import { slugOf } from './slug.ts'

test('a short name has lowercase letters, digits and single hyphens', () => {
  expect(slugOf('Aurora & Atlas')).toBe('aurora-atlas')
  expect(slugOf("  Þórður's Café – 24/7! ")).toBe('thordurs-cafe-24-7')
  expect(slugOf('Straße Ærø')).toBe('strasse-aero')
})

test('a name without any such letter gives none, and a long one is cut clean', () => {
  expect(slugOf('旅行')).toBe('')
  const long = slugOf(`${'a'.repeat(59)} bcd`)
  expect(long).toBe('a'.repeat(59))
})
