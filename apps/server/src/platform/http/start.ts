import { AppError, httpStatusOf } from '@tour-ops/contract/errors'
import type { Callable } from '@tour-ops/contract/callable'
import type { StartAnswer, StartedAnswer } from '@tour-ops/contract/start'
import { startReads } from '@tour-ops/contract/start-reads'
import { refuse } from '@tour-ops/contract/refusals'
import type { Hono } from 'hono'
import { runFor, type CallableParts } from './callables.ts'
import { withinDeadline } from './deadline.ts'
import { sendJson, type Exchange, type Handler } from './exchange.ts'
import { outageOf } from '../outages.ts'

export interface StartParts {
  /** Sign-in and tokens, as they are behind their own addresses. */
  readonly identity: Hono
  readonly calls: CallableParts
}

const identityTokenPath = '/auth/token?template=integration_firebase'
const organizationPath = '/auth/organization/get-full-organization?membersLimit=1'
const signInPath = '/v1/accounts:signInWithCustomToken'

/**
 * `GET /api/start?screen=…`: the requests of a start in one, each run by the same code as behind its own address and with the same cookies,
 * so that nobody gets here what they would not get there. It ends before the first that is refused: the page asks that one itself.
 * Only our own pages are answered, since a browser sends the cookies for pages of others too. Source: decision 0030.
 */
export function startHandler(parts: StartParts): Handler {
  return withinDeadline(parts.calls.services.log, async (exchange, signal) => {
    exchange.route = 'start'
    const screen = screenOf(exchange)
    const reads = Object.hasOwn(startReads, screen) ? startReads[screen] : undefined
    if (!reads) throw new AppError('not-found', 'There is no such start.')
    if (exchange.request.headers['sec-fetch-site'] !== 'same-origin')
      throw new AppError('permission-denied', 'Only pages of this application start here.')
    const start = new Start(parts, exchange, signal)
    await start.run(await reads())
    signal.throwIfAborted()
    // A session that is used gets its cookie again, as at its own address.
    for (const cookie of start.cookies) exchange.response.appendHeader('set-cookie', cookie)
    sendJson(exchange, 200, { answers: start.answers } satisfies StartAnswer)
  })
}

function screenOf({ request, method }: Exchange): string {
  if (method !== 'GET') throw new AppError('invalid-argument', 'A start is asked for with GET.')
  return new URL(request.url ?? '', 'http://start').searchParams.get('screen') ?? ''
}

/** What a browser wrote into `Host` belongs into no address; the identity service knows its own. */
const identityBase = 'http://localhost'

/** The identity service has logged the outage behind it. */
const identityUnavailable = (): AppError => refuse('identity_unavailable')

class Start {
  readonly answers: StartedAnswer[] = []
  readonly cookies: string[] = []
  readonly #parts: StartParts
  readonly #exchange: Exchange
  readonly #signal: AbortSignal

  constructor(parts: StartParts, exchange: Exchange, signal: AbortSignal) {
    this.#parts = parts
    this.#exchange = exchange
    this.#signal = signal
  }

  async run(calls: readonly Callable[]): Promise<void> {
    const session = await this.#ask<{ session: { activeOrganizationId?: string | null } }>('GET', '/auth/get-session')
    if (!session?.session.activeOrganizationId) return
    const organization = await this.#ask<{ role?: string | null; lacksFactor?: boolean }>('GET', organizationPath)
    // Suspended, or a second factor is missing: the page has to say so before it continues.
    if (!organization?.role || organization.lacksFactor) return
    const token = (await this.#ask<{ token?: string }>('GET', identityTokenPath))?.token
    if (!token) return
    const signedIn = await this.#ask<{ idToken: string }>('POST', signInPath, { token, returnSecureToken: true })
    if (signedIn) await this.#call(calls, signedIn.idToken)
  }

  /**
   * Requests an address of the identity service; null, and nothing noted, where it refuses.
   *
   * @throws AppError `unavailable`, as its own endpoint would.
   */
  async #ask<Answer>(method: 'GET' | 'POST', path: string, body?: object): Promise<Answer | null> {
    const { headers } = this.#exchange.request
    const passed = ['cookie', 'user-agent', 'x-client-address', 'x-request-id'].flatMap((name) => {
      const value = headers[name]
      return typeof value === 'string' ? [[name, value] as [string, string]] : []
    })
    const response = await this.#parts.identity.request(`${identityBase}/api${path}`, {
      method,
      headers: [...passed, ...(body ? [['content-type', 'application/json'] as [string, string]] : [])],
      signal: this.#signal,
      ...(body && { body: JSON.stringify(body) }),
    })
    if (response.status === httpStatusOf.unavailable) throw identityUnavailable()
    if (response.status !== 200) return null
    this.cookies.push(...response.headers.getSetCookie())
    const answer = (await response.json()) as Answer
    this.answers.push({ method, path, ...(body && { body }), answer })
    return answer
  }

  /**
   * The calls of the screen, at once as the page would. One that is refused is left out, and the page gets the refusal itself.
   *
   * @throws Outage
   */
  async #call(callables: readonly Callable[], bearer: string): Promise<void> {
    const { calls } = this.#parts
    const caller = await calls.verifyBackendToken(bearer)
    this.#exchange.userId = caller.userId
    this.#exchange.orgId = caller.orgId
    const settled = await Promise.allSettled(
      callables.map(async ({ name }) => {
        const verb = calls.verbs.find((one) => one.callable.name === name)
        if (!verb) throw new AppError('not-found', 'There is no such call.')
        const result = await runFor(calls, verb, caller, {}, { exchange: this.#exchange, signal: this.#signal })
        return { method: 'POST', path: `/${name}`, body: { data: {} }, answer: { result: result ?? null } } as const
      }),
    )
    for (const one of settled) {
      if (one.status === 'fulfilled') this.answers.push(one.value)
      else if (outageOf(one.reason)) throw one.reason
    }
  }
}
