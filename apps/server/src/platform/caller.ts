/** Who acts, as the audit log keeps it. */
export interface Actor {
  readonly kind: 'user' | 'guest_link' | 'system' | 'api'
  readonly id: string | null
}

/** What a verified backend token says. Role and membership are read from the database on every call. */
export interface Caller {
  readonly userId: string
  readonly email: string | null
  readonly name: string | null
  readonly sessionId: string | null
  /** The organization that was active when the token was made; null without one. */
  readonly orgId: string | null
}

/** Facts about the request that no verb should take from anywhere else. */
export interface RequestMeta {
  readonly requestId: string
  readonly ip: string | null
  /** As the browser calls itself; absent where no browser asks. */
  readonly userAgent?: string | undefined
  /** The header with the cookies: a browser that has given the passcode of a shared link shows it there. */
  readonly cookies?: string | undefined
  /** Aborted when the caller goes away or the deadline passes; the running query ends with it. */
  readonly signal: AbortSignal
}

/** Somebody who asks for something of their organization. */
export interface Asker {
  readonly caller: Caller & { readonly orgId: string }
  readonly request: RequestMeta
}
