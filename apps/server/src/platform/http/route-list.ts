/** The pattern of an address that the web application has; undefined for every other address. */
export type RouteList = (path: string) => string | undefined

const uuid = '[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}'

/**
 * Reads the patterns of `routes.json`, which the web build writes from its own routes: `{id}` is a UUID, `{id|create}` also
 * the word, any other `{name}` one segment, and a `*` at the end whatever follows, nothing included.
 * See ARCHITECTURE.md, "Where the specification is silent".
 */
export function routeList(patterns: readonly string[]): RouteList {
  const known = patterns.map((pattern) => {
    const rest = pattern.endsWith('/*') ? '(?:/.*)?' : ''
    const segments = (rest ? pattern.slice(0, -2) : pattern).split('/')
    return { pattern, address: new RegExp(`^${segments.map(segment).join('/')}${rest}$`) }
  })
  return (path) => {
    const plain = path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path
    return known.find(({ address }) => address.test(plain))?.pattern
  }
}

function segment(part: string): string {
  const parameter = /^\{(\w+)((?:\|[\w-]+)*)\}$/.exec(part)
  if (!parameter) return part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
  const [, name = '', words = ''] = parameter
  return name === 'id' ? `(?:${uuid}${words})` : '[^/]+'
}
