import type { ImportField, importPresets } from '@tour-ops/contract/imports/import-mapping'
import { frenchAndItalianHeaderWords } from './header-words-french-italian.ts'
import { headerWords } from './header-words.ts'
import { wordKey } from '../../platform/word-key.ts'

export type ImportPreset = (typeof importPresets)[number]

const fieldOfWord = new Map<string, ImportField>()
for (const field of Object.keys(headerWords) as ImportField[]) {
  const words = [field, ...headerWords[field], ...frenchAndItalianHeaderWords[field]]
  for (const word of words) fieldOfWord.set(wordKey(word), field)
}

/** French and Italian words for half a name, with the other half: alone they mean the whole name. */
const otherHalves: ReadonlyMap<string, ImportField> = new Map([
  ['nom', 'first_name'],
  ['nome', 'last_name'],
])

/** Headers that together are found in no other kind of file. See docs/domain.md, "Imports". */
const presetHeaders: Readonly<Record<ImportPreset, readonly string[]>> = {
  tourplan: ['roomkey', 'roomtype', 'forename', 'surname', 'paxtype'],
  trovatrip: ['name', 'order id', 'traveler type', 'first name', 'last name'],
}

/** The field that a header names, alone. */
export const fieldOfHeader = (header: string): ImportField | undefined => fieldOfWord.get(headerKey(header))

/** A repeated header has its count behind it. */
const headerKey = (header: string): string => wordKey(header.replace(/ \(\d+\)$/, ''))

export interface Guess {
  readonly columns: Readonly<Record<string, ImportField>>
  readonly preset: ImportPreset | null
}

/**
 * Suggests where columns go, by what they are called. The first column that fits takes a field; nothing is taken twice.
 *
 * @param names The headers without the groups above them, which say where a column goes if the whole does not.
 */
export function guessColumns(headers: readonly string[], names: readonly string[] = []): Guess {
  const keys = headers.map(headerKey)
  const columns: Record<string, ImportField> = {}
  const taken = new Set<ImportField>()
  for (const [index, header] of headers.entries()) {
    const field = fieldOfWord.get(keys[index] ?? '')
    if (!field || taken.has(field)) continue
    columns[header] = field
    taken.add(field)
  }
  for (const [index, header] of headers.entries()) {
    const field = fieldOfHeader(names[index] ?? '')
    if (columns[header] !== undefined || !field || taken.has(field)) continue
    columns[header] = field
    taken.add(field)
  }
  for (const [index, header] of headers.entries()) {
    const other = otherHalves.get(keys[index] ?? '')
    if (!other || columns[header] === undefined || taken.has(other)) continue
    taken.delete(columns[header])
    if (taken.has('full_name')) delete columns[header]
    else columns[header] = 'full_name'
    taken.add('full_name')
  }
  // "Name" in addition to first and last name adds nothing
  if (taken.has('last_name')) {
    for (const header of headers) if (columns[header] === 'full_name') delete columns[header]
  }
  const known = new Set(keys.map((key) => key.replaceAll(' ', '')))
  const preset = (Object.keys(presetHeaders) as ImportPreset[]).find((name) =>
    presetHeaders[name].every((header) => known.has(header.replaceAll(' ', ''))),
  )
  return { columns, preset: preset ?? null }
}
