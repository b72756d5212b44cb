import { callables, records } from '@tour-ops/contract/callables'
import type { Callable } from '@tour-ops/contract/callable'
import { createLink } from '@tour-ops/contract/links/links'
import { getSharedPage } from '@tour-ops/contract/links/shared-page'
import { roadWays } from '@tour-ops/contract/places/places'
import { isLiveTopic } from '@tour-ops/contract/live/live-paths'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database, Tx } from '../src/platform/db/database.ts'
import { newId } from '../src/platform/ids.ts'
import { execute } from '../src/platform/verb.ts'
import { boardingTour } from '../testing/operations.ts'
import { foreignProbes, type OwnRecords } from '../testing/foreign-inputs.ts'
import { servicesNextTo, type TestRouter, testRouter } from '../testing/routers.ts'
import { verbsOf } from '../testing/verbs.ts'
import { requestMeta, type TestCaller, testDatabase, type TestWorld } from '../testing/world.ts'
import { allVerbs } from '../src/verbs.ts'
import { samplesOf } from '../testing/row-writer.ts'

// Reads are repeated by the browser when no answer came. What one of them writes would then be there twice. And their answers get old by
// changes of what they declare to be made of: anything else that one of them reads would stay stale on the screens of others.

/** Reads that leave a mark: the tables, and why a repetition does no harm. */
const marks: Readonly<Record<string, { readonly tables: readonly string[]; readonly why: string }>> = {
  'payments-export': {
    tables: ['audit_entries'],
    why: 'who took the ledger away is recorded; asked twice, it was taken twice',
  },
  'places-road-ways': {
    tables: ['road_ways'],
    why: 'what a router says is stored, so that it is asked once, and rests are evaluated again; asked twice, it says the same',
  },
  'share-get': {
    tables: ['audit_entries', 'changes', 'documents', 'link_accesses', 'shared_links'],
    why: 'a visit of a guest is counted once, by the id that the tab made for it, and the first one is told to who made the link',
  },
  'tracks-day': {
    tables: ['audit_entries'],
    why: 'a look at the same day within an hour is one look',
  },
  'tracks-download': {
    tables: ['audit_entries'],
    why: 'who took tracks away is recorded; asked twice, they were taken twice',
  },
  'tracks-get': {
    tables: ['audit_entries'],
    why: 'a look at the same tracks within an hour is one look',
  },
  'travelers-export': {
    tables: ['audit_entries'],
    why: 'who took the list of travelers away is recorded; asked twice, it was taken twice',
  },
}

/** Reads that nothing makes old while their answer is shown, and why. */
const asOfAsking: Readonly<Record<string, string>> = {
  ...Object.fromEntries(records.map((record) => [record.export.name, 'a file'])),
  'audit-export': 'a file',
  'bookings-export': 'a file',
  'departures-export': 'a file',
  'duty-day': 'a phone keeps it, with or without signal, and asks again by itself',
  'duty-link-day': 'a phone without a membership, as above',
  'feedback-export': 'a file',
  'field-staff-export': 'a file',
  'files-link': 'an address that is used at once',
  'imports-cell': 'a cell is read when a person is about to correct it, which the version guards',
  'imports-rejected-csv': 'a file',
  'links-export': 'a file',
  'members-export': 'a file',
  'monitoring-export': 'a file',
  'outbox-pace': 'every message would change it; it is counted every five minutes, and screens ask again by themselves',
  'payments-export': 'a file',
  'reports-departures': 'a report is of the moment at which it was asked for, and its sums are dear',
  'reports-export': 'a file',
  'reports-staff-performance': 'a report, as above',
  'reports-tour-performance': 'a report, as above',
  'reports-traveler-insights': 'a report, as above',
  'search-all': 'asked again with every letter',
  'share-document': 'a page of a guest is not notified; the document is asked for when it is opened',
  'share-get': 'guests without a membership hear of no changes; their page asks again by itself',
  'tours-export': 'a file',
  'tracks-day': 'it is the day until the moment of asking, and what is replayed must not move meanwhile',
  'tracks-download': 'a file',
  'tracks-get': 'tracks grow by positions, of which nobody is told; screens ask again while their day lasts',
  'travelers-export': 'a file',
  'travelers-similar': 'asked again with every letter',
  'waitlist-list': 'its table belongs to the installation and to no organization',
}

