import { formatLanguage } from '../ui/format.ts'

/** Languages with a two-letter code of ISO 639-1 that are spoken today, and the forms of them that guides and guests distinguish. */
const codes =
  'af am ar az be bg bn bs ca cs cy da de el en es et eu fa fi fil fo fr fy ga gd gl gsw gu ha he hi hr ht hu hy id ig is it ja jv ka kk km kn ko ku ky lb lo lt lv mg mi mk ml mn mr ms mt my ne nl nn no pa pl ps pt pt-BR qu rm ro ru rw sd se si sk sl sm so sq sr sv sw ta te tg th ti tk tn to tr tt ug uk ur uz vi wo xh yi yo yue zh zh-Hant zu'.split(
    ' ',
  )

/** Languages by their name in the person's language, for pickers; those that a record has already are always among them. */
export const languageOptions = (known: readonly string[] = []): { value: string; label: string; detail: string }[] =>
  [...new Set([...codes, ...known.filter((code) => code !== '')])]
    .map((value) => ({ value, label: formatLanguage(value), detail: value }))
    .toSorted((a, b) => a.label.localeCompare(b.label))
