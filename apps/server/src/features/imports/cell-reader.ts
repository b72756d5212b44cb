import { problem, type Problem } from './import-problems.ts'
import type { ReadContext } from './read-context.ts'
import type { RowValues } from './row-values.ts'

/** A cell that says something, on its way into the values of its row. */
export interface Cell {
  readonly text: string
  readonly header: string
  readonly values: RowValues
  readonly context: ReadContext
}

/** Writes what a cell says into the row, or says why it cannot. */
export type CellReader = (cell: Cell) => Problem | undefined

/** Reader of a column whose words are known. */
export const known =
  <K extends keyof RowValues>(
    key: K,
    meaning: (cell: Cell) => RowValues[K] | undefined,
    code: Problem['code'],
  ): CellReader =>
  (cell) => {
    const found = meaning(cell)
    if (found === undefined) return problem(code, cell.header, { value: cell.text })
    cell.values[key] = found
    return undefined
  }

/** Why a text does not fit; undefined where it does. */
export const tooLong = (text: string, max: number, header: string): Problem | undefined =>
  text.length > max ? problem('text_too_long', header, { max: String(max) }) : undefined

/** One more line for the note of the booking. */
export const keep = (values: RowValues, line: string): void => void (values.kept = [...(values.kept ?? []), line])
