import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { testDatabase, type TestWorld } from '../../../testing/world.ts'
import { importDesk, type Importer, type TestDeparture } from '../../../testing/imports.ts'

// Logs of changes: several lines of one reference, of which the newest counts.

let world: TestWorld
let importer: Importer
let gold: TestDeparture
beforeAll(async () => {
  world = await testDatabase()
})
afterAll(() => world.close())
beforeEach(async () => {
  ;({ importer, gold } = await importDesk(world))
})

const head = 'Order id;Status;Departure;Name;Adults;Paid;Last change'
const csv = (...lines: string[]) => [head, ...lines].join('\n')
const line = (ref: string, status: string, name: string, adults: string, paid: string, at: string) =>
  `${ref};${status};${gold.code};${name};${adults};${paid};${at}`

const bookings = () =>
  importer.look(
    (orgId) => sql<{ ref: string; pax: number; paid: number; named: number }>`
      select external_ref as ref, pax, amount_paid_minor as paid,
        (select count(*)::int from manifest_entries m where m.org_id = b.org_id and m.booking_id = b.id) as named
      from bookings b where org_id = ${orgId} order by external_ref`,
  )

const outcomes = async (content: string, mapping = {}) => {
  const checked = await importer.preview(await importer.map(await importer.upload(content), mapping))
  const rows = (await importer.rows(checked)).toSorted((a, b) => a.line - b.line)
  const said = rows.map((row) => [row.line, row.outcome, (row.problems[0] ?? row.warnings[0])?.code])
  return { checked, said, rows }
}

test('the line with the latest change counts, wherever it is in the file', async () => {
  const { checked, said, rows } = await outcomes(
    csv(
      line('A-1', 'Confirmed', 'Amara Okafor', '3', '50', '2031-10-02 2:05 PM'),
      line('A-1', 'Pending', 'Amara Okafor', '2', '0', '2031-10-02 09:00:00'),
      line('A-2', 'Confirmed', 'Jonas Weber', '2', '10', '2031-10-01 10:00:10'),
      line('A-2', 'Cancelled', 'Jonas Weber', '', '', '2031-10-01 10:00:09'),
    ),
  )
  expect(said).toEqual([
    [2, 'add', undefined],
    [3, 'unchanged', 'line_superseded'],
    [4, 'add', undefined],
    [5, 'unchanged', 'line_superseded'],
  ])
  expect(rows[1]?.warnings[0]).toMatchObject({ column: 'Last change', params: { line: '2' }, result: 'left_out' })
  expect(checked.counts).toMatchObject({ reject: 0, add: 2, seats: 5, warned: 2 })
  const applied = await importer.apply(checked)
  expect(await bookings()).toEqual([
    { ref: 'A-1', pax: 3, paid: 5000, named: 1 },
    { ref: 'A-2', pax: 2, paid: 1000, named: 1 },
  ])
  await importer.undo(applied)
  expect(await bookings()).toEqual([])
})

test('a booking whose newest line is cancelled is cancelled, also where that line names nobody', async () => {
  await importer.importFile(csv(line('B-1', 'Confirmed', 'Amara Okafor', '2', '', '2031-10-01 09:00')))
  const { said } = await outcomes(
    csv(
      line('B-1', 'Confirmed', 'Amara Okafor', '4', '', '2031-10-02 09:00'),
      line('B-1', 'Cancelled', '', '', '', '2031-10-03 09:00'),
      line('B-2', 'Cancelled', '', '', '', '2031-10-01 09:00'),
      line('B-2', 'Confirmed', 'Jonas Weber', '1', '', '2031-10-03 09:00'),
    ),
  )
  expect(said).toEqual([
    [2, 'unchanged', 'line_superseded'],
    [3, 'change', undefined],
    [4, 'unchanged', 'line_superseded'],
    [5, 'add', undefined],
  ])
})

test('a line for each guest stays a line for each guest; of the booking the newest line speaks', async () => {
  const applied = await importer.importFile(
    csv(
      line('C-1', '', 'Amara Okafor', '3', '20', '2031-10-01T09:00:00+02:00'),
      line('C-1', '', 'Jonas Weber', '4', '30', '2031-10-01T08:30:00Z'),
    ),
  )
  expect(applied.counts).toMatchObject({ add: 2, reject: 0, seats: 4 })
  expect(await bookings()).toEqual([{ ref: 'C-1', pax: 4, paid: 3000, named: 2 }])
})

test('lines of the same moment that contradict each other are refused, and a guest who is cancelled alone as well', async () => {
  const { said } = await outcomes(
    csv(
      line('D-1', '', 'Amara Okafor', '3', '', '2031-10-01 09:00'),
      line('D-1', '', 'Jonas Weber', '4', '', '2031-10-01 09:00'),
      line('D-2', 'Confirmed', 'Mia Wolf', '2', '', '2031-10-01 09:00'),
      line('D-2', 'Cancelled', 'Leo Wolf', '2', '', '2031-10-01 10:00'),
    ),
  )
  expect(said.map(([, outcome, code]) => [outcome, code])).toEqual([
    ['reject', 'same_party'],
    ['reject', 'party_disagrees'],
    ['reject', 'same_party'],
    ['reject', 'party_disagrees'],
  ])
})

test('without such a column nothing is decided in silence: the lines are refused until a person says that the last one counts', async () => {
  const content = [
    'Order id;Departure;Name;Adults',
    `E-1;${gold.code};Amara Okafor;2`,
    `E-1;${gold.code};Amara Okafor;3`,
  ].join('\n')
  expect((await outcomes(content)).checked.counts).toMatchObject({ reject: 2 })
  const { checked, said } = await outcomes(content, { repeatedLines: 'last' })
  expect(said).toEqual([
    [2, 'unchanged', 'line_superseded'],
    [3, 'add', undefined],
  ])
  await importer.apply(checked)
  expect(await bookings()).toEqual([expect.objectContaining({ ref: 'E-1', pax: 3, named: 1 })])
})

test('a moment that cannot be read is a warning, and its line is older than those that can be', async () => {
  const { said } = await outcomes(
    csv(
      line('F-1', '', 'Amara Okafor', '2', '', 'yesterday'),
      line('F-1', '', 'Amara Okafor', '3', '', '2031-10-01 09:00'),
      line('F-2', '', 'Jonas Weber', '1', '', 'yesterday'),
    ),
  )
  expect(said).toEqual([
    [2, 'unchanged', 'line_superseded'],
    [3, 'add', undefined],
    [4, 'add', 'date_unreadable'],
  ])
})
