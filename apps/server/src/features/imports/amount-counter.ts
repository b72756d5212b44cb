import type { ImportField } from '@tour-ops/contract/imports/import-mapping'
import { amountOf } from './amount-cells.ts'
import { fieldOfHeader, type Guess } from './import-headers.ts'

/** What the lines of parties say in a column of amounts; parties of one line, and those without an amount, say nothing. */
export interface PartyAmounts {
  /** Parties whose lines all have the same amount. */
  readonly equal: number
  /** Parties with different amounts. */
  readonly differing: number
  /** Parties of which one line has an amount. */
  readonly single: number
  /** Another column whose amounts add up to this one, which is the same on each line, in all those parties. */
  readonly sumOf: string | null
}

/** Amounts by parties, that is lines of one reference that are next to each other. */
export interface AmountsOfFile {
  /** Header of the column with the reference. */
  readonly reference: string
  /** By header. */
  readonly columns: Readonly<Record<string, PartyAmounts>>
}

export const moneyFields: readonly ImportField[] = ['total', 'paid', 'balance']

/** Columns that are looked at: those of amounts, and unknown ones, which may be prices. */
const maxColumns = 20
/** Lines of a party that are compared. */
const maxLines = 500

interface Seen {
  readonly header: string
  readonly index: number
  equal: number
  differing: number
  single: number
  /** Headers of columns that have added up so far; undefined before the first party that could tell. */
  sums: ReadonlySet<string> | undefined
}

/** Counts while a file is read what its parties say in columns of amounts. */
export class AmountCounter {
  readonly #reference: number
  readonly #header: string
  readonly #columns: readonly Seen[]
  #party = ''
  #lines: (readonly (number | undefined)[])[] = []

  constructor(headers: readonly string[], { columns }: Guess) {
    const header = headers.find((each) => columns[each] === 'booking_ref' || columns[each] === 'external_ref')
    this.#header = header ?? ''
    this.#reference = header === undefined ? -1 : headers.indexOf(header)
    this.#columns = headers
      .flatMap((each, index) => {
        const field = columns[each] ?? fieldOfHeader(each)
        const isPossible = field === undefined || moneyFields.includes(field)
        return isPossible ? [{ header: each, index, equal: 0, differing: 0, single: 0, sums: undefined }] : []
      })
      .slice(0, maxColumns)
  }

  see(cells: readonly string[]): void {
    if (this.#reference < 0) return
    const party = (cells[this.#reference] ?? '').trim()
    if (party !== this.#party) this.#close()
    this.#party = party
    if (party === '' || this.#lines.length === maxLines) return
    this.#lines.push(this.#columns.map(({ index }) => minorIn(cells[index] ?? '')))
  }

  result(): AmountsOfFile | null {
    this.#close()
    if (this.#reference < 0) return null
    const told = this.#columns.filter(({ equal, differing, single }) => equal + differing + single > 0)
    const columns = told.map(({ header, equal, differing, single, sums }): [string, PartyAmounts] => [
      header,
      { equal, differing, single, sumOf: [...(sums ?? [])][0] ?? null },
    ])
    return { reference: this.#header, columns: Object.fromEntries(columns) }
  }

  #close(): void {
    const lines = this.#lines
    this.#lines = []
    if (lines.length < 2) return
    const sums = this.#columns.map((_, place) => sum(lines.map((line) => line[place])))
    for (const [place, column] of this.#columns.entries()) {
      const said = lines.flatMap((line) => line[place] ?? [])
      const [first] = said
      if (first === undefined || said.every((amount) => amount === 0)) continue
      if (said.length === 1) column.single += 1
      else if (said.some((amount) => amount !== first)) column.differing += 1
      else if (said.length === lines.length) {
        column.equal += 1
        const added = this.#columns.filter((other, at) => other !== column && sums[at] === first)
        column.sums = new Set(
          added.map(({ header }) => header).filter((header) => column.sums === undefined || column.sums.has(header)),
        )
      }
    }
  }
}

/** Amounts with what they have behind the decimal mark as whole numbers, so that sums are exact. */
function minorIn(cell: string): number | undefined {
  const text = cell.trim()
  const amount = text === '' || text.length > 20 ? undefined : amountOf(text)
  return amount === undefined ? undefined : Math.round(Number(amount) * 10_000)
}

const sum = (amounts: readonly (number | undefined)[]): number | undefined =>
  amounts.reduce<number | undefined>(
    (all, amount) => (all === undefined || amount === undefined ? undefined : all + amount),
    0,
  )
