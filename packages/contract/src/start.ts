import { recordName, recordTables } from './record-tables.ts'

/** Address of the one answer for a start, below the base of the API; `screen` names whose first data come along. */
export const startPath = '/start'

/** Screens whose first data come along, by their address: what they read without input. */
const withFirstData: ReadonlyMap<string, string> = new Map([['/dashboard/overview', 'overview']])

/** The overview of a day that the address names reads that day, and would have no use for today's data. */
const namesADay = (search: string): boolean => /(?:^|[?&])day=/.test(search)

/** What the addresses of signed-in people begin with: their pages need to know who is here before anything else. */
const signedInPages: ReadonlySet<string> = new Set([
  'dashboard',
  'field-staff',
  'reports',
  'settings',
  'tools',
  'tours',
  'travelers',
  'user-management',
  ...Object.keys(recordTables).map(recordName),
])

/**
 * The name of the start that belongs to a page, by its address or by the pattern of its route; undefined for pages that are open to
 * everybody or belong to somebody who is not inside yet.
 *
 * @param search What follows in the address, with or without its question mark.
 */
export const startScreenOf = (path: string, search: string): string | undefined =>
  (namesADay(search) ? undefined : withFirstData.get(path)) ??
  (signedInPages.has(path.split('/')[1] ?? '') ? 'page' : undefined)

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
