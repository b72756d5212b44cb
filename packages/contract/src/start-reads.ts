import type { Callable } from './callable.ts'
import { getSession } from './identity/session.ts'

/**
 * What is read first, without input, by the name of a start: answered together with the document, and there when the page is drawn. The
 * callables of one screen are not part of the others, which would load their shapes.
 */
export const startReads: Readonly<Record<string, () => Promise<readonly Callable[]>>> = {
  page: async () => [getSession],
  overview: async () => [getSession, (await import('./overview/overview.ts')).getOverview],
}
