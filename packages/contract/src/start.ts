/** Address of the one answer for a start, below the base of the API; `screen` names whose first data come along. */
export const startPath = '/start'

/** Screens whose first load has an answer of its own, by their address. */
export const startScreens: Readonly<Record<string, string>> = { '/dashboard/overview': 'overview' }

/** The request for a screen's start, as document and page have to write it alike: the browser gives the page what the document asked for. */
export const startAddress = (screen: string): string => `${startPath}?screen=${screen}`

/** What one request of the start would have been answered, with status 200. Paths are below the base of the API. */
export interface StartedAnswer {
  readonly method: 'GET' | 'POST'
  /** With its query. */
  readonly path: string
  /** What the request would have carried. */
  readonly body?: unknown
  readonly answer: unknown
}

/**
 * The requests of a start in their order, each answered as it would have been by itself: who is here, the organization, the tokens, the
 * session and the screen's first data. It ends before the first one that would not have succeeded; the page asks from there on.
 */
export interface StartAnswer {
  readonly answers: readonly StartedAnswer[]
}