/** Rows that an answer is made of only where the question names them. */
const namedInQuestions: readonly string[] = ['members-explain']

/** Read for every member by every call: membership, and whether a second factor is asked for. */
const readByEveryCall: ReadonlyMap<string, number> = new Map([
  ['members', 1],
  ['org_settings', 1],
])

/** Of the samples only the rows are there: what reads the contents of their files finds nothing. */
const withoutContent: readonly string[] = ['files-link', 'imports-cell', 'imports-corrections', 'imports-rejected-csv']

const verbOf = verbsOf(allVerbs)
const reads = callables.filter(({ kind }) => kind === 'read')

let world: TestWorld
let caller: TestCaller
let own: OwnRecords
let token: string
let router: TestRouter
const far = newId()

beforeAll(async () => {
  world = await testDatabase()
  router = await testRouter()
  caller = await world.as('admin')
  const samples = await samplesOf(caller)
  // an alert and an incident of the sample departure, as most are
  await caller.transaction(async (tx) => {
    const [departure, place] = [samples.id('departures'), samples.id('places')]
    await sql`update org_settings set router_kind = 'osrm', router_address = ${router.address}`.execute(tx)
    await sql`insert into places (org_id, id, name, lat, lng) values (${caller.orgId}, ${far}, 'Geysir', 64.3104, -20.3014)`.execute(
      tx,
    )
    await sql`update incidents set departure_id = ${departure}, place_id = ${place}`.execute(tx)
    await sql`update alerts set departure_id = ${departure}, incident_id = ${samples.id('incidents')}`.execute(tx)
    await sql`update messages set texts = '{}', audience = ${JSON.stringify({ departureIds: [departure] })}::jsonb`.execute(
      tx,
    )
    await sql`insert into incident_entries (org_id, id, incident_id, kind, text, file_id)
      values (${caller.orgId}, ${newId()}, ${samples.id('incidents')}, 'file', 'a.csv', ${samples.id('files')})`.execute(
      tx,
    )
  })
  own = { userId: caller.userId, id: samples.id, version: () => 1, running: await boardingTour(caller, 1) }
  const subject = { kind: 'departure_guest', subjectId: own.running.departureId, label: 'Probe' } as const
  token = (await caller.call(verbOf(createLink), subject)).token
}, 120_000)
afterAll(async () => {
  await router?.close()
  await world?.close()
})

/** Inputs of reads for which the probe has nothing to leave. */
const inputs: Readonly<Record<string, () => object>> = {
  [getSharedPage.name]: () => ({ token, visit: newId() }),
  [roadWays.name]: () => ({ mode: 'drive', pairs: [{ from: own.id('places'), to: far }] }),
}

interface Uses {
  /** Rows written. */
  readonly rows: number
  /** Reads the table or one of its indexes. */
  readonly looks: number
}

/** What this connection did so far, by table; read twice, since earlier transactions may still be among it. */
async function usesSoFar(tx: Tx): Promise<Map<string, Uses>> {
  const { rows } = await sql<Uses & { table: string }>`
    select relname as table, (n_tup_ins + n_tup_upd + n_tup_del)::int as rows, (seq_scan + coalesce(idx_scan, 0))::int as looks
    from pg_stat_xact_user_tables`.execute(tx)
  return new Map(rows.map(({ table, ...uses }) => [table, uses]))
}

