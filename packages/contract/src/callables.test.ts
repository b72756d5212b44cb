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

test('a topic makes an answer old by any of its rows or by those that are named, not both', () => {
  const both = callables.filter(({ topics = [], rowTopics = [] }) => rowTopics.some((topic) => topics.includes(topic)))
  expect(both.map((each) => each.name)).toEqual([])
})

test('reads say what they are made of, writes what they write to', () => {
  const silent = callables.filter(({ kind, topics, writes }) => (kind === 'read' ? topics : writes) === undefined)
  expect(silent.map((each) => each.name)).toEqual([])
})
