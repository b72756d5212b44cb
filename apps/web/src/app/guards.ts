import type { RedirectTargets } from '@tour-ops/contract/page-config'
import type { AuthRecords } from '../identity/auth-store.ts'
import { runMiddleware } from './middleware.ts'
import { PageNotFound, PermissionMissing } from './page-error.ts'
import type { RouteData } from './route-data.ts'

/** What `main` gives the router. */
export interface RouterContext {
  readonly auth: () => AuthRecords
  readonly redirects: RedirectTargets
  readonly origin: string
}

interface GuardedMatch {
  readonly params: object
  readonly staticData: RouteData
}

/**
 * Validity first, then the middleware of every matched route, outermost first. Until the start-up has ended it is not known who is signed in:
 * the middleware then waits (the initializer covers the page) and runs when the start-up asks the router to look again.
 *
 * @returns The path to go to instead, or undefined to continue.
 * @throws PageNotFound 'Page Not Found: {path}' when a validity check fails, PermissionMissing when the route refuses.
 */
export function runGuards(
  matches: readonly GuardedMatch[],
  location: { pathname: string; href: string },
  { auth, redirects, origin }: RouterContext,
): string | undefined {
  for (const { staticData, params } of matches) {
    if (staticData.validate && !staticData.validate(params as Record<string, string>))
      throw new PageNotFound(location.pathname)
  }
  const records = auth()
  if (!records.isInitialized) return undefined
  for (const { staticData } of matches) {
    const { middleware = [], permission } = staticData
    const verdict = runMiddleware(middleware, { auth: records, href: location.href, permission, redirects, origin })
    if (verdict.kind === 'redirect') return verdict.path
    if (verdict.kind === 'refused') throw new PermissionMissing(verdict.permission)
  }
  return undefined
}
