import type { ErrorDetails } from '@tour-ops/contract/errors'
import { issueOf } from '@tour-ops/contract/field-issue'
import type * as z from 'zod/mini'
import { fieldIssueText, isFieldRule } from './field-errors.ts'

export interface FieldProblem {
  /** `units.0.quantity`; empty for the form as a whole. */
  path: string
  message: string
}

const isBranch = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

/** Nested errors of the form library as a flat list, in the order of the fields. */
export function problemsOf(errors: unknown, before = ''): FieldProblem[] {
  if (!isBranch(errors)) return []
  return Object.entries(errors).flatMap(([key, value]) => {
    if (!isBranch(value) || key === 'ref') return []
    // Errors of a list as a whole, and of the form as a whole, are under "root".
    const path = key === 'root' ? before : before === '' ? key : `${before}.${key}`
    const own = typeof value['type'] === 'string' ? [{ path, message: textOf(value['message']) }] : []
    return own.length > 0 ? own : problemsOf(value, path)
  })
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** What the server refused: the first thing that is wrong with each entry, in the reader's language. */
export const problemsOfServer = (issues: ErrorDetails['fieldIssues']): FieldProblem[] =>
  Object.entries(issues ?? {}).flatMap(([path, [issue]]) => (issue ? [{ path, message: fieldIssueText(issue) }] : []))

/** What a shape finds wrong with an entry: by its rule, or in the sentence of a screen whose own shape says it in the reader's language. */
export const issueText = (issue: z.core.$ZodIssue): string =>
  isFieldRule(issue.message) ? fieldIssueText(issueOf(issue)) : issue.message
