import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testDatabase, type TestCaller, type TestWorld } from '../../../testing/world.ts'
import { refusalOf, updateRows, type Row, type Samples } from '../../../testing/sample-rows.ts'
import { rowWriter, sampleOffice } from '../../../testing/row-writer.ts'

// Two people want the same thing at the same moment: one gets it, the other gets an error, nobody waits forever.

let world: TestWorld
let caller: TestCaller
let samples: Samples
beforeAll(async () => {
  world = await testDatabase()
  ;({ caller, samples } = await sampleOffice(world))
  if (world.database.kind === 'pglite') {
    process.stdout.write('PGlite has one connection: the races of this file run one after another here.\n')
  }
})
afterAll(() => world.close())

const { add } = rowWriter(() => ({ caller, samples }))

/** Starts all at once and returns what refused the losers. */
async function race(works: readonly (() => Promise<unknown>)[]): Promise<{ winners: number; refusals: string[] }> {
  const results = await Promise.allSettled(works.map((work) => work()))
  const lost = results.filter((result) => result.status === 'rejected')
  const refusals = await Promise.all(lost.map((result) => refusalOf(Promise.reject(result.reason))))
  return { winners: results.length - lost.length, refusals: [...new Set(refusals)] }
}
const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index))

test('I1: of eight offers for the same hours one person accepts one', async () => {
  const staffId = await add('field_staff')
  const assignments: string[] = []
  for (let count = 0; count < 8; count += 1) {
    const entryId = await add('staff_calendar_entries', { staff_id: staffId })
    const departureId = await add('departures')
    const row = { staff_id: staffId, calendar_entry_id: entryId, departure_id: departureId, status: 'offered' }
    assignments.push(await add('assignments', row))
  }
  const accept = (id: string) => () =>
    caller.transaction((tx) => updateRows(tx, 'assignments', { org_id: caller.orgId, id }, { status: 'accepted' }))
  expect(await race(assignments.map(accept))).toEqual({ winners: 1, refusals: ['staff_calendar_entries_no_overlap'] })
})

test('I2: of eight departures, stays in maintenance and hires one gets the vehicle', async () => {
  const vehicleId = await add('vehicles')
  const kinds = ['departure', 'maintenance', 'hire']
  const take = (at: number) => () => add('vehicle_calendar_entries', { vehicle_id: vehicleId, kind: kinds[at % 3] })
  const result = await race(times(8, take))
  expect(result).toEqual({ winners: 1, refusals: ['vehicle_calendar_entries_no_overlap'] })
})

test('I21: of twelve departures at the same time as many get a piece of equipment as there are pieces', async () => {
  const equipmentId = await add('equipment', { quantity: 5 })
  const departures = await Promise.all(times(12, () => add('departures')))
  const issue = (departureId: string) => () =>
    add('equipment_issues', { departure_id: departureId, equipment_id: equipmentId })
  const result = await race(departures.map(issue))
  expect(result).toEqual({ winners: 5, refusals: ['equipment_issues_within_quantity'] })
})

test('I21: of a piece that is lost and one that is issued at the same moment only one is written', async () => {
  for (let round = 0; round < 10; round += 1) {
    const equipmentId = await add('equipment', { quantity: 1 })
    const departureId = await add('departures')
    const lose = () =>
      caller.transaction((tx) =>
        updateRows(tx, 'equipment', { org_id: caller.orgId, id: equipmentId }, { quantity: 0 }),
      )
    const issue = () => add('equipment_issues', { departure_id: departureId, equipment_id: equipmentId })
    const { winners, refusals } = await race([lose, issue])
    expect(winners).toBe(1)
    expect(['equipment_issues_within_quantity', 'equipment_quantity_covers_issued']).toContain(refusals[0])
  }
})

test('I3: of sixty bookings for twenty seats twenty succeed', async () => {
  const departureId = await add('departures', { capacity: 20 })
  const result = await race(times(60, () => () => add('bookings', { departure_id: departureId })))
  expect(result).toEqual({ winners: 20, refusals: ['departures_seats_within_capacity'] })
  const { rows } = await caller.transaction((tx) =>
    sql`select seats_confirmed, seats_held from departures where org_id = ${caller.orgId} and id = ${departureId}`.execute(
      tx,
    ),
  )
  expect(rows).toEqual([{ seats_confirmed: 20, seats_held: 0 }])
})

