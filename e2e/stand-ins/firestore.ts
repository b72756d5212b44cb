import http, { type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { channelHandler } from './firestore-channel.ts'
import {
  FirestoreStore,
  grpcCodes,
  Refusal,
  shown,
  timeText,
  type Auth,
  type Rules,
  type StructuredQuery,
  type Write,
} from './firestore-store.ts'
import { plainOf, type Value } from './firestore-values.ts'

export interface FirestoreStandIn {
  readonly port: number
  /** What is stored at a path below `documents/`, as plain JSON. */
  at(path: string): Record<string, unknown> | undefined
  /** Writes as the server does; null removes. */
  put(path: string, fields: Readonly<Record<string, Value>> | null): Promise<void>
  /** Breaks every open channel. */
  cutAll(): void
  /** Until it is called again with null, every request is refused with this status. */
  refuseAll(status: string | null): void
  close(): Promise<void>
}

export interface FirestoreOptions {
  readonly projectId: string
  readonly rules: Rules
  /** Verifies a bearer; undefined for one that is not valid. `owner` is the server of the tests. */
  readonly verify: (bearer: string) => Readonly<Record<string, unknown>> | undefined
  readonly port?: number
}

const restPath = /^\/v1\/(projects\/[^/]+\/databases\/[^/]+\/documents(?:\/[^:]*)?):(\w+)$/
const channelPath = /^\/google\.firestore\.v1\.Firestore\/(Listen|Write)\/channel$/

/**
 * Firestore in memory: WebChannel for the browser's SDK, REST for the server. No rules language (a predicate instead), no
 * indexes, no gRPC, one process. Test equipment.
 */
export async function startFirestore(options: FirestoreOptions): Promise<FirestoreStandIn> {
  const store = new FirestoreStore(options.rules)
  let refusal: string | null = null
  const authOf = (header: string | undefined): Auth => {
    const bearer = header?.replace(/^Bearer /, '')
    if (!bearer) return null
    if (bearer === 'owner') return 'owner'
    const claims = options.verify(bearer)
    if (!claims) throw new Refusal('UNAUTHENTICATED', 'The token is not valid.')
    return claims
  }
  const channels = channelHandler(store, authOf)

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    allowEveryOrigin(request, response)
    if (request.method === 'OPTIONS') return void response.writeHead(204).end()
    const url = new URL(request.url ?? '/', 'http://stand-in')
    const body = await textOf(request)
    try {
      if (refusal) throw new Refusal(refusal)
      const rpc = channelPath.exec(url.pathname)?.[1]
      if (rpc) return channels.handle(rpc, request, response, url, body)
      const [, parent, verb] = restPath.exec(decodeURIComponent(url.pathname)) ?? []
      if (!parent || !verb) throw new Refusal('NOT_FOUND')
      const result = rest(store, authOf(request.headers.authorization), parent, verb, JSON.parse(body || '{}'))
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify(result))
    } catch (error) {
      sendRefusal(response, error)
    }
  }

  const server = http.createServer((request, response) => void answer(request, response))
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, '127.0.0.1', resolve))
  const root = `projects/${options.projectId}/databases/(default)/documents`
  return {
    port: (server.address() as AddressInfo).port,
    at: (path) => {
      const found = store.find(`${root}/${path}`)
      return found && plainOf(found)
    },
    put: async (path, fields) => {
      const name = `${root}/${path}`
      store.commit([fields ? { update: { name, fields: { ...fields } } } : { delete: name }], 'owner')
    },
    cutAll: () => channels.cutAll(),
    refuseAll: (status) => {
      refusal = status
      if (status) channels.cutAll()
    },
    close: () =>
      new Promise((resolve) => {
        channels.cutAll()
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

interface RestBody {
  writes?: Write[]
  documents?: string[]
  structuredQuery?: StructuredQuery
  structuredAggregationQuery?: { structuredQuery: StructuredQuery; aggregations: { alias: string; count?: object }[] }
}

function rest(store: FirestoreStore, auth: Auth, parent: string, verb: string, body: RestBody): unknown {
  const readTime = timeText(store.version)
  const list = (query: StructuredQuery) => {
    store.check(auth, 'list', `${parent}/${query.from[0]?.collectionId}`)
    return store.select(parent, query)
  }
  switch (verb) {
    case 'commit':
      return store.commit(body.writes ?? [], auth)
    case 'batchGet':
      return (body.documents ?? []).map((name) => {
        store.check(auth, 'get', name)
        const found = store.find(name)
        return found ? { found: shown(found), readTime } : { missing: name, readTime }
      })
    case 'runQuery': {
      const found = list(body.structuredQuery ?? { from: [] })
      return found.length > 0 ? found.map((document) => ({ document: shown(document), readTime })) : [{ readTime }]
    }
    case 'runAggregationQuery': {
      const { structuredQuery, aggregations } = body.structuredAggregationQuery ?? {
        structuredQuery: { from: [] },
        aggregations: [],
      }
      const count: Value = { integerValue: String(list(structuredQuery).length) }
      const aggregateFields = Object.fromEntries(aggregations.map(({ alias }) => [alias, count]))
      return [{ result: { aggregateFields }, readTime }]
    }
    default:
      throw new Refusal('UNIMPLEMENTED', `The stand-in knows no ${verb}.`)
  }
}

/** Browsers come from another port. */
export function allowEveryOrigin(request: IncomingMessage, response: ServerResponse): void {
  const { origin } = request.headers
  response.setHeader('access-control-allow-origin', origin ?? '*')
  response.setHeader('access-control-allow-credentials', 'true')
  response.setHeader(
    'access-control-expose-headers',
    'x-http-session-id, date, x-goog-upload-status, x-goog-upload-url, x-goog-upload-size-received',
  )
  response.setHeader('access-control-allow-methods', 'GET, POST, PUT, PATCH, DELETE')
  response.setHeader('access-control-allow-headers', request.headers['access-control-request-headers'] ?? '*')
}

export async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}

function sendRefusal(response: ServerResponse, error: unknown): void {
  const status = error instanceof Refusal ? error.status : 'INTERNAL'
  const code = grpcCodes[status]?.[1] ?? 500
  const message = error instanceof Error ? error.message : String(error)
  response.writeHead(code, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ error: { code, message, status } }))
}
