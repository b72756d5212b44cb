import type { AccessQuery } from '@tour-ops/contract/identity/access'
import { expect, test } from 'vitest'
import { accessOf } from './access.ts'
import { derivedFrom, initialRecords } from './auth-store.ts'

test('without an organization every check is false', () => {
  const access = accessOf(null)
  expect(access.can('dashboard:read')).toBe(false)
  expect(access.has({ role: 'admin' })).toBe(false)
})

test('a role and a permission are checked against the membership', () => {
  const access = accessOf({ role: 'viewer' })
  expect(access.can('staff:read')).toBe(true)
  expect(access.can('staff:manage')).toBe(false)
  expect(access.has({ role: 'viewer' })).toBe(true)
})

test('a check with neither role nor permission is an error, with and without an organization', () => {
  const nothing = {} as AccessQuery
  expect(() => accessOf({ role: 'admin' }).has(nothing)).toThrow(Error)
  expect(() => accessOf(null).has(nothing)).toThrow(Error)
})

test('derived values are null while there is nobody', () => {
  expect(derivedFrom(initialRecords)).toEqual({
    userId: null,
    userEmail: null,
    userName: null,
    orgId: null,
    orgName: null,
    orgRole: null,
  })
})
