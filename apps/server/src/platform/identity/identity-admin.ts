import type { Role } from '@tour-ops/contract/identity/access'
import type { Locale } from '@tour-ops/contract/locales'
import type { Caller } from '../caller.ts'
import type { Clock } from '../clock.ts'
import type { Tx } from '../db/database.ts'
import { WorkSlots } from '../work-slots.ts'

/** For whom and in which transaction the identity service is asked to do something. */
export interface AdminCall {
  readonly tx: Tx
  readonly orgId: string
  readonly caller: Caller
  readonly clock: Clock
}

/**
 * For verbs whose transaction asks the identity service. A hosted one answers each question in some tenths of a second, and may take ten seconds:
 * a process has ten connections, and most of them stay with everybody else.
 */
export const identitySlots = new WorkSlots({ perOrganization: 1, inAll: 3, waiting: 100 })

interface NewInvitation {
  readonly email: string
  readonly role: Role
  /** The field-staff record that accepting links to. */
  readonly staffId: string | null
  readonly locale: Locale
  readonly message: string | null
  readonly expiresAt: Date
}

interface WaitingPerson {
  readonly id: string
  readonly email: string
  readonly since: Date
}

/**
 * What administrators do to members, invitations and the waitlist of the identity service. The rows that verbs read
 * (`organizations`, `members`, `invitations`) follow: the embedded service writes them in the same transaction, another
 * service notifies us afterwards. Every method acts inside the organization of the call and refuses with an AppError:
 * `not-found` for what is not in it, `aborted` where the state does not allow it.
 */
export interface IdentityAdmin {
  /** Invites and writes the e-mail. `aborted` with the reason `already_member` or `already_invited`. */
  invite(call: AdminCall, invitation: NewInvitation): Promise<{ readonly id: string }>
  /** Sends an open or expired invitation again, valid until `expiresAt`. */
  resend(call: AdminCall, invitationId: string, expiresAt: Date): Promise<void>
  revoke(call: AdminCall, invitationId: string): Promise<void>
  /** `aborted` when the organization would be left without an administrator; raised at the end of the transaction. */
  setRole(call: AdminCall, userId: string, role: Role): Promise<void>
  suspend(call: AdminCall, userId: string): Promise<void>
  reactivate(call: AdminCall, userId: string): Promise<void>
  remove(call: AdminCall, userId: string): Promise<void>
  /**
   * Takes every second factor of a member away, ends their sessions and writes them an e-mail. `aborted` with the reason `no_factor`,
   * `member_elsewhere` for somebody who belongs to another organization too, `unimplemented` where a hosted service keeps accounts.
   */
  resetSecondFactor(call: AdminCall, userId: string): Promise<void>
  /** Name of the organization as the identity service shows it. */
  renameOrganization(call: AdminCall, name: string): Promise<void>
  /** People who wait to be let in; null where this organization has no say in that. Oldest first. */
  waitlist(call: AdminCall): Promise<readonly WaitingPerson[] | null>
  /** Lets somebody sign up, with an e-mail that says so, or turns them away. */
  decideWaitlist(call: AdminCall, entryId: string, approve: boolean): Promise<{ readonly email: string }>
}
