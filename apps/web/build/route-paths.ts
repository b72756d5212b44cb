/** Parameters that accept only these words in place of an id. Source: spec, section 2, `/travelers/create` → `/travelers/edit/create`. */
const namedInstances = ['/travelers/edit/create']

/**
 * Every address of the application as the server matches it, from the generated route tree: `/tours/edit/{id}` for a parameter that must be
 * an id, `/share/{token}` for one that may be anything, `/sign-in/*` for whatever follows. Pathless layouts and the catch-all are left out.
 */
export function routePaths(routeTree: string): string[] {
  const block = /export interface FileRoutesByFullPath \{([^}]*)\}/.exec(routeTree)?.[1]
  if (!block) throw new Error('routeTree.gen.ts has no FileRoutesByFullPath; did the router plugin change its output?')
  const screens = [...block.matchAll(/'([^']+)':/g)].map((match) => match[1] ?? '')
  const withoutIndex = layoutsWithoutIndex(screens)
  const paths = screens.filter((path) => path !== '/$' && !withoutIndex.has(path)).map(addressPattern)
  return [...new Set([...paths, ...namedInstances])].toSorted()
}

/** `/share/$token/` → `/share/{token}`, `/sign-in/$` → `/sign-in/*`. */
export const addressPattern = (path: string): string =>
  path
    .replace(/(?<=.)\/$/, '')
    .replace(/\/\$$/, '/*')
    .replaceAll(/\$(\w+)/g, '{$1}')

/** A section layout such as `/tours` is an address only when it has an index route (`/tours/`). */
function layoutsWithoutIndex(screens: readonly string[]): Set<string> {
  const known = new Set(screens)
  return new Set(
    screens.filter(
      (path) => path !== '/' && !known.has(`${path}/`) && screens.some((other) => other.startsWith(`${path}/`)),
    ),
  )
}
