/**
 * The offer that waits among the browser's suggestions while a sign-in form is open. The server knows one challenge of a browser at a time,
 * and each sign-in replaces the session: so a withdrawn offer has ended before anything else is requested.
 */
export class PasskeyOffer {
  #present: { readonly stop: AbortController; readonly end: Promise<boolean> } | undefined
  readonly #ask: (signal: AbortSignal) => Promise<void>

  /** @param ask Resolves once a passkey has signed in; rejects when none was used, and soon after its signal. */
  constructor(ask: (signal: AbortSignal) => Promise<void>) {
    this.#ask = ask
  }

  /** Offers once any earlier offer has ended. Resolves true when a passkey signed in. Never rejects. */
  make(): Promise<boolean> {
    const stop = new AbortController()
    const earlier = this.#present
    earlier?.stop.abort()
    const end = this.#run(stop.signal, earlier?.end)
    this.#present = { stop, end }
    return end
  }

  /** Takes the offer back and waits for its end. Resolves true when it had signed in already. */
  async withdraw(): Promise<boolean> {
    this.#present?.stop.abort()
    return (await this.#present?.end) ?? false
  }

  async #run(signal: AbortSignal, earlier: Promise<boolean> | undefined): Promise<boolean> {
    if (earlier) await earlier
    try {
      signal.throwIfAborted()
      await this.#ask(signal)
      return true
    } catch {
      // The person signs in another way, or leaves the page; the button shows the reason to those who press it.
      return false
    }
  }
}
