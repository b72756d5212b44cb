import type { Role } from '@tour-ops/contract/access'
import { AppError } from '@tour-ops/contract/errors'
import { locales, type Locale } from '@tour-ops/contract/page-config'
import { sql } from 'kysely'
import type { Channels } from '../channels/channels.ts'
import { newId } from '../ids.ts'
import type { AdminCall, IdentityAdmin } from './identity-admin.ts'
import { letterFor, type Letter } from './letters.ts'

export interface EmbeddedAdminOptions {
  readonly channels: Channels
  readonly publicUrl: string
  readonly locale: Locale
}

interface InvitationRow {
  id: string
  email: string
  locale: string | null
  message: string | null
  status: string
}

/** The embedded identity service, managed in the transaction of the verb. Row-level security keeps it inside the organization. */
export function embeddedAdmin({ channels, publicUrl, locale }: EmbeddedAdminOptions): IdentityAdmin {
  const post = (call: AdminCall, { kind, to, subject, body }: Letter, orgId: string | null): Promise<void> =>
    channels.send(call.tx, { channel: 'email', kind, to, subject, body, orgId })

  async function postInvitation(call: AdminCall, row: Omit<InvitationRow, 'status'>): Promise<void> {
    const { rows } = await sql<{ name: string }>`select name from organizations where org_id = ${call.orgId}`.execute(
      call.tx,
    )
    const facts = {
      organization: rows[0]?.name ?? '',
      inviter: call.caller.name ?? call.caller.email ?? '',
      link: `${publicUrl}/accept-invitation?id=${row.id}`,
      message: row.message,
    }
    await post(call, letterFor('invitation', isLocale(row.locale) ? row.locale : locale, row.email, facts), call.orgId)
  }

  return {
    async renameOrganization(call, name) {
      await sql`update identity.organization set name = ${name} where id = ${call.orgId} and name <> ${name}`.execute(
        call.tx,
      )
    },

    async invite(call, { email, role, staffId, locale: language, message, expiresAt }) {
      await refuseKnownAddress(call, email)
      const id = newId()
      await sql`
        insert into identity.invitation
          (id, "organizationId", email, role, status, "expiresAt", "createdAt", "inviterId", message, locale, "fieldStaffId", "sentAt")
        values (${id}, ${call.orgId}, ${email}, ${role}, 'pending', ${expiresAt}, ${call.clock.now()}, ${call.caller.userId},
          ${message}, ${language}, ${staffId}, ${call.clock.now()})`.execute(call.tx)
      await postInvitation(call, { id, email, locale: language, message })
      return { id }
    },

    async resend(call, invitationId, expiresAt) {
      const row = await openInvitation(call, invitationId)
      await sql`update identity.invitation set "expiresAt" = ${expiresAt}, "sentAt" = ${call.clock.now()}
        where id = ${invitationId} and "organizationId" = ${call.orgId}`.execute(call.tx)
      await postInvitation(call, row)
    },

    async revoke(call, invitationId) {
      await openInvitation(call, invitationId)
      await sql`update identity.invitation set status = 'canceled'
        where id = ${invitationId} and "organizationId" = ${call.orgId}`.execute(call.tx)
    },

    setRole: (call, userId, role) => updateMember(call, userId, { role }),
    suspend: (call, userId) => updateMember(call, userId, { status: 'suspended' }),
    reactivate: (call, userId) => updateMember(call, userId, { status: 'active' }),

    async remove(call, userId) {
      const { numAffectedRows } = await sql`delete from identity.member
        where "organizationId" = ${call.orgId} and "userId" = ${userId}`.execute(call.tx)
      if (!numAffectedRows) throw noSuchMember()
    },

    async waitlist(call) {
      const { rows } = await sql<{ id: string; email: string; since: Date; home: boolean }>`
        select w.id, w.email, w."createdAt" as since from identity.waitlist w where w.status = 'pending'
        order by w."createdAt", w.id limit 500`.execute(call.tx)
      return (await hasTheDoor(call)) ? rows : null
    },

    async decideWaitlist(call, entryId, approve) {
      if (!(await hasTheDoor(call))) throw noSuchEntry()
      const status = approve ? 'approved' : 'rejected'
      const { rows } = await sql<{ email: string }>`
        update identity.waitlist set status = ${status}, "decidedAt" = ${call.clock.now()}, "decidedBy" = ${call.caller.userId}
        where id = ${entryId} and status = 'pending' returning email`.execute(call.tx)
      const entry = rows[0]
      if (!entry) throw noSuchEntry()
      const link = `${publicUrl}/sign-up?email=${encodeURIComponent(entry.email)}`
      if (approve) await post(call, letterFor('waitlist_approved', locale, entry.email, { link }), null)
      return entry
    },
  }
}

async function refuseKnownAddress({ tx, orgId }: AdminCall, email: string): Promise<void> {
  const { rows } = await sql<{ member: boolean; invited: boolean }>`
    select
      exists (select from members where org_id = ${orgId} and lower(email) = ${email} and status <> 'removed') as member,
      exists (select from identity.invitation where "organizationId" = ${orgId} and email = ${email} and status = 'pending') as invited
  `.execute(tx)
  if (rows[0]?.member) {
    throw new AppError('aborted', 'This person is a member already.', { details: { reason: 'already_member' } })
  }
  if (rows[0]?.invited) {
    throw new AppError('aborted', 'This address has an open invitation. Send that one again instead.', {
      details: { reason: 'already_invited' },
    })
  }
}

async function openInvitation({ tx, orgId }: AdminCall, id: string): Promise<InvitationRow> {
  const { rows } = await sql<InvitationRow>`
    select id, email, locale, message, status from identity.invitation
    where id = ${id} and "organizationId" = ${orgId} for update`.execute(tx)
  const row = rows[0]
  if (!row) throw new AppError('not-found', 'This invitation does not exist.')
  if (row.status === 'pending') return row
  const words = row.status === 'accepted' ? 'was accepted already' : 'was taken back or declined'
  throw new AppError('aborted', `This invitation ${words}.`, { details: { reason: 'invitation_closed' } })
}

async function updateMember(
  { tx, orgId }: AdminCall,
  userId: string,
  change: { readonly role: Role } | { readonly status: 'active' | 'suspended' },
): Promise<void> {
  const assignment = 'role' in change ? sql`role = ${change.role}` : sql`status = ${change.status}`
  const { numAffectedRows } = await sql`update identity.member set ${assignment}
    where "organizationId" = ${orgId} and "userId" = ${userId}`.execute(tx)
  if (!numAffectedRows) throw noSuchMember()
}

async function hasTheDoor({ tx }: AdminCall): Promise<boolean> {
  const { rows } = await sql<{ home: boolean }>`select identity.is_home_organization() as home`.execute(tx)
  return rows[0]?.home === true
}

const noSuchMember = (): AppError => new AppError('not-found', 'This person is not a member of the organization.')
const noSuchEntry = (): AppError => new AppError('not-found', 'Nobody waits under this entry.')

const isLocale = (value: string | null): value is Locale => locales.some((locale) => locale === value)
