import { permissions } from '@tour-ops/contract/identity/access'
import { callables } from '@tour-ops/contract/callables'
import { expect, test } from 'vitest'
import { openApiDocument } from '../src/platform/openapi.ts'
import { allVerbs } from '../src/verbs.ts'

test('every callable of the contract has a verb, and every verb a callable of the contract', () => {
  const wanted = callables.map(({ name }) => name).toSorted()
  expect(allVerbs.map((verb) => verb.callable.name).toSorted()).toEqual(wanted)
})

test('names are unique, and in the form of an address', () => {
  const names = callables.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
  for (const name of names) expect(name).toMatch(/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/)
})

test('every permission is one of the product', () => {
  const known = new Set<string>([...permissions, 'member', 'signed-in', 'public'])
  expect(callables.filter((callable) => !known.has(callable.permission)).map(({ name }) => name)).toEqual([])
})

test('every shape can be described', () => {
  const { paths } = openApiDocument(callables, 'http://127.0.0.1:8080') as { paths: object }
  expect(Object.keys(paths)).toHaveLength(callables.length)
})
