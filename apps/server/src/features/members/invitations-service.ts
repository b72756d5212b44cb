import { AppError } from '@tour-ops/contract/errors'
import { Email } from '@tour-ops/contract/fields'
import {
  decideWaitlist,
  inviteMembers,
  listWaitlist,
  resendInvitation,
  revokeInvitation,
  type invitationFailures,
} from '@tour-ops/contract/members/members'
import type { Given } from '@tour-ops/contract/callable'
import type { MemberCall } from '../../context.ts'
import { iso } from '../../platform/list-query.ts'
import { identitySlots } from '../../platform/identity/identity-admin.ts'
import { limitedVerb, type Verb, verb } from '../../platform/verb.ts'
import { selectStaffLink } from './members-store.ts'

type Failure = { readonly reason: (typeof invitationFailures)[number]; readonly message: string }
type Wish = Given<typeof inviteMembers>

const dayMs = 86_400_000
const inDays = (call: MemberCall, days: number): Date => new Date(call.clock.now().getTime() + days * dayMs)

const invite = verb(inviteMembers, async (call, wish) => {
  const invited: { id: string; email: string }[] = []
  const failed: ({ email: string } & Failure)[] = []
  const seen = new Set<string>()
  for (const typed of wish.emails) {
    const parsed = Email.safeParse(typed)
    const email = parsed.success ? parsed.data : typed.trim()
    const failure = parsed.success ? await inviteOne(call, wish, email, seen, invited) : invalidEmail
    if (failure) failed.push({ email, ...failure })
    seen.add(email)
  }
  return { invited, failed }
})

const invalidEmail: Failure = { reason: 'invalid_email', message: 'This does not look like an e-mail address.' }

/** Undefined when the address was invited, otherwise why not: the others continue. */
async function inviteOne(
  call: MemberCall,
  wish: Wish,
  email: string,
  seen: ReadonlySet<string>,
  invited: { id: string; email: string }[],
): Promise<Failure | undefined> {
  if (seen.has(email)) return { reason: 'duplicate', message: 'This address is in the list twice.' }
  const staffFailure = await staffProblem(call, wish)
  if (staffFailure) return staffFailure
  const { role, staffId, locale, message } = wish
  const invitation = { email, role, staffId, locale, message, expiresAt: inDays(call, wish.expiresInDays) }
  return unlessKnownHere(async () => {
    const { id } = await call.identityAdmin.invite(call, invitation)
    invited.push({ id, email })
  })
}

/** Why an address was not invited: it belongs to a member, or is invited already. */
async function unlessKnownHere(inviting: () => Promise<unknown>): Promise<Failure | undefined> {
  try {
    await inviting()
    return undefined
  } catch (error) {
    const reason = error instanceof AppError ? error.details.reason : undefined
    if (error instanceof AppError && (reason === 'already_member' || reason === 'already_invited')) {
      return { reason, message: error.message }
    }
    throw error
  }
}

async function staffProblem(call: MemberCall, { staffId, emails }: Wish): Promise<Failure | undefined> {
  if (staffId === null) return undefined
  if (emails.length > 1) {
    return { reason: 'staff_taken', message: 'A field-staff record belongs to one person: invite them alone.' }
  }
  const staff = await selectStaffLink(call.tx, call.orgId, staffId)
  if (!staff) return { reason: 'staff_taken', message: 'This field-staff record does not exist.' }
  if (staff.userId !== null) {
    return { reason: 'staff_taken', message: 'This field-staff record is linked with another member.' }
  }
  return undefined
}

const resend = verb(resendInvitation, async (call, { id, expiresInDays }) => {
  const expiresAt = inDays(call, expiresInDays)
  await call.identityAdmin.resend(call, id, expiresAt)
  return { id, expiresAt: iso(expiresAt) }
})

const revoke = verb(revokeInvitation, async (call, { id }) => {
  await call.identityAdmin.revoke(call, id)
  return { id }
})

const waitlist = verb(listWaitlist, async (call) => {
  const entries = await call.identityAdmin.waitlist(call)
  return {
    available: entries !== null,
    entries: (entries ?? []).map(({ id, email, since }) => ({ id, email, since: iso(since) })),
  }
})

const decide = verb(decideWaitlist, async (call, { ids, approve, role }) => {
  for (const id of ids) {
    const { email } = await call.identityAdmin.decideWaitlist(call, id, approve)
    if (!approve || role === null) continue
    const invitation = { role, staffId: null, locale: call.config.locale, message: null, expiresAt: inDays(call, 7) }
    // members and invited people may wait as well; for them letting in is enough
    await unlessKnownHere(() => call.identityAdmin.invite(call, { ...invitation, email }))
  }
  return { decided: ids.length }
})

const asksIdentity: Verb[] = [invite, resend, revoke, waitlist, decide]

export const invitationVerbs: Verb[] = asksIdentity.map((each) => limitedVerb(identitySlots, each))
