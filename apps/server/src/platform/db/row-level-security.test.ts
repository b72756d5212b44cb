import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { testDatabase, type TestCaller, type TestWorld } from '../../../testing/world.ts'
import { newId } from '../ids.ts'
import type { Tx } from './database.ts'
import { definerFunctions } from '../../../testing/definer-functions.ts'
import {
  insertRow,
  insertSamples,
  refusalOf,
  sampledTables,
  sampleRow,
  type Samples,
} from '../../../testing/sample-rows.ts'
import { samplesOf } from '../../../testing/row-writer.ts'

/** Facts about how the product is made, the same for all organizations; nobody may write them. */
const sharedTables = ['data_keys', 'initial_statuses', 'legal_transitions']
/** Their rows come with the member; the walk uses those. */
const memberTables = ['organizations', 'org_settings', 'members']
/** Filled by triggers only, or guarded by a policy of their own; each has a test below. */
const specialTables = ['audit_entries', 'changes', 'documents', 'traveler_counts']
const walkedTables = [...memberTables, ...sampledTables]

let world: TestWorld
let ours: TestCaller
let theirs: TestCaller
let samples: Samples
beforeAll(async () => {
  world = await testDatabase()
  ours = await world.as('admin')
  theirs = await world.as('admin')
  samples = await samplesOf(ours)
})
afterAll(() => world.close())

const withoutOrganization = <T>(run: (tx: Tx) => Promise<T>): Promise<T> =>
  world.database.transaction(
    { orgId: null, actor: { kind: 'user', id: ours.userId }, action: 'test', requestId: newId() },
    run,
  )

