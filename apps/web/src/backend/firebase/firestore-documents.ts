import { DatabaseError } from '@tour-ops/contract/database-codes'
import type { DocumentSnapshot, DocumentWrite, JsonObject } from '@tour-ops/contract/live/documents'
import { spreadPositions } from '@tour-ops/contract/live/gathered-positions'
import { matchLivePath, type MatchedLivePath } from '@tour-ops/contract/live/live-paths'
import type { Firestore } from 'firebase/firestore'
import type { DocumentsPerson } from '../documents-http.ts'
import type { Documents, DocumentsObserver, DocumentsState } from '../documents-port.ts'
import { documentTimings, pendingWriteBatchesLimit, reconnectDelayMs } from '../reconnect.ts'
import { databaseErrorOfFirebase } from './firebase-errors.ts'
import type { FirestoreRest } from './firestore-rest.ts'
import { TopicListener } from './topic-listener.ts'

type FirestoreSdk = typeof import('firebase/firestore')

/** The SDK, which is loaded when the first document is wanted, and the database opened with it. */
export interface OpenFirestore {
  readonly sdk: FirestoreSdk
  readonly db: Firestore
}

export interface FirestoreDocumentsParts {
  /** Opens the database; called again after it was ended. */
  readonly open: () => Promise<OpenFirestore>
  /** Asked for with the first of its requests, which most people never make. */
  readonly rest: () => Promise<FirestoreRest>
  readonly now?: () => number
}

export interface FirestoreDocuments extends Documents {
  /** At sign-in, at a change of organization, and with null before a sign-out. Listeners stay and start again. */
  identify(person: DocumentsPerson | null): void
  /** Ends the database and removes its cache in this browser: it belongs to somebody who signed out. */
  forget(): Promise<void>
}

/**
 * How often a refused listener is tried again, about 8 s in all. The rules read the membership that the server writes, and a person who
 * has just become a member may arrive before it.
 */
const refusalsForgiven = 4

interface Target {
  readonly observers: Set<DocumentsObserver>
  /** The last value reported, for an observer that is added later. */
  latest: readonly DocumentSnapshot[] | undefined
  detach: () => void
}

