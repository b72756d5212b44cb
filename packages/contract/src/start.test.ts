import { expect, test } from 'vitest'
import { startScreenOf } from './start.ts'

test('pages of signed-in people have a start, the overview with its data; pages that are open to everybody have none', () => {
  expect(startScreenOf('/dashboard/overview')).toBe('overview')
  for (const path of ['/dashboard/map', '/tours/all', '/tours/edit/$id', '/settings', '/user-management/list'])
    expect(startScreenOf(path), path).toBe('page')
  for (const path of [
    '/',
    '/sign-in',
    '/sign-up/continue',
    '/share/abc',
    '/organizations',
    '/account/second-factor',
    '/waitlist',
  ])
    expect(startScreenOf(path), path).toBeUndefined()
})
