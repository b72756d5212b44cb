import type { AppError } from '@tour-ops/contract/errors'
import { locales, type Locale } from '@tour-ops/contract/locales'
import { refuse } from '@tour-ops/contract/refusals'
import { sql } from 'kysely'
import type { Channels } from '../channels/channels.ts'
import { notFound } from '../optimistic-lock.ts'
import type { AdminCall, IdentityAdmin } from './identity-admin.ts'
import {
  cancelInvitation,
  deleteMember,
  hasSignUpGate,
  insertInvitation,
  openInvitation,
  refuseKnownAddress,
  renameOrganization,
  renewInvitation,
  updateMember,
  type InvitationRow,
} from './identity-rows.ts'
import { identityEmail, type IdentityEmail } from './identity-emails.ts'
import { securityEmail } from './second-factor/security-emails.ts'

export interface EmbeddedAdminOptions {
  readonly channels: Channels
  readonly publicUrl: string
  readonly locale: Locale
}

/** The embedded identity service, managed in the transaction of the verb. Row-level security keeps it inside the organization. */
export function embeddedAdmin({ channels, publicUrl, locale }: EmbeddedAdminOptions): IdentityAdmin {
  const post = (
    call: AdminCall,
    { kind, to, subject, body }: Omit<IdentityEmail, 'kind'> & { kind: string },
    orgId: string | null,
  ): Promise<void> => channels.send(call.tx, { channel: 'email', kind, to, subject, body, orgId })

  async function postInvitation(
    call: AdminCall,
    row: Pick<InvitationRow, 'id' | 'email' | 'locale' | 'message'>,
  ): Promise<void> {
    const { rows } = await sql<{ name: string }>`select name from organizations where org_id = ${call.orgId}`.execute(
      call.tx,
    )
    const facts = {
      organization: rows[0]?.name ?? '',
      inviter: call.caller.name ?? call.caller.email ?? '',
      link: `${publicUrl}/accept-invitation?id=${row.id}`,
      message: row.message,
    }
    await post(
      call,
      identityEmail('invitation', isLocale(row.locale) ? row.locale : locale, row.email, facts),
      call.orgId,
    )
  }

  return {
    renameOrganization,

    async invite(call, invitation) {
      await refuseKnownAddress(call, invitation.email)
      const id = await insertInvitation(call, { ...invitation, serviceId: null })
      await postInvitation(call, { ...invitation, id })
      return { id }
    },

    async resend(call, invitationId, expiresAt) {
      const row = await openInvitation(call, invitationId)
      await renewInvitation(call, invitationId, { expiresAt, serviceId: null })
      await postInvitation(call, row)
    },

    async revoke(call, invitationId) {
      await openInvitation(call, invitationId)
      await cancelInvitation(call, invitationId)
    },

    setRole: (call, userId, role) => updateMember(call, userId, { role }),
    suspend: (call, userId) => updateMember(call, userId, { status: 'suspended' }),
    reactivate: (call, userId) => updateMember(call, userId, { status: 'active' }),

    remove: deleteMember,

    async resetSecondFactor(call, userId) {
      const { rows } = await sql<{ outcome: string; name: string; email: string | null }>`
        select identity.reset_second_factor(m.user_id) as outcome, coalesce(m.name, '') as name, m.email::text as email
        from members m where m.org_id = ${call.orgId} and m.user_id = ${userId}`.execute(call.tx)
      const person = rows[0]
      if (!person || person.outcome === 'not_a_member') throw notFound('member')
      if (person.outcome === 'no_factor' || person.outcome === 'member_elsewhere') throw refuse(person.outcome)
      const facts = { at: call.clock.now(), ip: null }
      const { name, email: address } = person
      if (address === null) return
      const email = securityEmail(
        'second_factor_reset',
        locale,
        { name, email: address },
        facts,
        `${publicUrl}/reset-password`,
      )
      if (email) await post(call, { ...email, to: email.recipient }, null)
    },

    async waitlist(call) {
      const { rows } = await sql<{ id: string; email: string; since: Date }>`
        select w.id, w.email, w."createdAt" as since from identity.waitlist w where w.status = 'pending'
        order by w."createdAt", w.id limit 500`.execute(call.tx)
      return (await hasSignUpGate(call)) ? rows : null
    },

    async decideWaitlist(call, entryId, approve) {
      if (!(await hasSignUpGate(call))) throw noSuchEntry()
      const status = approve ? 'approved' : 'rejected'
      const { rows } = await sql<{ email: string }>`
        update identity.waitlist set status = ${status}, "decidedAt" = ${call.clock.now()}, "decidedBy" = ${call.caller.userId}
        where id = ${entryId} and status = 'pending' returning email`.execute(call.tx)
      const entry = rows[0]
      if (!entry) throw noSuchEntry()
      const link = `${publicUrl}/sign-up?email=${encodeURIComponent(entry.email)}`
      if (approve) {
        const facts = { link, signInLink: `${publicUrl}/sign-in` }
        await post(call, identityEmail('waitlist_approved', locale, entry.email, facts), null)
      }
      return entry
    },
  }
}

const noSuchEntry = (): AppError => notFound('waitlist_entry')

const isLocale = (value: string | null): value is Locale => locales.some((locale) => locale === value)
