import { readdirSync, readFileSync } from 'node:fs'
import { unzipSync, zipSync } from 'fflate'
import { type Random, seededRandom } from '../seed/random.ts'
import { workbook } from './workbooks.ts'

const folder = new URL('../fixtures/imports/', import.meta.url)
const texts = readdirSync(folder)
  .filter((name) => name.endsWith('.csv'))
  .map((name) => readFileSync(new URL(name, folder)))

const cell = (value: string): string => `<c t="inlineStr"><is><t>${value}</t></is></c>`
const row = (line: number): string =>
  `<row r="${line}">${cell(`Guest ${line}`)}<c s="1"><v>4609${line % 10}</v></c><c><v>${line}</v></c><c><f>A1</f></c></row>`
const sheet = (lines: number): string =>
  `<row r="1">${['Name', 'Date', 'Adults', 'Notes'].map(cell).join('')}</row>${Array.from({ length: lines }, (_, index) => row(index + 2)).join('')}`
const workbooks = [workbook(sheet(3)), workbook(sheet(300))]

const good: readonly Uint8Array[] = [
  ...texts,
  ...texts.map((text) => Buffer.from(`\uFEFF${text.toString('utf8')}`, 'utf16le')),
  ...workbooks,
]

/** One of the ways in which files break, on the way or on purpose. */
function damage(bytes: Uint8Array, random: Random): Uint8Array {
  const at = (): number => random.between(0, Math.max(0, bytes.length - 1))
  const [from, to] = [at(), at()].toSorted((a, b) => a - b) as [number, number]
  const piece = bytes.subarray(from, to)
  const changed = Uint8Array.from(bytes)
  switch (random.between(0, 7)) {
    case 0:
      for (let flips = random.between(1, 30); flips > 0; flips -= 1) changed[at()] = random.between(0, 255)
      return changed
    case 1:
      return bytes.subarray(0, to)
    case 2:
      return Buffer.concat([bytes.subarray(0, from), bytes.subarray(to)])
    case 3:
      return Buffer.concat([
        bytes.subarray(0, to),
        ...Array.from({ length: random.between(1, 40) }, () => piece),
        bytes.subarray(to),
      ])
    case 4:
      return changed.fill(random.pick([0, 0x20, 0x22, 0x3c, 0xff]), from, to)
    case 5:
      return Buffer.concat([bytes.subarray(0, from), Buffer.from(random.pick(inserted)), bytes.subarray(from)])
    case 6:
      return Buffer.concat([bytes.subarray(0, to), random.pick(good)])
    default:
      return Uint8Array.from({ length: random.between(0, 4_000) }, () => random.between(0, 255))
  }
}

/** What means something to one of the readers. */
const inserted = [
  '"',
  '\u0000',
  '\r',
  '\n'.repeat(5_000),
  ','.repeat(3_000),
  ';'.repeat(199),
  '<row>'.repeat(2_000),
  '<c r="ZZZZZZ99999999999"><v>1e999</v></c>',
  '<v>',
  ']]>',
  '<!DOCTYPE x [<!ENTITY a "b">]>&a;',
  '&#x110000;',
  '<mergeCell ref="A1:XFD1048576"/>',
  '\u202E\uD800',
  'PK\u0003\u0004',
]

/** Half of the workbooks break in what is packed, where a changed byte would else only spoil the packing. */
function damaged(bytes: Uint8Array, random: Random): Uint8Array {
  if (!workbooks.includes(bytes) || random.chance(0.5)) return damage(bytes, random)
  const parts = unzipSync(bytes)
  const name = random.pick(Object.keys(parts))
  return zipSync({ ...parts, [name]: damage(parts[name] ?? new Uint8Array(), random) })
}

/** Good files for an import, damaged at random. */
export function damagedFiles(count: number, seed: number): Uint8Array[] {
  const random = seededRandom(seed)
  return Array.from({ length: count }, () => damaged(random.pick(good), random.fork()))
}
