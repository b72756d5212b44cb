import type { ImportColumn } from '@tour-ops/contract/imports/import-batch'
import type { ImportField, ImportMapping } from '@tour-ops/contract/imports/import-mapping'
import { dayOfNumber, timeOfFraction } from './day-numbers.ts'
import type { ColumnAnalysis, FileAnalysis, FileSamples } from './file-analysis.ts'
import type { NumbersOfFile } from './read-context.ts'
import { fieldOf } from './sensitive-columns.ts'

export const dateFields: ReadonlySet<ImportField> = new Set([
  'changed_at',
  'date_of_birth',
  'passport_expiry',
  'start_local',
])
const timeFields: ReadonlySet<ImportField> = new Set(['pickup_time', 'start_time'])

type MappingOfNumbers = Pick<ImportMapping, 'columns' | 'dayNumbers'>

/** Whether the times of a column are parts of a day: with two digits they might be hours and minutes with a point. */
const isOfFractions = ({ numbers }: ColumnAnalysis): boolean =>
  numbers !== undefined && (numbers.onlyFractions > 0 || (numbers.fractions > 0 && !numbers.hasClock))

const readingOf = ({ epoch }: FileAnalysis, { dayNumbers }: MappingOfNumbers): '1900' | '1904' | 'refuse' =>
  dayNumbers ?? (epoch === 1904 ? '1904' : '1900')

/** What numbers mean in the dates and times of a file. */
export function numbersOf(analysis: FileAnalysis, mapping: MappingOfNumbers): NumbersOfFile {
  const reading = readingOf(analysis, mapping)
  return {
    epoch: reading === 'refuse' ? null : reading === '1904' ? 1904 : 1900,
    fractions: new Set(analysis.columns.filter(isOfFractions).map(({ header }) => header)),
  }
}

/** Stand for values that are not shown. */
const hiddenDay = '36526'
const hiddenFraction = '0.375'

/** What a person is told about numbers in a column of dates or times. */
export function describeNumbers(
  { analysis, mapping }: { readonly analysis: FileAnalysis; readonly mapping: MappingOfNumbers },
  column: ColumnAnalysis,
  samples: FileSamples['columns'][number] | undefined,
  isHidden: boolean,
): ImportColumn['dayNumbers'] {
  const field = fieldOf(mapping, column.header)
  const { days = 0, fractions = 0 } = column.numbers ?? {}
  const reading = readingOf(analysis, mapping)
  if (field !== undefined && dateFields.has(field) && days > 0) {
    const example = (isHidden ? null : samples?.dayExample) ?? hiddenDay
    const dayOf = (epoch: 1900 | 1904): string => dayOfNumber(example, epoch)?.date ?? ''
    return { cells: days, example, since1900: dayOf(1900), since1904: dayOf(1904), reading }
  }
  if (field !== undefined && timeFields.has(field) && isOfFractions(column)) {
    const example = (isHidden ? null : samples?.fractionExample) ?? hiddenFraction
    const time = timeOfFraction(example) ?? ''
    return { cells: fractions, example, since1900: time, since1904: time, reading }
  }
  return null
}
