export interface TextPart {
  part: string
  isMatch: boolean
  /** Where it starts. */
  at: number
}

/** Without accents and case, one character for one: `Ólafsson` is found by `olaf`. */
const plain = (text: string): string =>
  Array.from(text, (letter) => {
    const bare = letter.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()
    return bare.length === letter.length ? bare : letter
  }).join('')

/** Cuts a text where the searched words occur, accents and case aside. */
export function splitMatches(text: string, words: string): TextPart[] {
  const wanted = plain(words.trim()).split(/\s+/).filter(Boolean)
  const haystack = plain(text)
  const marked = Array.from({ length: text.length }, () => false)
  for (const word of wanted) {
    for (let at = haystack.indexOf(word); at >= 0; at = haystack.indexOf(word, at + word.length)) {
      marked.fill(true, at, at + word.length)
    }
  }
  const parts: TextPart[] = []
  for (let at = 0; at < text.length; at++) {
    const isMatch = marked[at] ?? false
    const last = parts.at(-1)
    if (last?.isMatch === isMatch) last.part += text.charAt(at)
    else parts.push({ part: text.charAt(at), isMatch, at })
  }
  return parts
}

interface Option {
  readonly value: string
  readonly label: string
}

/** Options with the typed words in their label: first the one whose code was typed, then those that begin with the words. */
export function foundOptions<T extends Option>(options: readonly T[], query: string): T[] {
  const wanted = plain(query.trim())
  if (wanted === '') return [...options]
  const [exact, beginning, containing]: [T[], T[], T[]] = [[], [], []]
  for (const option of options) {
    if (option.value.toLowerCase() === wanted) exact.push(option)
    else if (plain(option.label).startsWith(wanted)) beginning.push(option)
    else if (splitMatches(option.label, query).some(({ isMatch }) => isMatch)) containing.push(option)
  }
  return [...exact, ...beginning, ...containing]
}
