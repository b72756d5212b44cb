import type { AppError, FieldIssue } from '@tour-ops/contract/errors'
import { fieldIssue } from '@tour-ops/contract/field-rules'
import { refuse } from '@tour-ops/contract/refusals'

/** Deepest nesting of a call's data; the deepest shape of the contract has eight levels. */
const maxDepth = 64
/** Most values of one call's data; a tour with all of its routes drawn has 150,000. */
const maxValues = 200_000
/** Fields that one refusal names. */
const maxProblems = 20
const maxNameLength = 100

/**
 * Refuses data that no shape forbids but that would fail later: text that PostgreSQL cannot store (NUL, half of a surrogate
 * pair), and nesting or numbers of values that recursive code pays for. Every transport asks it before it looks at the data.
 *
 * @throws AppError `invalid-argument`, with the fields.
 */
export function checkCallData(data: unknown): void {
  const problems = new Map<string, FieldIssue>()
  let values = 0

  const look = (value: unknown, path: readonly string[]): void => {
    values += 1
    if (values > maxValues) throw refusal(new Map([['', fieldIssue('too_many_values', { max: maxValues })]]))
    if (typeof value === 'string') lookAtText(value, path)
    else if (typeof value === 'object' && value !== null) {
      if (path.length >= maxDepth) {
        throw refusal(new Map([[nameOf(path), fieldIssue('too_nested', { max: maxDepth })]]))
      }
      for (const [name, inner] of Object.entries(value)) {
        const here = [...path, name]
        lookAtText(name, here)
        look(inner, here)
      }
    }
  }
  const lookAtText = (text: string, path: readonly string[]): void => {
    if (text.isWellFormed() && !text.includes('\0')) return
    problems.set(nameOf(path), fieldIssue('unstorable'))
    if (problems.size >= maxProblems) throw refusal(problems)
  }

  look(data, [])
  if (problems.size > 0) throw refusal(problems)
}

const nameOf = (path: readonly string[]): string =>
  path
    .map((part) => part.slice(0, maxNameLength).toWellFormed().replaceAll('\0', '\uFFFD'))
    .slice(0, 10)
    .join('.')

const refusal = (problems: ReadonlyMap<string, FieldIssue>): AppError =>
  refuse('entries_refused', undefined, {
    fields: Object.fromEntries([...problems].map(([field, issue]) => [field, [issue]])),
  })
