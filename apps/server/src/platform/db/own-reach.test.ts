import { grants, permissions, roles } from '@tour-ops/contract/identity/access'
import { callable } from '@tour-ops/contract/callable'
import { sql, type RawBuilder } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import {
  refusalOf,
  sampledTables,
  sampleRow,
  insertRow,
  updateRows,
  type Samples,
} from '../../../testing/sample-rows.ts'
import { asOwnRole } from '../../../testing/own-role.ts'
import { samplesOf } from '../../../testing/row-writer.ts'
import { testDatabase, type TestCaller, type TestWorld } from '../../../testing/world.ts'
import { verb } from '../verb.ts'
import type { Tx } from './database.ts'
import { applicationRole, ownRole } from './transaction.ts'

// What the role of callers with scope `own` may see and write, asked of the database itself: without a verb in between.

/** Tables that the role reads completely, and why nothing in them belongs to a person. */
const openTables: Readonly<Record<string, string>> = {
  members: 'names of colleagues are on every screen; addresses are left out by the verbs',
  organizations: 'one row',
  org_settings: 'one row',
  phone_channels: 'by which channel guests are reached; secrets are sealed',
  own_preferences: 'language and notices, read to write to a colleague',
  push_subscriptions: 'where a notice to a colleague goes; what is listed is the caller’s own',
  saved_views: 'views are their maker’s or shared on purpose',
  idempotency_keys: 'answers are encrypted, and found by a key that names the person',
  number_series: 'counters',
  equipment: 'what the house lends is no fact about people',
  geofences: 'where nobody may go is for everybody',
  road_ways: 'ways between points of the map, with no name to them',
  places: 'addresses of the business; the list shows those of own departures',
  suppliers: 'addresses of the business; the list shows those of own departures',
  initial_statuses: 'how the product is made',
  legal_transitions: 'how the product is made',
}

const mine = 'is the caller’s own'
const tested = 'tested below'
const writes = 'writes, and shows nothing'
/** Functions that look past policies and that the role may call. */
const openFunctions: Readonly<Record<string, string>> = {
  own_assignment_departures: mine,
  own_colleagues: mine,
  own_departures: mine,
  own_duties: mine,
  own_guests: mine,
  own_staff_id: mine,
  own_tours: mine,
  own_vehicle_entries: mine,
  own_vehicles: mine,
  count_travelers: tested,
  search_bookings: tested,
  search_travelers: tested,
  staff_busy: tested,
  traveler_flags: tested,
  vehicles_busy: tested,
  announce_changes: writes,
  has_webhooks: 'yes or no, of the organization',
  queue_webhooks: writes,
  put_inbox_message: writes,
  record_event: writes,
  has_proven_factor: 'about the session',
}

/** Tables of which the samples hold a row that belongs to the sample departure, or to its crew or guest. */
const hanging = [
  'departures',
  'departure_stops',
  'departure_reach',
  'departure_notices',
  'guest_occasions',
  'departure_services',
  'vehicle_assignments',
  'equipment_issues',
  'vehicle_calendar_entries',
  'vehicles',
  'rooms',
  'room_assignments',
  'bookings',
  'payments',
  'billing_documents',
  'proposals',
  'opt_outs',
  'booking_messages',
  'form_holds',
  'manifest_entries',
  'check_ins',
  'departure_notes',
  'headcounts',
  'feedback',
  'travelers',
  'traveler_private',
  'traveler_documents',
  'assignments',
  'field_staff',
  'staff_calendar_entries',
  'staff_certificates',
  'devices',
  'duty_sessions',
  'positions',
  'latest_positions',
  'tours',
  'tour_options',
  'tour_revisions',
]

let world: TestWorld
let office: TestCaller
let samples: Samples
let crew: TestCaller
let stranger: TestCaller
let nobody: TestCaller
beforeAll(async () => {
  world = await testDatabase()
  office = await world.as('admin')
  samples = await samplesOf(office)
  const { orgId } = office
  crew = await world.as('guide', { orgId, staffId: samples.id('field_staff') })
  const other = sampleRow('field_staff', samples)
  await office.transaction((tx) => insertRow(tx, 'field_staff', other))
  stranger = await world.as('guide', { orgId, staffId: String(other['id']) })
  nobody = await world.as('guide', { orgId })
  await become('offered')
  await become('accepted')
})
afterAll(() => world.close())

