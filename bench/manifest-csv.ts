import { workbook } from '../apps/server/testing/workbooks.ts'

// A manifest as another system exports it: quoted line breaks, half of the columns empty in many rows.

const header = [
  'Order no.',
  'Reseller',
  'Trip code',
  'Given name',
  'Family name',
  'Type',
  'Born',
  'Nat.',
  'Mobile',
  'E-mail',
  'Meal',
  'Language',
  'Passport number',
  'Passport expiry',
  'Paid',
  'Balance',
  'Notes',
]
const given = ['Amara', 'Jonas', 'Elsa', 'Wei', 'Mehmet', 'Ida', 'Nils', 'Lara', 'Jan', 'Åse']
const family = ['Okafor', 'Weber', 'Nyström', 'Zhang', 'Kaya', 'Sørensen', 'Conti', 'Novák']

/** Parties of two, an adult and a child, each with what they paid; every departure `GOLD-n` gets `perDeparture` guests. */
export function manifestCsv(rows: number, perDeparture: number): Buffer<ArrayBuffer> {
  const lines = [header.join(';')]
  for (let row = 0; row < rows; row += 1) lines.push(guest(row, perDeparture).map(quoted).join(';'))
  return Buffer.from(lines.join('\r\n'))
}

/** The same as a workbook. */
export function manifestXlsx(rows: number, perDeparture: number): Uint8Array {
  const lines = [header, ...Array.from({ length: rows }, (_, row) => guest(row, perDeparture))]
  return workbook(lines.map((cells) => `<row>${cells.map(cellOf).join('')}</row>`).join(''))
}

const cellOf = (text: string): string => `<c t="inlineStr"><is><t>${text}</t></is></c>`

function guest(row: number, perDeparture: number): string[] {
  const hasPassport = row % 4 === 0
  return [
    `FJ-${Math.floor(row / 2)}`,
    'fjordsales',
    `GOLD-${1 + Math.floor(row / perDeparture)}`,
    `${given[row % given.length]}${row % 977}`,
    family[row % family.length] ?? '',
    row % 2 === 0 ? 'ADT' : 'CHD',
    `19${50 + (row % 50)}-0${1 + (row % 9)}-1${row % 9}`,
    row % 3 === 0 ? 'DE' : 'GB',
    `+44770${String(1_000_000 + row).slice(-7)}`,
    `guest${row}@example.com`,
    row % 5 === 0 ? 'vegan, no nuts' : '',
    'en',
    hasPassport ? `X${1_000_000 + row}` : '',
    hasPassport ? '2033-05-05' : '',
    row % 2 === 0 ? '49.00' : '25.00',
    '0',
    row % 14 === 0 ? 'late "arrival"\nat night' : '',
  ]
}

const quoted = (cell: string): string => (/[;"\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)
