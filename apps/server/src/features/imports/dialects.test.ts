import { readFileSync } from 'node:fs'
import type { ImportMapping } from '@tour-ops/contract/imports/import-mapping'
import { mapImport } from '@tour-ops/contract/imports/imports'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { newId } from '../../platform/ids.ts'
import { testDatabase, type TestCaller, type TestWorld } from '../../../testing/world.ts'
import { addDeparture, Importer, type TestDeparture, verbOf } from '../../../testing/imports.ts'

// Files as other systems write them, from upload to applied and undone. See fixtures/imports/README.md.

let world: TestWorld
let who: TestCaller
let importer: Importer
let morning: TestDeparture
let afternoon: TestDeparture
beforeAll(async () => {
  world = await testDatabase()
})
afterAll(() => world.close())
beforeEach(async () => {
  who = await world.as('operations_manager')
  importer = new Importer(world, who)
  morning = await addDeparture(who, { code: 'GOLD-311121-0900' })
  afternoon = await addAfternoon(morning)
})

/** The same tour in the afternoon, without pickups. */
function addAfternoon({ id }: TestDeparture): Promise<TestDeparture> {
  const later = { id: newId(), code: 'GOLD-311121-1400' }
  return who.transaction(async (tx) => {
    await sql`update tours set code = 'GOLD' where org_id = ${who.orgId}`.execute(tx)
    await sql`insert into departures (org_id, id, code, tour_id, revision_id, starts_at, ends_at, time_zone, local_date, local_start_time, capacity, sales_status)
      select org_id, ${later.id}, ${later.code}, tour_id, revision_id, starts_at + interval '5 hours', ends_at + interval '5 hours', time_zone, local_date,
        '14:00', capacity, sales_status from departures where org_id = ${who.orgId} and id = ${id}`.execute(tx)
    return later
  })
}

const fixture = (name: string): string =>
  readFileSync(new URL(`../../../fixtures/imports/${name}.csv`, import.meta.url), 'utf8')

interface Written {
  guest: string
  at: string
  pax: number
  total: number
  paid: number
  channel: string
  notes: string | null
}

const written = () =>
  importer.look(
    (orgId) => sql<Written>`
      select b.contact_name as guest, to_char(d.local_start_time, 'HH24:MI') as at, b.pax, b.amount_total_minor as total,
        b.amount_paid_minor as paid, b.channel, b.notes
      from bookings b join departures d on d.org_id = b.org_id and d.id = b.departure_id
      where b.org_id = ${orgId} order by b.contact_name`,
  )

interface Expected {
  readonly mapping?: Partial<ImportMapping>
  readonly counts: object
  readonly problems: readonly string[]
  readonly bookings: readonly Partial<Written>[]
  readonly seats: readonly [number, number]
}