const become = (status: string): Promise<bigint> =>
  office.transaction((tx) =>
    updateRows(tx, 'assignments', { org_id: office.orgId, id: samples.id('assignments') }, { status }),
  )

const asOwn = <T>(caller: TestCaller, run: (tx: Tx) => Promise<T>): Promise<T> => asOwnRole(world, caller, run)

/** Whether the sample of a table is seen; tables without an id have one sample. */
async function sees(tx: Tx, table: string): Promise<boolean> {
  const id = samples.rows.get(table)?.['id']
  const { rows } =
    await sql`select from ${sql.table(table)} ${id === undefined ? sql`` : sql`where id = ${id}`}`.execute(tx)
  return rows.length > 0
}

async function catalog<T extends object>(query: string): Promise<T[]> {
  return world.rows<T>(query)
}

const reachable = `select c.oid, c.relname from pg_class c where c.relnamespace = 'public'::regnamespace
  and c.relkind in ('r', 'p', 'v') and has_any_column_privilege('${ownRole}', c.oid, 'select, insert, update')`
const narrowed = `exists (select from pg_policy p where p.polrelid = c.oid and not p.polpermissive and p.polcmd = '*'
  and p.polwithcheck is not null and p.polroles = array[(select oid from pg_roles where rolname = '${ownRole}')])`

