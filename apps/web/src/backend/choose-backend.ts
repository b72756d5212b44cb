import type { OwnBackend, PageConfig } from '@tour-ops/contract/page-config'
import type { Identity } from '../identity/port.ts'
import { fetchWithTokens } from './call-headers.ts'
import { browserEnvironment } from './documents-environment.ts'
import { documentsHttp, type DocumentsPerson } from './documents-http.ts'
import type { FilesHttpParts } from './files-http.ts'
import type { FileStore } from './files-port.ts'
import { makeHttpBackend } from './http.ts'
import type { Backend } from './port.ts'

interface ChosenBackend {
  readonly backend: Backend
  /** What its sign-in takes, made of the identity. */
  readonly credential: () => Promise<string>
  /** Whose live documents are followed; null for nobody. */
  readonly identify: (person: DocumentsPerson | null) => void
}

/**
 * The backend adapter that the configuration names. The code of the hosted one is loaded only where it is configured: others download not
 * one byte of it.
 *
 * @param ownServerToken What the sign-in of our own server takes.
 * @param send Sends requests to our own server.
 */
export async function chooseBackend(
  config: PageConfig,
  identity: Identity,
  ownServerToken: () => Promise<string>,
  send: typeof globalThis.fetch,
): Promise<ChosenBackend> {
  if (config.backend.kind === 'firebase') {
    const { makeFirebaseBackend, signInBridge } = await import('./firebase/firebase-backend.ts')
    const backend = makeFirebaseBackend({
      settings: config.backend,
      files: (token, transferOf) => loadFiles({ apiUrl: config.baseUrl, token, transferOf }),
    })
    return {
      backend,
      credential: signInBridge(config.backend.bridge, identity),
      identify: (person) => backend.documents.identify(person),
    }
  }
  const { baseUrl } = config
  const fetch = await ownServerFetch(config.backend, send)
  const backend = makeHttpBackend({
    config,
    fetch,
    documents: (token) => documentsHttp({ apiUrl: baseUrl, token, env: { ...browserEnvironment(), fetch } }),
    files: (token) => loadFiles({ apiUrl: baseUrl, token, fetch }),
    onRefused: () => void identity.refresh(),
  })
  return { backend, credential: ownServerToken, identify: (person) => backend.documents.identify(person) }
}

const loadFiles = async (parts: FilesHttpParts): Promise<FileStore> =>
  (await import('./files-http.ts')).filesHttp(parts)

/** The browser's own, with app-check and messaging-instance headers where a project is configured for them. */
async function ownServerFetch(
  { callHeaders }: OwnBackend,
  send: typeof globalThis.fetch,
): Promise<typeof globalThis.fetch> {
  if (!callHeaders) return send
  const { ownServerTokens } = await import('./firebase/own-server-tokens.ts')
  return fetchWithTokens(ownServerTokens(callHeaders), send)
}
