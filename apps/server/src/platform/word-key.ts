/** Letters that do not come apart into a base letter and its mark. */
const whole: Readonly<Record<string, string>> = {
  ø: 'o',
  ł: 'l',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
}

/**
 * What two spellings have in common: lower case, without marks, one space between words. `Nyström` and `NYSTROM` are the same,
 * and so are `Date of birth` and `date_of_birth`. Other alphabets stay themselves.
 */
export const wordKey = (text: string): string =>
  (isPlain.test(text) ? text.toLowerCase() : withoutMarks(text)).replaceAll(/[^\p{L}\p{N}]+/gu, ' ').trim()

/** Has no marks: most cells, of which a file has hundreds of thousands. */
const isPlain = /^[ -~]*$/

const withoutMarks = (text: string): string =>
  text
    .toLowerCase()
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[øłßæœđðþı]/g, (letter) => whole[letter] ?? letter)
