import { m } from '../../paraglide/messages.js'
import { contractWords } from './contract-words.ts'

/** What a schema says when it has no sentence of its own. */
const nameless = new Set(['', 'Invalid input'])

/** The sentence under a field, in the reader's language. */
export const errorWords = (message: string | undefined): string =>
  message === undefined || nameless.has(message) ? m.ui_form_check() : contractWords(message)
