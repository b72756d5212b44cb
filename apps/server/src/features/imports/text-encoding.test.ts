import type { TextEncodingName } from '@tour-ops/contract/imports/import-reading'
import { expect, test } from 'vitest'
import { encoded } from '../../../testing/legacy-text.ts'
import { analyseFile } from './file-analysis.ts'
import type { OpenContent, TableRow } from './file-table.ts'
import { openCsv, type TextForm } from './read-csv.ts'
import { findEncoding } from './text-encoding.ts'

const inPieces =
  (content: Uint8Array, size = 7): OpenContent =>
  async () =>
    (async function* () {
      for (let at = 0; at < content.length; at += size) yield content.subarray(at, at + size)
    })()

const encodingOf = (content: Uint8Array, size?: number) => findEncoding(inPieces(content, size))

async function rowsOf(content: Uint8Array, form?: TextForm): Promise<string[][]> {
  const rows: TableRow[] = []
  for await (const row of (await openCsv(inPieces(content), form)).records()) rows.push(row)
  return rows.map(({ cells }) => [...cells])
}

/** Names as lists of guests have them, in the encodings that are guessed. */
const guests: Readonly<Partial<Record<TextEncodingName, readonly string[]>>> = {
  'windows-1252': [
    'Jürgen;Müller',
    'Zoë;Renée',
    'Åse;Nyström',
    'José;Peña',
    'Guðrún;Þórðardóttir',
    'João;Conceição',
    'Søren;Kjærgård',
    'François;Lefèvre',
    'Iñigo;Núñez',
    'MÜLLER;JÖRG',
    'Straße;5 €',
  ],
  'windows-1250': [
    'Łukasz;Wiśniewski',
    'Stanisław;Dąbrowski',
    'Jiří;Dvořák',
    'Ferenc;Kovács;Erdős',
    'Šárka;Čapková',
    'Ştefan;Ţepeş',
    'Željko;Đorđević',
    'ŁUKASZ;WIŚNIEWSKI',
  ],
  'iso-8859-2': ['Łukasz;Wiśniewski', 'Stanisław;Dąbrowski', 'Žofie;Nováková', 'Šárka;Čapková', 'Ľubomír;Ťažký'],
  'windows-1251': ['Иван;Петров', 'Мария;Иванова', 'Сергей;Кузнецов;Москва', 'ИВАН;ПЕТРОВ', 'Їжак;Олексій'],
  gb18030: ['张伟;北京', '王芳', '李娜;上海', '刘洋;广州市天河区', '陈静;素食', '姓名;电话;性别'],
  big5: ['張偉;台北', '王芳', '陳美玲;高雄', '林志明;素食', '姓名;電話;性別', '黃淑芬'],
  shift_jis: ['田中;太郎', '鈴木;花子', '佐藤;健', 'タナカ;タロウ', '氏名;電話', '渡辺;さくら'],
}
const listed = Object.entries(guests) as [TextEncodingName, readonly string[]][]

test.each(listed)(
  '%s is recognized by a few names, each of them alone and all of them together',
  async (encoding, names) => {
    for (const name of [...names, names.join('\r\n')]) {
      const content = encoded(`Name;Note\r\n${name}\r\n`, encoding)
      const found = await encodingOf(content)
      // where two encodings write it with the same bytes, either is right
      expect({ encoding, read: new TextDecoder(found).decode(content) }).toEqual({
        encoding,
        read: `Name;Note\r\n${name}\r\n`,
      })
    }
    expect(await encodingOf(encoded(names.join('\n'), encoding))).toBe(encoding)
  },
)

test('names far down in a large file decide as well as those at its beginning, wherever pieces end', async () => {
  const plain = Array.from({ length: 20_000 }, (_, index) => `Guest ${index};x`).join('\n')
  for (const [encoding, names] of listed) {
    const content = encoded(`${plain}\n${names.join('\n')}`, encoding)
    expect(await encodingOf(content, 1_000)).toBe(encoding)
  }
})

test('a line without end is no reason to read half of a character', async () => {
  const line = '张伟,北京市,'.repeat(1_000)
  expect(await encodingOf(encoded(line, 'gb18030'), 500)).toBe('gb18030')
})