test('I3: parties that change places between two full departures neither oversell nor block each other', async () => {
  const departures = [await add('departures', { capacity: 4 }), await add('departures', { capacity: 4 })]
  const bookings: [id: string, to: string][] = []
  for (const [index, departureId] of departures.entries()) {
    for (let count = 0; count < 4; count += 1) {
      bookings.push([await add('bookings', { departure_id: departureId }), departures[1 - index] ?? ''])
    }
  }
  const move =
    ([id, to]: [string, string]) =>
    () =>
      caller.transaction((tx) => updateRows(tx, 'bookings', { org_id: caller.orgId, id }, { departure_id: to }))
  const result = await race(bookings.map(move))
  expect(result.winners).toBe(0)
  expect(result.refusals).toEqual(['departures_seats_within_capacity'])
})

test.each<[title: string, table: string, more: () => Promise<Row>, constraint: string]>([
  [
    'I4: a traveler is put on a departure',
    'manifest_entries',
    async () => ({ traveler_id: await add('travelers') }),
    'manifest_entries_traveler_once',
  ],
  [
    'I10: a check-in arrives',
    'check_ins',
    async () => ({ client_event_id: 'the-same-tap' }),
    'check_ins_client_event_unique',
  ],
  [
    'I13: an alert is raised',
    'alerts',
    async () => ({ dedupe_key: 'the-same-cause' }),
    'alerts_one_open_per_dedupe_key',
  ],
  [
    'I14: a rule fires',
    'messages',
    async () => ({
      source: 'rule',
      rule_id: samples.id('notification_rules'),
      subject_type: 'x',
      subject_id: 'y',
      occurrence: 'z',
    }),
    'messages_once_per_occurrence',
  ],
  [
    'I18: an order of an agency arrives',
    'bookings',
    async () => ({ channel: 'ota', external_ref: 'GYG-RACE' }),
    'bookings_external_ref_unique',
  ],
])('%s eight times at once, and counts once', async (_, table, more, constraint) => {
  const row = await more()
  expect(await race(times(8, () => () => add(table, row)))).toEqual({ winners: 1, refusals: [constraint] })
})

test('I5: of eight guides one becomes the lead', async () => {
  const departureId = await add('departures')
  const offers: string[] = []
  for (let count = 0; count < 8; count += 1) {
    const staffId = await add('field_staff')
    const entryId = await add('staff_calendar_entries', { staff_id: staffId })
    const row = {
      staff_id: staffId,
      calendar_entry_id: entryId,
      departure_id: departureId,
      role: 'lead_guide',
      status: 'offered',
    }
    offers.push(await add('assignments', row))
  }
  const accept = (id: string) => () =>
    caller.transaction((tx) => updateRows(tx, 'assignments', { org_id: caller.orgId, id }, { status: 'accepted' }))
  expect(await race(offers.map(accept))).toEqual({ winners: 1, refusals: ['assignments_one_lead_guide'] })
})

test('I15: of two administrators who demote each other at once one stays', async () => {
  for (let round = 0; round < 10; round += 1) {
    const first = await world.as('admin')
    const second = await world.as('admin', { orgId: first.orgId })
    const demote = (by: TestCaller, whom: TestCaller) => () =>
      by.transaction((tx) =>
        updateRows(tx, 'members', { org_id: first.orgId, user_id: whom.userId }, { role: 'viewer' }),
      )
    const result = await race([demote(first, second), demote(second, first)])
    expect(result).toEqual({ winners: 1, refusals: ['members_organization_keeps_an_admin'] })
  }
})

test('running numbers have no gap and no twin', async () => {
  const next = (): Promise<number> =>
    caller.transaction(async (tx) => {
      const { rows } = await sql<{ next: number }>`select next_number('race') as next`.execute(tx)
      return rows[0]?.next ?? 0
    })
  const numbers = await Promise.all(times(12, next))
  expect(numbers.toSorted((a, b) => a - b)).toEqual(times(12, (index) => index + 1))
})
