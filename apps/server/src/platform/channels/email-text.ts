/** Most characters of a name that an e-mail carries. */
const nameLength = 80
const subjectLength = 200

/** Control and format characters and separators, except the two joiners that some scripts need inside of words. */
const invisible = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]+/gu

/** One line without invisible characters: a line break in a subject would begin a header of the e-mail. */
export function oneLine(text: string, length: number): string {
  const characters = [...text.replaceAll(invisible, ' ').replaceAll(/\s+/g, ' ').trim()]
  return characters.length <= length
    ? characters.join('')
    : `${characters
        .slice(0, length - 1)
        .join('')
        .trimEnd()}…`
}

export const subjectLine = (subject: string): string => oneLine(subject, subjectLength)

/**
 * A name that somebody typed, for an e-mail to somebody else: one line, at most 80 characters, and nothing that a mail program
 * makes a link of ("example.com" becomes "example. com").
 */
export const nameInEmail = (name: string): string =>
  oneLine(
    name
      .replaceAll(invisible, ' ')
      .replaceAll('://', ': //')
      .replaceAll(/[.\u3002\uff0e\uff61](?=[\p{L}\p{N}])/gu, '. '),
    nameLength,
  )
