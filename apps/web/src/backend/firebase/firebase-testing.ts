import { callable } from '@tour-ops/contract/callable'
import type { FirebaseSettings } from '@tour-ops/contract/page-config'
import * as z from 'zod/mini'
import { startFirestore, type FirestoreStandIn } from '../../../../../e2e/stand-ins/firestore.ts'
import { liveRules } from '../../../../../e2e/stand-ins/firestore-rules.ts'
import type { Rules } from '../../../../../e2e/stand-ins/firestore-store.ts'
import { hostFunctions, type FunctionsHost, type HostedFunction } from '../../../../../e2e/stand-ins/functions-host.ts'
import { startStorage, type StorageStandIn } from '../../../../../e2e/stand-ins/storage.ts'
import { startTokens, type TokenStandIn } from '../../../../../e2e/stand-ins/tokens.ts'
import type { FileStore } from '../files-port.ts'
import { makeFirebaseBackend, type FirebaseBackend, type FirebaseBackendOptions } from './firebase-backend.ts'

// For tests in Node: the real SDK, with stand-ins of the services behind it.

export interface HostedWorld {
  readonly tokens: TokenStandIn
  /** Our stand-in can refuse on demand, the vendor's emulator cannot. */
  readonly firestore: Pick<FirestoreStandIn, 'port' | 'put' | 'close'> & Partial<Pick<FirestoreStandIn, 'refuseAll'>>
  /** Places that the rules of the stand-in refused. */
  readonly refusedPaths: readonly string[]
  readonly functions: FunctionsHost
  readonly storage: StorageStandIn
  readonly settings: FirebaseSettings
  /** For tests without files. */
  readonly noFiles: FileStore
  /** A separate browser. */
  backend(options?: Partial<FirebaseBackendOptions>): FirebaseBackend
  /** A browser in which Ada of the organization `north` is signed in. */
  signedIn(options?: Partial<FirebaseBackendOptions>): Promise<FirebaseBackend>
  /** A custom token for a person in an organization, whom the rules know with this role. */
  tokenFor(userId: string, orgId: string, role?: string): Promise<string>
  close(): Promise<void>
}

const projectId = 'demo-tour'
const noFiles: FileStore = { upload: () => never(), link: () => never() }

let browsers = 0

function never(): never {
  throw new Error('This test has no files.')
}

/** @param database The vendor's emulator instead of our stand-in. */
export async function hostedWorld(
  api: HostedFunction = () => undefined,
  database?: HostedWorld['firestore'],
): Promise<HostedWorld> {
  const tokens = await startTokens({ projectId, serviceAccount: `functions@${projectId}.iam.gserviceaccount.com` })
  const refusedPaths: string[] = []
  const rules: Rules = (request) => {
    const isAllowed = liveRules(request)
    if (!isAllowed) refusedPaths.push(request.path)
    return isAllowed
  }
  const firestore = database ?? (await startFirestore({ projectId, rules, verify: (bearer) => tokens.verify(bearer) }))
  const functions = await hostFunctions({ api })
  const memberRoles = new Map<string, string>()
  const storage = await startStorage({
    verify: (bearer) => tokens.verify(bearer),
    roleOf: (orgId, userId) => memberRoles.get(`${orgId}/${userId}`),
  })
  const host = '127.0.0.1'
  const settings: FirebaseSettings = {
    kind: 'firebase',
    project: { apiKey: 'demo', projectId, storageBucket: 'demo-tour.firebasestorage.app' },
    appCheckKey: null,
    region: 'us-central1',
    callables: 'api',
    bridge: { kind: 'exchange', url: '/exchange' },
    tokenSyncPath: null,
    local: {
      auth: tokens.origin,
      firestore: { host, port: firestore.port },
      functions: { host, port: Number(new URL(functions.origin).port) },
      storage: { host, port: storage.port },
    },
  }
  const backend: HostedWorld['backend'] = (options = {}) =>
    makeFirebaseBackend({
      settings,
      files: async () => noFiles,
      isPersistent: false,
      appName: `browser ${(browsers += 1)}`,
      ...options,
    })
  const tokenFor: HostedWorld['tokenFor'] = async (userId, orgId, role = 'dispatcher') => {
    memberRoles.set(`${orgId}/${userId}`, role)
    await firestore.put(`orgs/${orgId}/members/${userId}`, {
      role: { stringValue: role },
      staffId: { nullValue: null },
    })
    // the name that the suites give in their presence
    return tokens.mint(userId, { org_id: orgId, org_role: role, person_name: 'Ada' })
  }
  return {
    tokens,
    firestore,
    refusedPaths,
    functions,
    storage,
    settings,
    noFiles,
    backend,
    tokenFor,
    async signedIn(options) {
      const own = backend(options)
      await own.signIn(await tokenFor('ada', 'north'))
      return own
    },
    async close() {
      await functions.close()
      await storage.close()
      await firestore.close()
      await tokens.close()
    },
  }
}

const anything = z.looseObject({})
/** A callable that takes and answers anything. */
export const listTours = callable({
  name: 'tours-list',
  kind: 'read',
  permission: 'tours:read',
  summary: 'Tours.',
  topics: [],
  input: anything,
  output: anything,
})

/** A request of a callable, as our function gets it. */
export interface HostedRequest {
  readonly body: { data: Record<string, unknown> }
  readonly path: string
  header(name: string): string | undefined
}
export interface HostedResponse {
  status(code: number): HostedResponse
  set(name: string, value: string): HostedResponse
  send(body: object): void
}
export type HostedAnswer = (request: HostedRequest, response: HostedResponse) => void

/** What our function was asked, and what it answers next. */
export interface HostedCalls {
  /** The last one stays. */
  answers: HostedAnswer[]
  readonly seen: { readonly data: unknown; readonly path: string; readonly bearer: string | undefined }[]
}

/** A world whose function answers as the test says. */
export async function hostedCalls(): Promise<{ world: HostedWorld; calls: HostedCalls }> {
  const calls: HostedCalls = { answers: [], seen: [] }
  const world = await hostedWorld((request: HostedRequest, response: HostedResponse) => {
    calls.seen.push({ data: request.body.data, path: request.path, bearer: request.header('authorization') })
    const answer = calls.answers.length > 1 ? calls.answers.shift() : calls.answers[0]
    answer?.(request, response)
  })
  return { world, calls }
}

export const echo: HostedAnswer = (request, response) => response.send({ result: request.body.data })
export const refusing =
  (code: string, status: number): HostedAnswer =>
  (_request, response) =>
    response.status(status).send({ error: { status: code, message: 'Not now.', details: { reason: 'test' } } })
