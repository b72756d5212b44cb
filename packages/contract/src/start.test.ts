import { expect, test } from 'vitest'
import { startScreenOf } from './start.ts'

test('pages of signed-in people have a start, the overview with its data; pages that are open to everybody have none', () => {
  expect(startScreenOf('/dashboard/overview', '?departure=1')).toBe('overview')
  for (const path of ['/dashboard/map', '/tours/all', '/tours/edit/$id', '/settings', '/user-management/list'])
    expect(startScreenOf(path, ''), path).toBe('page')
  for (const path of [
    '/',
    '/sign-in',
    '/sign-up/continue',
    '/share/abc',
    '/organizations',
    '/account/second-factor',
    '/waitlist',
  ])
    expect(startScreenOf(path, ''), path).toBeUndefined()
})

test('the overview of a named day begins without the data of today', () => {
  for (const search of ['?day=tomorrow', 'departure=1&day=2030-07-15'])
    expect(startScreenOf('/dashboard/overview', search)).toBe('page')
})
