import type { JsonObject } from '@tour-ops/contract/live/documents'
import type { FirebaseSettings } from '@tour-ops/contract/page-config'
import { firestoreFieldsOf } from '@tour-ops/contract/live/firestore-values'
import { plural } from '../plural.ts'
import { serviceTokenOf } from './service-token.ts'

/** A document that the server writes: replaced as a whole, removed, or merged with a counter that goes up by one. */
export type ServerWrite =
  | { readonly kind: 'set'; readonly path: string; readonly data: JsonObject }
  | { readonly kind: 'delete'; readonly path: string }
  | { readonly kind: 'count'; readonly path: string; readonly data: JsonObject; readonly counter: string }

/** Where live documents are published to. */
export interface LiveStore {
  /** Writes all or nothing. @throws Error when the store cannot be reached or refuses. */
  commit(writes: readonly ServerWrite[]): Promise<void>
}

interface FirestoreStoreOptions {
  readonly projectId: string
  /** Gives the bearer of the service account. */
  readonly accessToken: () => Promise<string>
  /** Start of the REST addresses; an emulator has another. */
  readonly baseUrl?: string
}

/** Longest wait for one commit; the sweep repeats what was given up. */
const commitTimeoutMs = 10_000

/**
 * Firestore by its REST interface: one request per batch, without the gRPC stack of the client library, which would
 * double the start-up time of a function.
 *
 * @see https://firebase.google.com/docs/firestore/reference/rest/v1/projects.databases.documents/commit
 */
function firestoreStore(options: FirestoreStoreOptions): LiveStore {
  const { projectId, baseUrl = 'https://firestore.googleapis.com' } = options
  const root = `projects/${projectId}/databases/(default)/documents`
  return {
    async commit(writes) {
      const response = await fetch(`${baseUrl}/v1/${root}:commit`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${await options.accessToken()}` },
        body: JSON.stringify({ writes: writes.map((write) => wireOf(root, write)) }),
        signal: AbortSignal.timeout(commitTimeoutMs),
      })
      if (!response.ok) {
        throw new Error(
          `Firestore refused ${plural(writes.length, '# write', '# writes')}: ${response.status} ${await response.text()}`,
        )
      }
    },
  }
}

/**
 * The database of the configuration, written with the service account that this program runs under; a stand-in where the
 * configuration names one.
 */
export function firestoreOf(settings: FirebaseSettings): LiveStore {
  const { project, local } = settings
  const baseUrl = local ? { baseUrl: `http://${local.firestore.host}:${local.firestore.port}` } : {}
  return firestoreStore({ projectId: project.projectId, accessToken: serviceTokenOf(settings), ...baseUrl })
}

function wireOf(root: string, write: ServerWrite): object {
  const name = `${root}/${write.path}`
  switch (write.kind) {
    case 'delete':
      return { delete: name }
    case 'set':
      return { update: { name, fields: firestoreFieldsOf(write.data) } }
    case 'count':
      return {
        update: { name, fields: firestoreFieldsOf(write.data) },
        // named fields only, so that the counter survives the write
        updateMask: { fieldPaths: Object.keys(write.data) },
        updateTransforms: [{ fieldPath: write.counter, increment: { integerValue: '1' } }],
      }
  }
}
