import { type DuplicateChoice, isDuplicateLeftOut } from '@tour-ops/contract/imports/import-batch'
import type { ImportField } from '@tour-ops/contract/imports/import-mapping'
import { problem, type Warning } from './import-problems.ts'
import type { SimilarFacts } from './plan-store.ts'
import { nameOf } from './plan-types.ts'
import type { RowValues } from './row-values.ts'
import { wordKey } from '../../platform/word-key.ts'

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

/** New parties of a file so far, by departure, number of guests and name. */
export class PartiesOfFile {
  readonly #parties = new Map<string, NewParty[]>()

  add(departureId: string, party: NewParty): void {
    const key = keyOf(departureId, party)
    this.#parties.set(key, [...(this.#parties.get(key) ?? []), party])
  }

  /** An earlier party with the same name; of two birth dates both are right. An address says nothing here: it is the agent's, on all lines. */
  alike(departureId: string, party: NewParty): NewParty | undefined {
    if (nameWords(nameOf(party.values)) === '') return undefined
    const born = party.values.dateOfBirth
    return this.#parties.get(keyOf(departureId, party))?.find(({ values: { dateOfBirth } }) => {
      return !born || !dateOfBirth || born === dateOfBirth
    })
  }
}

const keyOf = (departureId: string, { values, pax }: NewParty): string =>
  `${departureId} ${pax} ${nameWords(nameOf(values))}`

/**
 * Says where a party looks like a booking that is there already, or like an earlier one of the file; nothing is merged, since two parties may well
 * be alike.
 */
export function duplicateWarning(
  { facts, memory, duplicates, headerOf }: DuplicateContext,
  departureId: string,
  party: NewParty,
): Warning | undefined {
  const likely = similarBooking(party.values, party.pax, facts.similarOn(departureId))
  const earlier = likely ? undefined : memory.parties.alike(departureId, party)
  if (!likely && !earlier) return undefined
  const column = headerOf(likely?.field ?? 'last_name') ?? headerOf('full_name')
  const params = likely ? { bookingRef: likely.booking.bookingRef } : { line: String(earlier?.line) }
  const found = problem('likely_duplicate', column, params)
  return { ...found, result: isDuplicateLeftOut(duplicates, party.line) ? 'left_out' : 'taken' }
}

interface DuplicateContext {
  readonly facts: { similarOn(departureId: string): readonly SimilarFacts[] }
  readonly memory: { readonly parties: PartiesOfFile }
  readonly duplicates: DuplicateChoice
  readonly headerOf: (field: string) => string | null
}