/** Live documents in Firestore: the SDK listens and writes (it keeps both across lost connections), REST reads once. */
export function firestoreDocuments({ open, rest, now = Date.now }: FirestoreDocumentsParts): FirestoreDocuments {
  const targets = new Map<string, Target>()
  const state = new ConnectionState(now)
  let person: DocumentsPerson | null = null
  let opening: Promise<OpenFirestore> | undefined
  /** Rejects when the person goes, with whom the writes under way go too. */
  let gone = departure()
  let pendingBatches = 0

  const opened = (): Promise<OpenFirestore> => {
    opening ??= open().catch((error: unknown) => {
      opening = undefined
      throw databaseErrorOfFirebase(error)
    })
    return opening
  }

  const refuse = (path: string, target: Target, error: DatabaseError): void => {
    if (targets.get(path) !== target) return
    targets.delete(path)
    for (const observer of target.observers) observer.error(error)
  }

  const attach = (path: string, target: Target, refusals = 0): void => {
    const match = matchLivePath(path)
    let isOver = false
    let unsubscribe = () => {}
    let retry: ReturnType<typeof setTimeout> | undefined
    target.latest = undefined
    target.detach = () => {
      isOver = true
      clearTimeout(retry)
      unsubscribe()
    }
    const tell = (documents: readonly DocumentSnapshot[]) => {
      if (match?.rule.kind !== 'virtual') target.latest = documents
      for (const observer of target.observers) observer.next({ target: path, documents })
    }
    const fail = (thrown: unknown) => {
      if (isOver) return
      const error = databaseErrorOfFirebase(thrown)
      if (error.code !== 'permission-denied' || refusals >= refusalsForgiven) return refuse(path, target, error)
      retry = setTimeout(() => attach(path, target, refusals + 1), reconnectDelayMs(refusals))
    }
    if (!match) {
      queueMicrotask(() => fail(new DatabaseError('invalid-argument', `There are no documents at ${path}.`)))
      return
    }
    opened().then((firestore) => {
      if (!isOver) unsubscribe = subscribe(firestore, path, match, { tell, fail, state, now })
    }, fail)
  }

  const commitBySdk = async (writes: readonly DocumentWrite[]): Promise<void> => {
    if (pendingBatches >= pendingWriteBatchesLimit) {
      throw new DatabaseError('resource-exhausted', 'Too many changes are waiting for the connection.')
    }
    pendingBatches += 1
    try {
      const { sdk, db } = await opened()
      await Promise.race([batchOf(sdk, db, writes).commit(), gone.promise])
    } catch (error) {
      throw databaseErrorOfFirebase(error)
    } finally {
      pendingBatches -= 1
    }
  }

  const detachAll = (): void => targets.forEach((target) => target.detach())

  return {
    listen(path, observer) {
      const target = targets.get(path) ?? { observers: new Set(), latest: undefined, detach: () => undefined }
      const isNew = !targets.has(path)
      targets.set(path, target)
      target.observers.add(observer)
      if (isNew && person) attach(path, target)
      const { latest } = target
      if (latest)
        queueMicrotask(() => target.observers.has(observer) && observer.next({ target: path, documents: latest }))
      return () => {
        target.observers.delete(observer)
        if (target.observers.size > 0 || targets.get(path) !== target) return
        targets.delete(path)
        target.detach()
      }
    },
    get: async (path) => {
      requirePlaces([path], 'document')
      const [document] = await (await rest()).batchGet([path])
      return document as DocumentSnapshot
    },
    batchGet: async (paths) => {
      requirePlaces(paths, 'document')
      return (await rest()).batchGet(paths)
    },
    query: async (query) => {
      requirePlaces([query.collection], 'collection')
      return (await rest()).query(query)
    },
    count: async (query) => {
      requirePlaces([query.collection], 'collection')
      return (await rest()).count(query)
    },
    commit: async (writes) => {
      requirePlaces(
        writes.map(({ path }) => path),
        'document',
      )
      // a precondition is about the stored document, so the server must be asked; everything else may wait for it
      return writes.some(({ precondition }) => precondition) ? (await rest()).commit(writes) : commitBySdk(writes)
    },
    onState: (onChange) => state.observe(onChange),
    identify(next) {
      if (next?.userId === person?.userId && next?.orgId === person?.orgId) return
      detachAll()
      gone.reject(new DatabaseError('cancelled', 'The change was not sent.'))
      gone = departure()
      person = next
      state.restart()
      if (next) targets.forEach((target, path) => attach(path, target))
    },
    async forget() {
      detachAll()
      const ending = opening
      opening = undefined
      if (!ending) return
      const { sdk, db } = await ending
      await sdk.terminate(db)
      await sdk.clearIndexedDbPersistence(db)
    },
  }
}

/** A rejection that every write under way races; without one there is nobody to hear it, and nothing was lost. */
function departure(): PromiseWithResolvers<never> {
  const leaving = Promise.withResolvers<never>()
  leaving.promise.catch(() => undefined)
  return leaving
}

/** @throws DatabaseError `invalid-argument`: the rules of the database would call it a lack of permission. */
function requirePlaces(paths: readonly string[], target: MatchedLivePath['target']): void {
  const wrong = paths.find((path) => matchLivePath(path)?.target !== target)
  if (wrong !== undefined) throw new DatabaseError('invalid-argument', `There is no ${target} at ${wrong}.`)
}

interface Ears {
  readonly tell: (documents: readonly DocumentSnapshot[]) => void
  readonly fail: (error: unknown) => void
  readonly state: ConnectionState
  readonly now: () => number
}

function subscribe(firestore: OpenFirestore, path: string, match: MatchedLivePath, ears: Ears): () => void {
  if (match.target === 'collection') return subscribeToCollection(firestore, path, apart(match, ears))
  return match.rule.kind === 'virtual'
    ? subscribeToTopic(firestore, path, ears)
    : subscribeToDocument(firestore, path, ears)
}

/** Positions lie together in the database, and are reported one by one. */
const apart = ({ name }: MatchedLivePath, ears: Ears): Ears =>
  name === 'positions' ? { ...ears, tell: (documents) => ears.tell(spreadPositions(documents)) } : ears

/** Snapshots from the cache are reported as well: on a bad connection there is nothing else. */
const withMetadata = { includeMetadataChanges: true } as const

