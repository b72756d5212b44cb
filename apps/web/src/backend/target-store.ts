import { DatabaseError, databaseCodeOfWireStatus } from '@tour-ops/contract/database-codes'
import type { DocumentSnapshot, LiveFrame } from '@tour-ops/contract/live/documents'
import { collectionOf, matchLivePath, recentChangesMs, type LiveChanges } from '@tour-ops/contract/live/live-paths'
import { documentsInTable } from '@tour-ops/contract/live/position-table'
import type { DocumentsEnvironment } from './documents-environment.ts'
import type { DocumentsObserver } from './documents-port.ts'

interface TargetState {
  /** Made from the change log, and held by nobody. */
  readonly isVirtual: boolean
  /** Complete as of the last event; undefined until the first snapshot is. */
  documents: Map<string, DocumentSnapshot> | undefined
  /** Their paths in order, until one comes or goes. */
  paths: readonly string[] | undefined
  /** A snapshot that is arriving. */
  arriving: Map<string, DocumentSnapshot> | undefined
  readonly askedAt: number
  readonly observers: Set<DocumentsObserver>
}

/** Leaves room for the way of the request: what was asked longer ago may have missed changes before the stream opened. */
const openingSlackMs = recentChangesMs - 2_000

/**
 * Changes of documents that a screen has are told together once none has come for this time, milliseconds: a second's positions come in
 * dozens of chunks, and each time a screen looks through all of them.
 */
const togetherMs = 50
/** They wait no longer than this, however many come. */
const longestWaitMs = 250

/** Whether a target is made from the change log. */
export const isVirtual = (target: string): boolean => matchLivePath(target)?.rule.kind === 'virtual'

/** A change document that says "anything may have changed". */
function unknownChanges(target: string): DocumentSnapshot {
  const data = { version: 'unknown', ids: [], isComplete: false } satisfies LiveChanges
  return { path: target, data, createTime: null, updateTime: null }
}

/** What this tab knows of the targets that it or, for the leader, any tab listens to; and its listeners. */
export class TargetStore {
  readonly #targets = new Map<string, TargetState>()
  readonly #env: Pick<DocumentsEnvironment, 'now' | 'setTimeout'>
  #dirty = new Set<string>()
  /** When the first of what is dirty came, and the last. */
  #dirtyFrom = 0
  #dirtyTo = 0

  constructor(env: Pick<DocumentsEnvironment, 'now' | 'setTimeout'>) {
    this.#env = env
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
    const state = this.#targets.get(target)
    if (!state?.documents) return undefined
    const { documents } = state
    state.paths ??= [...documents.keys()].toSorted()
    return state.paths.flatMap((path) => documents.get(path) ?? [])
  }

  /** Returns whether the target is new to this tab. A target that is already complete is reported at once. */
  observe(target: string, observer: DocumentsObserver): boolean {
    const state = this.#stateOf(target)
    const isNew = state.observers.size === 0
    state.observers.add(observer)
    if (state.documents && !state.isVirtual) {
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
    hold(state, new Map(documents.map((document) => [document.path, document])))
    if (!state.isVirtual) this.#tellWhole(target)
  }

  /** What came together. */
  apply(frames: readonly LiveFrame[]): void {
    for (const frame of frames) this.#take(frame)
  }

  #take(frame: LiveFrame): void {
    switch (frame.event) {
      case 'hello':
        frame.data.fresh.forEach((target) => this.#begin(target))
        return
      case 'document':
        this.#put(frame.data)
        return
      case 'positions':
        for (const document of documentsInTable(frame.data)) this.#put(document)
        return
      case 'removed':
        this.#remove(frame.data.path)
        return
      case 'current':
        frame.data.targets.forEach((target) => this.#complete(target))
        return
      case 'reset':
        for (const [target, state] of this.#targets) {
          if (state.isVirtual) this.#tell(target, [unknownChanges(target)])
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
      hold(state, undefined)
      state.arriving = undefined
    }
    this.retain([])
  }

  #stateOf(target: string): TargetState {
    let state = this.#targets.get(target)
    if (!state) {
      state = {
        isVirtual: isVirtual(target),
        documents: undefined,
        paths: undefined,
        arriving: undefined,
        askedAt: this.#env.now(),
        observers: new Set(),
      }
      this.#targets.set(target, state)
    }
    return state
  }

  #begin(target: string): void {
    const state = this.#targets.get(target)
    if (!state) return
    state.arriving = new Map()
    const isLate = state.documents === undefined && this.#env.now() - state.askedAt > openingSlackMs
    if (isLate && state.isVirtual) this.#tell(target, [unknownChanges(target)])
  }

  /** What asks for a document: itself, or its collection. */
  #targetsOf(path: string): (readonly [string, TargetState])[] {
    return [path, collectionOf(path)].flatMap((target) => {
      const state = this.#targets.get(target)
      return state ? [[target, state] as const] : []
    })
  }

  #put(document: DocumentSnapshot): void {
    for (const [target, state] of this.#targetsOf(document.path)) {
      if (state.isVirtual) {
        this.#tell(target, [document])
      } else if (state.arriving) {
        state.arriving.set(document.path, document)
      } else if (state.documents) {
        if (!state.documents.has(document.path)) state.paths = undefined
        state.documents.set(document.path, document)
        this.#markDirty(target)
      }
    }
  }

  #remove(path: string): void {
    for (const [target, state] of this.#targetsOf(path)) {
      state.arriving?.delete(path)
      if (!state.documents?.delete(path)) continue
      state.paths = undefined
      this.#markDirty(target)
    }
  }

  #complete(target: string): void {
    const state = this.#targets.get(target)
    if (!state) return
    hold(state, state.arriving ?? state.documents ?? new Map<string, DocumentSnapshot>())
    state.arriving = undefined
    if (!state.isVirtual) this.#tellWhole(target)
  }

  /** A screen waits for what is complete for the first time. */
  #tellWhole(target: string): void {
    queueMicrotask(() => {
      this.#dirty.delete(target)
      this.#tellAll(target)
    })
  }

  #markDirty(target: string): void {
    this.#dirtyTo = this.#env.now()
    if (this.#dirty.size === 0) {
      this.#dirtyFrom = this.#dirtyTo
      this.#env.setTimeout(() => this.#flush(), togetherMs)
    }
    this.#dirty.add(target)
  }

  #flush(): void {
    const now = this.#env.now()
    const isArriving = now - this.#dirtyTo < togetherMs
    if (isArriving && now - this.#dirtyFrom < longestWaitMs) {
      this.#env.setTimeout(() => this.#flush(), togetherMs)
      return
    }
    const targets = this.#dirty
    this.#dirty = new Set()
    for (const target of targets) this.#tellAll(target)
  }

  #tellAll(target: string): void {
    const documents = this.documentsOf(target)
    if (documents) this.#tell(target, documents)
  }

  #tell(target: string, documents: readonly DocumentSnapshot[]): void {
    for (const observer of this.#targets.get(target)?.observers ?? []) observer.next({ target, documents })
  }
}

function hold(state: TargetState, documents: Map<string, DocumentSnapshot> | undefined): void {
  state.documents = documents
  state.paths = undefined
}
