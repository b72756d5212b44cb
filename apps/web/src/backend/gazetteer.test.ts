import { expect, test } from 'vitest'
import { shardOf } from '../ui/gazetteer-shard.ts'
import { makeHttpClient } from './http-client.ts'
import { townsLike, townsOfShard } from './gazetteer.ts'

const rows = [
  ['Víkingr', 'NO', 60, 10],
  ['Vikarabad', 'IN', 17, 77],
  ['Vík', 'IS', 63.4, -19],
  ['Þorlákshöfn', 'IS', 63.9, -21.4],
] as const

test('towns are found without accents; the name itself comes before longer ones, which stay in order of size', () => {
  expect(townsLike(rows, 'vik').map(({ name }) => name)).toEqual(['Vík', 'Víkingr', 'Vikarabad'])
  expect(townsLike(rows, ' VÍKI ').map(({ name }) => name)).toEqual(['Víkingr'])
  expect(townsLike(rows, 'thorlaks')).toEqual([{ name: 'Þorlákshöfn', country: 'IS', lat: 63.9, lng: -21.4 }])
})

test('the file of a name is that of its first two letters, however they are written', () => {
  expect([shardOf('Þorlákshöfn'), shardOf('thor'), shardOf('Ås'), shardOf('v')]).toEqual(['th', 'th', 'as', undefined])
  expect(shardOf('../../etc')).toBeUndefined()
})

test('letters that no town begins with have no file; names that cannot be loaded are an error and not "no town"', async () => {
  const answering = (answer: () => Promise<Response>) => makeHttpClient('/', answer)
  const missing = answering(() => Promise.resolve(new Response('', { status: 404 })))
  await expect(townsOfShard('qx', missing)).resolves.toEqual([])
  const broken = answering(() => Promise.resolve(new Response('', { status: 502 })))
  await expect(townsOfShard('vi', broken)).rejects.toMatchObject({ status: 502 })
  const offline = answering(() => Promise.reject(new TypeError('Failed to fetch')))
  await expect(townsOfShard('vi', offline)).rejects.toThrow('Failed to fetch')
})
