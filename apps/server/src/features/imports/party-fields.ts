import type { ImportField, ImportMapping } from '@tour-ops/contract/imports/import-mapping'
import { sumOf } from './party-text.ts'
import type { PartyFields } from './plan-booking.ts'
import type { Party, StagedRow } from './plan-types.ts'
import { rankOf } from './repeated-lines.ts'
import type { RowValues } from './row-values.ts'

type Key = 'units' | 'total' | 'sellerName' | 'pickupPlace' | 'pickupTime' | 'paid' | 'balance' | 'currency'

/** Fields of the booking that may be in any of its lines, with the field of the profile. */
const columns: Readonly<Record<Key, ImportField>> = {
  units: 'party',
  total: 'total',
  sellerName: 'channel',
  pickupPlace: 'pickup_place',
  pickupTime: 'pickup_time',
  paid: 'paid',
  balance: 'balance',
  currency: 'currency',
}

/** Values, or counts by kind. */
const isSame = (a: unknown, b: unknown): boolean => a === b || JSON.stringify(a) === JSON.stringify(b)

export type MappingOfParty = Pick<ImportMapping, 'amountsOf' | 'columns' | 'otherCurrency' | 'repeatedLines' | 'words'>

/** Two lines of one booking that say different things; a person has to decide which is right. */
export interface Disagreement {
  readonly row: StagedRow
  readonly with: StagedRow
  readonly field: ImportField
}

/** What the lines of a party say about their booking. */
export function partyFieldsOf(lines: Party, mapping: MappingOfParty): PartyFields | Disagreement {
  const { amountsOf, otherCurrency } = mapping
  const rows = amountsOf === 'guest' ? ofBooking(lines) : lines
  const [first] = rows
  const newest = newestFirst(rows, mapping)
  const said: Partial<Record<Key, RowValues[Key]>> = {}
  for (const key of Object.keys(columns) as Key[]) {
    const speaker = newest.find((row) => row.values[key] !== undefined && row.values[key] !== null) ?? first
    const value = speaker.values[key]
    const other = rows.find(
      (row) => row.values[key] && !isSame(row.values[key], value) && !isOlder(row, speaker, mapping),
    )
    if (other) return { row: other, with: speaker, field: columns[key] }
    if (value !== undefined) said[key] = value
  }
  return {
    ...(said as Partial<PartyFields>),
    ...notesOf(rows),
    otherCurrency,
    words: mapping.words,
    kept: rows.flatMap((row) => row.values.kept ?? []),
    first: first.values,
  }
}

/** Of lines that are not equally old, the newest speaks; otherwise the order is that of the file. */
function newestFirst(rows: Party, mapping: MappingOfParty): readonly StagedRow[] {
  const rank = rankOf(mapping)
  return rank ? rows.toSorted((a, b) => rank(b).localeCompare(rank(a))) : rows
}

function isOlder(row: StagedRow, than: StagedRow, mapping: MappingOfParty): boolean {
  const rank = rankOf(mapping)
  return rank !== undefined && rank(row) < rank(than)
}

/** Amounts of each guest as those of the booking: the sum, which all of its lines then say. A line counts for as many guests as it has. */
function ofBooking(rows: Party): Party {
  const sums: Pick<RowValues, 'total' | 'paid' | 'balance'> = {}
  for (const key of ['total', 'paid', 'balance'] as const) {
    const said = rows.filter(({ values }) => values[key] !== undefined)
    if (said.length === 0) continue
    const sum = said.reduce((all, { values }) => all + Number(values[key]) * guestsIn(values), 0)
    sums[key] = sum.toFixed(4)
  }
  const [first, ...others] = rows
  const summed = (row: StagedRow): StagedRow => ({ ...row, values: { ...row.values, ...sums } })
  return [summed(first), ...others.map(summed)]
}

/** As many as it counts, or names. */
const guestsIn = ({ units = {}, others = [] }: RowValues): number => Math.max(1 + others.length, sumOf(units))

/** Remarks are joined, each once. */
function notesOf(rows: readonly StagedRow[]): Pick<PartyFields, 'notes'> {
  if (rows.every((row) => row.values.notes === undefined)) return {}
  const notes = [...new Set(rows.flatMap((row) => row.values.notes ?? []))]
  return { notes: notes.length > 0 ? notes.join('\n').slice(0, 2000) : null }
}
