import { AppError, type FieldErrors } from '@tour-ops/contract/errors'
import { expect, test } from 'vitest'
import { checkCallData } from './call-data.ts'

function refusedFields(data: unknown): FieldErrors | undefined {
  try {
    checkCallData(data)
    return undefined
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    expect(error.code).toBe('invalid-argument')
    return error.details.fieldErrors
  }
}

const nested = (levels: number): unknown => JSON.parse('['.repeat(levels) + ']'.repeat(levels))

test('text of any language passes', () => {
  expect(refusedFields({ name: '👩‍👩‍👧 أحمد 李小龍 \u202Eabc\u202C', tags: ['a\tb\nc'] })).toBeUndefined()
})

test.each([
  ['NUL', 'a\0b'],
  ['the first half of a surrogate pair', 'a\uD83D'],
  ['the second half of a surrogate pair', '\uDE00a'],
])('%s is refused at its field', (_, text) => {
  expect(Object.keys(refusedFields({ contact: { name: text }, guests: [{}, { lastName: text }] }) ?? {})).toEqual([
    'contact.name',
    'guests.1.lastName',
  ])
})

test('a name that cannot be stored is refused as well, and answered in one that can be read', () => {
  const [field = ''] = Object.keys(refusedFields({ search: { 'a\0\uD83D': 1 } }) ?? {})
  expect(field).toBe('search.a\uFFFD\uFFFD')
})

test('sixty-four levels pass, one more does not, however many follow', () => {
  expect(refusedFields(nested(64))).toBeUndefined()
  expect(refusedFields(nested(65))).toBeDefined()
  expect(refusedFields(nested(100_000))).toBeDefined()
})

test('as many values pass as the largest tour has, and no endless list', () => {
  expect(refusedFields(Array.from({ length: 150_000 }, () => 1))).toBeUndefined()
  expect(refusedFields(Array.from({ length: 250_000 }, () => 1))).toEqual({ '': ['At most 200000 values.'] })
})

test('a refusal names twenty fields at most', () => {
  expect(Object.keys(refusedFields(Array.from({ length: 500 }, () => '\0')) ?? {})).toHaveLength(20)
})
