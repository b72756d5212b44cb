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

test('only the wanted columns are written, in the wanted order, and unknown ones are left out', () => {
  const { csv, rows } = csvFile('guests', columns, [{ name: 'Ana', pax: 2 }], ['Pax', 'Name', 'Age'])
  expect(csv).toBe('\uFEFFPax,Name\r\n2,Ana\r\n')
  expect(rows).toBe(1)
})

test('a negative number is a number and no formula', () => {
  const { csv } = csvFile('delays', { Delay: (delay: string) => delay }, ['-12.5'])
  expect(csv).toContain('\r\n-12.5\r\n')
})
