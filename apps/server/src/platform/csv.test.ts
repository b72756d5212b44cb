import { expect, test } from 'vitest'
import { csvFile } from './csv.ts'

const columns = {
  Name: (row: { name: string; pax: number }) => row.name,
  Pax: (row: { name: string; pax: number }) => row.pax,
}

test('a cell that looks like a formula stays text', () => {
  const { csv } = csvFile('guests', columns, [{ name: '=HYPERLINK("http://x")', pax: 2 }])
  expect(csv).toBe('\uFEFFName,Pax\r\n"\'=HYPERLINK(""http://x"")",2\r\n')
})

test('a header that looks like a formula stays text', () => {
  const { csv } = csvFile('rejected', { '=1+1': () => 'a' }, [{}])
  expect(csv).toBe("\uFEFF'=1+1\r\na\r\n")
})

test.each(['Age', 'constructor', 'toString', '__proto__'])(
  'a wanted column %s that is not there is refused',
  (column) => {
    expect(() => csvFile('guests', columns, [{ name: 'Ana', pax: 2 }], ['Name', column])).toThrow(
      expect.objectContaining({
        code: 'invalid-argument',
        details: expect.objectContaining({
          fieldIssues: { columns: [{ code: 'column_unknown', params: { column } }] },
        }),
      }),
    )
  },
)

test('only the wanted columns are written, in the wanted order', () => {
  const { csv, rows } = csvFile('guests', columns, [{ name: 'Ana', pax: 2 }], ['Pax', 'Name'])
  expect(csv).toBe('\uFEFFPax,Name\r\n2,Ana\r\n')
  expect(rows).toBe(1)
})

test('a negative number is a number and no formula', () => {
  const { csv } = csvFile('delays', { Delay: (delay: string) => delay }, ['-12.5'])
  expect(csv).toContain('\r\n-12.5\r\n')
})
