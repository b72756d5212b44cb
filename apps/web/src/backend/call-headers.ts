/** What a browser sends about itself in addition to the person's identity; each part is absent where it is not known. */
export interface BrowserTokens {
  /** Proves that the request comes from our page. */
  readonly appCheck?: string | undefined
  /** Names this browser's instance of the messaging service. */
  readonly messagingInstance?: string | undefined
}

export type BrowserTokenSource = () => Promise<BrowserTokens>

/** The tokens as headers. Source: spec, section 7, "messaging-instance, and app-check headers". */
export const headersOfTokens = ({ appCheck, messagingInstance }: BrowserTokens): Record<string, string> => ({
  ...(appCheck ? { 'x-firebase-appcheck': appCheck } : {}),
  ...(messagingInstance ? { 'firebase-instance-id-token': messagingInstance } : {}),
})

/** Sends with every request what the browser can say of itself: calls, live documents and files alike. */
export const fetchWithTokens =
  (tokens: BrowserTokenSource, send: typeof globalThis.fetch): typeof globalThis.fetch =>
  async (input, init) => {
    const headers = new Headers(init?.headers)
    for (const [name, value] of Object.entries(headersOfTokens(await tokens()))) headers.set(name, value)
    return send(input, { ...init, headers })
  }
