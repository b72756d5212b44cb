import { AppError } from '@tour-ops/contract/errors'
import type { FirebaseSettings } from '@tour-ops/contract/page-config'
import { initializeApp, type FirebaseApp, type FirebaseOptions } from 'firebase/app'
import {
  connectAuthEmulator,
  indexedDBLocalPersistence,
  initializeAuth,
  inMemoryPersistence,
  signInWithCustomToken,
  signOut,
  type Auth,
} from 'firebase/auth'
import type { AppCheck } from 'firebase/app-check'
import { connectFunctionsEmulator, getFunctions, httpsCallable, type Functions } from 'firebase/functions'
import { headersOfTokens } from '../call-headers.ts'
import { callableTimeoutMs, storageRetryMs, uploadRetryMs } from '../constants.ts'
import type { TokenSource } from '../documents-wire.ts'
import type { FileStore } from '../files-port.ts'
import type { Backend } from '../port.ts'
import type { Transfer } from '../upload-task.ts'
import { startBrowserProof } from './browser-tokens.ts'
import { firebaseAnalytics } from './firebase-analytics.ts'
import { makeFirebaseCalls } from './firebase-calls.ts'
import { authErrorOfFirebase } from './firebase-errors.ts'
import { FirebaseSession } from './firebase-session.ts'
import { firestoreDocuments, type FirestoreDocuments, type OpenFirestore } from './firestore-documents.ts'
import { storageTransfer, type OpenStorage } from './storage-transfer.ts'
import { syncToken } from './token-sync.ts'

export { signInBridge } from './sign-in-bridge.ts'

/** The size of the cache of live documents in this browser. Source: spec, section 9, "cache size 40 MB". */
const documentCacheBytes = 40 * 1024 * 1024

export interface FirebaseBackend extends Backend {
  readonly documents: FirestoreDocuments
}

export interface FirebaseBackendOptions {
  readonly settings: FirebaseSettings
  /** Makes the file store over the token of this backend, with contents that travel to its bucket. */
  readonly files: (token: TokenSource, transferOf: (content: Blob) => Transfer) => Promise<FileStore>
  /** For several in one process, as tests have them. */
  readonly appName?: string
  /** Without IndexedDB the documents are cached in memory only. */
  readonly isPersistent?: boolean
  readonly timeoutMs?: number
  /** For how long the SDK repeats an upload. */
  readonly uploadRetryMs?: number
  /** Begins to prove that this is our page; by the script of the configured site key without. */
  readonly startAppCheck?: (app: FirebaseApp) => Promise<AppCheck>
}

/**
 * The hosted backend behind the backend port. Loaded by dynamic import, and the database's SDK by another when the first document
 * is wanted: a browser that does not use it downloads nothing of it.
 */
export function makeFirebaseBackend(options: FirebaseBackendOptions): FirebaseBackend {
  const { settings, isPersistent = true } = options
  // parsed from JSON: what is absent is absent, never undefined
  const app = initializeApp(settings.project as FirebaseOptions, options.appName)
  const auth = openAuth(app, settings, isPersistent)
  const functions = openFunctions(app, settings)
  const { ready, tokens } = startBrowserProof({ app, settings, startAppCheck: options.startAppCheck })
  const call = makeFirebaseCalls({
    send: async (name, data) => {
      await ready
      const remote = httpsCallable(functions, name, { timeout: callableTimeoutMs })
      return (await remote(data)).data
    },
    callables: settings.callables,
    renewToken: async () => void (await auth.currentUser?.getIdToken(true)),
    ...(options.timeoutMs === undefined ? {} : { timeoutMs: options.timeoutMs }),
  })
  const documents = firestoreDocuments({
    open: async () => {
      await ready
      return openFirestore(app, settings, isPersistent)
    },
    rest: async () => {
      const { firestoreRest } = await import('./firestore-rest.ts')
      return firestoreRest({
        origin: settings.local
          ? `http://${settings.local.firestore.host}:${settings.local.firestore.port}`
          : 'https://firestore.googleapis.com',
        projectId: settings.project.projectId,
        headers: async () => {
          const [bearer, { appCheck }] = await Promise.all([auth.currentUser?.getIdToken(), tokens()])
          return { ...(bearer ? { authorization: `Bearer ${bearer}` } : {}), ...headersOfTokens({ appCheck }) }
        },
      })
    },
  })
  let openedStorage: Promise<OpenStorage> | undefined
  const storage = () => (openedStorage ??= ready.then(() => openStorage(app, settings, options.uploadRetryMs)))
  const session = new FirebaseSession({
    signInWithToken: async (token) => {
      try {
        await signInWithCustomToken(auth, token)
      } catch (error) {
        throw authErrorOfFirebase(error)
      }
    },
    signOut: () => signOut(auth),
    closeListeners: () => documents.identify(null),
    forgetDocuments: () => documents.forget(),
    warn: (message, error) => console.warn(message, error),
  })
  return {
    signIn: (token) => session.signIn(token),
    signOut: () => session.signOut(),
    call,
    documents,
    files: () =>
      options.files(
        async (renew) => {
          const bearer = await auth.currentUser?.getIdToken(renew)
          if (!bearer) throw new AppError('unauthenticated', 'Sign in to go on.')
          return bearer
        },
        (content) => storageTransfer(content, storage),
      ),
    analytics: settings.project.measurementId ? firebaseAnalytics(app) : null,
  }
}

/** `getAuth` would bring pop-ups and redirects that nobody uses here. */
function openAuth(app: FirebaseApp, settings: FirebaseSettings, isPersistent: boolean): Auth {
  const { tokenSyncPath, local } = settings
  const persistence = isPersistent ? [indexedDBLocalPersistence, inMemoryPersistence] : inMemoryPersistence
  const auth = initializeAuth(app, { persistence })
  if (tokenSyncPath !== null) syncToken(auth, tokenSyncPath)
  if (local) connectAuthEmulator(auth, local.auth, { disableWarnings: true })
  return auth
}

function openFunctions(app: FirebaseApp, { region, local }: FirebaseSettings): Functions {
  const functions = getFunctions(app, region)
  if (local) connectFunctionsEmulator(functions, local.functions.host, local.functions.port)
  return functions
}

async function openFirestore(
  app: FirebaseApp,
  { local }: FirebaseSettings,
  isPersistent: boolean,
): Promise<OpenFirestore> {
  const sdk = await import('firebase/firestore')
  const localCache = isPersistent
    ? sdk.persistentLocalCache({
        cacheSizeBytes: documentCacheBytes,
        tabManager: sdk.persistentMultipleTabManager(),
      })
    : sdk.memoryLocalCache()
  const db = sdk.initializeFirestore(app, { localCache })
  if (local) sdk.connectFirestoreEmulator(db, local.firestore.host, local.firestore.port)
  return { sdk, db }
}

/** Loaded with the first upload. Source of the limits: spec, section 9, "storage retry 2 minutes; upload retry 10 minutes". */
async function openStorage(
  app: FirebaseApp,
  { project, local }: FirebaseSettings,
  retryMs: number = uploadRetryMs,
): Promise<OpenStorage> {
  const sdk = await import('firebase/storage')
  const storage = sdk.getStorage(app, `gs://${project.storageBucket}`)
  storage.maxOperationRetryTime = storageRetryMs
  storage.maxUploadRetryTime = retryMs
  if (local) sdk.connectStorageEmulator(storage, local.storage.host, local.storage.port)
  return { sdk, storage }
}
