import type { Role } from '@tour-ops/contract/identity/access'
import type { AppError } from '@tour-ops/contract/errors'
import { refuse } from '@tour-ops/contract/refusals'
import { sql } from 'kysely'
import { newId } from '../ids.ts'
import type { AdminCall } from './identity-admin.ts'
import { notFound } from '../optimistic-lock.ts'

// Members and invitations in the schema `identity`, inside the organization of a call. Every identity service has them there: the embedded
// one as its own, another one mirrored.

export interface InvitationRow {
  readonly id: string
  readonly email: string
  readonly role: Role
  readonly locale: string | null
  readonly message: string | null
  readonly status: string
  readonly staffId: string | null
  /** The id that another identity service gave it. */
  readonly serviceId: string | null
}

/** @throws AppError `aborted` with the reason `already_member` or `already_invited`. */
export async function refuseKnownAddress({ tx, orgId }: AdminCall, email: string): Promise<void> {
  const { rows } = await sql<{ member: boolean; invited: boolean }>`
    select
      exists (select from members where org_id = ${orgId} and lower(email) = ${email} and status <> 'removed') as member,
      exists (select from identity.invitation where "organizationId" = ${orgId} and email = ${email} and status = 'pending') as invited
  `.execute(tx)
  if (rows[0]?.member) {
    throw refuse('already_member')
  }
  if (rows[0]?.invited) {
    throw refuse('already_invited')
  }
}

/** What an invitation says, and the id of the other service where that one sends it. */
export interface NewInvitation {
  readonly email: string
  readonly role: Role
  readonly staffId: string | null
  readonly locale: string | null
  readonly message: string | null
  readonly expiresAt: Date
  readonly serviceId: string | null
}

/** @returns the new invitation's id. */
export async function insertInvitation({ tx, orgId, caller, clock }: AdminCall, given: NewInvitation): Promise<string> {
  const id = newId()
  await sql`
    insert into identity.invitation
      (id, "organizationId", email, role, status, "expiresAt", "createdAt", "inviterId", message, locale, "fieldStaffId", "sentAt", "serviceId")
    values (${id}, ${orgId}, ${given.email}, ${given.role}, 'pending', ${given.expiresAt}, ${clock.now()}, ${caller.userId},
      ${given.message}, ${given.locale}, ${given.staffId}, ${clock.now()}, ${given.serviceId})`.execute(tx)
  return id
}

/** Notes that an invitation was sent once more. */
export async function renewInvitation(
  { tx, orgId, clock }: AdminCall,
  id: string,
  { expiresAt, serviceId }: Pick<NewInvitation, 'expiresAt' | 'serviceId'>,
): Promise<void> {
  await sql`update identity.invitation set "expiresAt" = ${expiresAt}, "sentAt" = ${clock.now()}, "serviceId" = ${serviceId}
    where id = ${id} and "organizationId" = ${orgId}`.execute(tx)
}

export async function renameOrganization({ tx, orgId }: AdminCall, name: string): Promise<void> {
  await sql`update identity.organization set name = ${name} where id = ${orgId} and name <> ${name}`.execute(tx)
}

/** A pending invitation of the organization, locked. @throws AppError `not-found`, or `aborted` when it was answered. */
export async function openInvitation({ tx, orgId }: AdminCall, id: string): Promise<InvitationRow> {
  const { rows } = await sql<InvitationRow>`
    select id, email, coalesce(role, 'viewer') as role, locale, message, status, "fieldStaffId" as "staffId", "serviceId" from identity.invitation
    where id = ${id} and "organizationId" = ${orgId} for update`.execute(tx)
  const row = rows[0]
  if (!row) throw notFound('invitation')
  if (row.status === 'pending') return row
  throw refuse('invitation_closed', { status: row.status === 'accepted' ? 'accepted' : 'closed' })
}

/** @throws AppError `not-found` */
export async function updateMember(
  { tx, orgId }: AdminCall,
  userId: string,
  change: { readonly role: Role } | { readonly status: 'active' | 'suspended' },
): Promise<void> {
  const assignment = 'role' in change ? sql`role = ${change.role}` : sql`status = ${change.status}`
  const { numAffectedRows } = await sql`update identity.member set ${assignment}
    where "organizationId" = ${orgId} and "userId" = ${userId}`.execute(tx)
  if (!numAffectedRows) throw noSuchMember()
}

/** Whether the organization decides about the waitlist: the installation's first one does. */
export async function hasSignUpGate({ tx }: AdminCall): Promise<boolean> {
  const { rows } = await sql<{ home: boolean | null }>`select identity.is_home_organization() as home`.execute(tx)
  return rows[0]?.home === true
}

const noSuchMember = (): AppError => notFound('member')

/** Ends a membership. @throws AppError `not-found` */
export async function deleteMember({ tx, orgId }: AdminCall, userId: string): Promise<void> {
  const { numAffectedRows } = await sql`delete from identity.member
    where "organizationId" = ${orgId} and "userId" = ${userId}`.execute(tx)
  if (!numAffectedRows) throw noSuchMember()
}

/** Ends an invitation that is open. */
export async function cancelInvitation({ tx, orgId }: AdminCall, id: string): Promise<void> {
  await sql`update identity.invitation set status = 'canceled' where id = ${id} and "organizationId" = ${orgId}`.execute(
    tx,
  )
}
