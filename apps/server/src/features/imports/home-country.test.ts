import { expect, test } from 'vitest'
import { countryOfZone } from './home-country.ts'

test('a time zone is that of its country, if it is one', () => {
  expect(countryOfZone('Atlantic/Reykjavik')).toBe('IS')
  expect(countryOfZone('Europe/Berlin')).toBe('DE')
  expect(countryOfZone('America/New_York')).toBe('US')
  expect(countryOfZone('UTC')).toBeNull()
})
