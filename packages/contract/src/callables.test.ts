import { expect, test } from 'vitest'
import { permissions } from './identity/access.ts'
import { callables } from './callables.ts'

test('names are unique and kebab-case', () => {
  const names = callables.map((each) => each.name)
  expect(new Set(names).size).toBe(names.length)
  expect(names.filter((name) => !/^[a-z]+(-[a-z]+)+$/.test(name))).toEqual([])
})

test('each names a permission that exists', () => {
  const known = new Set<string>([...permissions, 'member', 'signed-in', 'public'])
  expect(callables.filter((each) => !known.has(each.permission)).map((each) => each.name)).toEqual([])
})

test('only reads say when their answer gets stale', () => {
  expect(callables.filter((each) => each.kind === 'write' && each.topics).map((each) => each.name)).toEqual([])
})
