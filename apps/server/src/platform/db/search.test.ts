import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { testDatabase, type TestCaller, type TestWorld } from '../../../testing/world.ts'
import { asOwnRole } from '../../../testing/own-role.ts'
import { insertRow, insertSamples, sampleRow, type Row, type Samples } from '../../../testing/sample-rows.ts'
import type { Tx } from './database.ts'

let world: TestWorld
let caller: TestCaller
let samples: Samples
beforeAll(async () => {
  world = await testDatabase()
  caller = await world.as('dispatcher')
  await caller.transaction(async (tx) => {
    samples = await insertSamples(tx, caller)
    for (const [index, person] of people.entries()) {
      const [first_name = '', last_name = '', nationality] = person.split('|')
      const row = {
        first_name,
        last_name,
        nationality,
        phone: `+3545550${index + 100}`,
        email: `guest${index}@example.org`,
      }
      await insertRow(tx, 'travelers', sampleRow('travelers', samples, row))
    }
  })
})
afterAll(() => world.close())

const people = [
  'José|García Márquez|ES',
  'Siobhán|O’Connor|IE',
  'Иван|Петров|BG',
  'Дарья|Иванова|BG',
  '小龙|李|CN',
  '美玲|王|CN',
  'محمد|الحسن|EG',
  'Ελένη|Παπαδοπούλου|GR',
  'Łukasz|Żółkiewski|PL',
  'Nguyễn|Ngọc Ánh|VN',
  'はなこ|さとう|JP',
  'Anna-Lena|Müller|DE',
  'Anna|Ärlig|SE',
  'Per_cent|50%|SE',
]

interface Search {
  q?: string
  filters?: object
  sort?: { by: string; descending?: boolean }[]
  limit?: number
  offset?: number
  /** With the role of callers with scope own; the caller otherwise. */
  guide?: TestCaller
}
async function search({ q = '', filters = {}, sort = [], limit = 50, offset = 0, guide }: Search): Promise<{
  total: number
  names: string[]
}> {
  const run = <T>(ask: (tx: Tx) => Promise<T>): Promise<T> =>
    guide ? asOwnRole(world, guide, ask) : caller.transaction(ask)
  return run(async (tx) => {
    const { rows } = await sql<{ total: number; names: string[] }>`
      select found.total, array(select t.first_name || '|' || t.last_name from unnest(found.ids) with ordinality as page (id, place)
        join travelers t on t.org_id = ${caller.orgId} and t.id = page.id order by page.place) as names
      from search_travelers(${q}, ${JSON.stringify(filters)}, ${JSON.stringify(sort)}, ${limit}, ${offset}) as found`.execute(
      tx,
    )
    return rows[0] ?? { total: -1, names: [] }
  })
}

test.each([
  ['jose garcia', 'José|García Márquez'],
  ['GARCÍA', 'José|García Márquez'],
  ['marquez jose', 'José|García Márquez'],
  ['o connor', 'Siobhán|O’Connor'],
  ["O'CONNOR", 'Siobhán|O’Connor'],
  ['петр', 'Иван|Петров'],
  ['ИВАН ПЕТРОВ', 'Иван|Петров'],
  ['李', '小龙|李'],
  ['龙', '小龙|李'],
  ['李小龙', '小龙|李'],
  ['王美', '美玲|王'],
  ['الحسن', 'محمد|الحسن'],
  ['مُحَمَّد', 'محمد|الحسن'],
  ['ελενη', 'Ελένη|Παπαδοπούλου'],
  ['zolk', 'Łukasz|Żółkiewski'],
  ['lukasz', 'Łukasz|Żółkiewski'],
  ['nguyen anh', 'Nguyễn|Ngọc Ánh'],
  ['さとう', 'はなこ|さとう'],
  ['mu', 'Anna-Lena|Müller'],
  ['lena mul', 'Anna-Lena|Müller'],
  ['anna-lena', 'Anna-Lena|Müller'],
  ['50%', 'Per_cent|50%'],
  ['r_c', 'Per_cent|50%'],
  ['+354 555-0106', 'محمد|الحسن'],
  ['00354 5550106', 'محمد|الحسن'],
  ['5550106', 'محمد|الحسن'],
  ['guest6@EXAMPLE', 'محمد|الحسن'],
])('%s finds %s and nobody else', async (q, name) => {
  expect(await search({ q })).toEqual({ total: 1, names: [name] })
})

test('words without a match find nobody, and signs alone find nobody', async () => {
  for (const q of ['jose petrov', 'zzzz', '_', '%', "'; drop table travelers; --"]) {
    expect(await search({ q })).toEqual({ total: 0, names: [] })
  }
})

test('a booking reference finds its people, in either case', async () => {
  const reference = String(samples.rows.get('bookings')?.['booking_ref'])
  expect(await search({ q: reference.toLowerCase() })).toEqual({ total: 1, names: ['Zoë|Østergaard'] })
})