function subscribeToDocument({ sdk, db }: OpenFirestore, path: string, { tell, fail, state }: Ears): () => void {
  const changed = onlyChanges(tell)
  return sdk.onSnapshot(
    sdk.doc(db, path),
    withMetadata,
    (snapshot) => {
      state.hear(snapshot.metadata.fromCache)
      if (snapshot.metadata.fromCache && !snapshot.exists()) return
      changed(snapshot.exists() ? [snapshotOf(path, snapshot.data())] : [])
    },
    fail,
  )
}

function subscribeToCollection({ sdk, db }: OpenFirestore, path: string, { tell, fail, state }: Ears): () => void {
  const changed = onlyChanges(tell)
  return sdk.onSnapshot(
    sdk.collection(db, path),
    withMetadata,
    (snapshot) => {
      state.hear(snapshot.metadata.fromCache)
      if (snapshot.metadata.fromCache && snapshot.empty) return
      changed(snapshot.docs.map((document) => snapshotOf(document.ref.path, document.data())))
    },
    fail,
  )
}

function subscribeToTopic({ sdk, db }: OpenFirestore, path: string, { tell, fail, state, now }: Ears): () => void {
  const topic = new TopicListener(path, now)
  return sdk.onSnapshot(
    sdk.doc(db, path),
    withMetadata,
    (snapshot) => {
      state.hear(snapshot.metadata.fromCache)
      if (snapshot.metadata.fromCache) return
      const news = topic.take(snapshot.data())
      if (news) tell([news])
    },
    fail,
  )
}

/** Metadata changes alone are nothing that a screen should draw again. */
function onlyChanges(tell: Ears['tell']): Ears['tell'] {
  let told: string | undefined
  return (documents) => {
    const text = JSON.stringify(documents)
    if (text === told) return
    told = text
    tell(documents)
  }
}

/** The SDK does not expose the times of a document. */
const snapshotOf = (path: string, data: JsonObject): DocumentSnapshot => ({
  path,
  data,
  createTime: null,
  updateTime: null,
})

function batchOf(sdk: FirestoreSdk, db: Firestore, writes: readonly DocumentWrite[]) {
  const batch = sdk.writeBatch(db)
  for (const write of writes) {
    const document = sdk.doc(db, write.path)
    if (write.kind === 'delete') {
      batch.delete(document)
      continue
    }
    const { data } = write
    const fields = Object.keys(data).map((name) => new sdk.FieldPath(name))
    if (write.kind === 'set') batch.set(document, data)
    else if (write.kind === 'merge') batch.set(document, data, { mergeFields: fields })
    else batch.update(document, ...updateArguments(sdk, data))
  }
  return batch
}

type UpdateArguments = [field: InstanceType<FirestoreSdk['FieldPath']>, value: unknown, ...more: unknown[]]

/** Names as they are: with a plain object the SDK would take a dot for a path. */
const updateArguments = (sdk: FirestoreSdk, data: Record<string, unknown>): UpdateArguments =>
  Object.entries(data).flatMap(([name, value]) => [new sdk.FieldPath(name), value]) as UpdateArguments

/** The SDK reports its connection through its snapshots: cached ones mean that the server is not connected. */
class ConnectionState {
  readonly #now: () => number
  readonly #observers = new Set<(state: DocumentsState) => void>()
  #state: DocumentsState = { connection: 'reconnecting', lastEventAt: null }
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(now: () => number) {
    this.#now = now
  }

  observe(onChange: (state: DocumentsState) => void): () => void {
    this.#observers.add(onChange)
    onChange(this.#state)
    return () => this.#observers.delete(onChange)
  }

  hear(fromCache: boolean): void {
    if (!fromCache) {
      clearTimeout(this.#timer)
      this.#timer = undefined
      this.#become({ connection: 'live', lastEventAt: this.#now() })
      return
    }
    if (this.#timer !== undefined) return
    if (this.#state.connection === 'live') this.#become({ ...this.#state, connection: 'reconnecting' })
    this.#timer = setTimeout(
      () => this.#become({ ...this.#state, connection: 'offline' }),
      documentTimings.onlineStateMs,
    )
  }

  restart(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#become({ connection: 'reconnecting', lastEventAt: null })
  }

  #become(state: DocumentsState): void {
    this.#state = state
    this.#observers.forEach((tell) => tell(state))
  }
}
