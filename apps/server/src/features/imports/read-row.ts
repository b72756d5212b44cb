import { withoutDirection } from '@tour-ops/contract/fields'
import { importFields, type ImportField } from '@tour-ops/contract/imports/import-mapping'
import { unguarded } from '@tour-ops/contract/formula-guard'
import type { UnitType } from '@tour-ops/contract/units'
import type { TableRow } from './file-table.ts'
import { problem, type Problem } from './import-problems.ts'
import { cellReaders, clearedBy } from './read-cells.ts'
import { UnreadCells } from './kept-cells.ts'
import { kindsOf, maxGuests, type PartyCounts, sumOf } from './party-text.ts'
import { fieldOf } from './sensitive-columns.ts'
import type { ReadContext, ReadRow } from './read-context.ts'
import { isReferenced, type RowValues } from './row-values.ts'

/** A column that goes somewhere. */
interface UsedColumn {
  readonly index: number
  readonly header: string
  readonly field: ImportField
}

/** Nationality is read before the phone, whose country it may decide; the rest in the order of the profile. */
const readingOrder: readonly ImportField[] = ['nationality', ...importFields.filter((field) => field !== 'nationality')]

/** Fields in which line breaks mean something. */
const withLines: ReadonlySet<ImportField> = new Set(['notes', 'medical_note', 'full_name'])

/** Makes the reader of lines for one file under one mapping. */
export function rowReader(headers: readonly string[], context: ReadContext): (row: TableRow) => ReadRow {
  const { emptyCells, departureCode } = context.mapping
  const used: UsedColumn[] = readingOrder.flatMap((field) =>
    headers.flatMap((header, index) => (fieldOf(context.mapping, header) === field ? [{ index, header, field }] : [])),
  )
  return ({ cells }) => {
    const values: RowValues = {}
    const problems: Problem[] = []
    const unread = new UnreadCells()
    if (departureCode !== null) values.departureCode = departureCode.toUpperCase()
    // trailing separators are common and harmless; text beyond the header is a line that was cut wrongly
    if (cells.slice(headers.length).some((cell) => cell.trim() !== '')) {
      problems.push(problem('cells_differ', null, { found: String(cells.length), expected: String(headers.length) }))
    }
    for (const { index, header, field } of used) {
      const cell = withoutDirection(cells[index] ?? '').trim()
      const text = withLines.has(field) ? cell : cell.replaceAll(/[\s\u00a0]+/g, ' ')
      if (text === '') {
        if (emptyCells === 'clear') clearedBy[field]?.(values)
        continue
      }
      const said = unguarded(text)
      const found = cellReaders[field]({ text: said, header, values, context })
      if (found && !unread.take({ field, header, text: said, problem: found })) problems.push(found)
    }
    if (saysMoney(values) && context.mapping.currency) values.currency ??= context.mapping.currency
    if (values.status === 'cancelled' && isReferenced(values)) return ofCancelled(values, problems)
    return { values: counted(unread.keepIn(named(values, problems)), problems), problems, warnings: unread.warnings }
  }
}

const saysMoney = ({ total, paid, balance }: RowValues): boolean => (total ?? paid ?? balance) !== undefined

/** Where a booking is cancelled only its reference counts; exports leave the rest of such a line empty. */
function ofCancelled(
  { status, changedAt, bookingRef, externalRef, channel, ...values }: RowValues,
  problems: Problem[],
): ReadRow {
  const { departureCode, firstName, lastName } = values
  const said = { status, changedAt, bookingRef, externalRef, channel, departureCode, firstName, lastName }
  return {
    values: Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined)),
    problems: problems.filter(({ code }) => code === 'cells_differ' || code === 'reference_invalid'),
    warnings: [],
  }
}

/** Somebody with one name has it as the last name. */
function named(values: RowValues, problems: Problem[]): RowValues {
  if (values.lastName) return values
  const { firstName, ...rest } = values
  if (!firstName) {
    if (isCounted(values)) return values
    problems.push(problem('name_missing'))
    return values
  }
  return { ...rest, lastName: firstName }
}

/** A party without any name is found again by its reference only. */
const isCounted = (values: RowValues): boolean =>
  (sumOf(values.units ?? {}) > 0 || (values.guests ?? 0) > 0) && isReferenced(values)

/**
 * How many guests the booking of the line has. Guests of no said kind are of that of the line, or adults. A line that counts only the
 * guest whom it names says what kind they are, and nothing about the others of the booking.
 */
function counted({ guests = 0, units: said, ...values }: RowValues, problems: Problem[]): RowValues {
  const saidKinds = said !== undefined && sumOf(said) > 0
  if (!saidKinds && guests === 0) return values
  const kind = (values.unitType ?? 'adult') as UnitType
  const units: PartyCounts = saidKinds ? said : { [kind]: guests }
  const total = sumOf(units)
  if (total > maxGuests) problems.push(problem('party_too_large', null, { max: String(maxGuests) }))
  if (total > 1 || values.lastName === undefined) return { ...values, units }
  const [only = kind] = kindsOf(units)
  return saidKinds ? { ...values, unitType: values.unitType ?? only } : values
}
