import { expect, test } from 'vitest'
import { sheetWithTable } from './choose-sheet.ts'
import type { TableRow } from './file-table.ts'
import { bodyOf, headerAmong, headerRowsAmong, joinedHeader, type TablePlace } from './table-place.ts'

/** Rows of `a|b|c`; an empty text is a line without a record. */
const table = (...lines: string[]): TableRow[] =>
  lines.flatMap((text, index) => (text === '' ? [] : [{ line: index + 1, cells: text.split('|') }]))

const headerLine = (...lines: string[]): number => {
  const rows = table(...lines)
  return rows[headerAmong(rows)]?.line ?? 0
}

async function bodyLines(rows: readonly TableRow[], place?: TablePlace) {
  const leftOut: [number, string][] = []
  const lines: number[] = []
  const records = (async function* () {
    yield* rows
  })()
  const note = (row: TableRow, reason: string) => leftOut.push([row.line, reason])
  for await (const { line } of bodyOf(records, place, undefined, note)) lines.push(line)
  return { lines, leftOut }
}

const header = 'Booking ref|First name|Last name|Seats'

test('a header in the first line is the header, known words or not', () => {
  expect(headerLine(header, 'A-1|Ana|Ruiz|2')).toBe(1)
  expect(headerLine('Qwe|Rty|Uio', '1|2|3', '4|5|6')).toBe(1)
  expect(headerLine('Name', 'Ana Ruiz')).toBe(1)
  expect(headerLine('Name', '')).toBe(1)
  // nothing tells that the first line is a row
  expect(headerLine('A-1|Ana|Ruiz|2', 'A-2|Ben|Sol|1')).toBe(1)
})

test('titles above the header are no header, also when they use its words', () => {
  expect(headerLine('Golden Circle', '', 'Printed 12.11.2026|by Íris', header, 'A-1|Ana|Ruiz|2')).toBe(4)
  expect(headerLine('Tour|Golden Circle|Date|21.11.2026', header, 'A-1|Ana|Ruiz|2')).toBe(2)
  expect(headerLine('Guests|||', header, 'A-1|Ana|Ruiz|2', 'A-2|Ben|Sol|1')).toBe(2)
  expect(headerLine('Report', 'Qwe|Rty|Uio', '1|2|3', '4|5|6')).toBe(2)
})

test('rows with words of a header far down are rows', () => {
  const rows = Array.from({ length: 10 }, (_, index) => `x${index}|Ana|Ruiz|y`)
  expect(headerLine('Qwe|Rty|Uio|Pas', ...rows, 'Hotel|Land|Start|Tour')).toBe(1)
})

test('repeated headers and totals at the end are left out with their lines; totals between rows are rows', async () => {
  const rows = table(
    'Title',
    header,
    'A-1|Ana|Ruiz|2',
    header,
    'Total|||9',
    'A-2|Ben|Sol|1',
    'Total||EUR 40|3',
    'Grand total: 3',
  )
  expect(await bodyLines(rows, { headerLine: 2, lastLine: null })).toEqual({
    lines: [3, 5, 6],
    leftOut: [
      [1, 'title'],
      [4, 'repeated_header'],
      [7, 'total'],
      [8, 'total'],
    ],
  })
})

test.each(['Summe|||12', 'Gesamt||1.234,50 €|12', 'Total general|||9', 'Total guests: 12|||', 'TOTALS|12|30.00|'])(
  'a row of totals is known in three languages: %s',
  async (total) => {
    const { lines, leftOut } = await bodyLines(table(header, 'A-1|Ana|Ruiz|2', total), {
      headerLine: 1,
      lastLine: null,
    })
    expect([lines, leftOut]).toEqual([[2], [[3, 'total']]])
  },
)

test.each(['Total|Recall|Ruiz|2', 'Summers|||1', 'Gesa|||3', 'A-3|Total|Sum|1'])(
  'a guest is no total: %s',
  async (guest) => {
    const { lines } = await bodyLines(table(header, 'A-1|Ana|Ruiz|2', guest), { headerLine: 1, lastLine: null })
    expect(lines).toEqual([2, 3])
  },
)

test('a last line that a person chose is the last one, and takes in what looks like a total', async () => {
  const rows = table(header, 'A-1|Ana|Ruiz|2', 'Total|||2', 'A-3|Eva|Lind|1')
  expect((await bodyLines(rows, { headerLine: 1, lastLine: 3 })).lines).toEqual([2, 3])
  expect((await bodyLines(rows, { headerLine: 1, lastLine: 9 })).lines).toEqual([2, 3, 4])
})

