import {
  grpcCodes,
  Refusal,
  shown,
  timeText,
  type Auth,
  type FirestoreStore,
  type StructuredQuery,
  type Write,
} from './firestore-store.ts'
import type { CachedDocument } from './firestore-values.ts'

/** One long-lived call: takes the client's messages until it is closed. */
export interface RpcStream {
  /** @throws Refusal, which ends the stream. */
  take(message: object): void
  close(): void
}
export type Send = (message: object) => void

interface Target {
  readonly targetId: number
  readonly documents?: { documents: string[] }
  readonly query?: { parent: string; structuredQuery: StructuredQuery }
  readonly resumeToken?: string
}

const tokenOf = (store: FirestoreStore): string => Buffer.from(String(store.version)).toString('base64')

/** `google.firestore.v1.Firestore/Listen`. A target that is added again with a resume token is reset and sent in full. */
export function listenStream(store: FirestoreStore, auth: Auth, send: Send): RpcStream {
  const targets = new Map<number, { target: Target; sent: Map<string, number> }>()

  const found = ({ documents, query }: Target): CachedDocument[] =>
    documents
      ? documents.documents.flatMap((name) => store.find(name) ?? [])
      : query
        ? store.select(query.parent, query.structuredQuery)
        : []

  const requireAllowed = ({ documents, query }: Target): void => {
    documents?.documents.forEach((name) => store.check(auth, 'get', name))
    const collection = query?.structuredQuery.from[0]?.collectionId
    if (query) store.check(auth, 'list', `${query.parent}/${collection}`)
  }

  const sendChanges = (): void => {
    let isChanged = false
    for (const [id, { target, sent }] of targets) {
      const now = new Map(found(target).map((document) => [document.name, document]))
      for (const document of now.values()) {
        if (sent.get(document.name) === document.updateTime) continue
        isChanged = true
        sent.set(document.name, document.updateTime)
        send({ documentChange: { document: shown(document), targetIds: [id] } })
      }
      for (const name of sent.keys()) {
        if (now.has(name)) continue
        isChanged = true
        sent.delete(name)
        send({ documentDelete: { document: name, removedTargetIds: [id], readTime: timeText(store.version) } })
      }
    }
    if (isChanged) sendSnapshot(store, send)
  }

  const add = (target: Target): void => {
    const { targetId } = target
    try {
      requireAllowed(target)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      const cause = { code: grpcCodes[error.status]?.[0], message: error.message }
      send({ targetChange: { targetChangeType: 'REMOVE', targetIds: [targetId], cause } })
      return
    }
    send({ targetChange: { targetChangeType: 'ADD', targetIds: [targetId] } })
    if (target.resumeToken) send({ targetChange: { targetChangeType: 'RESET', targetIds: [targetId] } })
    const sent = new Map<string, number>()
    targets.set(targetId, { target, sent })
    for (const document of found(target)) {
      send({ documentChange: { document: shown(document), targetIds: [targetId] } })
      sent.set(document.name, document.updateTime)
    }
    const current = { targetChangeType: 'CURRENT', targetIds: [targetId], readTime: timeText(store.tick()) }
    send({ targetChange: { ...current, resumeToken: tokenOf(store) } })
    sendSnapshot(store, send)
  }

  const stop = store.observe(sendChanges)
  return {
    close: stop,
    take(message) {
      const { addTarget, removeTarget } = message as { addTarget?: Target; removeTarget?: number }
      if (addTarget) add(addTarget)
      if (removeTarget === undefined) return
      targets.delete(removeTarget)
      send({ targetChange: { targetChangeType: 'REMOVE', targetIds: [removeTarget] } })
    },
  }
}

/** Says that everything so far is one consistent state. */
function sendSnapshot(store: FirestoreStore, send: Send): void {
  const targetChange = { targetChangeType: 'NO_CHANGE', targetIds: [], readTime: timeText(store.version) }
  send({ targetChange: { ...targetChange, resumeToken: tokenOf(store) } })
}

/** `google.firestore.v1.Firestore/Write`: the first message opens the stream, each later one is a batch. */
export function writeStream(store: FirestoreStore, auth: Auth, send: Send): RpcStream {
  let isOpen = false
  return {
    close: () => undefined,
    take(message) {
      if (!isOpen) {
        isOpen = true
        send({ streamId: '0', streamToken: tokenOf(store) })
        return
      }
      const { writes = [] } = message as { writes?: Write[] }
      send({ streamToken: tokenOf(store), ...store.commit(writes, auth) })
    },
  }
}
