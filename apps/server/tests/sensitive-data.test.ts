import { staffPlanner, addLeave } from '@tour-ops/contract/field-staff/staff-planner'
import { forgottenTables, sensitiveData, type SensitiveData } from '@tour-ops/contract/sensitive-data'
import { getTracks } from '@tour-ops/contract/tracking/tracks'
import { createTraveler, revealTraveler, saveTravelerDocument } from '@tour-ops/contract/travelers/travelers'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { movableClock } from '../src/platform/clock.ts'
import { allVerbs } from '../src/verbs.ts'
import { sampleRow, insertRow, samplePositionAt } from '../testing/sample-rows.ts'
import { samplesOf } from '../testing/row-writer.ts'
import { verbsOf } from '../testing/verbs.ts'
import { testDatabase, type TestCaller, type TestWorld } from '../testing/world.ts'

// The table of what is sensitive about people, compared with the database and with what is written when somebody reads it. Who reads which
// field of an answer is asked in guarded-fields.test.ts, and what is forgotten when in the tests of travelers.

type Name = keyof typeof sensitiveData
const names = Object.keys(sensitiveData) as Name[]
const data: Readonly<Record<Name, SensitiveData>> = sensitiveData

const verbOf = verbsOf(allVerbs)
const clock = movableClock(new Date('2031-06-02T09:00:00Z'))
let world: TestWorld
let office: TestCaller
let staffId: string
let travelerId: string
/** The sample person, and the day of their position. */
let tracked: { staffId: string; day: { from: string; to: string } }
beforeAll(async () => {
  world = await testDatabase()
  const today = await world.as('admin')
  const samples = await samplesOf(today)
  const to = new Date(samplePositionAt.getTime() + 3_600_000).toISOString()
  tracked = { staffId: samples.id('field_staff'), day: { from: samplePositionAt.toISOString(), to } }
  office = await world.as('admin', { orgId: today.orgId, clock })
  const person = sampleRow('field_staff', samples)
  await office.transaction((tx) => insertRow(tx, 'field_staff', person))
  staffId = String(person['id'])
  const guest = { firstName: 'Ada', lastName: 'Byron', dateOfBirth: '1990-05-04', medicalNote: 'asthma' }
  travelerId = (await office.call(verbOf(createTraveler), guest)).id
  await office.call(verbOf(saveTravelerDocument), { travelerId, kind: 'passport', number: 'PASS1234' })
  const span = { startsAt: '2031-06-03T08:00:00Z', endsAt: '2031-06-03T18:00:00Z' }
  await office.call(verbOf(addLeave), { staffId, kind: 'time_off', ...span, note: 'surgery' })
})
afterAll(() => world.close())

const columns = names.flatMap((name) => data[name].columns)

describe('what is sensitive', () => {
  test('is in columns that exist, and the audit log leaves each of them out at every kind of change', async () => {
    const rows = await world.rows<{ column: string; definitions: string[] }>(`
      select c.relname || '.' || a.attname as column, array_agg(pg_get_triggerdef(t.oid)) as definitions
      from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
        join pg_trigger t on t.tgrelid = c.oid and t.tgname in ('record_insert', 'record_update', 'record_delete')
      where c.relnamespace = 'public'::regnamespace group by 1`)
    const definitionsOf = new Map(rows.map(({ column, definitions }) => [column, definitions]))
    // of positions the audit log has nothing at all, and there is nothing to leave out
    const unrecorded = await world.rows<{ column: string }>(`
      select c.relname || '.' || a.attname as column from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0
      where c.relnamespace = 'public'::regnamespace and not a.attisdropped
        and not exists (select from pg_trigger t where t.tgrelid = c.oid and t.tgname ~ '^record_')`)
    for (const column of columns) {
      if (unrecorded.some((each) => each.column === column)) continue
      const hidden = (definitionsOf.get(column) ?? []).filter((text) =>
        hiddenIn(text).includes(column.split('.')[1] ?? ''),
      )
      expect([column, hidden.length]).toEqual([column, 3])
    }
  })

  test('is named, wherever the database has a column that is named or stored like it', async () => {
    const found = await world.rows<{ column: string }>(`
      select c.relname || '.' || a.attname as column from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0
        and not a.attisdropped and a.attgenerated = ''
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
        and (a.attname ~ 'birth|medical|passport|last4|_encrypted$' or a.attname ~ '_sealed$' and c.relname not in ('files', 'webhook_queues'))`)
    expect(found.map(({ column }) => column).filter((column) => !columns.includes(column))).toEqual([])
    for (const name of names) expect([null, ...columns]).toContain(data[name].sealed)
  })

  test('is in separate tables that are purged, or is deleted with the row that it is about', () => {
    expect(forgottenTables).toEqual(['traveler_documents', 'traveler_private'])
  })
})

