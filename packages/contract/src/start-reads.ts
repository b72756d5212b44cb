import type { Callable } from './callable.ts'
import { getOverview } from './overview.ts'
import { getSession } from './session.ts'

/** What is read first, without input, by the name of a start: answered together with the document, and there when the page is drawn. */
export const startReads: Readonly<Record<string, readonly Callable[]>> = {
  page: [getSession],
  overview: [getSession, getOverview],
}
