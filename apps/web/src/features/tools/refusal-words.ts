import { AppError } from '@tour-ops/contract/errors'
import { m } from '../../paraglide/messages.js'
import { errorWords } from '../../ui/form/form-words.ts'

/** A refusal in the reader's words: who was faster is said the same everywhere, the rest is the server's sentence. */
export function refusalWords(error: unknown): string {
  const refused = AppError.from(error)
  if (refused.details.reason === 'version_conflict') return m.tools_changed_meanwhile()
  if (refused.details.reason === 'link_ended') return m.tools_link_ended()
  const [field] = Object.values(refused.details.fieldErrors ?? {})
  return errorWords(field?.[0] ?? refused.message)
}
