import { type NameParts, namePartsOf } from '@tour-ops/contract/travelers/names'
import { wordKey } from '../../platform/word-key.ts'

const between = /\s*(?:;|[\n\v]|\||\s\/\s|\s&\s|\s\+\s|\s(?:and|und|y|et|ed)\s)\s*/i
const hasTwoWords = (name: string): boolean => /\S\s+\S/.test(name)

/** Longest first or last name. Source: contract, travelers. */
export const maxName = 80

export interface NamesOfCell {
  /** At least one where the cell says anything. */
  readonly names: readonly NameParts[]
  /** Whether each of several is a guest; otherwise only the first is, since the others may be something else. */
  readonly isCertain: boolean
}

/**
 * Names of one cell: `Amara Okafor; Jonas Weber`, `Amara Okafor, Mia Okafor`, `Jane & John Doe`. `Okafor, Amara` is one.
 *
 * @param header Of the column: `Guest names` holds several.
 */
export function namesIn(text: string, header = ''): NamesOfCell {
  const byCommas = partsOf(text, /\s*,\s*/)
  const isList = byCommas.length > 1 && byCommas.every(hasTwoWords)
  const parts = isList ? byCommas : partsOf(text, between).flatMap(byItalianAnd)
  const names = withFamily(parts.map(namePartsOf))
  const isCertain =
    names.length > 1 && areNames(parts, names) && (isList ? isListOfNames(names, header) : areAlike(parts))
  return { names, isCertain }
}

const partsOf = (text: string, by: RegExp): string[] =>
  text
    .split(by)
    .map((part) => part.trim())
    .filter((part) => part !== '')

/** In Portuguese the word is within names: `José da Costa e Silva`, `Pedro de Sousa e Melo Breyner`. */
const portuguese = /\sd(?:a|as|e|o|os)\s/i

/** `Marco Rossi e Giulia Bianchi`, `Marco e Giulia Rossi`: the last name is whole, and nothing before it is Portuguese. */
function byItalianAnd(part: string): string[] {
  const names = partsOf(part, /\s+e\s+/i)
  return hasTwoWords(names.at(-1) ?? '') && !portuguese.test(part) ? names : [part]
}

/** `Jane & John Doe`: the name that stands at the end is that of both. */
function withFamily(names: readonly NameParts[]): NameParts[] {
  const family = names.at(-1)
  return names.map((name, at) =>
    name.firstName === '' && at < names.length - 1 && family && family.firstName !== ''
      ? { firstName: name.lastName, lastName: family.lastName }
      : name,
  )
}

type Form = 'word' | 'words' | 'with comma'

const formOf = (part: string): Form => (part.includes(',') ? 'with comma' : hasTwoWords(part) ? 'words' : 'word')

/** Names that are all written alike, or first names before the last of them. `Ortega y Gasset, José` is neither. */
function areAlike(parts: readonly string[]): boolean {
  const forms = parts.map(formOf)
  const last = forms.at(-1)
  return last !== 'word' && (forms.every((form) => form === last) || isFirstNames(forms.slice(0, -1), last))
}

const isFirstNames = (before: readonly Form[], last: Form | undefined): boolean =>
  last === 'words' && before.every((form) => form === 'word')

/** Of `Garcia Lopez, Ana Maria` nobody knows: it is one guest, or two. A common family name, a third one, or the header tells. */
function isListOfNames(names: readonly NameParts[], header: string): boolean {
  const families = new Set(names.map(({ lastName }) => wordKey(lastName)))
  return names.length > 2 || families.size < names.length || severalInHeader.test(wordKey(header))
}

const severalInHeader =
  /\b(names|guests|travell?ers|participants|passengers|namen|gaste|teilnehmer|nombres|viajeros|pasajeros|noms)\b/

const titles = new Set(['mr', 'mrs', 'ms', 'miss', 'dr', 'prof', 'herr', 'frau', 'sr', 'sra', 'srta', 'mme', 'mlle'])

/** Words that make a part something else than the name of one guest: a title alone, a group, somebody without a name. */
const noNames = new Set([
  ...titles,
  ...'fam familie family familia famille senor senora group gruppe grupo groupe party guest guests gast gaste friend friends freunde amigos wife husband son daughter child children kids kind kinder hijo hijos baby infant others more weitere mas tba tbd tbc na hotel pax partner'.split(
    ' ',
  ),
])

function areNames(parts: readonly string[], names: readonly NameParts[]): boolean {
  const keys = new Set(names.map(({ firstName, lastName }) => wordKey(`${firstName} ${lastName}`)))
  return (
    // the same name twice is a mistake, or two people: somebody has to look
    keys.size === names.length &&
    names.every(
      ({ firstName, lastName }) => firstName !== '' && firstName.length <= maxName && lastName.length <= maxName,
    ) &&
    parts.every((part) => isName(part))
  )
}

/** A title before a whole name is fine; there are no digits, brackets or addresses in names. */
function isName(part: string): boolean {
  if (/[\d@()[\]{}<>:#*=_?!"]/.test(part) || !/\p{L}/u.test(part)) return false
  const words = wordKey(part).split(' ')
  const rest = titles.has(words[0] ?? '') ? words.slice(1) : words
  const isTitled = rest.length < words.length
  return rest.length >= (isTitled ? 2 : 1) && !rest.some((word) => noNames.has(word))
}
