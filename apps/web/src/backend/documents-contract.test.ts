import path from 'node:path'
import { firestoreFieldsOf } from '@tour-ops/contract/live/firestore-values'
import { livePath } from '@tour-ops/contract/live/live-paths'
import { test } from 'vitest'
import { findEmulatorJar, startEmulator, type FirestoreEmulator } from '../../../../e2e/stand-ins/firestore-emulator.ts'
import { startDocumentsServer } from '../../../server/testing/documents.ts'
import { documentsContract, type ContractMember, type DocumentsWorld } from './documents-contract.ts'
import type { DocumentsEnvironment } from './documents-environment.ts'
import { documentsHttp, type DocumentsHttp } from './documents-http.ts'
import type { FirebaseBackend } from './firebase/firebase-backend.ts'
import { hostedWorld } from './firebase/firebase-testing.ts'

/** A browser with one tab on plain HTTP. */
const nodeEnvironment: DocumentsEnvironment = {
  fetch: (input, init) => fetch(input, init),
  now: () => Date.now(),
  setTimeout: (run, delayMs) => setTimeout(run, delayMs),
  clearTimeout: (timer) => clearTimeout(timer as ReturnType<typeof setTimeout>),
  newId: () => crypto.randomUUID(),
  locks: undefined,
  openChannel: () => ({ post: () => undefined, close: () => undefined }),
  onOnline: () => () => undefined,
}

/** Our own server, whole, on a database in memory. */
async function ownServer(): Promise<DocumentsWorld> {
  const server = await startDocumentsServer()
  const open: DocumentsHttp[] = []
  return {
    async member(given) {
      const { userId, orgId, token } = await server.member(given)
      const documents = documentsHttp({ apiUrl: server.apiUrl, token: async () => token, env: nodeEnvironment })
      documents.identify({ userId, orgId })
      open.push(documents)
      return { userId, orgId, documents }
    },
    notify: ({ userId }, messageId, data) => server.notify(userId, messageId, data),
    change: (orgId, id) => server.change(orgId, id),
    async close() {
      open.forEach((documents) => documents.close())
      await server.close()
    },
  }
}

/** The real SDK of the hosted database, in front of a stand-in that obeys the same rules. */
async function hosted(database?: FirestoreEmulator): Promise<DocumentsWorld> {
  const world = await hostedWorld(undefined, database)
  const open: FirebaseBackend[] = []
  let people = 0
  let changes = 0
  return {
    async member(given): Promise<ContractMember> {
      people += 1
      const [userId, orgId] = [`user_${people}`, given ?? `org_${people}`]
      const backend = world.backend()
      await backend.signIn(await world.tokenFor(userId, orgId))
      backend.documents.identify({ userId, orgId })
      open.push(backend)
      return { userId, orgId, documents: backend.documents }
    },
    notify: async ({ userId }, messageId, data) =>
      world.firestore.put(livePath.inboxMessage(userId, messageId), data && firestoreFieldsOf(data)),
    // as the publisher on the server writes it
    change: async (orgId, id) => {
      changes += 1
      const data = {
        version: String(changes),
        ids: [id],
        isComplete: true,
        at: new Date().toISOString(),
        count: changes,
      }
      await world.firestore.put(livePath.changes(orgId, 'bookings'), firestoreFieldsOf(data))
    },
    async close() {
      await Promise.all(open.map((backend) => backend.documents.forget()))
      await world.close()
    },
  }
}

documentsContract('our own server', ownServer)
documentsContract('Firestore', hosted)

// The same suite, with the rules of the deployment, in the vendor's emulator where it is there.
const jar = findEmulatorJar()
const rules = path.resolve(import.meta.dirname, '../../../../deploy/firebase/firestore.rules')
if (jar)
  documentsContract('Firestore in the emulator', async () => hosted(await startEmulator(jar, 'demo-tour', rules)))
else test.skip('Firestore in the emulator keeps the documents contract: SKIPPED, there is no emulator', () => undefined)
