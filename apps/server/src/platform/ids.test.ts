import { expect, test } from 'vitest'
import { newId } from './ids.ts'

const shape = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

test('an identifier is a UUID of version 7 that begins with its time', () => {
  const atMs = Date.now() + 60_000
  const id = newId(atMs)
  expect(id).toMatch(shape)
  expect(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)).toBe(atMs)
})

test('identifiers grow and never repeat, within a millisecond and with the clock set back', () => {
  const ids = Array.from({ length: 20_000 }, (_, index) => newId(index % 3 === 0 ? 1_000 : undefined))
  expect(ids.toSorted()).toEqual(ids)
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids.every((id) => shape.test(id))).toBe(true)
})
