import fs from 'node:fs'
import path from 'node:path'
import * as machines from '@tour-ops/contract/state-machines'
import { expect, test } from 'vitest'

const root = path.resolve(import.meta.dirname, '../../..')
const rooms = ['apps/server/src', 'apps/server/seed', 'apps/web/src', 'packages/contract/src']

const sets = Object.entries(machines)
  .filter(([, value]) => Array.isArray(value))
  .map(([name, value]) => [name, new Set(value as readonly string[])] as const)

const sources = rooms
  .flatMap((room) =>
    fs.readdirSync(path.join(root, room), { recursive: true, encoding: 'utf8' }).map((file) => path.join(room, file)),
  )
  .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$|paraglide|\/tables\.ts$|\/state-machines\.ts$/.test(file))

/** Where the order of the list counts, and not only what is in it. */
const orders = new Set(['in_progress, boarding, guaranteed, scheduled'])

/** Lists of quoted words in a file, and comparisons of one status with several: `status === 'boarding' || status === 'in_progress'`. */
function listsIn(text: string): string[][] {
  const words = (found: string) => [...found.matchAll(/'(\w+)'/g)].map(([, word = '']) => word)
  return [
    ...text.matchAll(/(?<=[[(]\s*)'\w+'(?:,\s*'\w+')+(?=,?\s*[\])])/g),
    ...text.matchAll(/\b(\w+(?:\.\w+)*) (?:===|!==) '\w+'(?: (?:\|\||&&) \1 (?:===|!==) '\w+')+/g),
  ].map(([found]) => words(found))
}

test('the sets of the contract are there', () => {
  expect(sets.length).toBeGreaterThan(10)
  expect(sources.length).toBeGreaterThan(900)
})

test('a set of statuses that has a name is written nowhere else', () => {
  const repeated = sources.flatMap((file) =>
    listsIn(fs.readFileSync(path.join(root, file), 'utf8')).flatMap((list) => {
      const [name] = sets.find(([, set]) => set.size === list.length && list.every((word) => set.has(word))) ?? []
      return name && !orders.has(list.join(', ')) ? [`${file}: ${list.join(', ')} is ${name}`] : []
    }),
  )
  expect(repeated).toEqual([])
})
