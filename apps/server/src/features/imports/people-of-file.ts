import type { EntryFacts, PersonFacts } from './plan-store.ts'
import type { RowValues } from './row-values.ts'
import { wordKey } from '../../platform/word-key.ts'

export const nameKeyOf = ({
  firstName,
  lastName,
}: {
  firstName?: string | undefined
  lastName?: string | undefined
}): string => wordKey(`${firstName ?? ''} ${lastName ?? ''}`)

/** Keys under which somebody is recognized: the name together with a birth date, an e-mail address or a phone. */
function identitiesOf(values: RowValues): string[] {
  const name = nameKeyOf(values)
  const { dateOfBirth, email, phone } = values
  return [
    ...(dateOfBirth ? [`${name}|b${dateOfBirth}`] : []),
    ...(email ? [`${name}|e${email}`] : []),
    ...(phone ? [`${name}|p${phone}`] : []),
  ]
}

/** Whether a birth date speaks against two being the same. */
export const mayBeSame = (values: RowValues, person: Pick<PersonFacts, 'dateOfBirth'>): boolean =>
  !values.dateOfBirth || person.dateOfBirth === null || values.dateOfBirth === person.dateOfBirth

/** Travelers that earlier lines make, so that the same guest on two tours is one person. */
export class PeopleOfFile {
  readonly #ids = new Map<string, string>()

  find(values: RowValues): string | undefined {
    for (const identity of identitiesOf(values)) {
      const id = this.#ids.get(identity)
      if (id !== undefined) return id
    }
    return undefined
  }

  add(values: RowValues, id: string): void {
    for (const identity of identitiesOf(values)) this.#ids.set(identity, id)
  }
}

/** The one among candidates who is this guest: same name, and nothing that speaks against it. Two of them are nobody. */
export function recognize(values: RowValues, candidates: readonly PersonFacts[]): PersonFacts | undefined {
  const name = nameKeyOf(values)
  const fitting = candidates.filter(
    (person) =>
      nameKeyOf(person) === name &&
      mayBeSame(values, person) &&
      ((values.dateOfBirth && person.dateOfBirth === values.dateOfBirth) ||
        (values.email && person.email === values.email) ||
        (values.phone && person.phone === values.phone)),
  )
  return fitting.length === 1 ? fitting[0] : undefined
}

/** The entry of a booking that is this guest: same name, no other birth date; of several the same kind of guest. */
export function entryFor(values: RowValues, entries: Iterable<EntryFacts>): EntryFacts | undefined {
  const name = nameKeyOf(values)
  const fitting = [...entries].filter((entry) => nameKeyOf(entry) === name && mayBeSame(values, entry))
  return (
    fitting.find((entry) => values.dateOfBirth && entry.dateOfBirth === values.dateOfBirth) ??
    fitting.find((entry) => entry.unitType === values.unitType) ??
    fitting[0]
  )
}
