import type { Cell, CellReader } from './cell-reader.ts'
import { dayOfNumber, isDayNumber } from './day-numbers.ts'
import { readDate } from './import-dates.ts'
import { problem, type Problem } from './import-problems.ts'

/** Lowest year of birth. Source: schema, `traveler_private_birth_range`. */
const oldestBirth = '1900-01-01'

type ReadableDate = Exclude<ReturnType<typeof readDate>, { readonly problem: unknown }>

/** Reader of a column of dates. `years`: how far from now a year of two digits may be. */
const dated =
  (years: number, take: (date: ReadableDate, cell: Cell) => Problem | undefined): CellReader =>
  (cell) => {
    const { text, header, context } = cell
    const { epoch } = context.numbers
    const numbered = epoch === null || !isDayNumber(text) ? undefined : dayOfNumber(text, epoch)
    if (numbered) return take(numbered, cell)
    const read = readDate(text, context.mapping.dateOrder, Number(context.today.slice(0, 4)) + years)
    return 'problem' in read ? problem(read.problem, header, { value: text }) : take(read, cell)
  }

const birth = dated(0, ({ date }, { text, header, values, context }) => {
  if (date < oldestBirth || date > context.today) return problem('date_out_of_range', header, { value: text })
  values.dateOfBirth = date
  return undefined
})

export const dateOfBirth: CellReader = (cell) => {
  // rooming lists of Tourplan have ages there, and 0 for what is not known
  if (cell.text === '0') return undefined
  if (/^\d{1,3}$/.test(cell.text)) return problem('age_not_date', cell.header, { value: cell.text })
  return birth(cell)
}

export const passportExpiry = dated(20, ({ date }, { values }) => {
  values.passportExpiry = date
  return undefined
})

export const start = dated(50, ({ date, time }, { values }) => {
  values.startDate = date
  values.startTime = time ?? values.startTime ?? null
  return undefined
})

const written = dated(0, ({ date, time }, { text, values }) => {
  const [, seconds = '00'] = /\d[:.]\d{2}[:.](\d{2})/.exec(text) ?? []
  values.changedAt = `${date} ${time ?? '00:00'}:${seconds}`
  return undefined
})

/** When the line was changed last. Moments with their offset are compared as moments, others as the clock of the file has them. */
export const changedAt: CellReader = (cell) => {
  const instant = /T?\d{2}:\d{2}.*(?:Z|[+-]\d{2}:?\d{2})$/.test(cell.text)
    ? Date.parse(cell.text.replace(' ', 'T'))
    : Number.NaN
  if (Number.isNaN(instant)) return written(cell)
  cell.values.changedAt = new Date(instant).toISOString().slice(0, 19).replace('T', ' ')
  return undefined
}
