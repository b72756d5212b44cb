import { expect, test } from 'vitest'
import { permissions, roles } from './access.ts'
import { keyOfPermission, keyOfRole, permissionsOfKeys, roleOfKey } from './service-keys.ts'

test('every role and permission can be read back from its key', () => {
  for (const role of roles) expect(roleOfKey(keyOfRole(role))).toBe(role)
  expect(permissionsOfKeys(permissions.map(keyOfPermission))).toEqual([...permissions])
})

test('token version 2 names roles without their prefix', () => {
  expect(roleOfKey('dispatcher')).toBe('dispatcher')
})

test("the service's own member may look, unknown roles may nothing, and its own permissions are ignored", () => {
  expect(roleOfKey('org:member')).toBe('viewer')
  expect(roleOfKey('org:pirate')).toBeNull()
  expect(roleOfKey(null)).toBeNull()
  expect(permissionsOfKeys(['org:sys_memberships:manage', 'org:tours:read'])).toEqual(['tours:read'])
})

test('keys have the form that the service asks for', () => {
  for (const role of roles) expect(keyOfRole(role)).toMatch(/^org:[a-z0-9_]+$/)
  for (const permission of permissions)
    expect(keyOfPermission(permission)).toMatch(/^org:(?!sys_)[a-z0-9_]+:[a-z0-9_]+$/)
})
