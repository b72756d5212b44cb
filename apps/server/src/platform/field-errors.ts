import type { FieldErrors } from '@tour-ops/contract/errors'
import type { core } from 'zod/mini'

/** Fields that one refusal names; a form shows them all, and a list of thousands of wrong entries needs no answer of megabytes. */
const maxFields = 100

/** Messages by dotted path, from what zod found; issues of the whole object stand under the empty path. */
export function fieldErrorsOf(error: core.$ZodError): FieldErrors {
  const byPath = new Map<string, string[]>()
  for (const issue of error.issues) {
    for (const path of fieldsOf(issue)) {
      const messages = byPath.get(path)
      if (messages) messages.push(issue.message)
      else if (byPath.size < maxFields) byPath.set(path, [issue.message])
    }
  }
  return Object.fromEntries(byPath)
}

/** What does not belong is told under its own name, which the issue gives beside the path of the object. */
const fieldsOf = (issue: core.$ZodIssue): string[] =>
  issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [...issue.path, key].join('.')) : [issue.path.join('.')]
