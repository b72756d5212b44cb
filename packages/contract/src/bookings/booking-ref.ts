import * as z from 'zod/mini'

/** Letters and digits that nobody mixes up when reading aloud: no 0/O, no 1/I. */
export const bookingRefAlphabet = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ'
/** `AUR-7K3Q9D`: prefix of the organization, then six characters (32^6, over a thousand million). */
const length = 6

export const BookingRef = z
  .string()
  .check(
    z.trim(),
    z.toUpperCase(),
    z.regex(new RegExp(`^[A-Z]{2,4}-[${bookingRefAlphabet}]{${length}}$`), 'booking_ref_form'),
  )

/**
 * A booking reference from random bytes.
 *
 * @param prefix Two to four capital letters of the organization.
 * @param random Six bytes; each byte gives one character without bias, since the alphabet has 32.
 */
export function bookingRefOf(prefix: string, random: Uint8Array): string {
  if (random.length < length) throw new RangeError(`a booking reference needs ${length} random bytes`)
  const characters = [...random.subarray(0, length)].map((byte) => bookingRefAlphabet[byte % bookingRefAlphabet.length])
  return `${prefix}-${characters.join('')}`
}

/** The prefix of an organization: the first three letters of its name, `AUR` for "Aurora & Atlas". */
export function bookingPrefixOf(organizationName: string): string {
  const letters = organizationName
    .normalize('NFD')
    .toUpperCase()
    .replaceAll(/[^A-Z]/g, '')
  return letters.length >= 2 ? letters.slice(0, 3) : 'TOU'
}
