import type { FirebaseSettings } from '@tour-ops/contract/page-config'
import { startFirestore, type FirestoreStandIn } from '../../../../../e2e/stand-ins/firestore.ts'
import { liveRules } from '../../../../../e2e/stand-ins/firestore-rules.ts'
import { hostFunctions, type FunctionsHost, type HostedFunction } from '../../../../../e2e/stand-ins/functions-host.ts'
import { startTokens, type TokenStandIn } from '../../../../../e2e/stand-ins/tokens.ts'
import { makeFirebaseBackend, type FirebaseBackend, type FirebaseBackendOptions } from './firebase-backend.ts'

// For tests in Node: the real SDK, with stand-ins of the services behind it.

export interface HostedWorld {
  readonly tokens: TokenStandIn
  readonly firestore: Pick<FirestoreStandIn, 'port' | 'put' | 'close'>
  readonly functions: FunctionsHost
  readonly settings: FirebaseSettings
  /** A browser of its own. */
  backend(options?: Partial<FirebaseBackendOptions>): FirebaseBackend
  /** A custom token for a person in an organization, whom the rules know with this role. */
  tokenFor(userId: string, orgId: string, role?: string): Promise<string>
  close(): Promise<void>
}

const projectId = 'demo-tour'
const noFiles = { upload: () => never(), link: () => never() }

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
  const firestore =
    database ?? (await startFirestore({ projectId, rules: liveRules, verify: (bearer) => tokens.verify(bearer) }))
  const functions = await hostFunctions({ api })
  const host = '127.0.0.1'
  const settings: FirebaseSettings = {
    kind: 'firebase',
    project: { apiKey: 'demo', projectId },
    region: 'us-central1',
    bridge: { kind: 'exchange', url: '/exchange' },
    tokenSyncPath: null,
    local: {
      auth: tokens.origin,
      firestore: { host, port: firestore.port },
      functions: { host, port: Number(new URL(functions.origin).port) },
    },
  }
  return {
    tokens,
    firestore,
    functions,
    settings,
    backend: (options = {}) =>
      makeFirebaseBackend({
        settings,
        files: () => noFiles,
        isPersistent: false,
        appName: `browser ${(browsers += 1)}`,
        ...options,
      }),
    async tokenFor(userId, orgId, role = 'dispatcher') {
      await firestore.put(`orgs/${orgId}/members/${userId}`, {
        role: { stringValue: role },
        staffId: { nullValue: null },
      })
      return tokens.mint(userId, { org_id: orgId, org_role: role })
    },
    async close() {
      await functions.close()
      await firestore.close()
      await tokens.close()
    },
  }
}
