import * as z from 'zod/mini'
import { permissions, roles } from '../identity/access.ts'
import { callable } from '../callable.ts'
import {
  Count,
  CsvFile,
  Email,
  Id,
  Instant,
  Named,
  OpaqueId,
  optionalText,
  orNull,
  Version,
  whole,
  write,
} from '../fields.ts'
import { locales } from '../locales.ts'
import { anyOf, exportInput, listInput, listOutput } from '../paging.ts'

/** Members, invitations and people on the waitlist are in one table. */
export const memberRowKinds = ['member', 'invitation', 'waitlist'] as const
/** `expired` is an invitation past its date; resending makes it `pending` again. `waiting` is on the waitlist. */
export const memberRowStatuses = ['active', 'suspended', 'pending', 'expired', 'waiting'] as const

export const MemberRow = z.object({
  kind: z.enum(memberRowKinds),
  /** The user of a member, else the invitation or the place on the waitlist. */
  id: OpaqueId,
  name: z.nullable(z.string()),
  email: z.nullable(z.string()),
  imageUrl: z.nullable(z.string()),
  /** Null on the waitlist. */
  role: z.nullable(z.enum(roles)),
  status: z.enum(memberRowStatuses),
  staff: z.nullable(Named),
  /** When the member last worked in this organization, to the day; the last sign-in at all where that is not known. */
  lastSeenAt: z.nullable(Instant),
  /** Joined, invited, or asked to be let in. */
  since: Instant,
  expiresAt: z.nullable(Instant),
  invitedBy: z.nullable(z.string()),
  /** Of members; null for the others. */
  version: z.nullable(Version),
  isSelf: z.boolean(),
  /** Whether the account has an authenticator app or a passkey. Null for who is no member yet, and where a hosted service keeps accounts. */
  hasSecondFactor: z.nullable(z.boolean()),
})
export type MemberRow = z.output<typeof MemberRow>

/** Days without being seen after which a member counts as away. */
export const awayAfterDays = 60

export const memberFilters = {
  kind: anyOf(z.enum(memberRowKinds)),
  status: anyOf(z.enum(memberRowStatuses)),
  role: anyOf(z.enum(roles)),
  /** Active members who were not here for 60 days. */
  away: z.optional(z.boolean()),
  /** Linked with a field-staff record, or not. */
  linked: z.optional(z.boolean()),
  /** Members with or without a second factor; for administrators. */
  secondFactor: z.optional(z.boolean()),
}
export const membersSortable = ['name', 'email', 'role', 'status', 'staff', 'lastSeenAt', 'since'] as const

export const MemberFigures = z.object({
  active: Count,
  suspended: Count,
  pending: Count,
  waiting: Count,
  admins: Count,
  away: Count,
})
export type MemberFigures = z.output<typeof MemberFigures>

export const listMembers = callable({
  name: 'members-list',
  kind: 'read',
  permission: 'members:read',
  summary: 'Members, invitations and, for administrators of the first organization, the waitlist.',
  input: listInput(memberFilters, membersSortable),
  output: z.extend(listOutput(MemberRow), { figures: MemberFigures }),
  topics: ['field_staff', 'invitations', 'members'],
})

export const exportMembers = callable({
  name: 'members-export',
  kind: 'read',
  permission: 'members:read',
  summary: 'The filtered table of members as CSV.',
  input: exportInput(memberFilters, membersSortable),
  output: CsvFile,
  topics: [],
})

export const invitationFailures = [
  'already_member',
  'already_invited',
  'invalid_email',
  'duplicate',
  'staff_taken',
] as const

export const inviteMembers = callable({
  name: 'members-invite',
  kind: 'write',
  permission: 'members:manage',
  summary: 'Invites one or many addresses; failures are reported per address and do not block the others.',
  input: write({
    /** As typed or pasted; each is checked on its own. */
    emails: z
      .array(z.string().check(z.maxLength(320)))
      .check(z.minLength(1, 'address_missing'), z.maxLength(100, 'too_many_addresses')),
    role: z.enum(roles),
    /** Only with a single address. */
    staffId: orNull(Id),
    locale: z._default(z.enum(locales), 'en'),
    message: optionalText(1000),
    expiresInDays: z._default(whole(1, 30), 7),
  }),
  output: z.object({
    invited: z.array(z.object({ id: Id, email: z.string() })),
    failed: z.array(z.object({ email: z.string(), reason: z.enum(invitationFailures), message: z.string() })),
  }),
  writes: ['deliveries', 'invitations', 'messages'],
})

const onMember = { userId: OpaqueId, version: Version }
const MemberSaved = z.object({ userId: OpaqueId, version: Version })

export const setMemberRole = callable({
  name: 'members-set-role',
  kind: 'write',
  permission: 'members:manage',
  summary: 'Changes the role of a member; takes effect on their next call. The last administrator keeps the role.',
  input: write({ ...onMember, role: z.enum(roles) }),
  output: MemberSaved,
  writes: ['members'],
})

export const suspendMember = callable({
  name: 'members-suspend',
  kind: 'write',
  permission: 'members:manage',
  summary: 'Suspends all access until the member is reactivated.',
  input: write(onMember),
  output: MemberSaved,
  writes: ['members'],
})

