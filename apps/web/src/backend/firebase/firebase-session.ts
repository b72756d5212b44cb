import { AppError } from '@tour-ops/contract/errors'

/** The parts of the SDK that a sign-in moves. */
export interface SessionParts {
  readonly signInWithToken: (token: string) => Promise<void>
  readonly signOut: () => Promise<void>
  /** Closes the listeners of the person who was there; called before anybody else comes. */
  readonly closeListeners: () => void
  /** Ends the database and removes its cache. */
  readonly forgetDocuments: () => Promise<void>
  readonly warn: (message: string, error: unknown) => void
}

/**
 * Sign-ins and sign-outs one after another, in the order of the calls; of those that wait only the last is done. A switch of
 * organizations that is overtaken by another never leaves the browser in the first one.
 */
export class FirebaseSession {
  readonly #parts: SessionParts
  #latest = 0
  #running: Promise<void> = Promise.resolve()

  constructor(parts: SessionParts) {
    this.#parts = parts
  }

  /** @throws AppError `cancelled` when another call came later. */
  signIn(token: string): Promise<void> {
    return this.#next(async (isLatest) => {
      if (!isLatest()) throw overtaken()
      this.#parts.closeListeners()
      await this.#parts.signInWithToken(token)
      if (!isLatest()) throw overtaken()
    })
  }

  /** Never rejects: the person is gone either way. */
  async signOut(): Promise<void> {
    this.#parts.closeListeners()
    try {
      await this.#next(async () => {
        await this.#quietly('The documents kept in this browser could not be removed.', this.#parts.forgetDocuments)
        await this.#quietly('The backend sign-out failed.', this.#parts.signOut)
      })
    } catch (error) {
      this.#parts.warn('The backend sign-out failed.', error)
    }
  }

  #next(run: (isLatest: () => boolean) => Promise<void>): Promise<void> {
    this.#latest += 1
    const turn = this.#latest
    const result = this.#running.then(() => run(() => turn === this.#latest))
    // the caller gets the failure; the next turn starts all the same
    this.#running = result.catch(() => undefined)
    return result
  }

  async #quietly(message: string, run: () => Promise<void>): Promise<void> {
    try {
      await run()
    } catch (error) {
      this.#parts.warn(message, error)
    }
  }
}

const overtaken = (): AppError => new AppError('cancelled', 'Another sign-in came after this one.')
