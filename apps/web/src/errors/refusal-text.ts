import { AppError } from '@tour-ops/contract/errors'
import { m } from '../paraglide/messages.js'
import { loadQuietly } from '../ui/quiet-loads.ts'
import { errorText } from './error-text.ts'

/** The sentences for reasons and fields, which hardly any first screen says. Loaded a moment after it, or with the first refusal. */
let refusals: typeof import('./refusals.ts') | undefined

/** Loads the sentences for reasons and fields; until then a refusal is shown by its code. */
export async function loadRefusals(): Promise<void> {
  refusals ??= await loadQuietly(() => import('./refusals.ts'))
}

/**
 * What a screen says of a call that failed: the one place where an error becomes a sentence in the reader's language, from its reason and
 * parameters, its fields or its code. The server's `message` is for programs and the log.
 *
 * @param isShownAtFields True where the form shows what is wrong at each field: then only the errors of the whole form are returned.
 */
export function refusalText(error: unknown, isShownAtFields = false): string {
  if (!(error instanceof AppError)) return errorText(error, refusals)
  const { reason = '', fieldIssues = {} } = error.details
  const [issue] = isShownAtFields || reason !== 'entries_refused' ? [] : Object.values(fieldIssues).flat()
  const said = issue ? refusals?.fieldIssueText(issue) : refusals?.refusalText(reason, error.details)
  return said ?? errorText(error, refusals)
}

/** What is wrong with one entry of a form that the server refused; undefined where it is not about that one. */
export function entryProblem(error: unknown, path: string): string | undefined {
  const issue = error instanceof AppError ? error.details.fieldIssues?.[path]?.[0] : undefined
  return issue && (refusals?.fieldIssueText(issue) ?? m.ui_form_check())
}

/** Lets a failed call continue only when the sentences are there, so that no screen has to say it twice. */
export async function withSentences<T>(call: Promise<T>): Promise<T> {
  try {
    return await call
  } catch (error) {
    // the texts cannot be loaded without a connection: then the code's text is used
    if (error instanceof AppError && error.details.reason) await loadRefusals().catch(console.error)
    throw error
  }
}