const countOf = async (tx: Tx, table: string): Promise<number> => {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from ${sql.table(table)}`.execute(tx)
  return rows[0]?.count ?? -1
}

/** Asks the catalog, as the owner. */
async function catalog<T>(query: string): Promise<T[]> {
  const { rows } = await world.database.ownerPool.query(query)
  return rows
}

const businessTables = `select c.oid, c.relname from pg_class c
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition`

test('every table is walked by this test or named as an exception', async () => {
  const tables = await catalog<{ relname: string }>(`${businessTables} order by relname`)
  expect(tables.map((table) => table.relname)).toEqual([...walkedTables, ...sharedTables, ...specialTables].toSorted())
})

test('row-level security is on and forced for every table that holds rows of organizations', async () => {
  const open = await catalog<{
    relname: string
  }>(`select relname from (${businessTables}) t join pg_class using (oid, relname)
    where not (relrowsecurity and relforcerowsecurity) order by relname`)
  expect(open.map((table) => table.relname)).toEqual(sharedTables)
})

test('primary keys, unique keys and foreign keys begin with the organization', async () => {
  const keys = await catalog<{ name: string }>(`
    select t.relname || '.' || c.conname as name from (${businessTables}) t join pg_constraint c on c.conrelid = t.oid
      join pg_attribute a on a.attrelid = t.oid and a.attnum = c.conkey[1]
    where c.contype in ('p', 'u', 'f') and a.attname <> 'org_id'
    union
    select t.relname || '.' || i.relname from (${businessTables}) t join pg_index x on x.indrelid = t.oid and x.indisunique
      join pg_class i on i.oid = x.indexrelid join pg_attribute a on a.attrelid = t.oid and a.attnum = x.indkey[0]
    where a.attname <> 'org_id' order by 1`)
  expect(keys.map((key) => key.name)).toEqual([
    // The outbox is read across organizations, in the order of its transactions.
    'changes.changes_pkey',
    // Keys for data at rest belong to the installation.
    'data_keys.data_keys_pkey',
    // A document may belong to a person instead of an organization.
    'documents.documents_pkey',
    'files.files_content_key_known',
    'import_corrections.import_corrections_cell_key_known',
    'import_rows.import_rows_medical_set_key_known',
    'import_rows.import_rows_medical_value_key_known',
    'import_rows.import_rows_medical_was_key_known',
    'import_rows.import_rows_passport_set_key_known',
    'import_rows.import_rows_passport_value_key_known',
    'import_rows.import_rows_passport_was_key_known',
    'import_work.import_work_samples_key_known',
    'initial_statuses.initial_statuses_pkey',
    'legal_transitions.legal_transitions_pkey',
    'phone_channels.phone_channels_key_known',
    'staff_calendar_entries.staff_calendar_entries_note_key_known',
    'traveler_documents.traveler_documents_number_key_known',
    'traveler_private.traveler_private_medical_key_known',
    'webhook_queues.webhook_queues_secrets_key_known',
  ])
})

test('an organization sees its own row in every table', async () => {
  await ours.transaction(async (tx) => {
    for (const table of walkedTables) expect.soft(await countOf(tx, table), table).toBeGreaterThanOrEqual(1)
  })
})

describe.each(walkedTables)('%s', (table) => {
  test('is empty for another organization and without one', async () => {
    const foreign = `org_id = '${ours.orgId}'`
    const look = (tx: Tx): Promise<{ rows: unknown[] }> =>
      sql`select 1 from ${sql.table(table)} where ${sql.raw(foreign)}`.execute(tx)
    expect((await theirs.transaction(look)).rows).toEqual([])
    expect(await withoutOrganization((tx) => countOf(tx, table))).toBe(0)
  })

  test('takes no row of another organization, and none without one', async () => {
    const row = memberTables.includes(table) ? { org_id: ours.orgId } : sampleRow(table, samples)
    // Row-level security answers before keys are checked; a fix from nowhere is dropped by its trigger.
    const write = (tx: Tx): Promise<void> => insertRow(tx, table, row)
    const expected = table === 'positions' ? ['42501', 'dropped'] : ['42501', '23502']
    const refusal = (work: Promise<unknown>): Promise<string> =>
      refusalOf(work).catch((error: Error) => (error.message.includes('accepted') ? 'dropped' : Promise.reject(error)))
    expect(expected).toContain(await refusal(theirs.transaction(write)))
    expect(expected).toContain(await refusal(withoutOrganization(write)))
    expect(await ours.transaction((tx) => countOf(tx, table))).toBeGreaterThanOrEqual(1)
  })

  test('changes and deletes nothing of another organization', async () => {
    const before = await ours.transaction((tx) => countOf(tx, table))
    for (const statement of [
      sql`update ${sql.table(table)} set org_id = org_id where org_id = ${ours.orgId}`,
      sql`delete from ${sql.table(table)} where org_id = ${ours.orgId}`,
    ]) {
      const attempt = await theirs
        .transaction((tx) => statement.execute(tx))
        .then(
          ({ numAffectedRows }) => `${numAffectedRows ?? 0n} rows`,
          (error: { code?: string }) => error.code,
        )
      // Tables that are append-only have no grant at all.
      expect(['0 rows', '42501']).toContain(attempt)
    }
    expect(await ours.transaction((tx) => countOf(tx, table))).toBe(before)
  })
})

const givableTables = walkedTables.filter(
  (table) => ![...memberTables, 'number_series', 'position_drops'].includes(table),
)
test.each(givableTables)('a row of %s cannot be given away', async (table) => {
  const give = ours.transaction((tx) =>
    sql`update ${sql.table(table)} set org_id = ${theirs.orgId} where org_id = ${ours.orgId}`.execute(tx),
  )
  // A published revision refuses every change, before its row would reach the policy.
  const expected = table === 'tour_revisions' ? 'tour_revisions_published_is_final' : '42501'
  expect(await refusalOf(give)).toBe(expected)
})

test('a row cannot point at a row of another organization', async () => {
  const theirSamples = await theirs.transaction((tx) => insertSamples(tx, theirs, 'places'))
  const row = sampleRow('geofences', samples, { place_id: theirSamples.id('places') })
  expect(await refusalOf(ours.transaction((tx) => insertRow(tx, 'geofences', row)))).toBe('geofences_place_fk')
})

test('the audit log and the outbox show an organization its own entries', async () => {
  for (const table of ['audit_entries', 'changes']) {
    const look = sql<{ org_id: string }>`select distinct org_id from ${sql.table(table)}`
    expect((await ours.transaction((tx) => look.execute(tx))).rows).toEqual([{ org_id: ours.orgId }])
    expect((await withoutOrganization((tx) => look.execute(tx))).rows).toEqual([])
    const forge = theirs.transaction((tx) =>
      sql`insert into ${sql.table(table)} (org_id) values (${ours.orgId})`.execute(tx),
    )
    expect(await refusalOf(forge)).toBe('42501')
  }
})

test('the application neither reads nor writes the counts of travelers, not even its own', async () => {
  for (const statement of [
    sql`select from traveler_counts`,
    sql`insert into traveler_counts (org_id, nationality, difference) values (${ours.orgId}, 'IS', 1)`,
    sql`delete from traveler_counts`,
  ]) {
    expect(await refusalOf(ours.transaction((tx) => statement.execute(tx)))).toBe('42501')
  }
})

test('live documents are those of the organization and of the person', async () => {
  const write = (caller: TestCaller, row: Record<string, unknown>): Promise<void> =>
    caller.transaction((tx) => insertRow(tx, 'documents', { data: '{}', ...row }))
  await write(ours, { path: `orgs/${ours.orgId}/changes/tours`, org_id: ours.orgId })
  await write(ours, { path: `users/${ours.userId}/inbox/1`, user_id: ours.userId })
  const paths = (caller: TestCaller): Promise<{ path: string }[]> =>
    caller.transaction((tx) => tx.selectFrom('documents').select('path').execute())
  expect(await paths(ours)).toHaveLength(2)
  expect(await paths(theirs)).toEqual([])
  expect(await refusalOf(write(theirs, { path: 'users/x/inbox/1', user_id: ours.userId }))).toBe('42501')
  expect(await refusalOf(write(theirs, { path: 'orgs/x/changes/tours', org_id: ours.orgId }))).toBe('42501')
})

test('the application has no rights on a day of positions, only on the whole', async () => {
  const granted = await catalog<{ relname: string }>(`select relname from pg_class
    where relispartition and relkind = 'r' and has_table_privilege('app_user', oid, 'select, insert, update, delete, truncate')`)
  expect(granted).toEqual([])
  const [day] = await catalog<{ relname: string }>(
    `select relname from pg_class where relispartition and relkind = 'r' limit 1`,
  )
  const look = ours.transaction((tx) => sql`select from ${sql.table(day?.relname ?? '')}`.execute(tx))
  expect(await refusalOf(look)).toBe('42501')
})

test('the roles of the product cannot log in or bypass row-level security', async () => {
  const free = await catalog<{ rolname: string }>(`select rolname from pg_roles
    where rolname like 'app\\_%' and rolname not in ('app_owner', 'app_login') and (rolsuper or rolbypassrls or rolcanlogin)`)
  expect(free).toEqual([])
})

test('functions that look past row-level security are the listed ones, owned as listed, with a fixed search path', async () => {
  const found = await catalog<{ name: string; owner: string; open: boolean; path: string }>(`
    select p.pronamespace::regnamespace || '.' || p.proname as name, has_function_privilege('public', p.oid, 'execute') as open,
      case when p.proowner = n.nspowner and n.nspname = 'identity' then 'owner' else p.proowner::regrole::text end as owner,
      coalesce((select setting from unnest(p.proconfig) as setting where setting like 'search_path=%'), '') as path
    from pg_proc p join pg_namespace n on n.oid = p.pronamespace
    where p.prosecdef and n.nspname in ('public', 'identity', 'jobs') order by 1`)
  expect(found.map(({ name, owner }) => `${name} ${owner}`)).toEqual(
    definerFunctions.map(({ name, owner }) => `${name} ${owner}`).toSorted(),
  )
  // Nobody may put a table or function of their own before ours, and PUBLIC may not call.
  expect(found.filter(({ path }) => !path.startsWith('search_path=pg_catalog'))).toEqual([])
  // A trigger function cannot be called, whatever the grants.
  const triggers = definerFunctions.filter(({ reach }) => reach === 'trigger').map(({ name }) => name)
  expect(found.filter(({ name, open }) => open && !triggers.includes(name))).toEqual([])
})

test('searches that look past row-level security keep to the organization', async () => {
  const during = '[2031-01-01, 2032-01-01)'
  const searches = {
    search_travelers: sql`select unnest(ids) from search_travelers('ostergaard')`,
    search_travelers_all: sql`select unnest(ids) from search_travelers()`,
    count_travelers: sql`select 1 where count_travelers() > 0`,
    traveler_flags: sql`select 1 from traveler_flags(array[${samples.id('travelers')}]::uuid[])`,
    similar_travelers: sql`select 1 from similar_travelers('Zoë Østergaard', null, '+447700900123')`,
    search_bookings: sql`select 1 from search_bookings('AUR')`,
    staff_busy: sql`select 1 from staff_busy(${during}, p_blocking_only => false)`,
    vehicles_busy: sql`select 1 from vehicles_busy(${during}, p_blocking_only => false)`,
  }
  for (const [name, search] of Object.entries(searches)) {
    expect.soft((await ours.transaction((tx) => search.execute(tx))).rows, name).toHaveLength(1)
    expect.soft((await theirs.transaction((tx) => search.execute(tx))).rows, name).toEqual([])
    expect.soft((await withoutOrganization((tx) => search.execute(tx))).rows, name).toEqual([])
  }
})

test('a secret opens what it belongs to, without an organization, and an unknown one nothing', async () => {
  const hash = samples.rows.get('shared_link_tokens')?.['token_hash']
  const link = (secret: unknown): Promise<{ rows: unknown[] }> =>
    withoutOrganization((tx) => sql`select org_id, link_id from shared_link_of_token(${secret})`.execute(tx))
  expect((await link(hash)).rows).toEqual([{ org_id: ours.orgId, link_id: samples.id('shared_links') }])
  expect((await link(Buffer.alloc(32))).rows).toEqual([])

  const token = { token_hash: Buffer.alloc(32, 7), token_expires_at: new Date(Date.now() + 60_000) }
  const device = sampleRow('devices', samples, token)
  await ours.transaction((tx) => insertRow(tx, 'devices', device))
  const found = await withoutOrganization((tx) =>
    sql`select org_id, id from device_of_token(${token.token_hash})`.execute(tx),
  )
  expect(found.rows).toEqual([{ org_id: ours.orgId, id: device['id'] }])

  const ended = (hash: Buffer) => withoutOrganization((tx) => sql`select ended from end_of_token(${hash})`.execute(tx))
  expect((await ended(token.token_hash)).rows).toEqual([])
  await ours.transaction((tx) => sql`update devices set token_hash = null where id = ${device['id']}`.execute(tx))
  expect((await ended(token.token_hash)).rows).toEqual([{ ended: 'by_other_phone' }])
  expect((await ended(Buffer.alloc(32, 9))).rows).toEqual([])
})

test('a person learns the own organizations', async () => {
  const { rows } = await withoutOrganization((tx) =>
    sql`select org_id, role, member_count from organizations_of(${ours.userId})`.execute(tx),
  )
  expect(rows).toEqual([{ org_id: ours.orgId, role: 'admin', member_count: 1 }])
})
