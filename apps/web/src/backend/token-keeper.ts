import type { $Fetch } from 'ofetch'
import { callErrorOf } from './callable-client.ts'
import { tokenRefreshMarginMs } from './constants.ts'

interface SignInAnswer {
  idToken: string
  refreshToken: string
  /** Seconds, as text. */
  expiresIn: string
}

interface RefreshAnswer {
  id_token: string
  refresh_token: string
  /** Seconds, as text. */
  expires_in: string
}

interface Tokens {
  readonly idToken: string
  readonly refreshToken: string
  readonly expiresAt: number
}

/** Time, as tests may replace it. */
export interface TokenClock {
  now(): number
  setTimeout(run: () => void, delayMs: number): unknown
  clearTimeout(timer: unknown): void
}

const systemClock: TokenClock = {
  now: () => Date.now(),
  setTimeout: (run, delayMs) => setTimeout(run, delayMs),
  clearTimeout: (timer) => clearTimeout(timer as ReturnType<typeof setTimeout>),
}

/**
 * Holds the backend token, in memory only, and renews it five minutes before it ends (spec, section 9): by a timer, and again when a
 * token is asked for after the computer slept through the timer.
 */
export class TokenKeeper {
  #tokens: Tokens | undefined
  #renewal: Promise<Tokens> | undefined
  #timer: unknown
  readonly #http: $Fetch
  readonly #clock: TokenClock
  readonly #onRefused: () => void

  /** `onRefused` reports that the backend will no longer renew: the session was revoked or ended. */
  constructor(http: $Fetch, options: { clock?: TokenClock; onRefused?: () => void } = {}) {
    this.#http = http
    this.#clock = options.clock ?? systemClock
    this.#onRefused = options.onRefused ?? (() => undefined)
  }

  /** @throws AppError when the backend refuses the identity token or cannot be reached. */
  async signIn(identityToken: string): Promise<void> {
    try {
      const answer = await this.#http<SignInAnswer>('/v1/accounts:signInWithCustomToken', {
        method: 'POST',
        body: { token: identityToken, returnSecureToken: true },
      })
      this.#keep({
        idToken: answer.idToken,
        refreshToken: answer.refreshToken,
        expiresAt: this.#clock.now() + Number(answer.expiresIn) * 1000,
      })
    } catch (error) {
      throw callErrorOf(error)
    }
  }

  /** The present token, renewed first when it is about to end or `renew` says that the server refused it. Undefined before sign-in. */
  async token(renew: boolean): Promise<string | undefined> {
    const tokens = this.#tokens
    if (!tokens) return undefined
    const isEnding = tokens.expiresAt - this.#clock.now() <= tokenRefreshMarginMs
    return renew || isEnding ? (await this.#renew(tokens)).idToken : tokens.idToken
  }

  /** Forgets the tokens and revokes them; a failure to revoke is not reported, since the token is deleted here. */
  async signOut(): Promise<void> {
    const tokens = this.#tokens
    this.#forget()
    if (!tokens) return
    await this.#http('/v1/accounts:signOut', {
      method: 'POST',
      body: { refreshToken: tokens.refreshToken },
      headers: { authorization: `Bearer ${tokens.idToken}` },
    }).catch((error: unknown) => console.warn('The backend token could not be revoked; it ends by itself.', error))
  }

  #renew(tokens: Tokens): Promise<Tokens> {
    this.#renewal ??= this.#requestRenewal(tokens).finally(() => {
      this.#renewal = undefined
    })
    return this.#renewal
  }

  async #requestRenewal({ refreshToken }: Tokens): Promise<Tokens> {
    try {
      const answer = await this.#http<RefreshAnswer>('/v1/token', {
        method: 'POST',
        body: new URLSearchParams({ grant_type: 'refresh_token', refresh_token: refreshToken }),
      })
      const renewed = {
        idToken: answer.id_token,
        refreshToken: answer.refresh_token,
        expiresAt: this.#clock.now() + Number(answer.expires_in) * 1000,
      }
      // A sign-out or another sign-in meanwhile has the last word.
      if (this.#tokens?.refreshToken === refreshToken) this.#keep(renewed)
      return renewed
    } catch (error) {
      const refusal = callErrorOf(error)
      if (
        refusal.code === 'unauthenticated' ||
        refusal.code === 'invalid-argument' ||
        refusal.code === 'permission-denied'
      ) {
        if (this.#tokens?.refreshToken === refreshToken) this.#forget()
        this.#onRefused()
      }
      throw refusal
    }
  }

  #keep(tokens: Tokens): void {
    this.#forget()
    this.#tokens = tokens
    const delayMs = Math.max(0, tokens.expiresAt - this.#clock.now() - tokenRefreshMarginMs)
    this.#timer = this.#clock.setTimeout(() => {
      // A renewal that fails now is repeated by the next call, which also shows the failure.
      this.#renew(tokens).catch((error: unknown) => console.warn('The backend token was not renewed.', error))
    }, delayMs)
  }

  #forget(): void {
    this.#tokens = undefined
    this.#clock.clearTimeout(this.#timer)
  }
}
