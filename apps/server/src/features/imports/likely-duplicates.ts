import { type DuplicateChoice, isDuplicateLeftOut } from '@tour-ops/contract/imports/import-batch'
import type { ImportField } from '@tour-ops/contract/imports/import-mapping'
import { problem, type Warning } from './import-problems.ts'
import type { SimilarFacts } from './plan-store.ts'
import { nameOf } from './plan-types.ts'
import type { RowValues } from './row-values.ts'
import { wordKey } from './word-key.ts'

/** Bookings of a departure that may have a contact in common; more are those of an agent, whose address is on all of them. */
const mostWithContact = 2

/** Words of a name in any order: `Weber, Jonas` and `Jonas Weber`. */
export const nameWords = (name: string): string => wordKey(name).split(' ').toSorted().join(' ')

interface Likely {
  readonly booking: SimilarFacts
  readonly field: ImportField
}

/** A booking of the departure that has as many guests, and the e-mail address, phone or name of this party. */
function similarBooking(values: RowValues, pax: number, bookings: readonly SimilarFacts[]): Likely | undefined {
  const name = nameWords(nameOf(values))
  const marks: readonly [ImportField, (booking: SimilarFacts) => boolean][] = [
    ['email', ({ email }) => email !== null && email === values.email],
    ['phone', ({ phone }) => phone !== null && phone === values.phone],
    ['last_name', (booking) => name !== '' && nameWords(booking.name) === name],
  ]
  for (const [field, isSame] of marks) {
    const alike = bookings.filter(isSame)
    const booking = alike.find((each) => each.pax === pax)
    if (booking && (field === 'last_name' || alike.length <= mostWithContact)) return { booking, field }
  }
  return undefined
}

export interface NewParty {
  /** The line that speaks for the party. */
  readonly line: number
  readonly values: RowValues
  readonly pax: number
}

/** Says where a party looks like a booking that is there already; nothing is merged, since two parties may well be alike. */
export function duplicateWarning(
  { facts, duplicates, headerOf }: DuplicateContext,
  departureId: string,
  { line, values, pax }: NewParty,
): Warning | undefined {
  const likely = similarBooking(values, pax, facts.similarOn(departureId))
  if (!likely) return undefined
  const column = headerOf(likely.field) ?? headerOf('full_name')
  const found = problem('likely_duplicate', column, { bookingRef: likely.booking.bookingRef })
  return { ...found, result: isDuplicateLeftOut(duplicates, line) ? 'left_out' : 'taken' }
}

interface DuplicateContext {
  readonly facts: { similarOn(departureId: string): readonly SimilarFacts[] }
  readonly duplicates: DuplicateChoice
  readonly headerOf: (field: string) => string | null
}
