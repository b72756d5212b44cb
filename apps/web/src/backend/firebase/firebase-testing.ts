import type { FirebaseSettings } from '@tour-ops/contract/page-config'
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
  /** A browser of its own. */
  backend(options?: Partial<FirebaseBackendOptions>): FirebaseBackend
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
  return {
    tokens,
    firestore,
    refusedPaths,
    functions,
    storage,
    settings,
    noFiles,
    backend: (options = {}) =>
      makeFirebaseBackend({
        settings,
        files: () => noFiles,
        isPersistent: false,
        appName: `browser ${(browsers += 1)}`,
        ...options,
      }),
    async tokenFor(userId, orgId, role = 'dispatcher') {
      memberRoles.set(`${orgId}/${userId}`, role)
      await firestore.put(`orgs/${orgId}/members/${userId}`, {
        role: { stringValue: role },
        staffId: { nullValue: null },
      })
      // the name that the suites give in their presence
      return tokens.mint(userId, { org_id: orgId, org_role: role, person_name: 'Ada' })
    },
    async close() {
      await functions.close()
      await storage.close()
      await firestore.close()
      await tokens.close()
    },
  }
}
