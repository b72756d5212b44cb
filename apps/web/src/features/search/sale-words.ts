import { addDays } from '../../ui/format.ts'
import { splitMatches } from '../../ui/matches.ts'

/** A sale as somebody says it: `6 South Coast Tue`. */
export interface SaleWords {
  readonly seats: number
  /** A day of the calendar; null where none was said. */
  readonly day: string | null
  /** What is left: of the tour's name or code. */
  readonly tour: readonly string[]
}

/**
 * What a line says of a sale: a number of seats, a tour, and perhaps a day by its weekday or as "today" and "tomorrow", in the reader's language and in
 * any order. Null for everything else.
 */
export function saleWordsOf(line: string, today: string, locale: string): SaleWords | null {
  const words = line
    .toLocaleLowerCase(locale)
    .split(/[\s,]+/)
    .filter(Boolean)
  const count = words.find((word) => /^[1-9]\d?$/.test(word))
  if (count === undefined) return null
  const days = dayWords(today, locale)
  const dayOf = (word: string) => days.get(word.replace(/\.$/, ''))
  const dayWord = words.find((word) => dayOf(word) !== undefined)
  const tour = words.filter((word) => word !== count && word !== dayWord)
  if (tour.length === 0) return null
  return { seats: Number(count), day: (dayWord && dayOf(dayWord)) ?? null, tour }
}

/** The words for the days of the week that begins today: `tue` and `tuesday` are the next one, today included. */
function dayWords(today: string, locale: string): ReadonlyMap<string, string> {
  const words = new Map<string, string>()
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })
  for (const ahead of [0, 1, 2, 3, 4, 5, 6]) {
    const day = addDays(today, ahead)
    const said = (['long', 'short'] as const).map((weekday) =>
      new Intl.DateTimeFormat(locale, { weekday, timeZone: 'UTC' }).format(Date.parse(day)),
    )
    if (ahead < 2) said.push(relative.format(ahead, 'day'))
    for (const word of said) words.set(word.toLocaleLowerCase(locale).replace(/\.$/, ''), day)
  }
  return words
}

/** Whether a tour's name or code has all of the words. */
export const isTourNamed = ({ name, code }: { name: string; code: string }, words: readonly string[]): boolean =>
  words.every((word) => splitMatches(`${name} ${code}`, word).some(({ isMatch }) => isMatch))
