import { expect, test } from 'vitest'
import { csvText } from './csv-text.ts'

test('a file for spreadsheets has a byte order mark, quotes what needs it, and no cell that is run as a formula', () => {
  expect(
    csvText([
      ['Name', 'State'],
      ['Nadia "Nan", guide', '=1+1'],
      ['', 'two\nlines'],
    ]),
  ).toBe('\uFEFFName,State\r\n"Nadia ""Nan"", guide",\'=1+1\r\n,"two\nlines"\r\n')
})
