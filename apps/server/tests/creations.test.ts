import { callables } from '@tour-ops/contract/callables'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { allVerbs } from '../src/verbs.ts'
import { foreignProbes, type OwnRecords } from '../testing/foreign-inputs.ts'
import { boardingTour } from '../testing/operations.ts'
import { samplesOf } from '../testing/row-writer.ts'
import { testDatabase, type TestCaller, type TestWorld } from '../testing/world.ts'
import { recordsWrittenTwice } from '../testing/written-once.ts'

// Whatever a callable creates is written once. `TestWorld.close` asks the same of every call of every test; here each that creates is called.

let world: TestWorld
let caller: TestCaller
let own: OwnRecords
let lastId: Map<string, string>
beforeAll(async () => {
  world = await testDatabase()
  caller = await world.as('admin')
  const ours = await samplesOf(caller)
  own = { userId: caller.userId, id: ours.id, running: await boardingTour(caller, 1), version: () => 1 }
  lastId = new Map()
}, 120_000)
afterAll(() => world.close())

const person = {
  firstName: 'Ada',
  lastName: 'Byron',
  kinds: ['guide', 'driver'],
  employment: 'freelance',
  phone: '+354 555 1234',
  email: 'ada@example.com',
  languages: [{ tag: 'en', level: 'C2' }],
  skills: ['glacier'],
  notes: 'Speaks softly',
  certificates: [{ kind: 'first_aid', number: '1', validUntil: '2031-01-01' }],
}
const later = { startsAt: '2033-06-02T12:00:00Z', endsAt: '2033-06-03T12:00:00Z' }
const newStaff = (): string => lastId.get('field_staff') ?? ''

/** Where the probe of a callable is refused, or fills in too little to be worth looking at. In the order in which they are called. */
const inputs: Readonly<Record<string, () => object>> = {
  'travelers-create': () => ({
    firstName: 'Ada',
    lastName: 'Byron',
    languages: ['en'],
    dietary: ['vegan'],
    tags: ['vip'],
    email: 'ada@example.com',
    dateOfBirth: '1990-01-01',
    medicalNote: 'none',
  }),
  'field-staff-create': () => person,
  'field-staff-add-time-off': () => ({ staffId: newStaff(), kind: 'time_off', ...later, note: 'Away' }),
  'vehicles-add-block': () => ({ vehicleId: own.id('vehicles'), kind: 'hire', ...later, note: 'To the school' }),
  'assignments-create': () => ({
    departureId: own.running.departureId,
    staffId: newStaff(),
    role: 'guide',
    overrideReason: 'x',
  }),
  'assignments-offer': () => ({
    departureId: own.id('departures'),
    role: 'guide',
    staffIds: [newStaff()],
    respondBy: '2031-05-01T12:00:00Z',
    overrideReason: 'x',
  }),
  'links-create': () => ({ kind: 'departure_guest', subjectId: own.running.departureId, label: 'Guests' }),
  'tours-save-options': () => ({
    id: own.id('tours'),
    version: 1,
    options: [{ name: 'Evening', startTimesLocal: ['18:00'] }],
  }),
}

/** Creations that need more than one organization's records; their own tests go through `TestWorld.close` as well. */
const elsewhere = ['imports-create', 'members-invite', 'settings-set-up']

const creates =
  /-(create|offer|report|duplicate|schedule|assign|invite|copy|note|check-in|add-[a-z-]+|save[a-z-]*|record-[a-z-]+|set-up)$/
/** Named like one, and changes what is there. */
const changes = [
  'departures-note',
  'departures-record-headcount',
  'tours-save-wizard',
  'tours-save-draft',
  'bookings-offer',
  'share-offer',
]

const creating = callables
  .filter(({ kind, name }) => kind === 'write' && creates.test(name) && ![...changes, ...elsewhere].includes(name))
  .map(({ name }) => name)
  .toSorted((one, other) => Object.keys(inputs).indexOf(one) - Object.keys(inputs).indexOf(other))

interface Written {
  readonly table: string
  readonly id: string
  readonly ops: readonly string[]
}

const lastEntry = async (): Promise<number> =>
  (await world.rows<{ last: number }>(`select coalesce(max(id), 0) as last from audit_entries`))[0]?.last ?? 0

const writtenSince = (last: number): Promise<Written[]> =>
  caller.transaction(async (tx) => {
    const { rows } = await sql<Written>`
      select entity_type as table, entity_id as id, array_agg(op order by id) as ops from audit_entries
      where org_id = ${caller.orgId} and id > ${last} group by entity_type, entity_id`.execute(tx)
    return rows
  })

async function versionOf({ table, id }: Written): Promise<number> {
  const [row] = await world.rows<{ version: number | null }>(
    `select (to_jsonb(t) ->> 'version')::int as version from ${table} t where org_id = $1 and to_jsonb(t) ->> 'id' = $2`,
    [caller.orgId, id],
  )
  return row?.version ?? 1
}

test.each(creating)('%s writes what it creates once, as version 1', async (name) => {
  const verb = allVerbs.find(({ callable }) => callable.name === name)
  if (!verb) throw new Error(`No verb answers ${name}.`)
  const before = await lastEntry()
  const input = inputs[name]?.() ?? structuredClone(foreignProbes[name]?.input?.(own) ?? {})
  await caller.call(verb, input)
  const created = (await writtenSince(before)).filter(({ ops }) => ops.includes('insert'))
  expect(created.length, 'something is created').toBeGreaterThan(0)
  for (const one of created) {
    lastId.set(one.table, one.id)
    expect(one.ops, one.table).toEqual(['insert'])
    expect(await versionOf(one), one.table).toBe(1)
  }
})

test('a record that is created and changed in one call is noticed wherever it happens', async () => {
  await caller.transaction(async (tx) => {
    await sql`select set_config('app.action', 'places-create', true)`.execute(tx)
    const { rows } = await sql<{ id: string }>`
      insert into places (org_id, id, name, lat, lng) values (${caller.orgId}, gen_random_uuid(), 'Twice', 1, 1) returning id`.execute(
      tx,
    )
    await sql`update places set name = 'Thrice' where id = ${rows[0]?.id}`.execute(tx)
  })
  expect(await recordsWrittenTwice(world.database.ownerPool)).toEqual(['places-create: places insert, update'])
  await world.rows(`alter table audit_entries disable trigger user`)
  await world.rows(`delete from audit_entries where action = 'places-create'`)
})
