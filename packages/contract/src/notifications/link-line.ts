/** The line of a text where the address of the guest's page comes when the e-mail is sent: it opens the page, so it is stored nowhere. */
export const linkPlaceholder = '{link}'

/**
 * Whether a line is the place of the address, and holds nothing else; spaces beside it are nothing. What somebody typed into a name is within a line.
 *
 * @param place As it is written there.
 */
export const isLinkLine = (line: string, place: string = linkPlaceholder): boolean => line.trim() === place

/** Whether a text has a place for the address. */
export const hasLinkLine = (body: string): boolean => body.split('\n').some((line) => isLinkLine(line))

/** Puts an address, or what is shown instead of it, where a text has a place for it. */
export const withLinkLine = (body: string, address: string): string =>
  body
    .split('\n')
    .map((line) => (isLinkLine(line) ? address : line))
    .join('\n')
