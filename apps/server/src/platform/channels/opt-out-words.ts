import { wordKey } from '../word-key.ts'

/**
 * Texts with which the owner of a number wants no more, in the languages of guests. Source: CTIA, Messaging Principles and Best Practices, "Opt-Out", and
 * https://help.twilio.com/articles/223134027, "English-language opt-out keywords"; the others by use in their countries.
 */
const stopWords = new Set(
  [
    ['stop', 'stop all', 'stopall', 'unsubscribe', 'end', 'quit', 'cancel', 'revoke', 'opt out', 'optout'],
    ['stopp', 'abmelden', 'abbestellen', 'ende'],
    ['baja', 'parar', 'alto', 'detener', 'cancelar', 'fin', 'no mas'],
    ['arret', 'arreter', 'desabonner', 'desinscrire', 'basta', 'sair', 'afmelden'],
  ].flat(),
)
/** Wanted again. "Yes" is more often the answer to a question. */
const startWords = new Set(['start', 'unstop', 'opt in', 'optin', 'subscribe', 'anmelden', 'alta'])

/** Words with which a guest may mean the booking as well: somebody has to read them. */
const ambiguousWords = new Set(['cancel', 'cancelar', 'end', 'ende', 'fin', 'revoke'])

/** What a text chooses that consists of such a word and nothing else, in whatever spelling; null for every other text. */
export function choiceOf(text: string): 'stop' | 'start' | null {
  const said = wordKey(text)
  return stopWords.has(said) ? 'stop' : startWords.has(said) ? 'start' : null
}

/** Whether a text that chooses must be read by somebody too. */
export const maySayMore = (text: string): boolean => choiceOf(text) === null || ambiguousWords.has(wordKey(text))
