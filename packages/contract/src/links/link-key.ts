import * as z from 'zod/mini'

/**
 * What a page without an account calls with: the end of its address, and after a dot the pass of a browser that has given the passcode of the link, where the
 * page can read it. See docs/domain.md, "Shared links".
 */
export const LinkKey = z.string().check(z.minLength(1), z.maxLength(300))

/** Neither part has a dot. */
const separator = '.'

export const linkKey = (token: string, pass: string | null): string =>
  pass === null ? token : `${token}${separator}${pass}`

/** The parts of a key; an empty token, which opens nothing, of a text that is none. */
export function partsOfKey(key: string): { readonly token: string; readonly pass: string | null } {
  const [token = '', pass = null] = key.split(separator)
  return { token, pass }
}

/** Names of the cookies that show a pass; each address has one of its own. */
export const passCookiePrefix = 'link-pass-'
