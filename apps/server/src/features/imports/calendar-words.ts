import { wordKey } from '../../platform/word-key.ts'

/** Languages whose months and weekdays are known, from what the runtime knows of them. */
const languages = ['en', 'de', 'es', 'fr', 'it']

/** Every spelling of a part of a date, for days that have each of its values. */
function namesOf(part: 'month' | 'weekday', days: readonly Date[]): ReadonlyMap<string, number> {
  const names = new Map<string, number>()
  for (const language of languages)
    for (const width of ['long', 'short'] as const) {
      const format = new Intl.DateTimeFormat(language, { [part]: width, timeZone: 'UTC' })
      for (const [index, day] of days.entries()) names.set(wordKey(format.format(day)), index + 1)
    }
  return names
}

const days = (count: number, dayAt: (index: number) => number): Date[] =>
  Array.from({ length: count }, (_, index) => new Date(dayAt(index)))

/** `Mrz` is what German spreadsheets write. */
const months: ReadonlyMap<string, number> = new Map([
  ...namesOf(
    'month',
    days(12, (index) => Date.UTC(2026, index, 1)),
  ),
  ['mrz', 3],
])
const weekdays = [
  ...namesOf(
    'weekday',
    days(7, (index) => Date.UTC(2026, 0, 5 + index)),
  ).keys(),
]

/** The first two letters of all of them. */
const beginnings = new Set([...months.keys(), ...weekdays].map((name) => name.slice(0, 2)))

/** Whether a text begins as a month or a day of the week does: a quick look, for millions of cells. */
export function beginsLikeDate(text: string): boolean {
  const two = text.slice(0, 2)
  return beginnings.has(two.charCodeAt(1) < 128 ? two.toLowerCase() : wordKey(two))
}

/** The only month that any of its names begins so; undefined for none, and for `jui`, which are two. */
function monthBeginning(key: string): number | undefined {
  const found = new Set<number>()
  for (const [name, month] of months) if (name.startsWith(key)) found.add(month)
  return found.size === 1 ? [...found][0] : undefined
}

/**
 * The month, 1 to 12, of a name or its beginning, in any of the languages. Other spellings (`Febuary`, `januari`, `março`) count by their first
 * three letters, but for days of the week: `martes` is no month.
 */
export function monthOf(word: string): number | undefined {
  const key = wordKey(word)
  const month = months.get(key) ?? monthBeginning(key)
  if (month !== undefined || weekdays.includes(key)) return month
  return monthBeginning(key.slice(0, 3))
}

/** `Tue, 3 March 2026` → `3 March 2026`; a text that begins with no day of the week stays as it is. */
export function withoutWeekday(text: string): string {
  const [front, word = ''] = /^(\p{L}{2,})[.,]*\s+/u.exec(text) ?? ['']
  const key = wordKey(word)
  return front !== '' && weekdays.some((name) => name.startsWith(key)) ? text.slice(front.length) : text
}
