import type { ImportField } from '@tour-ops/contract/imports/import-mapping'
import type { Problem, Warning } from './import-problems.ts'
import { nameOf } from './plan-types.ts'
import type { RowValues } from './row-values.ts'
import { isSensitiveField } from './sensitive-columns.ts'

/** Longest text of one cell in a note, and the longest note. Source: schema, contract. */
const cellLength = 300
export const noteLength = 2000

/** Fields without which a party can be imported: what they say changes neither who travels, when, nor what is paid. */
const optionalFields: ReadonlySet<ImportField> = new Set([
  'gender',
  'changed_at',
  'start_time',
  'full_name',
  'date_of_birth',
  'nationality',
  'language',
  'email',
  'phone',
  'dietary',
  'mobility',
  'medical_note',
  'emergency_name',
  'emergency_phone',
  'passport_number',
  'passport_expiry',
  'room_key',
  'room_type',
  'pickup_place',
  'pickup_time',
  'notes',
])

/** Fields whose cells may be kept in the note. */
export const keptFields: readonly ImportField[] = [
  ...optionalFields,
  'option' as const,
  'commission' as const,
  'age' as const,
  'party' as const,
].filter((field) => !isSensitiveField(field))

/** Fields of the whole party; the others are about one person, who is named in the note. */
const partyFields: ReadonlySet<ImportField> = new Set([
  'changed_at',
  'start_time',
  'full_name',
  'pickup_place',
  'pickup_time',
  'notes',
])

/** Fields whose reader stores the beginning of a text that is too long. */
const cutFields: ReadonlySet<ImportField> = new Set(['notes', 'medical_note'])

interface UnreadCell {
  readonly field: ImportField
  readonly header: string
  readonly text: string
  readonly problem: Problem
}

/** Collects the cells of one line that were not understood and do not refuse it. */
export class UnreadCells {
  readonly #cells: UnreadCell[] = []

  /** @returns whether the line can do without the cell. */
  take(cell: UnreadCell): boolean {
    // a name that is too long is no name; further ones in the same cell are kept
    const isRequired = cell.field === 'full_name' && cell.problem.code !== 'names_in_note'
    if (isRequired || !optionalFields.has(cell.field)) return false
    this.#cells.push(cell)
    return true
  }

  get warnings(): Warning[] {
    return this.#cells.map((cell) => ({ ...cell.problem, result: resultOf(cell) }))
  }

  /** Values with what the note of the booking is to keep; its words are those of the file. */
  keepIn(values: RowValues): RowValues {
    const kept = this.#cells.flatMap((cell) =>
      resultOf(cell) === 'note'
        ? [keptLine(cell.header, cell.text, partyFields.has(cell.field) ? '' : nameOf(values))]
        : [],
    )
    return kept.length === 0 ? values : { ...values, kept: [...(values.kept ?? []), ...kept] }
  }
}

/** Sensitive values are in no note, which everybody reads. */
function resultOf({ field, problem }: UnreadCell): Warning['result'] {
  if (problem.code === 'text_too_long' && cutFields.has(field)) return 'cut'
  return isSensitiveField(field) ? 'left_out' : 'note'
}

/** `Hotel: Grand Plaza`, `Mobile (Amara Okafor): 12345`. */
export const keptLine = (header: string, text: string, name = ''): string =>
  `${name === '' ? header : `${header} (${name})`}: ${text.slice(0, cellLength)}`

/** A note with the lines that it does not have yet, as far as there is room. */
export function noteWith(note: string | null, kept: readonly string[]): string | null {
  const lines = note === null ? [] : note.split('\n')
  const added: string[] = []
  let length = note?.length ?? 0
  for (const line of kept) {
    if (lines.includes(line) || added.includes(line) || length + line.length + 1 > noteLength) continue
    added.push(line)
    length += line.length + 1
  }
  return added.length === 0 ? note : [...(note ? [note] : []), ...added].join('\n')
}

/** A note without such lines, to compare what two lines of a file say themselves. */
export const noteWithout = (note: string, kept: readonly string[]): string =>
  note
    .split('\n')
    .filter((line) => !kept.includes(line))
    .join('\n')
