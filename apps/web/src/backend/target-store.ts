import { DatabaseError, databaseCodeOfWireStatus } from '@tour-ops/contract/database-codes'
import type { DocumentSnapshot, LiveFrame } from '@tour-ops/contract/live/documents'
import { isInTarget, matchLivePath, recentChangesMs, type LiveChanges } from '@tour-ops/contract/live/live-paths'
import type { DocumentsObserver } from './documents-port.ts'

interface TargetState {
  /** Complete as of the last event; undefined until the first snapshot is. */
  documents: Map<string, DocumentSnapshot> | undefined
  /** A snapshot that is arriving. */
  arriving: Map<string, DocumentSnapshot> | undefined
  readonly askedAt: number
  readonly observers: Set<DocumentsObserver>
}

/** Leaves room for the way of the request: what was asked longer ago may have missed changes before the stream opened. */
const openingSlackMs = recentChangesMs - 2_000

const isVirtual = (target: string): boolean => matchLivePath(target)?.rule.kind === 'virtual'

/** A change document that says "anything may have changed". */
function unknownChanges(target: string): DocumentSnapshot {
  const data = { version: 'unknown', ids: [], isComplete: false } satisfies LiveChanges
  return { path: target, data, createTime: null, updateTime: null }
}

/** What this tab knows of the targets that it or, for the leader, any tab listens to; and its listeners. */
export class TargetStore {
  readonly #targets = new Map<string, TargetState>()
  readonly #now: () => number
  #dirty = new Set<string>()

  constructor(now: () => number) {
    this.#now = now
  }

  /** Targets with a listener in this tab. */
  wanted(): string[] {
    return [...this.#targets].filter(([, { observers }]) => observers.size > 0).map(([target]) => target)
  }

  /** Targets whose state is complete as of the last event. */
  held(): string[] {
    return [...this.#targets].filter(([, { documents }]) => documents !== undefined).map(([target]) => target)
  }

  /** A copy of what a target holds; undefined while it is not complete. */
  documentsOf(target: string): DocumentSnapshot[] | undefined {
    const documents = this.#targets.get(target)?.documents
    return documents && [...documents.values()].toSorted((a, b) => (a.path < b.path ? -1 : 1))
  }

  /** Returns whether the target is new to this tab. A target that is already complete is reported at once. */
  observe(target: string, observer: DocumentsObserver): boolean {
    const state = this.#stateOf(target)
    const isNew = state.observers.size === 0
    state.observers.add(observer)
    if (state.documents && !isVirtual(target)) {
      queueMicrotask(() => {
        const documents = this.documentsOf(target)
        if (documents && state.observers.has(observer)) observer.next({ target, documents })
      })
    }
    return isNew
  }

  /** Returns whether that was the last listener of the target in this tab. */
  unobserve(target: string, observer: DocumentsObserver): boolean {
    const state = this.#targets.get(target)
    if (!state?.observers.delete(observer)) return false
    return state.observers.size === 0
  }

  /** Keeps state for exactly these targets and those with listeners. */
  retain(targets: Iterable<string>): void {
    const kept = new Set(targets)
    for (const target of kept) this.#stateOf(target)
    for (const [target, { observers }] of this.#targets) {
      if (observers.size === 0 && !kept.has(target)) this.#targets.delete(target)
    }
  }

  /** Another tab's complete state of a target. */
  adopt(target: string, documents: readonly DocumentSnapshot[]): void {
    const state = this.#targets.get(target)
    if (!state) return
    state.documents = new Map(documents.map((document) => [document.path, document]))
    if (!isVirtual(target)) this.#markDirty(target)
  }

  apply(frame: LiveFrame): void {
    switch (frame.event) {
      case 'hello':
        frame.data.fresh.forEach((target) => this.#begin(target))
        return
      case 'document':
        this.#put(frame.data)
        return
      case 'removed':
        this.#remove(frame.data.path)
        return
      case 'current':
        frame.data.targets.forEach((target) => this.#complete(target))
        return
      case 'reset':
        for (const target of this.#targets.keys()) {
          if (isVirtual(target)) this.#tell(target, [unknownChanges(target)])
        }
        return
      case 'refused':
        this.refuse(
          frame.data.target,
          new DatabaseError(databaseCodeOfWireStatus(frame.data.status), frame.data.message),
        )
        return
      case 'ping':
        return
    }
  }

  /** Ends a target with an error. */
  refuse(target: string, error: DatabaseError): void {
    const state = this.#targets.get(target)
    this.#targets.delete(target)
    for (const observer of state?.observers ?? []) observer.error(error)
  }

  /** Ends every target of this tab with the same error. */
  refuseAll(error: DatabaseError): void {
    for (const target of this.wanted()) this.refuse(target, error)
  }

  /** Forgets documents and keeps the listeners: another person or organization begins from nothing. */
  forget(): void {
    for (const state of this.#targets.values()) {
      state.documents = undefined
      state.arriving = undefined
    }
    this.retain([])
  }

  #stateOf(target: string): TargetState {
    let state = this.#targets.get(target)
    if (!state) {
      state = { documents: undefined, arriving: undefined, askedAt: this.#now(), observers: new Set() }
      this.#targets.set(target, state)
    }
    return state
  }

  #begin(target: string): void {
    const state = this.#targets.get(target)
    if (!state) return
    state.arriving = new Map()
    const isLate = state.documents === undefined && this.#now() - state.askedAt > openingSlackMs
    if (isLate && isVirtual(target)) this.#tell(target, [unknownChanges(target)])
  }

  #put(document: DocumentSnapshot): void {
    for (const [target, state] of this.#targets) {
      if (!isInTarget(target, document.path)) continue
      if (isVirtual(target)) {
        this.#tell(target, [document])
      } else if (state.arriving) {
        state.arriving.set(document.path, document)
      } else if (state.documents) {
        state.documents.set(document.path, document)
        this.#markDirty(target)
      }
    }
  }

  #remove(path: string): void {
    for (const [target, state] of this.#targets) {
      if (!isInTarget(target, path)) continue
      state.arriving?.delete(path)
      if (state.documents?.delete(path)) this.#markDirty(target)
    }
  }

  #complete(target: string): void {
    const state = this.#targets.get(target)
    if (!state) return
    state.documents = state.arriving ?? state.documents ?? new Map<string, DocumentSnapshot>()
    state.arriving = undefined
    if (!isVirtual(target)) this.#markDirty(target)
  }

  /** Several frames of one chunk make one call. */
  #markDirty(target: string): void {
    if (this.#dirty.size === 0) queueMicrotask(() => this.#flush())
    this.#dirty.add(target)
  }

  #flush(): void {
    const targets = this.#dirty
    this.#dirty = new Set()
    for (const target of targets) {
      const documents = this.documentsOf(target)
      if (documents) this.#tell(target, documents)
    }
  }

  #tell(target: string, documents: readonly DocumentSnapshot[]): void {
    for (const observer of this.#targets.get(target)?.observers ?? []) observer.next({ target, documents })
  }
}
