import fs from 'node:fs'
import path from 'node:path'
import { roles, type Role } from '@tour-ops/contract/identity/access'
import { mayReadLive, mayWriteLive, type LivePerson } from '@tour-ops/contract/live/live-access'
import type { JsonObject } from '@tour-ops/contract/live/documents'
import { firestoreFieldsOf } from '@tour-ops/contract/live/firestore-values'
import {
  livePaths,
  liveTopics,
  matchLivePath,
  topicPermissions,
  type MatchedLivePath,
} from '@tour-ops/contract/live/live-paths'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  findEmulatorJar,
  startEmulator,
  type FirestoreEmulator,
} from '../../../../../e2e/stand-ins/firestore-emulator.ts'
import { firestoreRules } from './firestore-rules.ts'

const file = path.resolve(import.meta.dirname, '../../../../../deploy/firebase/firestore.rules')

test('the rules in the repository are those of the table', () => {
  expect(fs.readFileSync(file, 'utf8')).toBe(firestoreRules())
})

test('every live path is ruled, and every topic', () => {
  const text = firestoreRules()
  for (const { pattern } of Object.values(livePaths)) {
    expect(text).toContain(`match /${pattern.replace('{org}~{form}', '{draft}')} {`)
  }
  for (const topic of liveTopics) expect(text.split(`'${topic}'`)).toHaveLength(2)
})

const jar = findEmulatorJar()
if (!jar)
  console.log('SKIPPED: no Firestore emulator (FIRESTORE_EMULATOR_JAR, or the gcloud component); rules are not run')

const projectId = 'demo-rules'
const places = [
  'orgs/{org}/positions/staff-own',
  'orgs/{org}/positions/staff-other',
  'orgs/{org}/presence/ada',
  'orgs/{org}/presence/ben',
  'users/ada/inbox/1',
  'users/ben/inbox/1',
  'users/ada/drafts/{org}~form',
  'users/ben/drafts/{org}~form',
  // one topic of each permission; that every topic is ruled is tested above
  ...new Map(liveTopics.map((topic) => [topicPermissions[topic], `orgs/{org}/changes/${topic}`])).values(),
]

