import { type NameParts, namePartsOf } from '@tour-ops/contract/travelers/names'

const between = /\s*(?:;|\n|\||\s\/\s|\s&\s|\s\+\s|\s(?:and|und|y|et|ed)\s)\s*/i
const hasTwoWords = (name: string): boolean => /\S\s+\S/.test(name)

/**
 * Names of one cell: `Amara Okafor; Jonas Weber`, `Amara Okafor, Jonas Weber`, `Jane & John Doe`. `Okafor, Amara` is one.
 */
export function namesIn(text: string): NameParts[] {
  const byCommas = text.split(/\s*,\s*/).filter((part) => part !== '')
  const isList = byCommas.length > 1 && byCommas.every(hasTwoWords)
  const parts = (isList ? byCommas : text.split(between)).map((part) => part.trim()).filter((part) => part !== '')
  const names = parts.map(namePartsOf)
  const family = names.at(-1)
  // "Jane & John Doe": the name that stands at the end is that of both
  return names.map((name, at) =>
    name.firstName === '' && at < names.length - 1 && family && family.firstName !== ''
      ? { firstName: name.lastName, lastName: family.lastName }
      : name,
  )
}
