import type { FirebaseSettings } from '@tour-ops/contract/page-config'
import { livePath } from '@tour-ops/contract/live/live-paths'
import * as sdk from 'firebase/firestore'
import { expect, test, vi } from 'vitest'
import { makeFirebaseBackend } from './firebase-backend.ts'

// What the library is given; what it does with it is shown by the journeys of the hosted backend.
vi.mock('firebase/firestore', () => ({
  persistentLocalCache: vi.fn((options: object) => ({ kind: 'persistent', ...options })),
  persistentMultipleTabManager: () => 'all tabs',
  initializeFirestore: vi.fn(() => ({})),
  doc: vi.fn(),
  collection: vi.fn(),
  onSnapshot: () => () => undefined,
}))

const settings: FirebaseSettings = {
  kind: 'firebase',
  project: { apiKey: 'demo', projectId: 'demo-tour', storageBucket: 'demo-tour.firebasestorage.app' },
  appCheckKey: null,
  region: 'us-central1',
  callables: 'api',
  bridge: { kind: 'exchange', url: '/exchange' },
  tokenSyncPath: null,
  local: null,
}

test('documents are cached in the browser up to 40 MB, for all of its tabs', async () => {
  const backend = makeFirebaseBackend({ settings, files: () => ({}) as never })
  backend.documents.identify({ userId: 'ada', orgId: 'north' })
  backend.documents.listen(livePath.presences('north'), {
    next: () => undefined,
    error: (error) => expect.fail(error.message),
  })
  await vi.waitFor(() => expect(sdk.initializeFirestore).toHaveBeenCalledOnce())
  expect(vi.mocked(sdk.persistentLocalCache).mock.calls).toEqual([
    [{ cacheSizeBytes: 41_943_040, tabManager: 'all tabs' }],
  ])
  expect(vi.mocked(sdk.initializeFirestore).mock.calls[0]?.[1]).toEqual({
    localCache: { kind: 'persistent', cacheSizeBytes: 41_943_040, tabManager: 'all tabs' },
  })
})