export const reactivateMember = callable({
  name: 'members-reactivate',
  kind: 'write',
  permission: 'members:manage',
  summary: 'Gives a suspended member access again.',
  input: write(onMember),
  output: MemberSaved,
  writes: ['members'],
})

export const removeMember = callable({
  name: 'members-remove',
  kind: 'write',
  permission: 'members:manage',
  summary: 'Ends a membership. Only a new invitation brings the person back.',
  input: write(onMember),
  output: z.object({ userId: OpaqueId }),
  writes: ['field_staff', 'members'],
})

export const resetSecondFactor = callable({
  name: 'members-reset-second-factor',
  kind: 'write',
  permission: 'members:manage',
  summary:
    'Removes authenticator app and passkeys of a member who lost them, and ends their sessions. Not for members of other organizations.',
  input: write(onMember),
  output: MemberSaved,
  writes: ['members'],
})

export const resendInvitation = callable({
  name: 'members-resend-invitation',
  kind: 'write',
  permission: 'members:manage',
  summary: 'Sends an open or expired invitation again, with a new period of validity.',
  input: write({ id: Id, expiresInDays: z._default(whole(1, 30), 7) }),
  output: z.object({ id: Id, expiresAt: Instant }),
  writes: ['deliveries', 'invitations', 'messages'],
})

export const revokeInvitation = callable({
  name: 'members-revoke-invitation',
  kind: 'write',
  permission: 'members:manage',
  summary: 'Revokes an invitation; its link stops working.',
  input: write({ id: Id }),
  output: z.object({ id: Id }),
  writes: ['invitations'],
})

export const linkMemberStaff = callable({
  name: 'members-link-staff',
  kind: 'write',
  permission: 'members:manage',
  summary: 'Links a member with a field-staff record, or removes the link. Defines "own" for guides.',
  input: write({ ...onMember, staffId: z.nullable(Id) }),
  output: MemberSaved,
  writes: ['field_staff', 'members'],
})

export const accessReasons = [
  'role_grants',
  'role_lacks',
  'suspended',
  'second_factor_missing',
  'own_departure',
  'other_departure',
  'no_staff_record',
  'near_tour',
  'not_near_tour',
  'choose_departure',
] as const

/** Why a member may do something, as facts in the order a person asks for them. */
export const AccessExplanation = z.object({
  answer: z.enum(['yes', 'for_now', 'depends', 'no']),
  reason: z.enum(accessReasons),
  permission: z.enum(permissions),
  /** `own` reaches the member's own departures, guests and record; null when not granted. */
  scope: z.nullable(z.enum(['all', 'own'])),
  member: z.object({
    userId: OpaqueId,
    name: z.nullable(z.string()),
    role: z.enum(roles),
    status: z.enum(['active', 'suspended']),
    staff: z.nullable(Named),
  }),
  /** Who gave the role, and when; null when the log no longer says. */
  roleGiven: z.nullable(z.object({ at: Instant, by: z.nullable(z.string()) })),
  departure: z.nullable(
    z.object({
      id: Id,
      code: z.string(),
      tourName: z.string(),
      startsAt: Instant,
      endsAt: Instant,
      timeZone: z.string(),
      /** Guests are boarding or on their way, also after the planned end. */
      isOut: z.boolean(),
    }),
  ),
  /** When access begins and ends by the plan, where time decides; while the departure is out it lasts. */
  window: z.nullable(z.object({ from: Instant, until: Instant })),
  /** This person's recorded accesses to sensitive data in the last 24 hours, newest first. */
  recentLooks: z.array(Instant),
})
export type AccessExplanation = z.output<typeof AccessExplanation>

export const explainAccess = callable({
  name: 'members-explain',
  kind: 'read',
  permission: 'members:read',
  summary: 'Why can this member see or do something, on one departure or at all?',
  input: z.object({ userId: OpaqueId, permission: z.enum(permissions), departureId: z.optional(Id) }),
  output: AccessExplanation,
  topics: ['assignments', 'field_staff', 'invitations', 'members', 'org_settings', 'tours'],
  rowTopics: ['departures'],
})

export const WaitlistEntry = z.object({ id: OpaqueId, email: Email, since: Instant })
export type WaitlistEntry = z.output<typeof WaitlistEntry>

export const listWaitlist = callable({
  name: 'waitlist-list',
  kind: 'read',
  permission: 'members:manage',
  summary: 'People on the waitlist for access. Only the first organization of an installation decides about them.',
  input: z.object({}),
  output: z.object({ available: z.boolean(), entries: z.array(WaitlistEntry) }),
  topics: [],
})

export const decideWaitlist = callable({
  name: 'waitlist-decide',
  kind: 'write',
  permission: 'members:manage',
  summary: 'Approves or declines people on the waitlist.',
  input: write({
    ids: z.array(OpaqueId).check(z.minLength(1), z.maxLength(100)),
    approve: z.boolean(),
    /** With a role, those let in are invited into this organization as well. */
    role: orNull(z.enum(roles)),
  }),
  output: z.object({ decided: Count }),
  writes: ['deliveries', 'invitations', 'messages'],
})
