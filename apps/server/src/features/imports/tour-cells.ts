import { type CellReader, keep, tooLong } from './cell-reader.ts'
import { readTime } from './import-dates.ts'
import { timeIn } from './time-cells.ts'
import { problem } from './import-problems.ts'
import { keptLine } from './kept-cells.ts'

const timeInText = /(?:^|[\s(@,–-])(\d{1,2}(?:[:.h]\d{2}\s*(?:[ap]\.?m\.?|uhr)?|\s*[ap]\.?m\.?))(?=$|[\s),])/i

/** The tour by code or name. */
export const tour: CellReader = ({ text, header, values }) => {
  const problem = tooLong(text, 200, header)
  if (problem) return problem
  const { name, time } = tourIn(text)
  if (time !== undefined) values.startTime ??= time
  values.tourCode = name
  return undefined
}

/** `Golden Circle (09:00)` names a tour and its start. */
export function tourIn(text: string): { name: string; time: string | undefined } {
  const found = timeInText.exec(text)
  const time = readTime(found?.[1] ?? '')
  if (time === undefined || !found) return { name: text, time: undefined }
  const name = text
    .replace(found[0], ' ')
    .replaceAll(/\(\s*\)|[\s@,()–-]+$/g, '')
    .trim()
  return { name: name === '' ? text : name, time }
}

/** Of `09:00 - 17:00` the start. */
export const startTime: CellReader = (cell) => {
  const { text, header, values } = cell
  const time = timeIn(cell) ?? readTime(text.split(/\s*[-–]\s*/)[0] ?? '')
  if (time === undefined) return problem('time_unreadable', header, { value: text })
  values.startTime = time
  return undefined
}

/** The product has no options of tours: what was sold is kept in the note. */
export const option: CellReader = ({ text, header, values }) => {
  const time = readTime(timeInText.exec(text)?.[1] ?? '')
  if (time !== undefined) values.startTime ??= time
  keep(values, keptLine(header, text))
  return undefined
}
