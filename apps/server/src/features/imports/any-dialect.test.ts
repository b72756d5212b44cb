import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Random, seededRandom } from '../../../seed/random.ts'
import { importDesk, type Importer, type TestDeparture } from '../../../testing/imports.ts'
import { testDatabase, type TestWorld } from '../../../testing/world.ts'

// Files whose seats are known, written in any of the ways in which exports are: a line for each guest or for each booking, guests by name, by number,
// by column or in words, in five languages, with any separator. `DIALECTS=500 DIALECTS_SEED=7` tries more, or others.

const count = Number(process.env['DIALECTS'] ?? 40)
const firstSeed = Number(process.env['DIALECTS_SEED'] ?? 1)

let world: TestWorld
beforeAll(async () => {
  world = await testDatabase()
})
afterAll(() => world.close())

interface Order {
  readonly ref: string
  readonly guests: readonly string[]
  readonly family: string
}

const given = ['Amara', 'Jonas', 'Mehmet', 'Zoë', 'Renée', 'Ole', 'Lucía', 'Małgorzata']
const families = ['Okafor', 'Weber', 'Kaya', 'Nyström', 'Dąbrowska', 'Silva', 'Costa', 'Dubois', 'Rossi', 'Berg']

/** Orders of up to four guests, 18 in all at most; a family of a file has one order, so that nobody is taken for somebody else. */
function ordersOf(random: Random): Order[] {
  const from = random.between(0, families.length - 1)
  let left = 18
  return Array.from({ length: random.between(1, 6) }, (_, at): Order => {
    const size = Math.min(left - (6 - at), random.between(1, 4))
    left -= size
    const first = random.between(0, given.length - 1)
    return {
      ref: `R-${at + 1}`,
      family: families[(from + at) % families.length] ?? '',
      guests: Array.from({ length: size }, (_each, place) => given[(first + place) % given.length] ?? ''),
    }
  })
}

interface Words {
  readonly order: string
  readonly departure: string
  readonly name: string
  readonly first: string
  readonly last: string
  readonly adults: string
  readonly party: (adults: number) => string
}

const languages: readonly Words[] = [
  {
    order: 'Order no.',
    departure: 'Departure code',
    name: 'Name',
    first: 'First name',
    last: 'Last name',
    adults: 'Adults',
    party: (adults) => `${adults} ${adults === 1 ? 'Adult' : 'Adults'}`,
  },
  {
    order: 'Buchungsnummer',
    departure: 'Abfahrt',
    name: 'Name',
    first: 'Vorname',
    last: 'Nachname',
    adults: 'Erwachsene',
    party: (adults) => `${adults} Erwachsene`,
  },
  {
    order: 'Número de reserva',
    departure: 'Salida',
    name: 'Nombre completo',
    first: 'Nombre',
    last: 'Apellidos',
    adults: 'Adultos',
    party: (adults) => `${adults} Adultos`,
  },
]

type Row = Readonly<Record<string, string>>

/** How a kind of export writes an order: its lines, by column. */
type Dialect = (order: Order, words: Words, code: string) => Row[]

const head = ({ ref }: Order, words: Words, code: string): Row => ({ [words.order]: ref, [words.departure]: code })

const dialects: Readonly<Record<string, Dialect>> = {
  'a line for each guest': (order, words, code) =>
    order.guests.map((name) => ({
      ...head(order, words, code),
      [words.first]: name,
      [words.last]: order.family,
    })),
  'a line for each booking, guests in a column': (order, words, code) => [
    {
      ...head(order, words, code),
      [words.first]: order.guests[0] ?? '',
      [words.last]: order.family,
      [words.adults]: String(order.guests.length),
    },
  ],
  'a line for each booking, guests in words': (order, words, code) => [
    {
      ...head(order, words, code),
      [words.first]: order.guests[0] ?? '',
      [words.last]: order.family,
      Participants: words.party(order.guests.length),
    },
  ],
  'all names in one cell': (order, words, code) => [
    { ...head(order, words, code), [words.name]: order.guests.map((name) => `${name} ${order.family}`).join('; ') },
  ],
}

function fileOf(rows: readonly Row[], random: Random): string {
  const [first = {}] = rows
  const columns = Object.keys(first).toSorted(() => random.next() - 0.5)
  const separator = random.pick([';', ',', '\t', '|'])
  const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`
  const lines = [columns, ...rows.map((row) => columns.map((column) => row[column] ?? ''))]
  return lines.map((cells) => cells.map(quoted).join(separator)).join(random.pick(['\n', '\r\n']))
}

const written = async (importer: Importer): Promise<unknown> =>
  importer.look(
    (orgId) => sql<{ rows: number }>`
      select (select count(*)::int from bookings where org_id = ${orgId}) as bookings,
        (select count(*)::int from travelers where org_id = ${orgId}) as travelers,
        (select count(*)::int from manifest_entries where org_id = ${orgId}) as entries`,
  )

interface Desk {
  readonly importer: Importer
  readonly gold: TestDeparture
}

test.each(Object.keys(dialects))(
  `seats of a departure are those of the file, once however often it is applied, and none after its undo: %s`,
  async (name) => {
    const { importer, gold }: Desk = await importDesk(world)
    const dialect = dialects[name]
    if (!dialect) throw new Error(name)
    const empty = await written(importer)
    for (let at = 0; at < count; at += 1) {
      const random = seededRandom(firstSeed * 10_000 + at)
      const words = random.pick(languages)
      const orders = ordersOf(random)
      const rows = orders.flatMap((order) => dialect(order, words, gold.code))
      const content = fileOf(rows, random)
      const seats = orders.reduce((sum, { guests }) => sum + guests.length, 0)
      try {
        const checked = await importer.preview(await importer.upload(content))
        expect(await written(importer)).toEqual(empty)
        expect(checked.counts).toMatchObject({ reject: 0, add: rows.length, seats, bookings: orders.length })
        const applied = await importer.apply(checked)
        expect(await importer.seats(gold.id)).toBe(seats)
        const again = await importer.preview(await importer.upload(content))
        expect(again.counts).toMatchObject({ reject: 0, add: 0, change: 0, unchanged: rows.length, seats: 0 })
        expect(await importer.undo(applied)).toMatchObject({ status: 'undone', keptBecauseEdited: [] })
        expect(await importer.seats(gold.id)).toBe(0)
        expect(await written(importer)).toEqual(empty)
      } catch (error) {
        throw new Error(`file ${at} of seed ${firstSeed}\n${content}`, { cause: error })
      }
    }
  },
  600_000,
)
