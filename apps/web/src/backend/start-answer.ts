import type { PageConfig } from '@tour-ops/contract/page-config'
import { startAddress, startScreenOf, type StartAnswer, type StartedAnswer } from '@tour-ops/contract/start'

/** An answer of the start is as good as a fresh one for this long. */
const startIsFreshMs = 5_000

type Fetch = typeof globalThis.fetch

interface StartParts {
  readonly config: Pick<PageConfig, 'baseUrl'>
  readonly screen: string | undefined
  readonly fetch?: Fetch
  readonly now?: () => number
}

/** The name of the start that was requested together with this page; undefined where there is none. */
export const startOf = (
  { hasStart }: Pick<PageConfig, 'hasStart'>,
  { pathname, search }: Pick<Location, 'pathname' | 'search'>,
): string | undefined => (hasStart === true ? startScreenOf(pathname, search) : undefined)

/**
 * Sends requests, the first ones out of the one answer that was requested together with the document (`GET /api/start`). Each part is used
 * once, in the place of the request that it answers; the first question that it has no answer for, five seconds, or a failure end it, and
 * everything is asked by itself. Where there is no such answer this is the browser's own `fetch`.
 */
export function fetchFromStart({
  config,
  screen,
  fetch = (...request) => globalThis.fetch(...request),
  now = Date.now,
}: StartParts): Fetch {
  if (screen === undefined) return fetch
  let answers: StartedAnswer[] | null = null
  let until = 0
  const arrived = load(fetch, config.baseUrl + startAddress(screen)).then((loaded) => {
    answers = loaded
    until = now() + startIsFreshMs
  })
  const take = async (method: string, address: string, body: string | undefined): Promise<unknown> => {
    if (answers === null) await arrived
    const found = (answers ?? []).find((one) => isAbout(one, config.baseUrl, { method, address, body }))
    if (found === undefined || now() > until) {
      // The person or the question is no longer the one that the start answers were for.
      answers = []
      return undefined
    }
    answers = (answers ?? []).filter((one) => one !== found)
    return found.answer
  }
  return async (input, init) => {
    const method = init?.method ?? 'GET'
    if (typeof input !== 'string' || !isOfStart(input, config.baseUrl)) return fetch(input, init)
    const body = typeof init?.body === 'string' ? init.body : undefined
    const answer = await take(method, input, body)
    if (answer === undefined) return fetch(input, init)
    return Response.json(answer)
  }
}

/** Requests of a start; others, such as the stream of changes, do not concern it and do not end it. */
const startedPaths = [
  '/auth/get-session',
  '/auth/organization/get-full-organization',
  '/auth/token',
  '/v1/accounts:',
  '/session-get',
  '/overview-get',
]

const isOfStart = (address: string, baseUrl: string): boolean =>
  startedPaths.some((path) => address.startsWith(baseUrl + path))

async function load(fetch: Fetch, address: string): Promise<StartedAnswer[]> {
  try {
    // As the document's preload has it, so that the browser takes that one.
    const response = await fetch(address, { credentials: 'same-origin' })
    return response.ok ? [...((await response.json()) as StartAnswer).answers] : []
  } catch {
    // The page asks by itself, and says what is wrong if that fails too.
    return []
  }
}

interface Asked {
  readonly method: string
  readonly address: string
  readonly body: string | undefined
}

const isAbout = (one: StartedAnswer, baseUrl: string, { method, address, body }: Asked): boolean =>
  one.method === method &&
  baseUrl + one.path === address &&
  (one.body === undefined ? body === undefined : body === JSON.stringify(one.body))
