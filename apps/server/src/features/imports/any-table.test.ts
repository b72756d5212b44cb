import { AppError } from '@tour-ops/contract/errors'
import type { ImportBatch } from '@tour-ops/contract/imports/import-batch'
import { importFields, type ImportMapping } from '@tour-ops/contract/imports/import-mapping'
import { importRows } from '@tour-ops/contract/imports/imports'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Random, seededRandom } from '../../../seed/random.ts'
import {
  addDeparture,
  addTour,
  importDesk,
  type Importer,
  type TestDeparture,
  verbOf,
} from '../../../testing/imports.ts'
import { testDatabase, type TestCaller, type TestWorld } from '../../../testing/world.ts'

// Tables nobody has thought of, from upload to undone. `TABLES=500 TABLES_SEED=7` tries more, or others.

const count = Number(process.env['TABLES'] ?? 60)
const firstSeed = Number(process.env['TABLES_SEED'] ?? 1)
/** Tables that go into one organization, one after the other: some stay, so that later ones meet what they made. */
const perOrganization = 10

let world: TestWorld
beforeAll(async () => {
  world = await testDatabase()
})
afterAll(() => world.close())

interface Desk {
  readonly who: TestCaller
  readonly importer: Importer
  readonly departures: readonly TestDeparture[]
}

async function openDesk(): Promise<Desk> {
  const { who, importer, gold } = await importDesk(world)
  const small = await addDeparture(who, { code: 'TINY-311121-0900', capacity: 5 })
  await addTour(who, { code: 'WHALE', name: 'Whale watching', capacity: 6, times: ['09:30'] })
  const trek = await addDeparture(who, { code: 'TREK-311121-0700', capacity: 9, days: 3 })
  return { who, importer, departures: [gold, small, trek] }
}

/** Cells under one header, as files have them: the first two are sound. */
const columns: readonly (readonly [string, readonly string[]])[] = [
  ['Order id', ['A-1', 'A-2', 'A-3', '']],
  ['Booking ref', ['', '', 'TOR-AAAAAA', 'TOR-BBBBBB', 'x', '']],
  ['Reseller', ['Viator', 'walk in', 'Fjord Sales', '']],
  ['Status', ['Confirmed', 'Confirmed', '', 'Cancelled', 'Storniert', 'Pending', 'No show', 'Parked']],
  ['Last change', ['2031-10-01 09:00', '2031-10-02 2:05 PM', '01.10.2031', '2031-10-01T09:00:00Z', 'soon', '']],
  ['Departure', ['GOLD-311121-0900', 'TINY-311121-0900', 'TREK-311121-0700', 'gold-311121-0900', 'NONE-1', '']],
  ['Tour', ['', 'WHALE', 'Golden Circle', 'golden circle (09:00)', 'Whale watching 14:00', 'Whales', '']],
  ['Date', ['21.11.2031', '2031-11-21', '11/21/2031 9:00 AM', '31.02.2031', '']],
  [
    'Name',
    [
      'Amara Okafor',
      'Weber, Jonas',
      'John & Mary Smith',
      'Mia Wolf; Leo Wolf',
      'García López, María José',
      'Q',
      'Smith & family',
      '',
    ],
  ],
  ['Vorname', ['Amara', 'Jonas', 'Li', '']],
  ['Nachname', ['Okafor', 'Weber', 'x'.repeat(90), '']],
  ['Participants', ['', '2 Adults', '2 Adults, 1 Child (8)', '4', '900', '2 Locals', 'Kinder: 1', '']],
  ['Adults', ['', '1', '2', '-', '0', 'two', '']],
  ['Children', ['1', '0', '']],
  ['Type', ['ADT', 'CHD', 'Senior', 'Martian', '']],
  ['Born', ['1989-07-04', '04/07/1989', '34', '0', '2190-01-01', '']],
  ['Nat.', ['GB', 'Germany', 'Atlantis', '']],
  ['Mobile', ['+44 7700 900181', '030 901820', '12', '']],
  ['Email', ['amara@example.com', 'JONAS@EXAMPLE.COM', 'at home', '']],
  ['Meal', ['vegan, no nuts', 'none', 'halal', '']],
  ['Medical note', ['Asthma', '']],
  ['Passport no', ['X 123-456', '']],
  ['Room', ['R1', 'R2', '']],
  ['Room type', ['TWN', 'DBL', 'Suite', '']],
  ['Hotel stop', ['City Hall', 'Harpa', 'Grand Plaza', '']],
  ['Stop time', ['8:20', '25:00', '']],
  ['Total', ['98.00', 'EUR 1.234,50', '-5', 'free', '']],
  ['Paid', ['10', '49,00', '']],
  ['Due', ['0', '12.5', '']],
  ['Currency', ['EUR', 'USD', 'XXZ', '']],
  ['Notes', ['Window seat', 'x'.repeat(2_500), '']],
  ['Internal', ['7', '']],
]

