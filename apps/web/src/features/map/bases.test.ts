import { expect, test } from 'vitest'
import { basesOf, openedOn } from './bases.ts'

const lisbon = { id: 'a', timeZone: 'Europe/Lisbon' }
const trek = { id: 'b', timeZone: 'Asia/Kathmandu' }
const walk = { id: 'c', timeZone: 'Europe/Lisbon' }
const day = [lisbon, trek, walk]

test('departures of one zone are one base, and bases are sorted by name', () => {
  expect(basesOf(day).map(({ name, departures }) => [name, departures.length])).toEqual([
    ['Kathmandu', 1],
    ['Lisbon', 2],
  ])
})

test('the map opens on the departure of the address, else on its base, else on the whole day', () => {
  expect(openedOn(day, trek, 'Europe/Lisbon')).toEqual([trek])
  expect(openedOn(day, undefined, 'Europe/Lisbon')).toEqual([lisbon, walk])
  expect(openedOn(day, undefined, 'Africa/Dar_es_Salaam')).toEqual(day)
  expect(openedOn(day, undefined, undefined)).toEqual(day)
})
