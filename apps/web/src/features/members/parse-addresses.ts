/** The server takes this many at once. Source: contract, `members-invite`. */
export const maxAddresses = 100

/**
 * The addresses in what was typed or pasted: one per line, or divided by commas, semicolons or spaces, with names in front
 * (`Ana Ruiz <ana@example.com>`) or not. Each once, in their order; what is no address stays, so that the server can say so.
 */
export function parseAddresses(typed: string): string[] {
  const found = typed
    .split(/[\n,;]+/)
    .flatMap((piece) => addressesOf(piece.trim()))
    .map((address) => address.toLowerCase())
  return [...new Set(found)]
}

function addressesOf(piece: string): string[] {
  if (piece === '') return []
  const [, inBrackets] = /<([^<>]*)>/.exec(piece) ?? []
  if (inBrackets !== undefined) return inBrackets.trim() === '' ? [] : [inBrackets.trim()]
  const words = piece.split(/\s+/)
  const addresses = words.filter((word) => word.includes('@'))
  // "ana@example.com bob@example.com" are two; "Ana Ruiz" is one thing that is no address.
  return addresses.length > 0 ? addresses : [piece]
}
