import type { Permission } from '@tour-ops/contract/identity/access'
import type { RedirectTargets } from '@tour-ops/contract/page-config'
import { accessOf } from '../identity/access.ts'
import type { AuthRecords } from '../identity/auth-store.ts'
import { internalPath, returnParameter } from '../addresses/navigate-to.ts'
import { paths } from '../addresses/paths.ts'
import type { MiddlewareName } from './route-data.ts'

export interface GuardContext {
  readonly auth: Pick<AuthRecords, 'isAuthenticated' | 'organization'> & Partial<Pick<AuthRecords, 'needsSecondFactor'>>
  /** Path, query and fragment of where the person is going. */
  readonly href: string
  readonly permission: Permission | undefined
  readonly redirects: Pick<RedirectTargets, 'afterSignIn' | 'afterSignUp'>
  readonly origin: string
}

/** Continue, go elsewhere, or stay and see what is missing. */
export type Verdict =
  | { readonly kind: 'pass' }
  | { readonly kind: 'redirect'; readonly path: string }
  | { readonly kind: 'refused'; readonly permission: Permission }

type Middleware = (context: GuardContext) => Verdict

const pass: Verdict = { kind: 'pass' }
const redirect = (path: string): Verdict => ({ kind: 'redirect', path })

/** The address of sign-in that leads back here afterwards. See ARCHITECTURE.md, "Where the specification is silent". */
const signInPathFor = (href: string): string =>
  href === '/' ? '/sign-in' : `/sign-in?${returnParameter}=${encodeURIComponent(href)}`

/** The page where a second factor is set up, which leads back here afterwards. */
const secondFactorPathFor = (href: string): string =>
  `${paths.secondFactor()}?${returnParameter}=${encodeURIComponent(href)}`

/** Where a person goes who has signed in or up: back, when that leads into this application, else where the installation says. */
function afterSignInPath({ href, redirects, origin }: Pick<GuardContext, 'href' | 'redirects' | 'origin'>): string {
  const { pathname, searchParams } = new URL(href, origin)
  const target = pathname.startsWith('/sign-up') ? redirects.afterSignUp : redirects.afterSignIn
  return internalPath(searchParams.get(returnParameter), origin) ?? internalPath(target, origin) ?? '/'
}

/** The registry of named middleware. */
const registry: Readonly<Record<MiddlewareName, Middleware>> = {
  'signed-in': ({ auth, href }) => (auth.isAuthenticated ? pass : redirect(signInPathFor(href))),

  'signed-out': (context) => (context.auth.isAuthenticated ? redirect(afterSignInPath(context)) : pass),

  organization: ({ auth, href }) => {
    if (auth.needsSecondFactor) return redirect(secondFactorPathFor(href))
    return auth.organization ? pass : redirect('/organizations')
  },

  permission: ({ auth, permission }) => {
    if (!permission) throw new Error('The middleware "permission" needs a route that names one')
    return accessOf(auth.organization).can(permission) ? pass : { kind: 'refused', permission }
  },
}

/**
 * Runs a route's middleware in order and gives the first verdict that is not "pass".
 *
 * @throws Error 'Unknown route middleware' for a name that is not registered: an internal error. Source: spec, section 8.
 */
export function runMiddleware(names: readonly string[], context: GuardContext): Verdict {
  for (const name of names) {
    if (!Object.hasOwn(registry, name)) throw new Error('Unknown route middleware')
    const verdict = registry[name as MiddlewareName](context)
    if (verdict.kind !== 'pass') return verdict
  }
  return pass
}
