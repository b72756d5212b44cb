import type { DepartureRow } from '@tour-ops/contract/departures/departures'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { testDatabase, type TestCaller, type TestWorld } from '../../../testing/world.ts'
import { movableClock } from '../clock.ts'
import type { Tx } from '../db/database.ts'
import { insertRow, sampledTables, sampleRow, type Row, type Samples } from '../../../testing/sample-rows.ts'
import { departureRowsOf } from './departure-rows.ts'
import { KnownDepartures } from './known-departures.ts'
import { samplesOf } from '../../../testing/row-writer.ts'

const clock = movableClock(new Date('2031-06-02T10:00:00Z'))

let world: TestWorld
beforeAll(async () => {
  world = await testDatabase()
})
afterAll(() => world.close())

/** A caller that reads departures again and again, and how many rows were read for it. */
function reader(caller: TestCaller, knownDepartures = new KnownDepartures()) {
  const call = (tx: Tx) => ({
    tx,
    orgId: caller.orgId,
    role: 'dispatcher' as const,
    scope: 'all' as const,
    clock,
    knownDepartures,
  })
  return {
    see: (ids: readonly string[]): Promise<DepartureRow[]> =>
      caller.transaction((tx) => departureRowsOf(call(tx), ids)),
    seeIn: (tx: Tx, ids: readonly string[]): Promise<DepartureRow[]> => departureRowsOf(call(tx), ids),
    /** Ids that are read from the tables where all of `ids` are wanted. */
    readFor: (ids: readonly string[]): Promise<string[]> =>
      caller.transaction(async (tx) => {
        const read: string[] = []
        await knownDepartures.rowsOf(call(tx), ids, async (missing) => {
          read.push(...missing)
          return []
        })
        return read
      }),
  }
}

const fresh = (caller: TestCaller, ids: readonly string[]): Promise<DepartureRow[]> => reader(caller).see(ids)

async function withSamples(): Promise<{ caller: TestCaller; samples: Samples; id: string }> {
  const caller = await world.as('dispatcher')
  const samples = await samplesOf(caller)
  return { caller, samples, id: samples.id('departures') }
}

test('a row of any table shows at once', async () => {
  const caller = await world.as('dispatcher')
  const rows = new Map<string, Row>()
  const context = { ...caller, id: (table: string) => String(rows.get(table)?.['id']) }
  const screen = reader(caller)
  for (const table of sampledTables) {
    const row = sampleRow(table, context)
    await caller.transaction((tx) => insertRow(tx, table, row))
    rows.set(table, row)
    const ids = rows.has('departures') ? [context.id('departures')] : []
    expect.soft(await screen.see(ids), table).toEqual(await fresh(caller, ids))
  }
})

type Write = (tx: Tx, samples: Samples) => Promise<unknown>
const set =
  (table: string, changes: string, of = table): Write =>
  (tx, { orgId, id }) =>
    sql`update ${sql.table(table)} set ${sql.raw(changes)} where org_id = ${orgId} and id = ${id(of)}`.execute(tx)

const writes: Record<string, Write> = {
  'the departure': set('departures', `capacity = 12`),
  'its tour': set('tours', `name = 'Golden Circle by night'`),
  'the place of its next stop': set('places', `name = 'Harpa'`),
  'a stop': set('departure_stops', `status = 'skipped', skip_reason = 'snow'`),
  'a guest aboard': set('manifest_entries', `status = 'checked_in'`),
  'a service': set('departure_services', `status = 'cancelled'`),
  'a vehicle': set('vehicles', `label = 'Bus 2'`),
  'a vehicle that is let go': (tx, { orgId, id }) =>
    sql`delete from vehicle_assignments where org_id = ${orgId} and departure_id = ${id('departures')}`.execute(tx),
  'who leads': set('assignments', `role = 'lead_guide', status = 'accepted'`),
  'the name of who leads': set('field_staff', `last_name = 'Guðmundsdóttir'`),
  'a booking that is cancelled': (tx, { orgId, id }) =>
    sql`update bookings set status = 'cancelled' where org_id = ${orgId} and id = ${id('bookings')}`.execute(tx),
  'an alert': (tx, samples) =>
    insertRow(
      tx,
      'alerts',
      sampleRow('alerts', samples, { departure_id: samples.id('departures'), subject_id: 'more' }),
    ),
}

