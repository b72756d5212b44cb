import type { Permission } from '@tour-ops/contract/identity/access'
import { AppError, httpStatusOf } from '@tour-ops/contract/errors'

/** Unknown route, failed validity check, or a record that is not there. Text and status: spec, section 8. */
export class PageNotFound extends Error {
  override readonly name = 'PageNotFound'
  readonly status = 404
  readonly path: string

  constructor(path: string) {
    super(`Page Not Found: ${path}`)
    this.path = path
  }
}

/** The route needs a permission that the member does not have; the shell then shows the page that names it. */
export class PermissionMissing extends Error {
  override readonly name = 'PermissionMissing'
  readonly permission: Permission

  constructor(permission: Permission) {
    super(`You need the permission ${permission}.`)
    this.permission = permission
  }
}

/** The permission that an error is about, wherever it was refused: by the route or by the server. */
export function missingPermissionOf(error: unknown): string | undefined {
  if (error instanceof PermissionMissing) return error.permission
  if (error instanceof AppError && error.code === 'permission-denied') {
    const { permission } = error.details
    return typeof permission === 'string' ? permission : undefined
  }
  return undefined
}

/** Status of the error page; 500 for whatever has none. Source: spec, section 2, "Error page". */
export function statusOf(error: unknown): number {
  if (error instanceof AppError) return httpStatusOf[error.code]
  if (typeof error === 'object' && error !== null && 'status' in error && typeof error.status === 'number')
    return error.status
  return 500
}

/** What a screen throws when the record it is about cannot be read: absent and foreign ids are 'Page Not Found'. */
export const screenErrorOf = (error: AppError, path: string): Error =>
  error.code === 'not-found' ? new PageNotFound(path) : error

export const requestIdOf = (error: unknown): string | undefined =>
  error instanceof AppError ? error.details.requestId : undefined
