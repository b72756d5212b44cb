import type { Role } from '@tour-ops/contract/identity/access'

export interface Credentials {
  readonly email: string
  readonly password: string
}

export interface NewAccount extends Credentials {
  readonly name: string
  /** From the set-up link of an installation without accounts. */
  readonly setupToken?: string | undefined
}

/** A wallet that agreed to say who it is. */
export interface WalletSigner {
  /** 0x-prefixed, in the letter case of EIP-55. */
  readonly address: string
  readonly chainId: number
  /** Signs a text as `personal_sign` does. */
  sign(message: string): Promise<string>
}

/** `second-factor`: a code of the authenticator app is asked for before anything opens, see `account-security-port.ts`. */
export type SignInOutcome = 'signed-in' | 'second-factor'

/** An invitation to the person who is signed in. */
export interface OwnInvitation {
  readonly id: string
  readonly organizationName: string
  readonly role: Role | null
  readonly expiresAt: Date
  /** Null where the service does not report it. */
  readonly inviterEmail: string | null
}

/**
 * What people do about their account and their organizations, behind the identity widgets. Acts that change the session are announced to
 * the other tabs and seen by `Identity` before they resolve.
 *
 * Everything rejects with an `AppError`; `details.reason` is the service's code in lower case (`invalid_email_or_password`), and
 * `details.retryAfterS` says how many seconds to wait after too many attempts.
 */
export interface Accounts {
  signIn(credentials: Credentials): Promise<SignInOutcome>
  /** Proves possession of a wallet with a message of EIP-4361. */
  signInWithWallet(wallet: WalletSigner): Promise<SignInOutcome>
  /** `signed-in`, or `verify-email` when an e-mail was sent that has to be answered first. */
  signUp(account: NewAccount): Promise<'signed-in' | 'verify-email'>
  /** The same answer whether the address is known or not. */
  sendVerification(email: string): Promise<void>
  verifyEmail(token: string): Promise<void>
  /** The same answer whether the address is known or not. */
  requestPasswordReset(email: string): Promise<void>
  /** Ends every session of the account. */
  resetPassword(token: string, password: string): Promise<void>
  /** The same answer whether the address is known or not. */
  joinWaitlist(email: string): Promise<void>

  rename(name: string): Promise<void>
  /** Ends the other sessions of the account. */
  changePassword(current: string, next: string): Promise<void>

  /** Creates an organization and makes it the active one. */
  createOrganization(organization: { name: string; slug: string }): Promise<void>
  updateOrganization(orgId: string, change: { name?: string; imageUrl?: string | null }): Promise<void>
  leaveOrganization(orgId: string): Promise<void>

  listInvitations(): Promise<readonly OwnInvitation[]>
  readInvitation(id: string): Promise<OwnInvitation>
  /** Joins the organization and makes it the active one. */
  acceptInvitation(id: string): Promise<void>
  declineInvitation(id: string): Promise<void>
}

let current: Accounts | undefined

/** Called once by `main` with the adapter that the configuration names, and by tests with theirs. */
export function provideAccounts(accounts: Accounts): void {
  current = accounts
}

/** @throws Error before `provideAccounts`: a programming error. */
export function currentAccounts(): Accounts {
  if (!current) throw new Error('provideAccounts must be called before accounts are used')
  return current
}
