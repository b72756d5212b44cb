import { grants, roles, scopeOf, type Permission, type Role } from '@tour-ops/contract/identity/access'
import type { Callable } from '@tour-ops/contract/callable'
import { callables, records } from '@tour-ops/contract/callables'
import { DatabaseError } from '@tour-ops/contract/database-codes'
import { AppError } from '@tour-ops/contract/errors'
import { fileUseNames, fileUses, linkFile, type FileUseName } from '@tour-ops/contract/files'
import {
  collectionOf,
  livePath,
  livePaths,
  liveTopics,
  matchLivePath,
  topicPermissions,
} from '@tour-ops/contract/live/live-paths'
import { searchAll, searchScopes } from '@tour-ops/contract/search/search'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { movableClock } from '../src/platform/clock.ts'
import { newId } from '../src/platform/ids.ts'
import { documentVerbs, putChecked } from '../src/platform/live/documents-requests.ts'
import { resolveTargets } from '../src/platform/live/listen-targets.ts'
import { asLivePerson, type LiveReader } from '../src/platform/live/live-person.ts'
import type { Tx } from '../src/platform/db/database.ts'
import { allVerbs } from '../src/verbs.ts'
import { foreignProbes, inputWith, type OwnRecords } from '../testing/foreign-inputs.ts'
import { samplesOf } from '../testing/row-writer.ts'
import { insertRow, sampleRow, sampleStart, type Samples } from '../testing/sample-rows.ts'
import { verbsOf } from '../testing/verbs.ts'
import { testDatabase, type TestCaller, type TestWorld } from '../testing/world.ts'

// Every role, every callable, a departure and its records that are not the caller's, every field that takes an id; then live documents,
// exports, search and files. Roles whose permission reaches all of the organization are answered as an administrator is, roles without it
// are refused before anything is looked up, and guides find nothing. What guides hear about single ids, callable by callable, is asked in
// own-scope.test.ts, and of the database alone in own-reach.test.ts.

const verbOf = verbsOf(allVerbs)
const people = [...roles, 'guide without a staff record'] as const
type Person = (typeof people)[number]

let world: TestWorld
let samples: Samples
let own: OwnRecords
const members = new Map<Person, TestCaller>()
const memberOf = (person: Person): TestCaller => members.get(person) as TestCaller

beforeAll(async () => {
  world = await testDatabase()
  const clock = movableClock(new Date())
  const office = await world.as('admin', { clock })
  samples = await samplesOf(office)
  const elsewhere = sampleRow('field_staff', samples, { first_name: 'Idle', last_name: 'Elsewhere' })
  await office.transaction((tx) => insertRow(tx, 'field_staff', elsewhere))
  clock.set(sampleStart)
  members.set('admin', office)
  for (const person of people.filter((each) => each !== 'admin')) {
    const options = { orgId: office.orgId, clock, ...(person === 'guide' && { staffId: String(elsewhere['id']) }) }
    members.set(person, await world.as(person === 'guide without a staff record' ? 'guide' : person, options))
  }
  const { id, userId } = samples
  const running = { tourId: id('tours'), departureId: id('departures'), entryId: id('manifest_entries') }
  own = { userId, id: (table) => (table === 'members' ? userId : id(table)), version: () => 1, running }
})
afterAll(() => world.close())

/** Callables of no organization, and whose they are. */
const unbound: Readonly<Record<string, string>> = {
  'devices-redeem': 'whoever holds the code',
  'duty-link-day': 'whoever holds the run sheet link',
  'duty-link-send': 'whoever holds the run sheet link',
  'session-get': 'the caller’s account',
  'share-answer': 'whoever holds the link',
  'share-confirm': 'whoever holds the link',
  'share-document': 'whoever holds the link',
  'share-emails': 'whoever holds the link',
  'share-feedback': 'whoever holds the link',
  'share-get': 'whoever holds the link',
  'share-offer': 'whoever holds the link',
  'share-proposal': 'whoever holds the link',
  'share-write': 'whoever holds the link',
}
const bound = callables.filter(({ name }) => !(name in unbound))
const reachOf = (role: Role, { permission }: Callable) =>
  scopeOf(role, permission === 'member' ? 'dashboard:read' : (permission as Permission))

/** The callable's inputs: unchanged, and with an id in each field that takes one. */
const inputsOf = (callable: Callable, idOf: (table: string) => string): object[] => [
  plainInput(callable),
  ...inputsByField(callable, idOf),
]

const plainInput = ({ name }: Callable): object => structuredClone(foreignProbes[name]?.input?.(own) ?? {})

const inputsByField = (callable: Callable, idOf: (table: string) => string): object[] =>
  Object.entries(foreignProbes[callable.name]?.fields ?? {}).map(([field, table]) =>
    inputWith(plainInput(callable), field, idOf(table)),
  )

