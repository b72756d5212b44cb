import { useRouter, useSearch } from '@tanstack/react-router'
import type { RedirectTargets } from '@tour-ops/contract/page-config'
import { internalPath, navigateTo, returnParameter } from '../../addresses/navigate-to.ts'

/** Where the installation sends people after each act of the identity widgets. Source: spec, section 2. */
export const useRedirectTargets = (): RedirectTargets => useRouter().options.context.redirects

/** The way back that the address carries, when it leads into this application. */
export function useReturnPath(): string | undefined {
  return internalPath(useSearch({ strict: false })[returnParameter])
}

/** The query that carries the way back to the next page of the identity. */
export const returnQuery = (path: string | undefined): { [returnParameter]?: string } =>
  path === undefined ? {} : { [returnParameter]: path }

/** Goes to a target of the installation's own configuration, which may be another site. */
export const goToTarget = (target: string): void => navigateTo(target, { external: true })

/**
 * Leaves after a session began. The guards lead on inside the application by themselves; where the configuration names another site, this
 * goes there.
 */
export function leaveForTarget(target: string, returnPath: string | undefined): void {
  if (returnPath === undefined && internalPath(target) === undefined) goToTarget(target)
}
