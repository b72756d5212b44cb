import { expect, test } from 'vitest'
import { newBookingFrom } from './new-booking-key.tsx'

test('a booking begins with the traveler of the page and the departure of the drawer', () => {
  const from = (pathname: string, search = '') => newBookingFrom({ pathname, search })
  expect(from('/dashboard/overview')).toBe('/travelers/book')
  expect(from('/dashboard/overview', '?departure=d1&tab=crew')).toBe('/travelers/book?bookOn=d1')
  expect(from('/travelers/details/t1')).toBe('/travelers/book/t1')
  expect(from('/travelers/details/t1', '?departure=d1')).toBe('/travelers/book/t1?bookOn=d1')
  expect(from('/travelers/edit/t1')).toBe('/travelers/book')
})
