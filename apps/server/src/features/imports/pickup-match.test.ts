import { expect, test } from 'vitest'
import { pickupNamed, pickupsNear } from './pickup-match.ts'

const stops = ['City Hall', 'Harpa', 'Hotel Saga', 'Grand Hotel Reykjavík', 'Bus Stop 1', 'Bus Stop 12']

test('a stop is found by its name in any spelling, and without words that every stop may have', () => {
  expect(pickupNamed('CITY HALL', stops)).toBe('City Hall')
  expect(pickupNamed('Pickup at the City Hall', stops)).toBe('City Hall')
  expect(pickupNamed('Saga', stops)).toBe('Hotel Saga')
  expect(pickupNamed('Reykjavik Grand Hotel, lobby', stops)).toBe('Grand Hotel Reykjavík')
  expect(pickupNamed('stop 12', stops)).toBe('Bus Stop 12')
})

test('a stop that only resembles the text is proposed and not taken', () => {
  for (const text of ['Harpa Concert Hall', 'Hotel Reykjavik', 'Town Hall', 'Hotel', 'Bus stop', 'Bus Stop 3']) {
    expect(pickupNamed(text, stops), text).toBeUndefined()
  }
  expect(pickupsNear('Harpa Concert Hall', stops)[0]).toBe('Harpa')
  expect(pickupsNear('Hotel Reykjavik', stops)[0]).toBe('Grand Hotel Reykjavík')
  expect(pickupsNear('I will contact the supplier later', stops)).toEqual([])
})

test('two stops of the same telling words are not told apart by guessing', () => {
  expect(pickupNamed('Saga', ['Hotel Saga', 'Saga bus stop'])).toBeUndefined()
})

test('what a person said goes before everything else', () => {
  expect(pickupNamed('Harpa Concert Hall', stops, { 'harpa concert hall': 'Harpa' })).toBe('Harpa')
  expect(pickupNamed('City Hall', stops, { 'City Hall': 'Harpa' })).toBe('Harpa')
})
