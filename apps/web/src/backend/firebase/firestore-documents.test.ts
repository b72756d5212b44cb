import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { DocumentsState } from '../documents-port.ts'
import { firestoreDocuments, type OpenFirestore } from './firestore-documents.ts'

// Who is followed, and until when. What the real library does with its listeners: documents-contract.test.ts.

const presence = 'orgs/north/presence'

/** The library's listeners in the hand of a test. */
function library(opening?: () => Promise<OpenFirestore>) {
  const open: {
    path: string
    hear: (fromCache: boolean, docs?: readonly object[]) => void
    fail: (code: string) => void
  }[] = []
  const sdk = {
    collection: (_db: unknown, path: string) => path,
    onSnapshot(path: string, _options: unknown, next: (snapshot: unknown) => void, fail: (error: Error) => void) {
      const listener = {
        path,
        hear: (fromCache: boolean, docs: readonly object[] = []) =>
          next({ metadata: { fromCache }, empty: false, docs }),
        // the library ends a listener that was refused
        fail: (code: string) => {
          end()
          fail(Object.assign(new Error(code), { name: 'FirebaseError', code }))
        },
      }
      const end = () => void (open.includes(listener) && open.splice(open.indexOf(listener), 1))
      open.push(listener)
      return end
    },
  }
  const documents = firestoreDocuments({
    open: opening ?? (async () => ({ sdk, db: {} }) as unknown as OpenFirestore),
    rest: () => Promise.reject(new Error('This test asks nothing over REST.')),
  })
  const states: DocumentsState['connection'][] = []
  documents.onState(({ connection }) => {
    if (states.at(-1) !== connection) states.push(connection)
  })
  return { documents, open, states, paths: () => open.map(({ path }) => path) }
}

const observer = () => ({ next: vi.fn<() => void>(), error: vi.fn<(error: { code: string }) => void>() })
const settle = () => vi.advanceTimersByTimeAsync(0)

beforeEach(() => vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('nobody is followed before a person is known; the same person again changes nothing', async () => {
  const { documents, open, paths } = library()
  documents.listen(presence, observer())
  await settle()
  expect(paths()).toEqual([])
  documents.identify({ userId: 'ada', orgId: 'north' })
  await settle()
  expect(paths()).toEqual([presence])
  const [first] = open
  documents.identify({ userId: 'ada', orgId: 'north' })
  await settle()
  expect(open).toEqual([first])
})

test('listeners of the person before are closed, those of the next are opened again, and nobody has none', async () => {
  const { documents, open, paths } = library()
  documents.identify({ userId: 'ada', orgId: 'north' })
  documents.listen(presence, observer())
  await settle()
  const [first] = open
  for (const next of [
    { userId: 'ben', orgId: 'north' },
    { userId: 'ben', orgId: 'south' },
  ]) {
    documents.identify(next)
    await settle()
    expect(paths(), next.orgId).toEqual([presence])
    expect(open).not.toContain(first)
  }
  documents.identify(null)
  await settle()
  expect(paths()).toEqual([])
})

test('one listener serves all who ask for the same, and is closed after the last of them', async () => {
  const { documents, paths } = library()
  documents.identify({ userId: 'ada', orgId: 'north' })
  const [stopOne, stopOther] = [documents.listen(presence, observer()), documents.listen(presence, observer())]
  await settle()
  expect(paths()).toEqual([presence])
  stopOne()
  expect(paths()).toEqual([presence])
  stopOther()
  expect(paths()).toEqual([])
  // and later listeners have one again
  documents.listen(presence, observer())
  await settle()
  expect(paths()).toEqual([presence])
})

test('positions, which lie together for each departure, are reported one by one', async () => {
  const { documents, open } = library()
  const asked = { next: vi.fn<(told: { documents: readonly object[] }) => void>(), error: vi.fn<() => void>() }
  documents.identify({ userId: 'ada', orgId: 'north' })
  documents.listen('orgs/north/positions', asked)
  await settle()
  const subjects = [{ subjectId: 'guide' }, { subjectId: 'bus' }]
  open[0]?.hear(false, [{ ref: { path: 'orgs/north/positions/tour' }, data: () => ({ subjects }) }])
  expect(asked.next.mock.lastCall?.[0].documents).toMatchObject([
    { path: 'orgs/north/positions/guide', data: { subjectId: 'guide' } },
    { path: 'orgs/north/positions/bus', data: { subjectId: 'bus' } },
  ])
  open[0]?.hear(false, [])
  expect(asked.next.mock.lastCall?.[0].documents).toEqual([])
})

test('a refusal that stays is reported after a few tries, and the listener ends', async () => {
  const { documents, open, paths } = library()
  const asked = observer()
  documents.identify({ userId: 'ada', orgId: 'north' })
  documents.listen(presence, asked)
  await settle()
  for (let attempt = 0; attempt < 5; attempt += 1) {
    expect(asked.error).not.toHaveBeenCalled()
    open.at(-1)?.fail('permission-denied')
    await vi.advanceTimersByTimeAsync(60_000)
  }
  expect(asked.error).toHaveBeenCalledOnce()
  expect(asked.error.mock.calls[0]?.[0].code).toBe('permission-denied')
  documents.identify({ userId: 'ben', orgId: 'north' })
  await settle()
  expect(paths()).toEqual([])
})

test('what is refused for another reason is reported at once', async () => {
  const { documents, open } = library()
  const asked = observer()
  documents.identify({ userId: 'ada', orgId: 'north' })
  documents.listen(presence, asked)
  await settle()
  open[0]?.fail('resource-exhausted')
  expect(asked.error.mock.calls.map(([{ code }]) => code)).toEqual(['resource-exhausted'])
})

test('ten batches wait for the connection, the eleventh is refused', async () => {
  const { documents } = library(() => new Promise<never>(() => undefined))
  documents.identify({ userId: 'ada', orgId: 'north' })
  const commit = () => documents.commit([{ kind: 'set', path: `${presence}/ada`, data: {} }])
  for (let batch = 0; batch < 10; batch += 1) commit().catch(() => undefined)
  await expect(commit()).rejects.toMatchObject({ code: 'resource-exhausted' })
})

test('after 10 s of cached data only, the server counts as unreachable; one message of the server ends that', async () => {
  const { documents, open, states } = library()
  documents.identify({ userId: 'ada', orgId: 'north' })
  documents.listen(presence, observer())
  await settle()
  open[0]?.hear(false)
  open[0]?.hear(true)
  await vi.advanceTimersByTimeAsync(9_000)
  // a second snapshot from the cache does not restart the wait
  open[0]?.hear(true)
  expect(states).toEqual(['reconnecting', 'live', 'reconnecting'])
  await vi.advanceTimersByTimeAsync(1_000)
  expect(states.at(-1)).toBe('offline')
  open[0]?.hear(false)
  open[0]?.hear(true)
  open[0]?.hear(false)
  await vi.advanceTimersByTimeAsync(10_000)
  expect(states.slice(-3)).toEqual(['live', 'reconnecting', 'live'])
  open[0]?.hear(true)
  documents.identify(null)
  await vi.advanceTimersByTimeAsync(10_000)
  expect(states.at(-1), 'somebody who left waits for nothing').toBe('reconnecting')
})
