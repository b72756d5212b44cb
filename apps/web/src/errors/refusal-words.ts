import { AppError, type ErrorCode } from '@tour-ops/contract/errors'
import { m } from '../paraglide/messages.js'
import { loadQuietly } from '../ui/quiet-loads.ts'
import { currentLocale } from '../ui/locale.ts'
import { functionWords } from './code-words.ts'
import { wordsOf } from './error-words.ts'

/** Said the same in every language: the server's sentence names the record, ours says what to do. */
const always: ReadonlySet<string> = new Set(['version_conflict', 'conflict', 'link_ended'])

/** The sentences for reasons and fields: a hundred and seventy, which hardly any first screen says. Loaded a moment after it. */
let refusals: typeof import('./refusals.ts') | undefined

/** Loads the sentences for reasons and fields; until then a refusal is said by its code. */
export async function loadRefusals(): Promise<void> {
  refusals ??= await loadQuietly(() => import('./refusals.ts'))
}

/** Codes whose own sentence is general enough where the reason is not known. */
const general: Partial<Record<ErrorCode, () => string>> = {
  aborted: () => m.errors_refused(),
  'invalid-argument': functionWords['invalid-argument'],
  'not-found': functionWords['not-found'],
  'permission-denied': functionWords['permission-denied'],
}

/**
 * What a screen says of a call that failed: the one place where an error becomes a sentence in the reader's language. The server writes
 * English, with names and numbers: its sentence is for English readers, and its reason or its code speaks to everybody else.
 *
 * @param isSaidAtFields True where the form shows what is wrong at each field: then only what holds for all of it is said.
 */
export function refusalWords(error: unknown, isSaidAtFields = false): string {
  if (!(error instanceof AppError)) return wordsOf(error)
  const { reason = '', fieldErrors } = error.details
  const ofReason = refusals?.byReason[reason]
  if (always.has(reason)) return ofReason?.() ?? m.errors_refused()
  const [field] = isSaidAtFields ? [] : Object.values(fieldErrors ?? {}).flat()
  const own = wordsOf(error)
  // Codes that say the same of everything: a reason with a sentence says more.
  if (field === undefined && own !== error.message) return ofReason?.() ?? own
  const sentence = field ?? own
  const known = refusals?.errorWords(sentence) ?? sentence
  if (known !== sentence || currentLocale() === 'en') return known
  return ofReason?.() ?? general[error.code]?.() ?? sentence
}
