/** Name of the query parameter that carries the way back through sign-in. */
export const returnParameter = 'redirect_url'

/** How the application leaves or changes its address; `main` connects it to the router and the browser. */
export interface NavigationPort {
  readonly origin: string
  /** Client navigation to a path of the application. */
  internal(path: string, options: { replace: boolean }): void
  /** A full page load elsewhere. */
  external(url: string): void
}

let port: NavigationPort | undefined

export function connectNavigation(connected: NavigationPort): void {
  port = connected
}

function connected(): NavigationPort {
  if (!port) throw new Error('connectNavigation must be called before anything navigates')
  return port
}

/** Schemes that open nothing of the web's: a call, an e-mail, a message. They leave the page where it is. */
const harmlessSchemes: ReadonlySet<string> = new Set(['mailto:', 'tel:', 'sms:'])

/** Thrown when an address of another origin is navigated to without permission. Source: spec, section 8. */
class ExternalNavigationError extends Error {
  override readonly name = 'ExternalNavigationError'

  constructor(url: string) {
    super(`Navigating to an external URL is not allowed by default. Use navigateTo(url, { external: true }) for ${url}`)
  }
}

export interface NavigateToOptions {
  /** Allows another origin. Never set it for an address that came from outside. */
  external?: boolean
  /** Replaces the present entry of the history. */
  replace?: boolean
}

/**
 * The one way to go to an address that is not a typed link: redirect targets, return paths, links out of records.
 *
 * @throws ExternalNavigationError for another origin unless `external`, and for a scheme that runs code, whatever the options.
 */
export function navigateTo(url: string, { external = false, replace = false }: NavigateToOptions = {}): void {
  const navigation = connected()
  const target = resolve(url, navigation.origin)
  if (!target) throw new ExternalNavigationError(url)
  if (target.origin === navigation.origin) return navigation.internal(pathOf(target), { replace })
  if (!external) throw new ExternalNavigationError(url)
  navigation.external(target.href)
}

/**
 * The path behind an address that may have come from anywhere (`redirect_url` in the query), or undefined when it leads to another origin
 * or is not an address at all. Slashes and backslashes that a browser would read as another host are seen through.
 */
export function internalPath(url: string | null | undefined, origin: string = location.origin): string | undefined {
  if (!url) return undefined
  const target = resolve(url, origin)
  return target?.origin === origin ? pathOf(target) : undefined
}

/** A path that begins with two slashes would be read as a host by whatever uses it next. */
const pathOf = ({ pathname, search, hash }: URL): string => pathname.replace(/^\/{2,}/, '/') + search + hash

/** An http(s) address, or one of the harmless schemes; undefined for everything else. */
function resolve(url: string, origin: string): URL | undefined {
  if (!URL.canParse(url, origin)) return undefined
  const target = new URL(url, origin)
  const isWeb = target.protocol === 'http:' || target.protocol === 'https:'
  return isWeb || harmlessSchemes.has(target.protocol) ? target : undefined
}
