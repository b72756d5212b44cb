import { expect, test } from 'vitest'
import { isOnlyNearTour, permissions, roles, scopeOf } from './access.ts'
import { mayReadLive, mayWriteLive, type LivePerson } from '../live/live-access.ts'
import { matchLivePath, topicPermissions } from '../live/live-paths.ts'
import { forgottenTables, ofGuests, seesAllSensitive, sensitiveData } from '../sensitive-data.ts'

test('an operations manager may do everything but manage members', () => {
  const refused = permissions.filter((permission) => scopeOf('operations_manager', permission) === undefined)
  expect(refused).toEqual(['members:manage'])
  expect(permissions.filter((permission) => scopeOf('admin', permission) !== 'all')).toEqual([])
})

test('sensitive data of all guests is for managers; a dispatcher sees it of the near departures only', () => {
  expect(roles.filter((role) => seesAllSensitive({ role }))).toEqual(['admin', 'operations_manager'])
  expect(scopeOf('dispatcher', 'travelers_sensitive:read')).toBe('all')
})

test('what is listed as seen near a tour only is what some role sees only then', () => {
  const marked = Object.values(sensitiveData).filter((one) => 'isNearTour' in one)
  const narrowed = permissions.filter((permission) => roles.some((role) => isOnlyNearTour(role, permission)))
  expect([...new Set(marked.map(({ needs }) => needs))]).toEqual(narrowed)
  expect(roles.filter((role) => isOnlyNearTour(role, ofGuests.needs))).toEqual(['dispatcher'])
})

test('people who are notified of changes in tables of sensitive data may read these tables', () => {
  const topics: Readonly<Record<string, string>> = topicPermissions
  expect(forgottenTables.map((table) => topics[table])).toEqual(forgottenTables.map(() => ofGuests.needs))
})

const inside: LivePerson = { userId: 'u1', orgId: 'o1', role: 'dispatcher', staffId: null }

/** @throws Error for a path that the rules do not know. */
function matched(path: string) {
  const match = matchLivePath(path)
  if (!match) throw new Error(`no rule for ${path}`)
  return match
}
const mayRead = (path: string, person: Partial<LivePerson> = {}) => mayReadLive(matched(path), { ...inside, ...person })
const mayWrite = (path: string, person: Partial<LivePerson> = {}) =>
  mayWriteLive(matched(path), { ...inside, ...person })

test('documents of an organization are for its active members', () => {
  expect(mayRead('orgs/o1/changes/tours')).toBe(true)
  expect(mayRead('orgs/o2/changes/tours')).toBe(false)
  expect(mayRead('orgs/o1/changes/tours', { role: null })).toBe(false)
  expect(mayRead('orgs/o1/changes', { role: null }), 'the collection').toBe(false)
})

test('a topic is for those who may read what it is about, and there are no other topics', () => {
  expect(mayRead('orgs/o1/changes/invitations', { role: 'admin' })).toBe(true)
  expect(mayRead('orgs/o1/changes/invitations', { role: 'guide' })).toBe(false)
  expect(mayRead('orgs/o1/changes/nonsense')).toBe(false)
  expect(mayRead('orgs/o1/changes'), 'each topic is checked by itself').toBe(true)
})

test('what belongs to a person is for that person', () => {
  expect(mayRead('users/u1/inbox')).toBe(true)
  expect(mayRead('users/u2/inbox')).toBe(false)
})

test('where somebody is, all with tracking see; a guide only the own position, and nobody without a staff record', () => {
  const position = 'orgs/o1/positions/s1'
  expect(mayRead(position)).toBe(true)
  expect(mayRead(position, { role: 'guide', staffId: 's1' })).toBe(true)
  expect(mayRead(position, { role: 'guide', staffId: 's2' })).toBe(false)
  expect(mayRead(position, { role: 'guide', staffId: null })).toBe(false)
  expect(mayRead('orgs/o1/positions', { role: 'guide', staffId: null }), 'no subject and no record').toBe(false)
  // a staff record is no permission
  expect(scopeOf('tour_designer', 'tracking:read')).toBeUndefined()
  expect(mayRead(position, { role: 'tour_designer', staffId: 's1' })).toBe(false)
})

test('who gives out links reads all reports: a link of a report shows nothing that its maker may not read', () => {
  for (const role of roles)
    if (scopeOf(role, 'links:manage') === 'all') expect(scopeOf(role, 'reports:read'), role).toBe('all')
})

test('a collection is never written', () => {
  expect(mayWrite('users/u1/inbox/m1')).toBe(true)
  expect(mayWrite('users/u2/inbox/m1')).toBe(false)
  expect(mayWrite('users/u1/inbox')).toBe(false)
})
