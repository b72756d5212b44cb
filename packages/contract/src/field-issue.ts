import type { core } from 'zod/mini'
import type { FieldIssue } from './errors.ts'

/**
 * The rule that an issue of a shape is about, with its parameters. A check names its rule as its error; where it names none, `fields.ts`
 * does so by the kind of the issue.
 */
export const issueOf = (issue: core.$ZodIssue): FieldIssue => {
  const params = paramsOf(issue)
  return params ? { code: issue.message, params } : { code: issue.message }
}

function paramsOf(issue: core.$ZodIssue): FieldIssue['params'] {
  if (issue.code === 'too_small') return { min: Number(issue.minimum) }
  if (issue.code === 'too_big') return { max: Number(issue.maximum) }
  return issue.code === 'custom' ? issue.params : undefined
}