const dialects: Record<string, Expected> = {
  bokun: {
    counts: { add: 2, reject: 1, unchanged: 1, bookings: 2, seats: 5, warned: 2 },
    problems: ['status_open'],
    bookings: [
      { guest: 'Amara Okafor', at: '09:00', pax: 3, total: 12300, paid: 12300, channel: 'direct' },
      {
        guest: 'Jonas Weber',
        at: '14:00',
        pax: 2,
        total: 9800,
        paid: 0,
        channel: 'ota',
        notes: 'Window seat\nRate: Small group\nPick-up: Grand Plaza Hotel',
      },
    ],
    seats: [3, 2],
  },
  rezdy: {
    counts: { add: 2, reject: 1, bookings: 2, seats: 6 },
    problems: ['status_open'],
    bookings: [
      { guest: 'Amara Okafor', at: '09:00', pax: 3, total: 12300, paid: 12300 },
      { guest: 'Jonas Weber', at: '14:00', pax: 3, total: 14700, paid: 10000, channel: 'agent', notes: 'Birthday' },
    ],
    seats: [3, 3],
  },
  fareharbor: {
    counts: { add: 2, reject: 0, unchanged: 1, bookings: 2, seats: 5, warned: 2 },
    problems: [],
    bookings: [
      { guest: 'Amara Okafor', at: '09:00', pax: 3, total: 12300, paid: 12300 },
      {
        guest: 'Jonas Weber',
        at: '14:00',
        pax: 2,
        total: 9800,
        paid: 5000,
        channel: 'agent',
        notes: 'Phone (Jonas Weber): (415) 555-0100',
      },
    ],
    seats: [3, 2],
  },
  viator: {
    mapping: { words: { '55120P1': 'GOLD' } },
    counts: { add: 2, reject: 0, unchanged: 1, bookings: 2, seats: 6, warned: 2 },
    problems: [],
    bookings: [
      { guest: 'Amara Okafor', at: '09:00', pax: 3, total: 2 * 4900 + 2500, paid: 0 },
      {
        guest: 'Jonas Weber',
        at: '14:00',
        pax: 3,
        total: 3 * 4900,
        notes: 'Vegetarian lunch\nTour grade: Afternoon 14:00\nPickup: I will contact the supplier later',
      },
    ],
    seats: [3, 3],
  },
  getyourguide: {
    counts: { add: 2, reject: 0, unchanged: 1, bookings: 2, seats: 5, warned: 1 },
    problems: [],
    bookings: [
      { guest: 'Amara Okafor', at: '09:00', pax: 3, notes: 'Option: Shared bus' },
      { guest: 'Jonas Weber', at: '14:00', pax: 2, notes: 'Option: Shared bus' },
    ],
    seats: [3, 2],
  },
}

test.each(Object.entries(dialects))(
  'a file of %s becomes bookings with its seats and sums, and is undone',
  async (name, expected) => {
    const batch = await importer.upload(fixture(name), `${name}.csv`)
    expect(batch.needsDeparture).toBe(false)
    const checked = await importer.preview(await importer.map(batch, expected.mapping ?? {}))
    const rows = await importer.rows(checked)
    expect(rows.flatMap(({ problems }) => problems.map(({ code }) => code))).toEqual(expected.problems)
    expect(checked.counts).toMatchObject(expected.counts)
    const applied = await importer.apply(checked)
    expect(await written()).toEqual(expected.bookings.map((booking) => expect.objectContaining(booking)))
    expect([await importer.seats(morning.id), await importer.seats(afternoon.id)]).toEqual(expected.seats)

    const again = await importer.preview(
      await importer.map(await importer.upload(fixture(name)), expected.mapping ?? {}),
    )
    expect(again.counts).toMatchObject({ add: 0, change: 0, seats: 0 })

    await importer.undo(applied)
    expect(await written()).toEqual([])
    expect([await importer.seats(morning.id), await importer.seats(afternoon.id)]).toEqual([0, 0])
  },
)

const inLanguages = {
  French: [
    'Référence;Statut;Circuit;Date de départ;Heure;Nom;Prénom;Courriel;Nb adultes;Nb enfants;Montant total;Payé;Devise;Remarques;Nationalité;Régime alimentaire',
    'F-1;Confirmée;GOLD;vendredi 21 novembre 2031;9h00;Moreau;Chloé;chloe@example.org;2;1;123,00;123,00;EUR;Fenêtre;Allemagne;Végétarienne',
    'F-2;Annulée;GOLD;21 nov. 2031;9h00;Petit;Léo;;2;0;98,00;0;EUR;;;',
  ],
  Italian: [
    'N. prenotazione;Stato;Escursione;Data di partenza;Ora;Cognome;Nome;Posta elettronica;Adulti;Bambini;Importo totale;Pagato;Valuta;Note;Nazionalità;Esigenze alimentari',
    'F-1;Confermata;GOLD;venerdì 21 novembre 2031;9:00;Moreau;Chloé;chloe@example.org;2;1;123,00;123,00;EUR;Fenêtre;Germania;Vegetariana',
    'F-2;Annullata;GOLD;ven 21 nov 2031;9:00;Petit;Léo;;2;0;98,00;0;EUR;;;',
  ],
}

