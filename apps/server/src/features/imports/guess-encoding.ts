import { regionalEncodings, type TextEncodingName } from '@tour-ops/contract/imports/import-reading'
import { analyse } from 'chardet'

type Candidate = (typeof regionalEncodings)[number]

/** Taken off where the bytes alone do not tell: files of today with Central European names are Windows-1250. */
const rarity: Readonly<Partial<Record<Candidate, number>>> = { 'iso-8859-2': 15 }

/** What the library calls them; ISO 8859-1 is the part of Windows-1252 without `€` and typographic marks. */
const libraryNames: Readonly<Record<string, Candidate>> = {
  'ISO-8859-1': 'windows-1252',
  'windows-1252': 'windows-1252',
  'windows-1250': 'windows-1250',
  'ISO-8859-2': 'iso-8859-2',
  'windows-1251': 'windows-1251',
  GB18030: 'gb18030',
  Big5: 'big5',
  Shift_JIS: 'shift_jis',
}

/** First bytes of the characters that a multi-byte encoding has for daily use: the first level of its standard, and kana. */
const isCommonLead: Readonly<Partial<Record<Candidate, (lead: number, trail: number) => boolean>>> = {
  // GB 2312, level 1, and punctuation
  gb18030: (lead, trail) => trail >= 0xa1 && ((lead >= 0xb0 && lead <= 0xd7) || lead === 0xa1 || lead === 0xa3),
  // Big5, level 1, and punctuation
  big5: (lead) => (lead >= 0xa4 && lead <= 0xc6) || lead === 0xa1,
  // JIS X 0208, level 1, punctuation, kana
  shift_jis: (lead) => lead >= 0x81 && lead <= 0x98 && lead !== 0x84 && lead !== 0x85,
}

/**
 * The encoding of text that is not UTF-8. The library's statistics are for prose; a list of guests is names, so that what it says counts
 * less than how each reading looks: letters of two alphabets in one word, symbols within words and capitals after small letters are what a
 * wrong encoding makes of names.
 *
 * @param sample Whole lines with bytes beyond ASCII.
 * @returns the candidates that can read it, the likeliest first; never empty, since Windows-1252 reads everything.
 */
export function guessEncodings(sample: Uint8Array): TextEncodingName[] {
  const confidences = new Map<Candidate, number>()
  for (const { name, confidence } of analyse(sample)) {
    const candidate = libraryNames[name]
    if (candidate) confidences.set(candidate, Math.max(confidence, confidences.get(candidate) ?? 0))
  }
  const scored = regionalEncodings.flatMap((encoding) => {
    const plausible = plausibility(sample, encoding)
    if (plausible === null) return []
    return [{ encoding, score: plausible * 100 + (confidences.get(encoding) ?? 0) / 4 - (rarity[encoding] ?? 0) }]
  })
  return scored.toSorted((a, b) => b.score - a.score).map(({ encoding }) => encoding)
}

/** Share of the characters beyond ASCII that look as they do in names and remarks; null where the bytes are none of the encoding. */
function plausibility(sample: Uint8Array, encoding: Candidate): number | null {
  const isCommon = isCommonLead[encoding]
  let text: string
  try {
    text = new TextDecoder(encoding, { fatal: isCommon !== undefined }).decode(sample)
  } catch {
    return null
  }
  const foreign = foreignIn(text).length
  if (foreign === 0) return 0
  const odd = Math.min(foreign, oddities(text, encoding))
  return isCommon ? (commonShare(sample, encoding, isCommon) * (foreign - odd)) / foreign : (foreign - odd) / foreign
}

/** Letters beyond A to Z of the languages that an encoding was made for. A word has those of one language. */
const western = [
  'äöüß',
  'éèêëàâçîïôûùœæÿ',
  'áéíóúñüªº',
  'áâãàçéêíóôúª',
  'àèéìíîòóù',
  'åäöæøé',
  'áéíóúýþðæö',
  'ëïéèöüáó',
  'àéèíïòóúüç',
]
const central = ['ąćęłńóśźż', 'áčďéěíňóřšťúůýž', 'áäčďéíĺľňóôŕšťúýž', 'áéíóöőúüű', 'čćđšž', 'ăâîşţ', 'äöüß', 'éèëç']
const alphabets: Readonly<Partial<Record<Candidate, readonly ReadonlySet<string>[]>>> = {
  'windows-1252': western.map((letters) => new Set(letters)),
  'windows-1250': central.map((letters) => new Set(letters)),
  'iso-8859-2': central.map((letters) => new Set(letters)),
}

/** What wrong encodings make of words; each pattern takes what it found, so that nothing is counted twice. */
const oddPattern = new RegExp(
  [
    // control characters, private use, what could not be decoded, and marks that nobody types
    String.raw`[\u0080-\u009f\ue000-\uf8ff\ufffd†‡‰ˆ˜ƒˇ˘˙˛˝¤¦¬¯¸]`,
    // half-width katakana, which hardly any list of guests has
    String.raw`[\uff61-\uff9f]`,
    // letters of two alphabets in one word
    String.raw`\p{Script=Latin}[\p{Script=Cyrillic}\p{Script=Han}]|[\p{Script=Cyrillic}\p{Script=Han}]\p{Script=Latin}`,
    // symbols within words or at their beginning: £ukasz, Stanis³aw
    String.raw`(?<=\p{L})[\u00a1-\u00b6\u00b8-\u00bf\u00d7\u00f7\u201a-\u203a\u2122]|[\u00a1-\u00a9\u00ac-\u00b9\u00bc-\u00be\u00d7\u00f7](?=\p{L})`,
    // a capital beyond ASCII after a small letter
    String.raw`(?<=\p{Ll})(?=\P{ASCII})\p{Lu}`,
  ].join('|'),
  'gu',
)

const foreignIn = (text: string): string[] => text.match(/\P{ASCII}/gu) ?? []

function oddities(text: string, encoding: Candidate): number {
  let count = 0
  for (const [found] of text.matchAll(oddPattern)) count += foreignIn(found).length || 1
  const languages = alphabets[encoding]
  if (!languages) return count
  for (const [word] of text.toLowerCase().matchAll(/\p{L}+/gu)) {
    const letters = foreignIn(word)
    if (!languages.some((language) => letters.every((letter) => language.has(letter)))) count += letters.length
  }
  return count
}

/** Share of the characters of two bytes that are in daily use. */
function commonShare(
  sample: Uint8Array,
  encoding: Candidate,
  isCommon: (lead: number, trail: number) => boolean,
): number {
  let common = 0
  let all = 0
  for (let at = 0; at < sample.length; at += 1) {
    const byte = sample[at] ?? 0
    if (byte < 0x80 || (encoding === 'shift_jis' && byte >= 0xa1 && byte <= 0xdf)) continue
    all += 1
    if (isCommon(byte, sample[at + 1] ?? 0)) common += 1
    // a code of four bytes has a digit in the second place
    at += encoding === 'gb18030' && (sample[at + 1] ?? 0) < 0x40 ? 3 : 1
  }
  return all === 0 ? 0 : common / all
}
