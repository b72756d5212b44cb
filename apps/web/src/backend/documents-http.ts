import { DatabaseError } from '@tour-ops/contract/database-codes'
import type { DocumentRequestName, DocumentResults } from '@tour-ops/contract/live/documents'
import { browserEnvironment, type DocumentsEnvironment } from './documents-environment.ts'
import type { Documents, DocumentsState } from './documents-port.ts'
import { databaseErrorOf, errorOfResponse, type TokenSource } from './documents-wire.ts'
import { ownStream, sharedStream, type LiveLink } from './live-leader.ts'
import { PendingWrites } from './pending-writes.ts'
import { documentTimings } from './reconnect.ts'
import { TargetStore } from './target-store.ts'

export interface DocumentsHttpOptions {
  /** Where the server answers, without a slash at the end: `/api`. */
  readonly apiUrl: string
  readonly token: TokenSource
  readonly env?: DocumentsEnvironment
}

/** Who reads: documents are followed for one person in one organization at a time. */
export interface DocumentsPerson {
  readonly userId: string
  readonly orgId: string | null
}

export interface DocumentsHttp extends Documents {
  /** To be called at sign-in, at a change of organization, and with null at sign-out. Listeners stay and start again. */
  identify(person: DocumentsPerson | null): void
  close(): void
}

/** Live documents over our own server: a resumable event stream for reading along, requests for the rest. */
export function documentsHttp({ apiUrl, token, env = browserEnvironment() }: DocumentsHttpOptions): DocumentsHttp {
  const store = new TargetStore(env)
  const stateListeners = new Set<(state: DocumentsState) => void>()
  let state: DocumentsState = { connection: 'reconnecting', lastEventAt: null }
  let person: DocumentsPerson | null = null
  let link: LiveLink | undefined

  const become = (next: DocumentsState) => {
    state = next
    stateListeners.forEach((tell) => tell(next))
  }
  const request = documentRequests(apiUrl, token, env)
  const writes = new PendingWrites(env, async (batch, idempotencyKey) => {
    await request('commit', { writes: batch, idempotencyKey })
  })

  const openLink = ({ userId, orgId }: DocumentsPerson): LiveLink => {
    const options = { url: `${apiUrl}/live/listen`, token, env, store, onState: become }
    // `frames`: tabs of a version before said each frame by itself, and have a stream of their own
    return env.locks ? sharedStream(`live:frames:${userId}:${orgId ?? ''}`, env.locks, options) : ownStream(options)
  }

  return {
    listen(target, observer) {
      if (store.observe(target, observer)) link?.setTargets(store.wanted())
      return () => {
        if (store.unobserve(target, observer)) link?.setTargets(store.wanted())
      }
    },
    get: (path) => request('get', { path }),
    batchGet: async (paths) => (await request('batchGet', { paths })).documents,
    query: async (query) => (await request('runQuery', query)).documents,
    count: async (query) => (await request('count', query)).count,
    commit: (batch) => writes.commit(batch),
    onState(onChange) {
      stateListeners.add(onChange)
      onChange(state)
      return () => stateListeners.delete(onChange)
    },
    identify(next) {
      if (next?.userId === person?.userId && next?.orgId === person?.orgId) return
      link?.close()
      link = undefined
      store.forget()
      if (next?.userId !== person?.userId) writes.clear()
      person = next
      become({ connection: 'reconnecting', lastEventAt: null })
      if (!next) return
      link = openLink(next)
      if (store.wanted().length > 0) link.setTargets(store.wanted())
    },
    close() {
      link?.close()
      link = undefined
      writes.close()
    },
  }
}

/** One request to `documents:{name}`, ended after the request timeout, with one new token when the first is refused. */
function documentRequests(apiUrl: string, token: TokenSource, env: DocumentsEnvironment) {
  const post = async (name: DocumentRequestName, data: object, bearer: string): Promise<Response> => {
    const deadline = new AbortController()
    const late = new DatabaseError('deadline-exceeded', 'The server took too long to answer.')
    const timer = env.setTimeout(() => deadline.abort(late), documentTimings.requestMs)
    try {
      return await env.fetch(`${apiUrl}/documents:${name}`, {
        method: 'POST',
        signal: deadline.signal,
        headers: { 'content-type': 'application/json', authorization: `Bearer ${bearer}` },
        body: JSON.stringify({ data }),
      })
    } finally {
      env.clearTimeout(timer)
    }
  }

  return async <Name extends DocumentRequestName>(name: Name, data: object): Promise<DocumentResults[Name]> => {
    try {
      let response = await post(name, data, await token(false))
      if (response.status === 401) response = await post(name, data, await token(true))
      if (!response.ok) throw await errorOfResponse(response)
      return ((await response.json()) as { result: DocumentResults[Name] }).result
    } catch (error) {
      throw databaseErrorOf(error)
    }
  }
}
