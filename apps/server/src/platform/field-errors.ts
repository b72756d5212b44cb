import type { FieldIssue } from '@tour-ops/contract/errors'
import { issueOf } from '@tour-ops/contract/field-issue'
import type { core } from 'zod/mini'

/** Fields that one refusal names; a form shows them all, and a list of thousands of wrong entries needs no answer of megabytes. */
const maxFields = 100

/** Rules with their parameters by dotted path, from what zod found; issues of the whole object are under the empty path. */
export function fieldIssuesOf(error: core.$ZodError): Readonly<Record<string, readonly FieldIssue[]>> {
  const byPath = new Map<string, FieldIssue[]>()
  for (const issue of error.issues) {
    for (const path of fieldsOf(issue)) {
      const issues = byPath.get(path)
      if (issues) issues.push(issueOf(issue))
      else if (byPath.size < maxFields) byPath.set(path, [issueOf(issue)])
    }
  }
  return Object.fromEntries(byPath)
}

/** An unknown field is reported under its own name, which the issue gives next to the path of the object. */
const fieldsOf = (issue: core.$ZodIssue): string[] =>
  issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [...issue.path, key].join('.')) : [issue.path.join('.')]
