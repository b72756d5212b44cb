import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { testDatabase, type TestCaller, type TestWorld } from '../../../testing/world.ts'
import { movableClock } from '../clock.ts'
import { newId } from '../ids.ts'
import {
  insertRow,
  sampledTables,
  sampleRow,
  updateRows,
  type Row,
  type Samples,
} from '../../../testing/sample-rows.ts'
import { rowWriter, samplesOf } from '../../../testing/row-writer.ts'

/** Written without a trace, each for a reason. */
const unrecorded: Readonly<Record<string, string>> = {
  alert_dues: 'when something is evaluated next; what is found is recorded as alerts',
  alert_evaluations: 'a heartbeat; what is found is recorded as alerts',
  audit_entries: 'is the log',
  changes: 'is the outbox',
  crew_notices: 'how far a job is; what it tells is of assignments, which are recorded',
  crew_reminders: 'how far a job is; what it sends is recorded as messages',
  daily_digests: 'how far a job is; what it sends is recorded as messages',
  data_keys: 'written at start and by the operator at the command line',
  departure_findings: 'derived, once a minute; what follows from it is alerts',
  departure_notices: 'how far a job is; what it writes to guests is recorded as messages',
  departure_reach: 'derived, once a minute; what follows from it is in the estimates',
  device_signals: 'last seen and battery, written with positions',
  duty_events: 'is a log itself; what the events change is recorded with what they change',
  duty_start_notices: 'how far a job is; what it sends is recorded as messages',
  form_holds: 'seats of open forms, renewed each minute; what they change of a departure is recorded with it',
  guest_occasions: 'what a rule has not written; what it writes is recorded as messages',
  idempotency_keys: 'answers kept for a while, nobody looks at them',
  import_corrections: 'values of guests in a file; what is imported in the end is recorded row by row',
  import_departures: 'what a file names before it is applied; departures that are made are recorded themselves',
  import_rows: 'what a file says before it is applied; applying is recorded row by row',
  import_work: 'values of a file, and how far a job is',
  initial_statuses: 'written by migrations only',
  latest_positions: 'derived, once a second per person; live documents tell of it',
  legal_transitions: 'written by migrations only',
  link_accesses: 'is a log itself',
  number_series: 'a counter',
  position_drops: 'a counter',
  positions: 'six million a day',
  road_ways: 'what a router said, asked for again at any time',
  traveler_counts: 'a counter',
  untold_suppliers: 'derived, once a minute; what follows from it is in the checklist of readiness',
  webhook_deliveries: 'is a log itself; each event of it is recorded with what happened',
  webhook_queues: 'how sending is going, written with every attempt',
}

let world: TestWorld
let caller: TestCaller
let samples: Samples
beforeAll(async () => {
  world = await testDatabase()
  caller = await world.as('dispatcher')
  samples = await samplesOf(caller)
})
afterAll(() => world.close())

interface Trace {
  audits: Row[]
  changes: Row[]
}
/** What the log and the outbox hold about one entity, oldest first. */
const traceOf = (table: string, entityId: string): Promise<Trace> =>
  caller.transaction(async (tx) => ({
    audits: await tx
      .selectFrom('audit_entries')
      .selectAll()
      .where('entity_type', '=', table)
      .where('entity_id', '=', entityId)
      .orderBy('id')
      .execute(),
    changes: await tx
      .selectFrom('changes')
      .selectAll()
      .where('topic', '=', table)
      .where('entity_id', '=', entityId)
      .orderBy('seq')
      .execute(),
  }))
const operations = ({ audits, changes }: Trace): [unknown[], unknown[]] => [
  audits.map((entry) => entry['op']),
  changes.map((entry) => entry['op']),
]
const { add } = rowWriter(() => ({ caller, samples }))
const key = (table: string, id: string): Row => ({ org_id: caller.orgId, [table === 'members' ? 'user_id' : 'id']: id })

test('every table is recorded, or named here with the reason why not', async () => {
  const { rows } = await world.database.ownerPool.query<{ name: string; triggers: number }>(`
    select c.relname as name, (select count(*)::int from pg_trigger where tgrelid = c.oid and tgname in ('record_insert', 'record_update', 'record_delete')) as triggers
    from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition order by 1`)
  const silent = rows.filter((table) => table.triggers === 0).map((table) => table.name)
  expect(silent).toEqual(Object.keys(unrecorded))
  const half = rows.filter((table) => ![0, 3].includes(table.triggers))
  expect(half).toEqual([])
})