async function codeOf(caller: TestCaller, callable: Callable, input: object): Promise<string> {
  try {
    await caller.call(verbOf(callable), input)
    return 'answer'
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const { reason = '', permission = '' } = error.details
    return error.code === 'permission-denied' ? `${error.code} ${reason} ${String(permission)}` : error.code
  }
}

/** Asked once for all roles. */
const codesOfAdmin = new Map<string, Promise<string>>()
function codeOfAdmin(callable: Callable, input: object): Promise<string> {
  const key = `${callable.name} ${JSON.stringify(input)}`
  const code = codesOfAdmin.get(key) ?? codeOf(memberOf('admin'), callable, input)
  codesOfAdmin.set(key, code)
  return code
}

const lacking = (permission: string): string => `permission-denied missing_permission ${permission}`

test('every callable has an entry, and belongs to an organization or is named here', () => {
  expect(callables.map(({ name }) => name).filter((name) => !(name in foreignProbes))).toEqual([])
  const free = callables.filter(({ permission }) => permission === 'public' || permission === 'signed-in')
  expect(free.map(({ name }) => name).toSorted()).toEqual(Object.keys(unbound))
  // another role of scope own would have to be asked in own-scope.test.ts as well
  expect(roles.filter((role) => Object.values(grants[role]).includes('own'))).toEqual(['guide'])
})

describe.each(people)('%s', (person) => {
  const role: Role = person === 'guide without a staff record' ? 'guide' : person

  test('is refused what the role has no permission for, whatever record it is asked about', async () => {
    const open: string[] = []
    for (const callable of bound.filter((each) => reachOf(role, each) === undefined)) {
      for (const input of [...inputsOf(callable, own.id), ...inputsOf(callable, () => newId())]) {
        const told = await codeOf(memberOf(person), callable, input)
        if (told !== lacking(callable.permission)) open.push(`${callable.name}: ${told}`)
      }
    }
    expect(open).toEqual([])
  })

  test('reads what an administrator reads where the permission reaches everything', async () => {
    const different: string[] = []
    for (const callable of bound.filter((each) => each.kind === 'read' && reachOf(role, each) === 'all')) {
      for (const input of inputsOf(callable, own.id)) {
        const told = await codeOf(memberOf(person), callable, input)
        const wanted = await codeOfAdmin(callable, input)
        if (told !== wanted) different.push(`${callable.name}: ${told} and not ${wanted}`)
      }
    }
    expect(different).toEqual([])
    // some six hundred calls for an administrator, whose answers the others are compared with
  })

  test('gets to a write where the permission reaches everything', async () => {
    const closed: string[] = []
    for (const callable of bound.filter((each) => each.kind === 'write' && reachOf(role, each) === 'all')) {
      for (const input of inputsByField(callable, () => newId())) {
        const told = await codeOf(memberOf(person), callable, input)
        if (told === lacking(callable.permission)) closed.push(`${callable.name}: ${told}`)
      }
    }
    expect(closed).toEqual([])
  })

  test('reads and writes the live documents of others as far as the rules of their paths say', async () => {
    const { orgId, userId } = memberOf('admin')
    const documents: Record<keyof typeof livePaths, { path: string; isRead: boolean }> = {
      positions: {
        path: livePath.position(orgId, samples.id('field_staff')),
        isRead: scopeOf(role, 'tracking:read') === 'all',
      },
      presence: { path: livePath.presence(orgId, userId), isRead: true },
      inbox: { path: livePath.inboxMessage(userId, 'note'), isRead: role === 'admin' },
      drafts: { path: livePath.draft(userId, orgId, 'tour'), isRead: role === 'admin' },
      // made from the log, and only listened to
      changes: { path: livePath.changes(orgId, 'departures'), isRead: false },
    }
    await insertDocuments(documents.positions.path, documents.presence.path)
    for (const { path, isRead } of Object.values(documents)) {
      const collection = collectionOf(path)
      const read = await live(person, (tx, reader) => documentVerbs.get(tx, reader, { path }))
      const listed = await live(person, (tx, reader) => documentVerbs.runQuery(tx, reader, { collection }))
      expect.soft([path, typeof read !== 'string', typeof listed !== 'string']).toEqual([path, isRead, isRead])
      if (role === 'admin') continue
      const write = { kind: 'delete' as const, path }
      expect(await live(person, (tx, reader) => documentVerbs.commit(tx, reader, { writes: [write] })), path).toMatch(
        /denied|invalid/,
      )
    }
  })

  test('is notified of changes of the topics that the role may read', async () => {
    const { orgId } = memberOf(person)
    const topics = liveTopics.map((topic) => livePath.changes(orgId, topic))
    const told = await live(person, async (_, reader) => resolveTargets(topics, reader).accepted)
    const wanted = liveTopics.filter((topic) => scopeOf(role, topicPermissions[topic]) !== undefined)
    expect(told).toMatchObject(wanted.map((topic) => ({ target: livePath.changes(orgId, topic) })))
  })

  test('exports as many rows as the list of the same role shows', async () => {
    for (const [name, list] of Object.entries(listOf)) {
      const callable = callableOf(name)
      if (reachOf(role, callable) === undefined) continue
      const exported = (await memberOf(person).call(verbOf(callable), plainInput(callable))) as { rows: number }
      // a guide's only own row here is their staff record
      const ownRows = person === 'guide' && name === 'field-staff-export' ? 1 : 0
      if (role === 'guide' && !forEveryone.has(name)) expect(exported, name).toMatchObject({ rows: ownRows })
      else if (list === null) expect(exported.rows, name).toBeGreaterThan(0)
      else
        expect(await memberOf(person).call(verbOf(callableOf(list)), {}), name).toMatchObject({ total: exported.rows })
    }
  })

  test('finds with the search of the palette what the role may read', async () => {
    for (const [scope, [q, permission]] of Object.entries(searched)) {
      const { hits } = await memberOf(person).call(verbOf(searchAll), { q, perScope: 20 })
      expect
        .soft([scope, hits.some((hit) => hit.scope === scope)])
        .toEqual([scope, scopeOf(role, permission) === 'all'])
    }
  })

  test('is given a link to a file by what it is for', async () => {
    for (const use of fileUseNames) {
      const told = await codeOf(memberOf(person), linkFile, { id: await storedFile(use), size: null })
      expect.soft([use, told === 'answer']).toEqual([use, mayOpen(role, use)])
    }
  })
})