test('files that an older version analysed are read as they were: the first record is the header, everything else a row', async () => {
  const rows = table('Title', header, header, 'Total|||2')
  expect((await bodyLines(rows)).lines).toEqual([2, 3, 4])
})

test('of several sheets the one whose header names the most fields is taken, a hidden one only when no visible one does', () => {
  const guests = table(header, 'A-1|Ana|Ruiz|2')
  const notes = table('How to use this file', 'Call us')
  const sheet = (rows: TableRow[], isHidden = false) => ({ rows, isHidden })
  expect(sheetWithTable([sheet(notes), sheet(guests)])).toBe(1)
  expect(sheetWithTable([sheet(guests), sheet(notes)])).toBe(0)
  expect(sheetWithTable([sheet(guests, true), sheet(table('Ref|First name|Last name'))])).toBe(1)
  expect(sheetWithTable([sheet(notes), sheet(guests, true)])).toBe(1)
  expect(sheetWithTable([sheet([]), sheet(table('Title')), sheet(table('Qwe|Rty', '1|2'))])).toBe(2)
  expect(sheetWithTable([sheet([]), sheet(notes, true)])).toBe(1)
  expect(sheetWithTable([sheet([])])).toBe(0)
})

/** Lines of the header, and what it is when they are joined. */
function headerOf(rows: readonly TableRow[], across: Parameters<typeof headerRowsAmong>[1] = []) {
  const { place, rows: count } = headerRowsAmong(rows, across)
  const header = rows.slice(place, place + count)
  return { lines: header.map(({ line }) => line), header: joinedHeader(header, across).join('|') }
}

test('groups above the names of columns are part of the header where they tell columns apart', () => {
  expect(headerOf(table('Guest||Emergency contact|', 'Name|Phone|Name|Phone', 'Ana Ruiz|1|Ben Ruiz|2'))).toEqual({
    lines: [1, 2],
    header: 'Guest Name|Guest Phone|Emergency contact Name|Emergency contact Phone',
  })
  // columns of one row have their name in the first or in the second
  expect(headerOf(table('Booking ref|Date|Guest||Seats', '||Name|Phone|', 'A-1|3.3.2031|Ana Ruiz|1|2'))).toEqual({
    lines: [1, 2],
    header: 'Booking ref|Date|Guest Name|Guest Phone|Seats',
  })
})

test('cells that are merged over columns say which columns a group has', () => {
  const rows = table('Tour||Guest||', 'Booking ref|Date|Name|Phone|Notes', 'A-1|3.3.2031|Ana Ruiz|1|2')
  expect(headerOf(rows).lines).toEqual([2])
  const across = [
    { line: 1, column: 0, lastColumn: 1 },
    { line: 1, column: 2, lastColumn: 3 },
  ]
  expect(headerOf(rows, across)).toEqual({
    lines: [1, 2],
    header: 'Tour Booking ref|Tour Date|Guest Name|Guest Phone|Notes',
  })
})

test('titles above a header and rows below it are none of its rows', () => {
  const whole = [{ line: 1, column: 0, lastColumn: 3 }]
  expect(headerOf(table('Golden Circle|||', header, 'A-1|Ana|Ruiz|2'), whole).lines).toEqual([2])
  expect(headerOf(table('Golden Circle|Guide: Anna||', header, 'A-1|Ana|Ruiz|2')).lines).toEqual([2])
  expect(headerOf(table('Tour|Golden Circle|Date|21.11.2026', header, 'A-1|Ana|Ruiz|2')).lines).toEqual([2])
  expect(headerOf(table(header, 'A-B|Ana|Ruiz|two', 'A-C|Ben|Sol|one')).lines).toEqual([1])
  expect(headerOf(table(header, '|Ana|Ruiz|', 'A-C|Ben|Sol|one')).lines).toEqual([1])
})

test('a header of two rows that is repeated on each page is left out, row by row', async () => {
  const rows = table(
    'Guest||Hotel',
    'First|Last|Name',
    'Ana|Ruiz|Saga',
    'Guest||Hotel',
    'First|Last|Name',
    'Ben|Sol|Edda',
  )
  expect(await bodyLines(rows, { headerLine: 1, headerRows: 2, lastLine: null })).toEqual({
    lines: [3, 6],
    leftOut: [
      [4, 'repeated_header'],
      [5, 'repeated_header'],
    ],
  })
})