/** The database, with lists of the tables to which its transactions write and of those into which they look. */
function watched(database: Database): { db: Database; written: Set<string>; read: Set<string> } {
  const written = new Set<string>()
  const read = new Set<string>()
  const transaction: Database['transaction'] = (scope, run) =>
    database.transaction(scope, async (tx) => {
      const before = await usesSoFar(tx)
      const result = await run(tx)
      for (const [table, { rows, looks }] of await usesSoFar(tx)) {
        const earlier = before.get(table) ?? { rows: 0, looks: 0 }
        if (rows !== earlier.rows) written.add(table)
        if (looks > earlier.looks + (readByEveryCall.get(table) ?? 0)) read.add(table)
      }
      return result
    })
  return { db: { ...database, transaction }, written, read }
}

/** How many rows each table of the whole database has. */
async function rowCounts(): Promise<string> {
  const { ownerPool } = world.database
  const { rows } = await ownerPool.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
     where schemaname not in ('pg_catalog', 'information_schema') order by 1`,
  )
  const counts: string[] = []
  for (const { name } of rows) {
    const counted = await ownerPool.query<{ n: number }>(`select count(*)::int as n from ${name}`)
    counts.push(`${name} ${String(counted.rows[0]?.n)}`)
  }
  return counts.join('\n')
}

/** Runs a read as its callers do, with an input that is right. */
async function read(
  callable: Callable,
): Promise<{ written: readonly string[]; read: readonly string[]; text: string }> {
  const { db, ...tables } = watched(world.database)
  const input = inputs[callable.name]?.() ?? foreignProbes[callable.name]?.input?.(own) ?? {}
  const person = callable.permission === 'public' ? null : caller.caller
  const services = servicesNextTo({ ...world.services, db }, router)
  const asked = execute(services, requestMeta(), person, verbOf(callable), input)
  if (withoutContent.includes(callable.name)) await expect(asked).rejects.toMatchObject({ name: 'AppError' })
  const text = JSON.stringify([input, await asked.catch(() => null)])
  return { written: [...tables.written].toSorted(), read: [...tables.read].toSorted(), text }
}

/** Whether a text names a row of the organization by its id. */
async function namesRowOf(table: string, text: string): Promise<boolean> {
  const { rows } = await caller.transaction((tx) =>
    sql<{ id: string }>`select id::text as id from ${sql.table(table)}`.execute(tx),
  )
  return rows.some(({ id }) => text.includes(JSON.stringify(id)))
}

describe('a read leaves nothing behind, and declares what it is made of', () => {
  test.each(reads.map((callable) => ({ callable, name: callable.name })))('$name', async ({ callable }) => {
    const jobs = world.enqueued.length
    const before = await rowCounts()
    const { written, read: tables, text } = await read(callable)
    expect(written).toEqual(marks[callable.name]?.tables ?? [])
    const declared: readonly string[] = [...(callable.topics ?? []), ...(callable.rowTopics ?? [])]
    if (!(callable.name in asOfAsking))
      expect(tables.filter((table) => isLiveTopic(table) && !declared.includes(table))).toEqual([])
    // else a change of such a row would never be asked for
    const rowTopics = namedInQuestions.includes(callable.name) ? [] : (callable.rowTopics ?? [])
    for (const table of rowTopics) expect([table, await namesRowOf(table, text)]).toEqual([table, true])
    if (written.length > 0) return
    expect(world.enqueued.length).toBe(jobs)
    expect(await rowCounts()).toBe(before)
  })
})

test('only what is as of the moment of asking declares no topics', () => {
  const without = reads.filter(({ topics = [], rowTopics = [] }) => topics.length + rowTopics.length === 0)
  expect(without.map(({ name }) => name).toSorted()).toEqual(Object.keys(asOfAsking).toSorted())
})

test('what leaves a mark is a read, with a reason', () => {
  for (const [name, { why }] of Object.entries(marks)) {
    expect(reads.map((callable) => callable.name)).toContain(name)
    expect(why).not.toBe('')
  }
})