/** Changes of what only the sample departure shows, though its tour has another. */
const oneDeparture: Record<string, Write> = {
  'a place': set('places', `name = 'Perlan'`),
  'a vehicle': set('vehicles', `label = 'Bus 3'`),
  'a member of the crew': set('field_staff', `last_name = 'Jónsdóttir'`),
  'a service': set('departure_services', `status = 'requested'`),
  'a vehicle that is let go': writes['a vehicle that is let go'] as Write,
}

test('what is written shows at once, for callers that had read before', async () => {
  const { caller, samples, id } = await withSamples()
  const screen = reader(caller)
  let before = await screen.see([id])
  for (const [what, write] of Object.entries(writes)) {
    await caller.transaction((tx) => write(tx, samples))
    const after = await screen.see([id])
    expect.soft(after, what).toEqual(await fresh(caller, [id]))
    expect.soft(after, `${what} is seen`).not.toEqual(before)
    before = after
  }
})

describe('what is read', () => {
  test('is nothing where nothing was written, otherwise only the departures that show it, and all where a row is gone', async () => {
    const { caller, samples, id } = await withSamples()
    const other = await caller.transaction(async (tx) => {
      const row = sampleRow('departures', samples)
      await insertRow(tx, 'departures', row)
      return String(row['id'])
    })
    const screen = reader(caller)
    await screen.see([id, other])
    expect(await screen.readFor([id, other])).toEqual([])
    await caller.transaction((tx) => set('manifest_entries', `status = 'checked_in'`)(tx, samples))
    expect(await screen.readFor([other, id])).toEqual([id])
    await screen.see([id, other])
    await caller.transaction((tx) => set('travelers', `first_name = 'Zoe'`)(tx, samples))
    expect(await screen.readFor([id, other])).toEqual([])
    for (const [what, write] of Object.entries(oneDeparture)) {
      await caller.transaction((tx) => write(tx, samples))
      expect.soft(await screen.readFor([id, other]), what).toEqual([id])
      await screen.see([id, other])
    }
    await caller.transaction((tx) => set('tours', `name = 'By day'`)(tx, samples))
    expect(await screen.readFor([id, other])).toEqual([id, other])
    await screen.see([id, other])
    await caller.transaction((tx) =>
      sql`delete from departure_services where org_id = ${caller.orgId} and id = ${samples.id('departure_services')}`.execute(
        tx,
      ),
    )
    expect(await screen.readFor([id, other])).toEqual([id, other])
  })

  test('is read again after a minute', async () => {
    const { caller, id } = await withSamples()
    const screen = reader(caller)
    await screen.see([id])
    clock.set(new Date('2031-06-02T10:00:59.999Z'))
    expect(await screen.readFor([id])).toEqual([])
    clock.set(new Date('2031-06-02T10:01:00Z'))
    expect(await screen.readFor([id])).toEqual([id])
  })
})

test('what a transaction rolls back is seen by nobody else', async () => {
  const { caller, samples, id } = await withSamples()
  const screen = reader(caller)
  const before = await screen.see([id])
  const taken = caller.transaction(async (tx) => {
    await set('departures', 'capacity = 99')(tx, samples)
    expect((await screen.seeIn(tx, [id]))[0]?.capacity).toBe(99)
    throw new Error('taken back')
  })
  await expect(taken).rejects.toThrow('taken back')
  expect(await screen.see([id])).toEqual(before)
})

test('rows come in the order that was requested, and departures of others are nobody here', async () => {
  const { caller, samples, id } = await withSamples()
  const stranger = await withSamples()
  const second = sampleRow('departures', samples)
  await caller.transaction((tx) => insertRow(tx, 'departures', second))
  const screen = reader(caller)
  const seen = await screen.see([String(second['id']), stranger.id, id])
  expect(seen.map((row) => row.id)).toEqual([second['id'], id])
})
