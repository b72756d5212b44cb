import type { FieldErrors } from '@tour-ops/contract/errors'
import type { core } from 'zod/mini'

/** Messages by dotted path, from what zod found; issues of the whole object stand under the empty path. */
export function fieldErrorsOf(error: core.$ZodError): FieldErrors {
  const byPath: Record<string, string[]> = {}
  for (const issue of error.issues) (byPath[issue.path.join('.')] ??= []).push(issue.message)
  return byPath
}
