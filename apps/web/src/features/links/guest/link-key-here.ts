import { linkKey, passCookiePrefix } from '@tour-ops/contract/links/link-key'

/**
 * What this page calls with. Its own server sees by a cookie that this browser has given the passcode of the link, and no script does; where calls go to another
 * host, the page may read the cookie, which is of this address alone.
 */
export function keyOfLink(token: string): string {
  const pairs = document.cookie.split(';').map((cookie) => cookie.trim())
  const shown = pairs.find((pair) => pair.startsWith(passCookiePrefix))
  return linkKey(token.slice(0, 200), shown?.slice(shown.indexOf('=') + 1) ?? null)
}
