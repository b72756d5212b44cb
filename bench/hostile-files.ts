import { plainRows, workbook, xml } from '../apps/server/testing/workbooks.ts'

// Files by hand that take as much as the limits allow, or look as if they would end somewhere.

const millions = 1_000_000

const strings = (inner: string): Uint8Array =>
  workbook(plainRows, { 'xl/sharedStrings.xml': [xml(inner), { level: 9 }] })

export function hostileFiles(): Uint8Array[] {
  return [
    // packed a thousandfold
    strings(`<sst>${'<si/>'.repeat(3.9 * millions)}</sst>`),
    strings(`<sst>${'<a/>'.repeat(5 * millions)}</sst>`),
    strings('<a>'.repeat(3 * millions)),
    strings(`<!DOCTYPE sst [${'<!ENTITY l "lol">'.repeat(50_000)}]><sst><si><t>&l;</t></si></sst>`),
    workbook(plainRows, { 'xl/styles.xml': [xml(`<styleSheet><a b="${'x'.repeat(30 * millions)}`), { level: 9 }] }),
    // a million empty cells, and as many empty rows
    workbook(plainRows + `<row>${'<c s="1"/>'.repeat(16_384)}</row>`.repeat(61)),
    workbook(plainRows + '<row/>'.repeat(millions)),
    // one long text in each of very many cells
    workbook(`<row>${'<c t="s"><v>0</v></c>'.repeat(190)}</row>`.repeat(200), {
      'xl/sharedStrings.xml': xml(`<sst><si><t>${'x'.repeat(30_000)}</t></si></sst>`),
    }),
    Buffer.from(`Name\nOkafor${'\n'.repeat(millions)}`),
    Buffer.from(`Name\n"${'x\n'.repeat(4 * millions)}`),
    Buffer.from(`Name\n${','.repeat(15 * millions)}`),
    Buffer.from(`Name,Born\n${`${','.repeat(250_000)}\n`.repeat(40)}`),
    // one record, since its line breaks are quoted
    Buffer.from(`Name,Born\n${`,"\n"${','.repeat(64_000)}`.repeat(800)}`),
    // what begins like a date, a person or a number in every cell
    Buffer.from(`${'a;'.repeat(199)}a\n${`${'mar. 3 mars 2026 x;'.repeat(199)}1\n`.repeat(3_000)}`),
    Buffer.alloc(8 * millions, Buffer.from([0xd5, 0xc5])),
    Buffer.alloc(8 * millions, Buffer.from([0xd5, 0xc5, 0x3b, 0x0a])),
  ]
}