interface Look {
  readonly answer: unknown
  /** The record that it is about. */
  readonly about: string
  readonly holds: string
}

/** How each of it is accessed. */
const looks: Readonly<Record<Name, () => Promise<Look>>> = {
  passportNumber: () => revealed('passportNumber', 'PASS1234'),
  birthDate: () => revealed('birthDate', '1990-05-04'),
  medicalNote: () => revealed('medicalNote', 'asthma'),
  timeOffReason: async () => ({
    answer: await office.call(verbOf(staffPlanner), { from: '2031-06-02', days: 7 }),
    about: staffId,
    holds: 'surgery',
  }),
  whereabouts: async () => ({
    answer: await office.call(verbOf(getTracks), { ...tracked.day, staffId: [tracked.staffId] }),
    about: tracked.staffId,
    holds: '"lat":64,"lng":-21',
  }),
}

/** What is no guest's, and whose it is. */
const ofPeople = (): Partial<Record<Name, string>> => ({ timeOffReason: staffId, whereabouts: tracked.staffId })

async function revealed(name: Name, holds: string): Promise<Look> {
  const field = data[name].revealedAs
  const fields = field === undefined ? [] : [field]
  return { answer: await office.call(verbOf(revealTraveler), { id: travelerId, fields }), about: travelerId, holds }
}

const looksAt = async (about: string, look: string): Promise<number> => {
  const { rows } = await office.transaction((tx) =>
    sql`select from audit_entries where org_id = ${office.orgId} and op = 'event' and action = ${look}
      and entity_id = ${about} and actor_id = ${office.userId}`.execute(tx),
  )
  return rows.length
}

describe('an access', () => {
  test.each(names)('at %s is in the audit log', async (name) => {
    const { look } = data[name]
    const about = ofPeople()[name] ?? travelerId
    const before = await looksAt(about, look)
    const { answer, about: told, holds } = await looks[name]()
    expect(told).toBe(about)
    expect(JSON.stringify(answer)).toContain(holds)
    expect(await looksAt(about, look)).toBe(before + 1)
  })

  test('that a calendar repeats by itself is one in an hour', async () => {
    const again = async (minutes: number): Promise<number> => {
      clock.set(new Date(clock.now().getTime() + minutes * 60_000))
      await looks.timeOffReason()
      return looksAt(staffId, data.timeOffReason.look)
    }
    const first = await again(0)
    expect([(await again(30)) - first, (await again(31)) - first]).toEqual([0, 1])
  })

  test('at one’s own reason is none', async () => {
    const guide = await world.as('guide', { orgId: office.orgId, staffId, clock })
    const told = await guide.call(verbOf(staffPlanner), { from: '2031-06-02', days: 7 })
    expect(JSON.stringify(told)).toContain('surgery')
    const { rows } = await office.transaction((tx) =>
      sql`select from audit_entries where org_id = ${office.orgId} and actor_id = ${guide.userId}`.execute(tx),
    )
    expect(rows).toEqual([])
  })
})

/** The columns that a trigger of the audit log leaves out: `record_changes('id', 'note,note_sealed')`. */
const hiddenIn = (definition: string): string[] =>
  /record_changes\('[^']*', '([^']*)'\)/.exec(definition)?.[1]?.split(',') ?? []