test('every insert of the samples left one entry in the log and one in the outbox', async () => {
  for (const table of sampledTables.filter((name) => !(name in unrecorded))) {
    const { rows } = await caller.transaction((tx) =>
      sql<{ audits: number; changes: number; same: boolean }>`
        select count(*)::int as audits, (select count(*)::int from changes c where c.topic = ${table} and c.op = 'insert') as changes,
          bool_and(exists (select from changes c where c.topic = a.entity_type and c.entity_id = a.entity_id and c.op = 'insert')) as same
        from audit_entries a where a.entity_type = ${table} and a.op = 'insert'`.execute(tx),
    )
    expect.soft(rows, table).toEqual([{ audits: 1, changes: 1, same: true }])
  }
})

describe('one write', () => {
  test('leaves one entry each per insert, update and delete, all of its own transaction', async () => {
    const id = await add('places')
    await caller.transaction((tx) =>
      updateRows(tx, 'places', key('places', id), { name: 'Harpa', phone: '+3545285000' }),
    )
    await caller.transaction((tx) => tx.deleteFrom('places').where('id', '=', id).execute())
    const trace = await traceOf('places', id)
    const all = ['insert', 'update', 'delete']
    expect(operations(trace)).toEqual([all, all])
    expect(new Set(trace.changes.map((entry) => entry['tx'])).size).toBe(3)
  })

  test('says who did what, in which request', async () => {
    const id = newId()
    const clock = movableClock(new Date('2030-01-01T00:00:00Z'))
    await world.database.transaction(
      {
        orgId: caller.orgId,
        actor: { kind: 'api', id: 'key_1' },
        action: 'places-save',
        requestId: 'request-1',
        clock,
      },
      (tx) => insertRow(tx, 'places', sampleRow('places', samples, { id })),
    )
    expect((await traceOf('places', id)).audits).toMatchObject([
      { actor_kind: 'api', actor_id: 'key_1', action: 'places-save', request_id: 'request-1', at: clock.now() },
    ])
  })

  test('records new values on insert, old and new of what changed on update, old values on delete', async () => {
    const id = await add('suppliers', { notes: 'quiet' })
    await caller.transaction((tx) =>
      updateRows(tx, 'suppliers', key('suppliers', id), { name: 'Hotel Holt', notes: null }),
    )
    await caller.transaction((tx) => tx.deleteFrom('suppliers').where('id', '=', id).execute())
    const diffs = (await traceOf('suppliers', id)).audits.map((entry) => entry['diff'])
    expect(diffs).toEqual([
      { id, name: 'Hotel Borg', kind: 'hotel', notes: 'quiet', contacts: [] },
      { name: ['Hotel Borg', 'Hotel Holt'], notes: ['quiet', null] },
      { id, name: 'Hotel Holt', kind: 'hotel', contacts: [] },
    ])
  })

  test('that changes nothing leaves no trace and no new version', async () => {
    const id = await add('places')
    await caller.transaction((tx) => updateRows(tx, 'places', key('places', id), { name: 'BSI' }))
    expect(operations(await traceOf('places', id))).toEqual([['insert'], ['insert']])
    const place = await caller.transaction((tx) =>
      tx.selectFrom('places').select('version').where('id', '=', id).executeTakeFirst(),
    )
    expect(place).toEqual({ version: 1 })
  })

  test('that is rolled back leaves nothing', async () => {
    const id = newId()
    const failing = caller.transaction(async (tx) => {
      await insertRow(tx, 'places', sampleRow('places', samples, { id }))
      throw new Error('changed my mind')
    })
    await expect(failing).rejects.toThrow('changed my mind')
    expect(operations(await traceOf('places', id))).toEqual([[], []])
  })

  test('that follows from another raises the version as well, so that an edit of before conflicts', async () => {
    const bookingId = await add('bookings')
    const entryId = await add('manifest_entries', { booking_id: bookingId, traveler_id: await add('travelers') })
    const departureId = await add('departures')
    await caller.transaction((tx) =>
      updateRows(tx, 'bookings', key('bookings', bookingId), { departure_id: departureId }),
    )
    const entry = await caller.transaction((tx) =>
      tx
        .selectFrom('manifest_entries')
        .select(['version', 'departure_id'])
        .where('id', '=', entryId)
        .executeTakeFirst(),
    )
    expect(entry).toEqual({ version: 2, departure_id: departureId })
    expect(operations(await traceOf('manifest_entries', entryId))[0]).toEqual(['insert', 'update'])
  })

  test('raises the version by one, whatever the statement says', async () => {
    const id = await add('places')
    await caller.transaction((tx) => updateRows(tx, 'places', key('places', id), { name: 'Harpa', version: 99 }))
    const place = await caller.transaction((tx) =>
      tx.selectFrom('places').select('version').where('id', '=', id).executeTakeFirst(),
    )
    expect(place).toEqual({ version: 2 })
  })
})