describe('the role of callers with scope own', () => {
  test('has a policy on every table that it reaches, or the table is named as open', async () => {
    const open = await catalog<{ relname: string }>(
      `select c.relname from (${reachable}) c where not (${narrowed}) order by 1`,
    )
    expect(open.map(({ relname }) => relname)).toEqual(Object.keys(openTables).toSorted())
  })

  test('has a policy on, or no right to, every table that belongs to a departure, a traveler or a staff member', async () => {
    const found = await catalog<{ relname: string; depth: number }>(`
      with recursive hanging as (
        select oid as id from pg_class where oid in ('departures'::regclass, 'travelers'::regclass, 'field_staff'::regclass)
        union
        select k.conrelid from hanging h join pg_constraint k on k.confrelid = h.id and k.contype = 'f'
        where k.conrelid <> 'members'::regclass
      )
      select distinct c.relname from hanging h join (${reachable}) c on c.oid = h.id where not (${narrowed}) order by 1`)
    expect(found).toEqual([])
    const columns = await catalog<{ relname: string }>(`
      select distinct c.relname from (${reachable}) c join pg_attribute a on a.attrelid = c.oid and not a.attisdropped
      where a.attname in ('departure_id', 'traveler_id', 'staff_id') and not (${narrowed})`)
    expect(columns.map(({ relname }) => relname)).toEqual(['members'])
  })

  test('has no rights by way of another role, and opens no function that looks past policies but these', async () => {
    expect(
      await catalog(
        `select from pg_auth_members where member = (select oid from pg_roles where rolname = '${ownRole}')`,
      ),
    ).toEqual([])
    const functions = await catalog<{ name: string }>(`select distinct p.proname as name from pg_proc p
      where p.prosecdef and p.pronamespace in ('public'::regnamespace, 'identity'::regnamespace) and p.prorettype <> 'trigger'::regtype
        and has_function_privilege('${ownRole}', p.oid, 'execute') order by 1`)
    expect(functions.map(({ name }) => name)).toEqual(Object.keys(openFunctions).toSorted())
  })

  test('shows the crew what belongs to their departure', async () => {
    const unseen = await asOwn(crew, async (tx) => {
      const missing: string[] = []
      for (const table of hanging) if (!(await sees(tx, table))) missing.push(table)
      return missing
    })
    expect(unseen).toEqual([])
  })

  test.each(['another guide', 'a guide without a staff record'])('shows %s nothing of it', async (who) => {
    await asOwn(who === 'another guide' ? stranger : nobody, async (tx) => {
      const seen: string[] = []
      for (const table of sampledTables) {
        const isReached = await mayRead(tx, table)
        if (isReached && !(table in openTables) && (await sees(tx, table))) seen.push(table)
      }
      expect(seen).toEqual([])
    })
  })

  test.each(['another guide', 'a guide without a staff record'])('lets %s write nothing there', async (name) => {
    const who = name === 'another guide' ? stranger : nobody
    const accepted: string[] = []
    for (const table of sampledTables) {
      if (table in openTables) continue
      const target = sql.table(table)
      const id = samples.rows.get(table)?.['id']
      const isTheirs = id === undefined ? sql`true` : sql`id = ${id}`
      for (const [what, statement] of [
        ['update', sql`update ${target} set org_id = org_id where ${isTheirs}`],
        ['delete', sql`delete from ${target} where ${isTheirs}`],
      ] as const) {
        if ((await outcomeOf(who, statement)) !== 'nothing') accepted.push(`${what} ${table}`)
      }
      // row-level security answers before keys are looked at
      const insert = refusalOf(asOwn(who, (tx) => insertRow(tx, table, sampleRow(table, samples))))
      if ((await insert.catch((error: Error) => error.message)) !== '42501') accepted.push(`insert ${table}`)
    }
    expect(accepted).toEqual([])
  })

  test('lets nobody move a row of an own departure to another one', async () => {
    const foreign = sampleRow('departures', samples)
    await office.transaction((tx) => insertRow(tx, 'departures', foreign))
    const theirs = foreign['id']
    for (const table of ['departure_stops', 'departure_services', 'bookings', 'manifest_entries']) {
      const id = samples.id(table)
      const move = asOwn(crew, (tx) =>
        sql`update ${sql.table(table)} set departure_id = ${theirs} where id = ${id}`.execute(tx),
      )
      expect(await refusalOf(move), table).toBe('42501')
    }
  })

  test('searches, counts and figures past row-level security reveal nothing to a stranger', async () => {
    const theirs = samples.id('field_staff')
    const during = '[2031-01-01, 2032-01-01)'
    const asked: Record<string, RawBuilder<unknown>> = {
      search_travelers: sql`select unnest(ids) from search_travelers('ostergaard')`,
      search_travelers_all: sql`select 1 from search_travelers() where total > 0`,
      count_travelers: sql`select 1 where count_travelers() > 0`,
      traveler_flags: sql`select 1 from traveler_flags(array[${samples.id('travelers')}]::uuid[])`,
      search_bookings: sql`select 1 from search_bookings('AUR')`,
      staff_busy: sql`select 1 from staff_busy(${during}, array[${theirs}]::uuid[], false)`,
      vehicles_busy: sql`select 1 from vehicles_busy(${during}, p_blocking_only => false)`,
      own: sql`select 1 where cardinality(own_departures() || own_guests(true) || own_tours() || own_vehicles() || own_duties()) > 0`,
      own_assignment_departures: sql`select 1 from own_assignment_departures()`,
    }
    for (const [name, query] of Object.entries(asked)) {
      expect.soft((await asOwn(crew, (tx) => query.execute(tx))).rows, name).toHaveLength(1)
      for (const who of [stranger, nobody]) {
        expect.soft((await asOwn(who, (tx) => query.execute(tx))).rows, name).toEqual([])
      }
    }
    const similar = asOwn(crew, (tx) => sql`select from similar_travelers('Zoë', null, null)`.execute(tx))
    expect(await refusalOf(similar)).toBe('42501')
  })

  test('is taken by every call of a member whose permission reaches own departures only, and by no other', async () => {
    const asked = [...permissions, 'member'] as const
    const taken: string[] = []
    const wanted: string[] = []
    for (const role of roles) {
      const caller = role === 'admin' ? office : await world.as(role, { orgId: office.orgId })
      for (const permission of asked) {
        const reach = permission === 'member' ? grants[role]['dashboard:read'] : grants[role][permission]
        if (reach === undefined) continue
        wanted.push(`${role} ${permission} ${reach === 'own' ? ownRole : applicationRole}`)
        taken.push(`${role} ${permission} ${await caller.call(roleOf(permission), {})}`)
      }
    }
    expect(taken).toEqual(wanted)
    // what every member may call reaches as far as the role does
    expect(roles.filter((role) => grants[role]['dashboard:read'] === undefined)).toEqual([])
    expect(roles.filter((role) => new Set(Object.values(grants[role])).size > 1)).toEqual([])
  })

  test('narrows the login as well, where a role was forgotten (a separate login, on PostgreSQL)', async (context) => {
    if (world.database.kind === 'pglite') return context.skip()
    const client = await world.database.pool.connect()
    try {
      await client.query('begin')
      await client.query(`select set_config('app.org_id', $1, true), set_config('app.user_id', $2, true)`, [
        office.orgId,
        nobody.userId,
      ])
      const { rows } = await client.query('select id from departures union all select id from travelers')
      expect(rows).toEqual([])
    } finally {
      await client.query('rollback')
      client.release()
    }
  })

  test('ends with the assignment, and an offer opens what a call asks for that offers open', async () => {
    const seesDeparture = (offers: string) =>
      asOwn(crew, async (tx) => {
        await sql`select set_config('app.own_offers', ${offers}, true)`.execute(tx)
        return sees(tx, 'departures')
      })
    const offered = sampleRow('departures', samples)
    const entry = sampleRow('staff_calendar_entries', samples, {
      kind: 'assignment',
      during: '[2031-07-01,2031-07-02)',
    })
    const asked = sampleRow('assignments', samples, { departure_id: offered['id'], calendar_entry_id: entry['id'] })
    const seesOffered = (offers: string) =>
      asOwn(crew, async (tx) => {
        await sql`select set_config('app.own_offers', ${offers}, true)`.execute(tx)
        return (await sql`select from departures where id = ${offered['id']}`.execute(tx)).rows.length > 0
      })
    await office.transaction(async (tx) => {
      await insertRow(tx, 'departures', offered)
      await insertRow(tx, 'staff_calendar_entries', entry)
      await insertRow(tx, 'assignments', asked)
    })
    expect([await seesOffered('on'), await seesOffered('off')]).toEqual([false, false])
    await office.transaction((tx) =>
      updateRows(tx, 'assignments', { org_id: office.orgId, id: asked['id'] }, { status: 'offered' }),
    )
    expect([await seesOffered('on'), await seesOffered('off')]).toEqual([true, false])
    expect([await seesDeparture('on'), await seesDeparture('off')]).toEqual([true, true])
    await become('released')
    expect([await seesDeparture('on'), await seesDeparture('off')]).toEqual([false, false])
  })
})

async function mayRead(tx: Tx, table: string): Promise<boolean> {
  const { rows } = await sql<{ may: boolean }>`select has_table_privilege(${table}, 'select') as may`.execute(tx)
  return rows[0]?.may === true
}

/** `nothing` where the statement touched no row or was refused. */
async function outcomeOf(who: TestCaller, statement: RawBuilder<unknown>): Promise<string> {
  const done = asOwn(who, async (tx) => {
    const { numAffectedRows = 0n } = await statement.execute(tx)
    // what was accepted is rolled back
    throw new Error(numAffectedRows === 0n ? 'nothing' : `${numAffectedRows} rows`)
  })
  return done.catch((error: Error & { code?: string }) => (error.code === '42501' ? 'nothing' : error.message))
}

const roleOf = (permission: (typeof permissions)[number] | 'member') =>
  verb(
    callable({
      name: 'role-taken',
      kind: 'read',
      topics: [],
      permission,
      summary: 'Test.',
      input: z.object({}),
      output: z.string(),
    }),
    async ({ tx }) => (await sql<{ name: string }>`select current_user as name`.execute(tx)).rows[0]?.name ?? '',
  )