test.each(Object.entries(inLanguages))(
  'a %s export is understood without a word from anybody, and is undone',
  async (_, lines) => {
    const batch = await importer.upload(lines.join('\n'))
    const headers = lines[0]?.split(';') ?? []
    expect(Object.keys(batch.mapping.columns)).toEqual(expect.arrayContaining(headers))
    const checked = await importer.preview(batch)
    expect(checked.counts).toMatchObject({ reject: 0, bookings: 1, seats: 3 })
    const applied = await importer.apply(checked)
    expect(await written()).toEqual([
      expect.objectContaining({
        guest: 'Chloé Moreau',
        at: '09:00',
        pax: 3,
        total: 12300,
        paid: 12300,
        notes: 'Fenêtre',
      }),
    ])
    expect(
      await importer.look((orgId) => sql`select nationality, dietary from travelers where org_id = ${orgId}`),
    ).toEqual([{ nationality: 'DE', dietary: ['vegetarian'] }])
    await importer.undo(applied)
    expect(await written()).toEqual([])
  },
)

test('a rooming list of Tourplan fills a departure of several days; ages make no birth dates', async () => {
  const trek = await addDeparture(who, { code: 'TREK-311121-0700', days: 3 })
  const batch = await importer.upload(fixture('tourplan'))
  expect(batch).toMatchObject({ preset: 'tourplan', needsDeparture: true, mapping: { dateOrder: 'day_month_year' } })
  const checked = await importer.preview(await importer.map(batch, { departureCode: trek.code }))
  expect(checked.counts).toMatchObject({ add: 4, reject: 0, bookings: 2, seats: 4, warned: 1 })
  const applied = await importer.apply(checked)
  const guests = await importer.guests()
  expect(guests.map(({ name, unitType, born }) => [name, unitType, born])).toEqual(
    expect.arrayContaining([
      ['Amara Okafor', 'adult', '1989-12-25'],
      ['Jonas Weber', 'adult', null],
      ['Mia Wolf', 'adult', null],
      ['Leo Wolf', 'child', '2022-07-04'],
    ]),
  )
  await importer.undo(applied)
  expect(await importer.guests()).toEqual([])
})

test('what a product of a seller is, is asked, remembered with the saved mapping, and several departures are named', async () => {
  const batch = await importer.upload(fixture('viator'))
  const product = batch.columns.find(({ header }) => header === 'Product code')
  expect(product).toMatchObject({ field: 'tour_code', knownWords: [], unknownWords: ['55120P1'] })
  const unanswered = await importer.preview(batch)
  expect((await importer.rows(unanswered)).map(({ problems }) => problems[0]?.code)).toEqual([
    'tour_unknown',
    'tour_unknown',
    undefined,
  ])
  const answered = await importer.map(unanswered, { words: { '55120P1': 'GOLD' } })
  expect(answered.columns.find(({ header }) => header === 'Product code')).toMatchObject({
    knownWords: [{ word: '55120P1', meaning: 'GOLD' }],
    unknownWords: [],
  })
  await who.call(verbOf(mapImport), {
    id: answered.id,
    version: answered.version,
    mapping: answered.mapping,
    saveAsTemplate: 'Viator',
  })
  const next = await importer.upload(fixture('viator').replace(/Morning 09:00|Afternoon 14:00/g, 'Bus'))
  expect(next).toMatchObject({ template: 'Viator', mapping: { words: { '55120P1': 'GOLD' } } })
  const rows = await importer.rows(await importer.preview(next))
  expect(rows[0]?.problems[0]).toMatchObject({
    code: 'departure_ambiguous',
    params: { fits: `${morning.code}, ${afternoon.code}` },
  })
})

test('where the file says no time and one departure of the tour is on that day, it is that one', async () => {
  await who.transaction((tx) =>
    sql`update departures set local_date = '2031-11-22', starts_at = starts_at + interval '1 day', ends_at = ends_at + interval '1 day'
      where org_id = ${who.orgId} and id = ${afternoon.id}`.execute(tx),
  )
  await importer.importFile(['Order id,Tour,Date,Name', 'T-1,golden circle,2031-11-21,Amara Okafor'].join('\n'))
  expect(await written()).toEqual([expect.objectContaining({ guest: 'Amara Okafor', at: '09:00' })])
})