describe('filters, order and pages', () => {
  test('names sort by the rules of languages, whatever the locale of the database', async () => {
    const { names } = await search({ filters: { nationality: ['DE', 'SE', 'ES', 'PL', 'IE'] } })
    expect(names.map((name) => name.split('|')[1])).toEqual([
      '50%',
      'Ärlig',
      'García Márquez',
      'Müller',
      'O’Connor',
      'Żółkiewski',
    ])
  })

  test('the total counts all pages, also behind the last', async () => {
    const everybody = people.length + 1
    const first = await search({ limit: 4 })
    const second = await search({ limit: 4, offset: 4 })
    expect([first.total, second.total, (await search({ offset: 99 })).total]).toEqual([everybody, everybody, everybody])
    expect(new Set([...first.names, ...second.names]).size).toBe(8)
  })

  test('an order can be turned round', async () => {
    const up = await search({ sort: [{ by: 'createdAt' }] })
    const down = await search({ sort: [{ by: 'createdAt', descending: true }] })
    expect(down.names).toEqual(up.names.toReversed())
  })

  test.each(['name', 'lastName', 'nationality', 'trip', 'toursTaken', 'createdAt'])(
    '%s is an order, with words and without',
    async (by) => {
      expect((await search({ sort: [{ by, descending: true }] })).total).toBe(people.length + 1)
      expect((await search({ q: 'anna', sort: [{ by }, { by: 'createdAt' }] })).total).toBe(2)
    },
  )

  test('who has a trip sorts before who has none', async () => {
    expect((await search({ sort: [{ by: 'trip', descending: true }] })).names[0]).toBe('Zoë|Østergaard')
  })

  const only = { total: 1, names: ['Zoë|Østergaard'] }
  test.each<[title: string, filters: () => object]>([
    ['departure', () => ({ departureId: [samples.id('departures')] })],
    ['tour', () => ({ tourId: [samples.id('tours')] })],
    ['days', () => ({ from: '2031-06-02', to: '2031-06-02' })],
    ['tour and days', () => ({ tourId: [samples.id('tours')], from: '2031-06-01' })],
    ['medical flag', () => ({ flag: ['medical'] })],
    ['one of several flags', () => ({ flag: ['vegan', 'medical'] })],
    ['missing data', () => ({ view: 'missing_data' })],
  ])('%s', async (_, filters) => {
    expect(await search({ filters: filters() })).toEqual(only)
  })

  test.each<[title: string, filters: object]>([
    ['on tour', { view: 'on_tour' }],
    ['arriving', { view: 'arriving' }],
    ['duplicates', { view: 'duplicates' }],
    ['language', { language: ['en'] }],
    ['tag', { tag: ['vip'] }],
    ['flag', { flag: ['vegan'] }],
    ['flags of documents', { flag: ['document_missing', 'document_expiring', 'possible_duplicate'] }],
    ['batch', { importBatchId: ['0197a000-0000-7000-8000-000000000000'] }],
    ['later days', { from: '2031-06-03' }],
  ])('%s holds nobody of the samples', async (_, filters) => {
    expect(await search({ filters })).toEqual({ total: 0, names: [] })
  })

  test('a guide finds the people of the own departures', async () => {
    const guide = await world.as('guide', { orgId: caller.orgId, staffId: samples.id('field_staff') })
    const other = await world.as('guide', { orgId: caller.orgId })
    expect((await search({ guide })).total).toBe(0)
    await caller.transaction((tx) => tx.updateTable('assignments').set({ status: 'accepted' }).execute())
    expect(await search({ guide })).toEqual(only)
    expect((await search({ guide, q: 'anna' })).total).toBe(0)
    expect((await search({ guide: other })).total).toBe(0)
  })

  test('counting gives the total of the list', async () => {
    const { rows } = await caller.transaction((tx) =>
      sql<{ counted: number }>`select count_travelers('{"nationality": ["SE"]}') as counted`.execute(tx),
    )
    expect(rows).toEqual([{ counted: 2 }])
  })
})

test('merged and archived people are not found', async () => {
  const gone: Row = { first_name: 'Gone', archived_at: new Date() }
  const merged: Row = { first_name: 'Gone', merged_into_id: samples.id('travelers') }
  await caller.transaction(async (tx) => {
    await insertRow(tx, 'travelers', sampleRow('travelers', samples, gone))
    await insertRow(tx, 'travelers', sampleRow('travelers', samples, merged))
  })
  expect((await search({ q: 'gone' })).total).toBe(0)
})

test('flags and similarity are returned by id', async () => {
  const id = samples.id('travelers')
  const { flags, similar } = await caller.transaction(async (tx) => ({
    flags: (await sql`select * from traveler_flags(array[${id}]::uuid[])`.execute(tx)).rows,
    similar: (
      await sql<Row>`select id, same_email, same_phone, name_similarity > 0.8 as alike
        from similar_travelers('Zoe Ostergaard', 'nobody@example.com', '+447700900123')`.execute(tx)
    ).rows,
  }))
  expect(flags).toEqual([{ traveler_id: id, flags: ['medical'] }])
  expect(similar).toEqual([{ id, same_email: false, same_phone: true, alike: true }])
})

test.each(['Hopper', 'hoppér gr', 'GYG-77', 'gyg-77g', '+44 7700 900777', 'grace@example'])(
  'a booking is found by %s',
  async (q) => {
    const more = { contact_name: 'Grace Hopper', contact_phone: '+447700900777', contact_email: 'grace@example.com' }
    const row = sampleRow('bookings', samples, { ...more, external_ref: `GYG-77${q}` })
    const { rows } = await caller.transaction(async (tx) => {
      await insertRow(tx, 'bookings', row)
      return sql<{ id: string }>`select id from search_bookings(${q})`.execute(tx)
    })
    expect(rows.map((hit) => hit.id)).toContain(row['id'])
  },
)
