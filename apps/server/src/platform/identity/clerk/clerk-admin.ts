import type { AdminCall, IdentityAdmin } from '../identity-admin.ts'
import {
  cancelInvitation,
  deleteMember,
  hasSignUpGate,
  insertInvitation,
  openInvitation,
  refuseKnownAddress,
  renameOrganization,
  renewInvitation,
  type NewInvitation,
  updateMember,
} from '../identity-rows.ts'
import { ClerkRefusal, type ClerkApi } from './clerk-api.ts'
import { keyOfRole } from '@tour-ops/contract/identity/service-keys'
import { refuse } from '@tour-ops/contract/refusals'
import { notFound } from '../../optimistic-lock.ts'

export interface ClerkAdminOptions {
  readonly api: Pick<
    ClerkApi,
    'invite' | 'revokeInvitation' | 'setRole' | 'removeMember' | 'renameOrganization' | 'waitlist' | 'decideWaitlist'
  >
  readonly publicUrl: string
}

const dayMs = 86_400_000

type InvitationEmail = Pick<NewInvitation, 'email' | 'role' | 'locale' | 'message' | 'expiresAt'>

/**
 * The hosted identity service, managed through its Backend API. What the service agreed to is written into the mirror in the transaction of
 * the verb; should that fail, the service's webhooks bring both together again. The service writes the e-mails and keeps the last
 * administrator. It knows no suspension: that one is ours alone.
 */
export function clerkAdmin({ api, publicUrl }: ClerkAdminOptions): IdentityAdmin {
  /** The service's id of the invitation it has written to. */
  const send = (call: AdminCall, { email, role, locale, message, expiresAt }: InvitationEmail): Promise<string> =>
    api
      .invite(call.orgId, {
        email_address: email,
        role: keyOfRole(role),
        inviter_user_id: call.caller.userId,
        redirect_url: `${publicUrl}/sign-up`,
        expires_in_days: Math.max(1, Math.ceil((expiresAt.getTime() - call.clock.now().getTime()) / dayMs)),
        // for the e-mail's template at the service
        public_metadata: { locale, message },
      })
      .catch((error: unknown) => {
        throw refusedInvitation(error)
      })

  return {
    async renameOrganization(call, name) {
      await api.renameOrganization(call.orgId, name)
      await renameOrganization(call, name)
    },

    async invite(call, invitation) {
      await refuseKnownAddress(call, invitation.email)
      const serviceId = await send(call, invitation)
      return { id: await insertInvitation(call, { ...invitation, serviceId }) }
    },

    // the service cannot send one again: a new one takes its place
    async resend(call, invitationId, expiresAt) {
      const row = await openInvitation(call, invitationId)
      await takeBack(row.serviceId, call)
      const serviceId = await send(call, { ...row, expiresAt })
      await renewInvitation(call, invitationId, { expiresAt, serviceId })
    },

    async revoke(call, invitationId) {
      const row = await openInvitation(call, invitationId)
      await takeBack(row.serviceId, call)
      await cancelInvitation(call, invitationId)
    },

    async setRole(call, userId, role) {
      await api.setRole(call.orgId, userId, keyOfRole(role))
      await updateMember(call, userId, { role })
    },

    suspend: (call, userId) => updateMember(call, userId, { status: 'suspended' }),
    reactivate: (call, userId) => updateMember(call, userId, { status: 'active' }),

    async resetSecondFactor() {
      throw refuse('factors_elsewhere')
    },

    async remove(call, userId) {
      await api.removeMember(call.orgId, userId).catch(unlessGone)
      await deleteMember(call, userId)
    },

    async waitlist(call) {
      if (!(await hasSignUpGate(call))) return null
      const entries = await api.waitlist()
      return entries.map((entry) => ({
        id: entry.id,
        email: entry.email_address,
        since: new Date(entry.created_at),
      }))
    },

    async decideWaitlist(call, entryId, approve) {
      if (!(await hasSignUpGate(call))) throw notFound('waitlist_entry')
      const entry = await api.decideWaitlist(entryId, approve)
      return { email: entry.email_address.toLowerCase() }
    },
  }

  async function takeBack(serviceId: string | null, { orgId, caller }: AdminCall): Promise<void> {
    if (serviceId !== null) await api.revokeInvitation(orgId, serviceId, caller.userId).catch(unlessGone)
  }
}

/** What is gone already need not be taken away. */
function unlessGone(error: unknown): void {
  if (!(error instanceof ClerkRefusal && error.code === 'not-found')) throw error
}

/** The service's codes in the words of the port. */
function refusedInvitation(error: unknown): unknown {
  if (!(error instanceof ClerkRefusal)) return error
  const reason = invitationReasons[error.reason]
  return reason ? refuse(reason, undefined, { cause: error }) : error
}

/** @see https://clerk.com/docs/errors/backend-api */
const invitationReasons: Readonly<Record<string, 'already_member' | 'already_invited'>> = {
  already_a_member_in_organization: 'already_member',
  duplicate_record: 'already_invited',
  organization_invitation_already_exists: 'already_invited',
}
