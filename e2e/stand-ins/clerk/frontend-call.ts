import { ApiError, type Routes } from './answers.ts'
import type { EnvironmentOptions } from './environment.ts'
import { isLive, type Resources } from './resources.ts'
import { newId, type Client, type ClerkState, type Session } from './state.ts'
import type { TokenIssuer } from './tokens.ts'

/** One request of the service's script, on its way through the routes. */
export interface FrontendCall {
  readonly body: Readonly<Record<string, string>>
  /** The picture that came along. */
  readonly file: Blob | null
  readonly query: URLSearchParams
  /** Of the page that asks. */
  readonly origin: string
  /** The browser, by its cookie; a route may make one. */
  client: Client | undefined
}

export interface FrontendParts {
  readonly state: ClerkState
  readonly tokens: TokenIssuer
  readonly json: Resources
  readonly options: EnvironmentOptions
  readonly roles: Readonly<Record<string, readonly string[]>>
  /** Tokens that are made after a template, by its name. */
  readonly templates: ReadonlyMap<string, (session: Session) => string>
  /** The code in every e-mail. */
  readonly code: string
}

export type FrontendRoutes = Routes<FrontendCall>

/** Most answers carry the browser's state in addition to what was requested. */
export const withClient = (response: unknown, { client, origin }: FrontendCall, { json }: FrontendParts): object => ({
  response,
  client: client ? json.client(client, origin) : null,
})

const invalid = (): ApiError => new ApiError(401, 'authentication_invalid', 'Invalid authentication')

export function clientOf(call: FrontendCall, { state }: FrontendParts): Client {
  call.client ??= { id: newId('client'), sessions: [], signIn: null, signUp: null, createdAt: Date.now() }
  state.clients.set(call.client.id, call.client)
  return call.client
}

/** The browser's session, by id or the one there is. @throws ApiError 401 */
export function sessionOf({ client }: FrontendCall, id?: string): Session {
  const session = client?.sessions.find((each) => isLive(each) && (id === undefined || each.id === id))
  if (!session) throw invalid()
  return session
}

/** One page of a list. */
export const page = (items: readonly object[], query: URLSearchParams): object => {
  const offset = Number(query.get('offset') ?? 0)
  return { data: items.slice(offset, offset + Number(query.get('limit') ?? 10)), total_count: items.length }
}