/** Cells that fit nowhere. */
const strange = [
  '',
  '0',
  '=1+1',
  "'; drop table bookings; --",
  '👩‍👩‍👧 Ωмега 張偉',
  '\u202Eevil',
  'null',
  '-1',
  '1e9',
  '99999999999999999999',
  '2031-11-21',
  'a\nb',
  'x'.repeat(400),
  '  spaces  ',
  '"quoted"',
  '; , | \t',
  '\u000B',
]

interface Table {
  readonly content: string
  /** Departures that are not there are made. */
  readonly createDepartures: boolean
  readonly mapping: Partial<ImportMapping>
}

function anyTable(random: Random): Table {
  // nearly all have what a booking needs, so that the deep ends are reached
  const chosen = columns.filter(([header]) =>
    random.chance(['Order id', 'Departure', 'Name'].includes(header) ? 0.85 : 0.3),
  )
  const namesTours = random.chance(0.45)
  for (const column of columns)
    if (namesTours && ['Tour', 'Date'].includes(column[0]) && !chosen.includes(column)) chosen.push(column)
  if (chosen.length === 0) chosen.push(['Order id', ['A-1']])
  const tidiness = 0.7 + 0.3 * random.next()
  const orders = random.between(2, 12)
  const cell = ([header, values]: (typeof columns)[number]): string => {
    if (random.chance((1 - tidiness) / 4)) return random.pick(strange)
    // some tables name no departure by its code
    if (namesTours && header === 'Departure') return ''
    if (!random.chance(tidiness)) return random.pick(values)
    if (namesTours && header === 'Tour') return random.pick(['WHALE', 'Whale watching 14:00'])
    if (header === 'Order id') return `A-${random.between(1, orders)}`
    return random.pick(values.slice(0, header === 'Name' ? 4 : 2))
  }
  const rows = Array.from({ length: random.between(1, 14) }, () => chosen.map(cell))
  const cut = rows.map((row) => (random.chance((1 - tidiness) / 10) ? [...row, random.pick(strange)] : row))
  const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`
  const content = [chosen.map(([header]) => header), ...cut].map((row) => row.map(quoted).join(';')).join('\r\n')
  const misled = chosen.filter(() => random.chance(0.05)).map(([header]) => [header, random.pick(importFields)])
  return {
    content,
    createDepartures: random.chance(0.6),
    mapping: {
      columns: Object.fromEntries(misled) as ImportMapping['columns'],
      amountsOf: random.pick(['booking', 'guest']),
      emptyCells: random.pick(['keep', 'keep', 'clear']),
      otherCurrency: random.pick(['refuse', 'accept']),
      repeatedLines: random.pick(['refuse', 'last']),
    },
  }
}

/** All that an import writes, without what says when a row was touched last. */
async function state({ importer }: Desk): Promise<Record<string, unknown>> {
  const stored: Record<string, unknown> = {}
  const tables = {
    bookings: sql`select to_jsonb(b) - '{version,updated_at,confirmed_at,search_text}'::text[] as row from bookings b`,
    travelers: sql`select to_jsonb(b) - '{version,updated_at,search_text,lifetime_tours,lifetime_last_at}'::text[] as row from travelers b`,
    traveler_private: sql`select to_jsonb(b) - '{version,updated_at}'::text[] as row from traveler_private b`,
    traveler_documents: sql`select to_jsonb(b) - '{version,updated_at}'::text[] as row from traveler_documents b`,
    manifest_entries: sql`select to_jsonb(b) - '{version,updated_at}'::text[] as row from manifest_entries b`,
    rooms: sql`select to_jsonb(b) - '{version,updated_at}'::text[] as row from rooms b`,
    room_assignments: sql`select to_jsonb(b) - '{created_at,updated_at,version}'::text[] as row from room_assignments b`,
    payments: sql`select to_jsonb(b) as row from payments b`,
    departures: sql`select to_jsonb(b) - '{version,updated_at,readiness}'::text[] as row from departures b`,
    departure_stops: sql`select to_jsonb(b) - '{version,updated_at}'::text[] as row from departure_stops b`,
  }
  for (const [name, select] of Object.entries(tables)) {
    const isLive = name === 'payments' ? sql`and voided_at is null` : sql``
    const rows = await importer.look((orgId) => sql<{ row: object }>`${select} where b.org_id = ${orgId} ${isLive}`)
    stored[name] = rows.map(({ row }) => JSON.stringify(row)).toSorted()
  }
  return stored
}

async function rowsOf({ who }: Desk, { id }: ImportBatch) {
  return (await who.call(verbOf(importRows), { id, size: 500 })).rows
}

/** A check with the answers that the screen asks for; undefined where the file cannot be imported, which is said with a reason. */
async function checked(desk: Desk, { content, mapping, createDepartures }: Table): Promise<ImportBatch | undefined> {
  try {
    const batch = await desk.importer.upload(content)
    const mapped = await desk.importer.map(batch, {
      ...mapping,
      columns: { ...batch.mapping.columns, ...mapping.columns },
      dateOrder: 'day_month_year',
      departureCode: batch.needsDeparture ? 'GOLD-311121-0900' : null,
    })
    return await desk.importer.preview(mapped, { createDepartures })
  } catch (error) {
    if (error instanceof AppError && error.code !== 'internal' && error.details.reason !== undefined) return undefined
    throw error
  }
}

async function requireAccounted(desk: Desk, batch: ImportBatch): Promise<void> {
  const rows = await rowsOf(desk, batch)
  const { counts } = batch
  expect(batch).toMatchObject({ status: 'previewed', error: null })
  expect(new Set(rows.map(({ line }) => line)).size).toBe(batch.rows)
  expect(rows.length).toBe(batch.rows)
  expect((counts?.add ?? 0) + (counts?.change ?? 0) + (counts?.unchanged ?? 0) + (counts?.reject ?? 0)).toBe(batch.rows)
  for (const { line, outcome, problems } of rows)
    expect([line, outcome === 'reject']).toEqual([line, problems.length > 0])
}

/** What the lines say that they wrote is there, and no departure has more guests than seats. */
async function requireWritten({ importer }: Desk, batch: ImportBatch): Promise<void> {
  expect(batch).toMatchObject({ status: 'applied', error: null })
  const missing = await importer.look(
    (orgId) => sql<{ line: number }>`
      select r.line from import_rows r cross join lateral (
        select r.manifest_entry_id as id union all select (m ->> 'entryId')::uuid from jsonb_array_elements(r.after #> '{write,more}') m) e
      where r.org_id = ${orgId} and r.batch_id = ${batch.id} and r.status in ('add', 'change')
        and (not exists (select from bookings b where b.org_id = r.org_id and b.id = r.booking_id)
          or e.id is not null and not exists (select from manifest_entries n where n.org_id = r.org_id and n.id = e.id
            and n.booking_id = r.booking_id))`,
  )
  expect(missing).toEqual([])
  const wrong = await importer.look(
    (orgId) => sql<{ code: string }>`
      select d.code from departures d where d.org_id = ${orgId} and (d.seats_confirmed + d.seats_held > d.capacity + d.overbook_limit
        or d.seats_confirmed <> coalesce((select sum(b.pax) from bookings b where b.org_id = d.org_id and b.departure_id = d.id
          and b.status in ('confirmed', 'completed')), 0))`,
  )
  expect(wrong).toEqual([])
}

type Rows = Awaited<ReturnType<typeof rowsOf>>

/** Nobody whom the file has brought is brought again, nor changed: applying it twice is applying it once. Lines that were rejected may fit by now: what they contradicted is stored. */
async function requireFound(desk: Desk, planned: Rows, again: ImportBatch | undefined): Promise<void> {
  if (!again) throw new Error('What was read once is read again')
  const taken = new Set(planned.flatMap(({ line, outcome }) => (outcome === 'reject' ? [] : [line])))
  const rows = (await rowsOf(desk, again)).filter(({ line }) => taken.has(line))
  expect(rows.filter(({ outcome }) => outcome === 'add' || outcome === 'change')).toEqual([])
}

test(`any table of ${count} is checked, applied, found again and undone without a line that is lost`, async () => {
  let desk = await openDesk()
  const seen = { refused: 0, applied: 0, undone: 0, lines: 0, departures: 0 }
  for (let at = 0; at < count; at += 1) {
    if (at % perOrganization === 0) desk = await openDesk()
    const random = seededRandom(firstSeed * 10_000 + at)
    const table = anyTable(random)
    const told = `table ${at} of seed ${firstSeed}\n${JSON.stringify(table.mapping)}\n${table.content}`
    try {
      const before = await state(desk)
      const batch = await checked(desk, table)
      expect(await state(desk)).toEqual(before)
      if (!batch) {
        seen.refused += 1
        continue
      }
      await requireAccounted(desk, batch)
      const planned = await rowsOf(desk, batch)
      seen.lines += batch.rows
      if ((batch.counts?.add ?? 0) + (batch.counts?.change ?? 0) === 0) continue
      const applied = await desk.importer.apply(batch)
      await requireWritten(desk, applied)
      seen.applied += 1
      if (batch.createDepartures) seen.departures += batch.newDepartures
      const again = await checked(desk, table)
      await requireFound(desk, planned, again)
      if (random.chance(0.35)) continue
      const undone = await desk.importer.undo(applied)
      expect(undone).toMatchObject({ status: 'undone', keptBecauseEdited: [], newDepartures: 0 })
      expect(await state(desk)).toEqual(before)
      seen.undone += 1
    } catch (error) {
      throw new Error(told, { cause: error })
    }
  }
  // most of them get that far: the property is about something
  expect(seen.applied).toBeGreaterThan(count / 3)
  expect(seen.undone).toBeGreaterThan(count / 5)
  expect(seen.lines).toBeGreaterThan(count * 3)
  expect(seen.departures).toBeGreaterThan(count / 20)
}, 600_000)
