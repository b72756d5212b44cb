/** How the present session was opened in addition to the password; null for the password or wallet alone. */
export type SecondFactor = 'totp' | 'recovery_code' | 'passkey' | 'trusted_device'

export interface OwnPasskey {
  readonly id: string
  /** As its owner called it, else the product that keeps it; null where neither is known. */
  readonly name: string | null
  readonly createdAt: Date | null
  /** Stored by a service that brings it to the owner's other devices. */
  readonly isSynced: boolean
}

export interface OwnSession {
  readonly id: string
  readonly isCurrent: boolean
  readonly createdAt: Date
  /** To the hour. */
  readonly seenAt: Date
  readonly ip: string | null
  readonly userAgent: string | null
}

export interface SecurityOverview {
  /** People who came with a wallet have none. */
  readonly hasPassword: boolean
  /** The password was typed, or the session began, a moment ago; changes of passkeys ask for that. */
  readonly isRecent: boolean
  readonly secondFactor: SecondFactor | null
  /** Null without an authenticator app. */
  readonly recoveryCodesLeft: number | null
  /** The host where passkeys work; null where the installation has an address of numbers only. */
  readonly passkeyHost: string | null
  readonly passkeys: readonly OwnPasskey[]
  readonly sessions: readonly OwnSession[]
}

export interface NewAuthenticator {
  /** `otpauth://totp/…`, for the app. */
  readonly uri: string
  readonly recoveryCodes: readonly string[]
}

/**
 * Second factor, passkeys and sessions of the person's own account, where our own server keeps accounts. A hosted identity service has
 * its own screens for it. Everything rejects with an `AppError`, as in `accounts-port.ts`.
 */
export interface AccountSecurity {
  read(): Promise<SecurityOverview>
  /** Proves the password again; lasts ten minutes. */
  confirm(password: string): Promise<void>
  /** Counts only once `finishAuthenticator` was given a code. `password` where there is one. */
  beginAuthenticator(password: string | undefined): Promise<NewAuthenticator>
  /** Ends the other sessions of the account. */
  finishAuthenticator(code: string): Promise<void>
  removeAuthenticator(password: string | undefined): Promise<void>
  renewRecoveryCodes(password: string | undefined): Promise<readonly string[]>
  /** Asks the device for a passkey. Rejects with the reason `passkey_cancelled` when the person did not want to. */
  addPasskey(name: string): Promise<void>
  renamePasskey(id: string, name: string): Promise<void>
  removePasskey(id: string): Promise<void>
  endSession(id: string): Promise<void>
  endOtherSessions(): Promise<void>

  /** The second step of a sign-in. */
  enterCode(code: string, options: { remember: boolean }): Promise<void>
  enterRecoveryCode(code: string, options: { remember: boolean }): Promise<void>
  /** Signs in by a passkey alone. */
  signInWithPasskey(): Promise<void>
  /** Offers passkeys among the browser's suggestions for the address; resolves true when one was used. Never rejects. */
  offerPasskeys(): Promise<boolean>
  /** Withdraws that offer and waits for its end: no other sign-in runs at the same time. Resolves true when a passkey was used just before. */
  withdrawPasskeys(): Promise<boolean>
}

let current: AccountSecurity | undefined

/** Called once by `main` where our own server keeps the accounts, and by tests with theirs. */
export function provideAccountSecurity(security: AccountSecurity): void {
  current = security
}

/** Undefined where a hosted identity service takes care of it. */
export const accountSecurity = (): AccountSecurity | undefined => current

/** @throws Error where a hosted identity service takes care of it: such pages are not reached there. */
export function currentAccountSecurity(): AccountSecurity {
  if (!current) throw new Error('The security of accounts is managed by the identity service')
  return current
}
