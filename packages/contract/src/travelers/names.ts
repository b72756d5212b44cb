/** A name as it is stored: the last or only one, and what comes before it. */
export interface NameParts {
  readonly firstName: string
  readonly lastName: string
}

/** Scripts in which the family name comes first. */
const familyFirst = /^[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\s]+$/u

/** `Okafor, Amara`, `Amara Okafor` and `山田 太郎`; one word alone is the last name. */
export function namePartsOf(text: string): NameParts {
  const name = text.trim().replaceAll(/\s+/g, ' ')
  const comma = name.indexOf(',')
  if (comma > 0) return { firstName: name.slice(comma + 1).trim(), lastName: name.slice(0, comma).trim() }
  const isFamilyFirst = familyFirst.test(name)
  const space = isFamilyFirst ? name.indexOf(' ') : name.lastIndexOf(' ')
  if (space < 0) return { firstName: '', lastName: name }
  const [before, after] = [name.slice(0, space), name.slice(space + 1)]
  return isFamilyFirst ? { firstName: after, lastName: before } : { firstName: before, lastName: after }
}
