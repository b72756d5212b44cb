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
