import { expect, test } from 'vitest'
import { mayReadLive, mayWriteLive, type LivePerson } from './live-access.ts'
import { isInTarget, livePath, matchLivePath, type MatchedLivePath } from './live-paths.ts'

const at = (path: string): MatchedLivePath => {
  const match = matchLivePath(path)
  if (!match) throw new Error(`${path} has no rule`)
  return match
}
const dispatcher: LivePerson = { userId: 'ada', orgId: 'north', role: 'dispatcher', staffId: null }
const guide: LivePerson = { userId: 'grace', orgId: 'north', role: 'guide', staffId: 'staff-7' }
const viewer: LivePerson = { userId: 'vera', orgId: 'north', role: 'viewer', staffId: null }
const designer: LivePerson = { userId: 'dora', orgId: 'north', role: 'tour_designer', staffId: null }
const guest: LivePerson = { userId: 'new', orgId: null, role: null, staffId: null }

test('documents and collections are distinguished, and their placeholders named', () => {
  expect(at('orgs/north/positions/staff-7')).toMatchObject({
    name: 'positions',
    target: 'document',
    params: { org: 'north', subject: 'staff-7' },
    collection: 'orgs/north/positions',
  })
  expect(at('orgs/north/positions')).toMatchObject({ target: 'collection', params: { org: 'north' } })
  expect(at(livePath.draft('ada', 'north', 'tour-edit')).params).toEqual({
    user: 'ada',
    org: 'north',
    form: 'tour-edit',
  })
})

test('places without a rule are no places', () => {
  for (const path of [
    '',
    'orgs',
    'orgs/north',
    'orgs/north/secrets/1',
    'orgs/north/positions/a/b',
    'orgs//positions/a',
    'users/ada/inbox/../x',
  ]) {
    expect(matchLivePath(path)).toBeUndefined()
  }
})

test('a collection holds only its direct children', () => {
  expect(isInTarget('orgs/north/positions', 'orgs/north/positions/a')).toBe(true)
  expect(isInTarget('orgs/north/positions/a', 'orgs/north/positions/a')).toBe(true)
  expect(isInTarget('orgs/north/positions', 'orgs/north/positionsx/a')).toBe(false)
  expect(isInTarget('orgs/north', 'orgs/north/positions/a')).toBe(false)
})

test('positions are for those who may track, and a guide sees only their own', () => {
  expect(mayReadLive(at('orgs/north/positions'), dispatcher)).toBe(true)
  expect(mayReadLive(at('orgs/north/positions'), designer)).toBe(false)
  expect(mayReadLive(at('orgs/north/positions'), guide)).toBe(false)
  expect(mayReadLive(at('orgs/north/positions/staff-7'), guide)).toBe(true)
  expect(mayReadLive(at('orgs/north/positions/staff-8'), guide)).toBe(false)
  expect(mayWriteLive(at('orgs/north/positions/staff-7'), guide)).toBe(false)
})

test('topics follow the permission that reads their records, for guides too', () => {
  expect(mayReadLive(at('orgs/north/changes/bookings'), guide)).toBe(true)
  expect(mayReadLive(at('orgs/north/changes/alerts'), guide)).toBe(false)
  expect(mayReadLive(at('orgs/north/changes/import_batches'), viewer)).toBe(false)
  expect(mayReadLive(at('orgs/north/changes/documents'), dispatcher)).toBe(false)
  expect(mayReadLive(at('orgs/north/changes/toString'), dispatcher)).toBe(false)
})

test('another organization is closed, and so is every one without a membership', () => {
  expect(mayReadLive(at('orgs/south/presence/ada'), dispatcher)).toBe(false)
  expect(mayWriteLive(at('orgs/south/presence/ada'), dispatcher)).toBe(false)
  expect(mayReadLive(at('orgs/north/presence/ada'), guest)).toBe(false)
})

test('presence is written by the person themselves and read by every member', () => {
  expect(mayWriteLive(at('orgs/north/presence/ada'), dispatcher)).toBe(true)
  expect(mayWriteLive(at('orgs/north/presence/ada'), viewer)).toBe(false)
  expect(mayReadLive(at('orgs/north/presence'), viewer)).toBe(true)
})

test('inbox and drafts belong to one person, with or without an organization', () => {
  expect(mayReadLive(at('users/new/inbox'), guest)).toBe(true)
  expect(mayReadLive(at('users/ada/inbox'), guest)).toBe(false)
  expect(mayWriteLive(at('users/new/drafts/north~tour'), guest)).toBe(true)
  expect(mayWriteLive(at('users/new/drafts'), guest)).toBe(false)
})