test.each<[table: string, id: () => string, change: Row]>([
  [
    'traveler_private',
    () => samples.id('travelers'),
    { medical_sealed: Buffer.from('epilepsy'), date_of_birth: '1980-02-03' },
  ],
  ['traveler_documents', () => samples.id('traveler_documents'), { number_last4: '0815' }],
  ['travelers', () => samples.id('travelers'), { emergency_name: 'Ada', emergency_phone: '+447700900999' }],
  ['shared_links', () => samples.id('shared_links'), { passcode_hash: 'scrypt' }],
  ['messages', () => samples.id('messages'), { body: 'Your code is 1234' }],
])('the log tells that something sensitive of %s changed, not what it is', async (table, id, change) => {
  const where = table === 'traveler_private' ? { org_id: caller.orgId, traveler_id: id() } : key(table, id())
  await caller.transaction((tx) => updateRows(tx, table, where, change))
  const { audits } = await traceOf(table, id())
  const masked = Object.fromEntries(Object.keys(change).map((column) => [column, ['***', '***']]))
  expect(audits.at(-1)).toMatchObject({ op: 'update', diff: masked })
  for (const secret of ['asthma', '4711', ...Object.values(change)])
    expect(JSON.stringify(audits)).not.toContain(secret)
})

test('a statement that writes 500 rows costs one entry per row, and the feed is woken once per transaction', async () => {
  const wakes: string[] = []
  const stop = await world.database.listen('changes', (payload) => wakes.push(payload))
  await caller.transaction(async (tx) => {
    await sql`insert into suppliers (org_id, id, name) select ${caller.orgId}, gen_random_uuid(), 'Bulk' from generate_series(1, 500)`.execute(
      tx,
    )
    await tx.updateTable('suppliers').set({ notes: 'all' }).where('name', '=', 'Bulk').execute()
  })
  const { rows } = await caller.transaction((tx) =>
    sql`select op, count(*)::int as count, count(distinct entity_id)::int as entities, count(distinct c.tx)::int as transactions
      from changes c where topic = 'suppliers' and entity_id in (select id::text from suppliers where name = 'Bulk')
      group by op order by op`.execute(tx),
  )
  expect(rows).toEqual([
    { op: 'insert', count: 500, entities: 500, transactions: 1 },
    { op: 'update', count: 500, entities: 500, transactions: 1 },
  ])
  // A notification arrives after the commit, over another connection.
  await expect.poll(() => wakes.length).toBeGreaterThan(0)
  await sleep(50)
  await stop()
  expect(wakes).toEqual([''])
})

test('what the database derives is recorded as well: a booking changes its departure', async () => {
  const departureId = await add('departures')
  await add('bookings', { departure_id: departureId })
  const { audits } = await traceOf('departures', departureId)
  expect(audits.map((entry) => entry['diff']).at(-1)).toEqual({ seats_confirmed: [0, 1] })
})

test('what changes no row can be recorded by name', async () => {
  await caller.transaction((tx) =>
    sql`select record_event('travelers-reveal', 'travelers', 'somebody', '{"fields": ["medical"]}')`.execute(tx),
  )
  const { audits, changes } = await traceOf('travelers', 'somebody')
  expect(audits).toMatchObject([
    { op: 'event', action: 'travelers-reveal', actor_id: caller.userId, diff: { fields: ['medical'] } },
  ])
  expect(changes).toEqual([])
})

test('rows written by an import name its batch', async () => {
  const importBatchId = samples.id('import_batches')
  const travelerId = newId()
  await world.database.transaction(
    {
      orgId: caller.orgId,
      actor: { kind: 'user', id: caller.userId },
      action: 'imports-apply',
      requestId: newId(),
      importBatchId,
    },
    async (tx) => {
      await insertRow(tx, 'travelers', sampleRow('travelers', samples, { id: travelerId }))
      await updateRows(tx, 'bookings', key('bookings', samples.id('bookings')), { notes: 'from the file' })
    },
  )
  const marks = await caller.transaction(async (tx) => [
    await tx.selectFrom('travelers').select('import_batch_id').where('id', '=', travelerId).executeTakeFirst(),
    await tx
      .selectFrom('bookings')
      .select('import_batch_id')
      .where('id', '=', samples.id('bookings'))
      .executeTakeFirst(),
  ])
  expect(marks).toEqual([{ import_batch_id: importBatchId }, { import_batch_id: importBatchId }])
})