/** Who opens which files: import files hold everything of every guest. */
function mayOpen(role: Role, use: FileUseName): boolean {
  if (use === 'import') return role === 'admin' || role === 'operations_manager'
  const { read } = fileUses[use]
  return read === 'public' || scopeOf(role, read) === 'all'
}

/** Exports of plain records that every guide may see. */
const forEveryone: ReadonlySet<string> = new Set(
  records.filter(({ reach }) => reach === 'everyone').map((record) => record.export.name),
)

/** Exports and the lists that show the same rows; null where no list does. */
const listOf: Readonly<Record<string, string | null>> = {
  ...Object.fromEntries(records.map((record) => [record.export.name, record.list.name])),
  'audit-export': null,
  'bookings-export': 'bookings-list',
  'departures-export': 'departures-list',
  'feedback-export': 'feedback-list',
  'field-staff-export': 'field-staff-list',
  'links-export': 'links-list',
  'members-export': 'members-list',
  'monitoring-export': 'monitoring-list',
  'payments-export': null,
  'reports-export': null,
  'tours-export': 'tours-list',
  'travelers-export': 'travelers-list',
}

/** What finds the sample, and with which permission. */
const searched: Readonly<Record<(typeof searchScopes)[number], readonly [q: string, Permission]>> = {
  departures: ['golden', 'departures:read'],
  bookings: ['AUR-', 'bookings:read'],
  travelers: ['Østergaard', 'travelers:read'],
  staff: ['Jónsson', 'staff:read'],
  tours: ['golden', 'tours:read'],
  incidents: ['INC-', 'monitoring:read'],
}

test('every export is asked for', () => {
  const names = callables.map(({ name }) => name).filter((name) => name.endsWith('-export'))
  expect(Object.keys(listOf).toSorted()).toEqual(names.toSorted())
})

const callableOf = (name: string): Callable => callables.find((each) => each.name === name) as Callable

/** What a document request answers, or the code of its refusal. */
async function live<T>(person: Person, run: (tx: Tx, reader: LiveReader) => Promise<T>): Promise<T | string> {
  try {
    return await asLivePerson(world.database, memberOf(person).caller, { action: 'test' }, run)
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error
    return error.code
  }
}

async function insertDocuments(position: string, presence: string): Promise<void> {
  const at = new Date().toISOString()
  const subjectId = samples.id('field_staff')
  const documents = [
    [position, { subjectKind: 'staff', subjectId, recordedAt: at, receivedAt: at, lat: 64, lng: -21 }],
    [presence, { name: 'Ada', place: '/overview', seenAt: at }],
  ] as const
  await memberOf('admin').transaction(async (tx) => {
    for (const [path, data] of documents) {
      const match = matchLivePath(path)
      if (match) await putChecked(tx, match, path, data)
    }
  })
}

async function storedFile(purpose: FileUseName): Promise<string> {
  const id = newId()
  const org_id = memberOf('admin').orgId
  const file = { org_id, id, path: id, purpose, file_name: 'a', content_type: 'image/png', size_bytes: 1 }
  const row = { ...file, status: 'stored', sha256: Buffer.alloc(32, 1), public: fileUses[purpose].read === 'public' }
  await memberOf('admin').transaction((tx) => insertRow(tx, 'files', row))
  return id
}