test.each(['utf-16le', 'utf-16be'] as const)(
  '%s is recognized with and without its byte order mark',
  async (encoding) => {
    for (const mark of [true, false]) {
      const content = encoded('Name;Note\r\nŁukasz;张伟\r\nAnna;x\r\n', encoding, { mark })
      expect(await encodingOf(content, 1)).toBe(encoding)
      expect(await rowsOf(content)).toEqual([
        ['Name', 'Note'],
        ['Łukasz', '张伟'],
        ['Anna', 'x'],
      ])
    }
  },
)

test('what is UTF-8 in every byte is UTF-8, however it looks in statistics', async () => {
  for (const text of ['张伟,東京', 'Łukasz', 'é', 'plain', 'Ã¼ as it was garbled before', '']) {
    expect(await encodingOf(encoded(text, 'utf-8'))).toBe('utf-8')
    expect(await encodingOf(encoded(text, 'utf-8', { mark: true }), 1)).toBe('utf-8')
  }
})

test('UTF-8 that lost a byte stays UTF-8, and the damage is counted with its line', async () => {
  const lines = Array.from({ length: 40 }, () => 'Łukasz;Wiśniewski')
  const content = Buffer.concat([
    encoded(`Name;Note\n${lines.join('\n')}\nJi`, 'utf-8'),
    Buffer.from([0xc5]),
    encoded('í;x\n', 'utf-8'),
  ])
  const { analysis } = await analyseFile(await openCsv(inPieces(content)))
  expect(analysis).toMatchObject({ encoding: 'utf-8', unreadable: { cells: 1, line: 42 } })
})

test('read in an encoding that does not have its bytes, a file says in how many cells, and where first', async () => {
  const content = encoded('Name;Note\nJürgen;x\nJosé;ñ\n', 'windows-1252')
  const read = async (encoding: TextEncodingName) =>
    (await analyseFile(await openCsv(inPieces(content), { encoding, delimiter: null }))).analysis.unreadable
  expect(await read('windows-1252')).toEqual({ cells: 0, line: null })
  expect(await read('utf-8')).toEqual({ cells: 3, line: 2 })
  // bytes that single-byte encodings leave to control characters
  const quotes = encoded('Name\n“x”\n', 'windows-1252')
  const central = await analyseFile(await openCsv(inPieces(quotes), { encoding: 'iso-8859-2', delimiter: null }))
  expect(central.analysis.unreadable).toEqual({ cells: 1, line: 2 })
})

test('the first line with letters beyond A to Z is stored, by which the encoding is judged', async () => {
  const { samples } = await analyseFile(await openCsv(inPieces(encoded('Name\nAnna\nJürgen\nJosé\n', 'utf-8'))))
  expect(samples.foreign).toEqual({ line: 3, cells: ['Jürgen'], width: 1 })
  const plain = await analyseFile(await openCsv(inPieces(encoded('Name\nAnna\n', 'utf-8'))))
  expect(plain.samples.foreign).toBeNull()
})

test('characters of two halves are whole, wherever the parser gets its pieces', async () => {
  const name = `${'x'.repeat(4_090)}😀𠮷`
  for (const front of ['', 'y', 'yy', 'yyy', 'yyyy', 'yyyyy', 'yyyyyy']) {
    expect(await rowsOf(encoded(`${front}\n${name}\n`, 'utf-8'))).toContainEqual([name])
  }
})

test('the separator is the one that cuts lines alike, whatever titles and remarks hold', async () => {
  const delimiterOf = async (text: string, form?: TextForm) =>
    (await openCsv(inPieces(encoded(text, 'utf-8')), form)).delimiter
  expect(await delimiterOf('Name|Note|Seats\nAnna|a, b; c|2\n')).toBe('|')
  expect(await delimiterOf('Guests, rooms, meals, by day\n\nName;Seats\nAnna;2\nBen;1\n')).toBe(';')
  expect(await delimiterOf('Name;Paid\nAnna;12,50\nBen;1.000,00\n')).toBe(';')
  expect(await delimiterOf('Name,Note\n5" pipe,x;y\n3" pipe,z;w\n"q;q",v\n')).toBe(',')
  expect(await delimiterOf('sep=|\nName|Note\n')).toBe('|')
  expect(await delimiterOf('sep=|\nName|Note;x\n', { encoding: null, delimiter: ';' })).toBe(';')
  expect(await delimiterOf('Name\nAnna\n')).toBe(',')
  expect(await rowsOf(encoded('Name;Note\nA;b\n', 'utf-8'), { encoding: null, delimiter: '|' })).toEqual([
    ['Name;Note'],
    ['A;b'],
  ])
})