describe.skipIf(!jar)('in the emulator the rules allow what the table allows', () => {
  let emulator: FirestoreEmulator
  beforeAll(async () => {
    emulator = await startEmulator(jar ?? '', projectId, file)
  }, 180_000)
  afterAll(() => emulator?.close())

  /** The emulator accepts any token; how they are made is tested elsewhere. */
  const tokenOf = (orgId: string, naming: object): string => {
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const now = Math.floor(Date.now() / 1000)
    const times = { iat: now, exp: now + 3_600, auth_time: now }
    const claims = { sub: 'ada', user_id: 'ada', aud: projectId, org_id: orgId, org_role: 'admin', ...naming, ...times }
    return `${part({ alg: 'none', typ: 'JWT' })}.${part({ ...claims, iss: `https://securetoken.google.com/${projectId}` })}.`
  }
  const request = async (
    verb: string,
    body: object,
    orgId: string,
    naming: object = { person_name: 'Ada Byron' },
  ): Promise<'allowed' | 'denied'> => {
    const root = `http://127.0.0.1:${emulator.port}/v1/projects/${projectId}/databases/(default)/documents`
    const response = await fetch(`${root}:${verb}`, {
      method: 'POST',
      // the emulator closes connections that we would use again
      headers: {
        connection: 'close',
        'content-type': 'application/json',
        authorization: `Bearer ${tokenOf(orgId, naming)}`,
      },
      body: JSON.stringify(body),
    })
    const text = await response.text()
    if (response.ok) return 'allowed'
    expect(text, verb).toContain('PERMISSION_DENIED')
    return 'denied'
  }
  const nameOf = (place: string) => `projects/${projectId}/databases/(default)/documents/${place}`
  const presence = { name: 'Ada Byron', place: 'Tours', seenAt: '2031-06-02T09:00:00Z' }
  const draft = { values: {}, savedAt: '2031-06-02T09:00:00Z' }
  const allowed = (isAllowed: boolean) => (isAllowed ? 'allowed' : 'denied')
  const matchOf = (place: string): MatchedLivePath => {
    const match = matchLivePath(place)
    if (!match) throw new Error(`${place} has no rule`)
    return match
  }

  test.each<[string, Role | null]>([...roles.map((role): [string, Role] => [role, role]), ['nobody', null]])(
    'for %s, at home and abroad',
    async (_name, role) => {
      const home = `org-${role ?? 'none'}`
      const member = role && firestoreFieldsOf({ role, staffId: 'staff-own' })
      await emulator.put(`orgs/${home}/members/ada`, member)
      await emulator.put('orgs/abroad/members/ben', firestoreFieldsOf({ role: 'admin', staffId: null }))
      for (const orgId of [home, 'abroad']) {
        const person: LivePerson = {
          userId: 'ada',
          orgId: role ? home : null,
          role,
          staffId: role ? 'staff-own' : null,
        }
        const look = async (pattern: string) => {
          const place = pattern.replace('{org}', orgId)
          const match = matchOf(place)
          const read = await request('batchGet', { documents: [nameOf(place)] }, home)
          expect(`${place} ${read}`).toBe(`${place} ${allowed(mayReadLive(match, person))}`)
          if (match.rule.writableFields || match.name === 'changes') return
          const fields = firestoreFieldsOf(match.name === 'presence' ? presence : draft)
          const write = { update: { name: nameOf(place), fields } }
          expect(`${place} write ${await request('commit', { writes: [write] }, home)}`).toBe(
            `${place} write ${allowed(mayWriteLive(match, person))}`,
          )
        }
        await Promise.all(places.map(look))
      }
    },
    60_000,
  )

  test('in a notice only the reading mark can be written, and no notice made or removed', async () => {
    const name = nameOf('users/ada/inbox/7')
    await emulator.put('users/ada/inbox/7', firestoreFieldsOf({ title: 'Gate change', readAt: null }))
    const write = (field: string) => ({
      writes: [{ update: { name, fields: { [field]: { stringValue: 'x' } } }, updateMask: { fieldPaths: [field] } }],
    })
    expect(await request('commit', write('readAt'), 'north')).toBe('allowed')
    expect(await request('commit', write('title'), 'north')).toBe('denied')
    expect(await request('commit', { writes: [{ delete: name }] }, 'north')).toBe('denied')
    const other = nameOf('users/ada/inbox/8')
    expect(await request('commit', { writes: [{ update: { name: other, fields: {} } }] }, 'north')).toBe('denied')
  })

  test.each([
    ['the name of the exchange', { person_name: 'Ada Byron', name: 'Other', email: 'ada@example.com' }, 'Ada Byron'],
    ['the name of a token template', { name: 'Ada Byron', email: 'ada@example.com' }, 'Ada Byron'],
    ['the address of an account without a name', { person_email: 'ada@example.com' }, 'ada@example.com'],
    ['the id of an account without either', {}, 'ada'],
  ])('presence is told under %s, and under no other', async (_what, naming, own) => {
    await emulator.put('orgs/north/members/ada', firestoreFieldsOf({ role: 'viewer', staffId: null }))
    const write = (data: Record<string, string>) => {
      const fields = firestoreFieldsOf({ place: 'Tours', seenAt: '2031-06-02T09:00:00Z', ...data })
      const writes = [{ update: { name: nameOf('orgs/north/presence/ada'), fields } }]
      return request('commit', { writes }, 'north', naming)
    }
    expect(await write({ name: own })).toBe('allowed')
    expect(await write({ name: 'Ben the boss' })).toBe('denied')
    expect(await write({})).toBe('denied')
  })

  const writeOf = (place: string, data: JsonObject) =>
    request('commit', { writes: [{ update: { name: nameOf(place), fields: firestoreFieldsOf(data) } }] }, 'north')
  const text = (length: number): string => 'x'.repeat(length)
  const entries = (count: number): JsonObject =>
    Object.fromEntries(Array.from({ length: count }, (_, n) => [`f${n}`, n]))

  test.each<[place: string, right: JsonObject, change: JsonObject, isRight: boolean]>([
    ['orgs/north/presence/ada', presence, { place: text(200) }, true],
    ['orgs/north/presence/ada', presence, { place: text(201) }, false],
    ['orgs/north/presence/ada', presence, { place: 7 }, false],
    ['orgs/north/presence/ada', presence, { seenAt: text(41) }, false],
    ['orgs/north/presence/ada', presence, { recordId: text(100), isEditing: true }, true],
    ['orgs/north/presence/ada', presence, { recordId: null }, true],
    ['orgs/north/presence/ada', presence, { recordId: text(101) }, false],
    ['orgs/north/presence/ada', presence, { isEditing: 'yes' }, false],
    ['users/ada/drafts/north~y', draft, { values: entries(500), baseVersion: 3 }, true],
    ['users/ada/drafts/north~y', draft, { values: entries(501) }, false],
    ['users/ada/drafts/north~y', draft, { values: text(10) }, false],
    ['users/ada/drafts/north~y', draft, { baseVersion: 0 }, false],
    ['users/ada/drafts/north~y', draft, { baseVersion: text(10) }, false],
    ['users/ada/drafts/north~y', draft, { savedAt: text(41) }, false],
    ['users/ada/drafts/north~y', draft, { values: null }, false],
  ])(
    '%s: a value of another kind or length than the table has is refused, %#',
    async (place, right, change, isRight) => {
      await emulator.put('orgs/north/members/ada', firestoreFieldsOf({ role: 'viewer', staffId: null }))
      const data = { ...right, ...change }
      const { data: shape } = matchOf(place).rule
      expect(shape.safeParse(data).success, 'our own server').toBe(isRight)
      expect(await writeOf(place, data)).toBe(allowed(isRight))
    },
  )

  test('the reading mark of a notice is no longer than a moment', async () => {
    await emulator.put('users/ada/inbox/9', firestoreFieldsOf({ title: 'Gate change', readAt: null }))
    const mark = (readAt: string) => {
      const update = { name: nameOf('users/ada/inbox/9'), fields: firestoreFieldsOf({ readAt }) }
      return request('commit', { writes: [{ update, updateMask: { fieldPaths: ['readAt'] } }] }, 'north')
    }
    expect(await mark(text(40))).toBe('allowed')
    expect(await mark(text(41))).toBe('denied')
  })

  test('a field that the table does not know is refused, and so is a place that it does not know', async () => {
    const write = (data: JsonObject) => writeOf('users/ada/drafts/north~x', data)
    expect(await write(draft)).toBe('allowed')
    expect(await write({ ...draft, isAdmin: true })).toBe('denied')
    expect(await request('batchGet', { documents: [nameOf('orgs/north/members/ada')] }, 'north')).toBe('denied')
    expect(await request('batchGet', { documents: [nameOf('secrets/1')] }, 'north')).toBe('denied')
  })
})
