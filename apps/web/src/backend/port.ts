import type { Callable, In, Out } from '@tour-ops/contract/callable'
import type { Documents } from './documents-port.ts'
import type { FileStore } from './files-port.ts'

export interface CallOptions {
  /** Aborting it rejects the call with `cancelled` and ends the query on the server. */
  signal?: AbortSignal | undefined
}

/** The server, as screens see it: no provider shows through. */
export interface Backend {
  /**
   * Exchanges an identity token for a backend token, which every call then carries and which is renewed before it ends.
   *
   * @throws AppError when the backend refuses the token or cannot be reached.
   */
  signIn(identityToken: string): Promise<void>
  /** Forgets the backend token, and revokes it where that can be done. Never rejects: the person is gone either way. */
  signOut(): Promise<void>
  /**
   * Calls a remote procedure. Never repeats by itself; reads are repeated by the query layer.
   *
   * @throws AppError with the server's code, message and details; `deadline-exceeded` after 70 s, `cancelled` after an abort.
   */
  call<C extends Callable>(callable: C, input: In<C>, options?: CallOptions): Promise<Out<C>>
  readonly documents: Documents
  /** The code for files is loaded when the first one is sent or shown. */
  files(): Promise<FileStore>
  /** Null where no analytics service is configured: nothing is counted then, and nobody is asked. */
  readonly analytics: Analytics | null
}

/** Counts uses of the product, from the moment a person agrees. Before that, nothing of it is loaded. */
export interface Analytics {
  setAllowed(isAllowed: boolean): void
  /** Does nothing while it is not allowed. */
  track(event: string, params: Readonly<Record<string, string | number | boolean>>): void
}

let current: Backend | undefined

/** Called once by `main` with the adapter that the configuration names, and by tests with theirs. */
export function provideBackend(backend: Backend): void {
  current = backend
}

/** @throws Error before `provideBackend`: a programming error. */
export function currentBackend(): Backend {
  if (!current) throw new Error('provideBackend must be called before the backend is used')
  return current
}
