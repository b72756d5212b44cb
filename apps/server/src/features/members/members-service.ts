import { fieldError } from '@tour-ops/contract/field-rules'
import { refuse } from '@tour-ops/contract/refusals'
import {
  exportMembers,
  linkMemberStaff,
  listMembers,
  reactivateMember,
  removeMember,
  resetSecondFactor,
  setMemberRole,
  suspendMember,
} from '@tour-ops/contract/members/members'
import type { MemberCall } from '../../context.ts'
import { csvFile } from '../../platform/csv.ts'
import { notFound, requireVersion } from '../../platform/optimistic-lock.ts'
import { identitySlots } from '../../platform/identity/identity-admin.ts'
import { limitedVerb, type Verb, verb } from '../../platform/verb.ts'
import {
  selectAllPeople,
  selectFigures,
  selectMember,
  selectPeople,
  selectStaffLink,
  selectVersion,
  updateStaffLink,
  type StoredMember,
} from './members-store.ts'

const list = verb(listMembers, async (call, input) => ({
  ...(await selectPeople(call, input)),
  figures: await selectFigures(call),
}))

const exportAll = verb(exportMembers, async (call, { columns, sort, ...filter }) =>
  csvFile(
    'members',
    {
      kind: (row) => row.kind,
      name: (row) => row.name,
      email: (row) => row.email,
      role: (row) => row.role,
      status: (row) => row.status,
      staff: (row) => row.staff?.name ?? null,
      lastSeenAt: (row) => row.lastSeenAt,
      since: (row) => row.since,
      expiresAt: (row) => row.expiresAt,
      invitedBy: (row) => row.invitedBy,
      secondFactor: (row) => row.hasSecondFactor,
    },
    await selectAllPeople(call, filter, sort),
    columns,
  ),
)

/** The member as the caller saw them, locked. */
async function memberToChange(
  call: MemberCall,
  { userId, version }: { userId: string; version: number },
): Promise<StoredMember> {
  const member = await selectMember(call, userId)
  requireVersion(member, version, 'member')
  return member
}

function refuseOnSelf(
  call: MemberCall,
  userId: string,
  reason: 'self_suspend' | 'self_remove' | 'self_factor_reset',
): void {
  if (userId === call.caller.userId) throw refuse(reason)
}

const saved = async (call: MemberCall, userId: string) => ({ userId, version: await selectVersion(call, userId) })

const setRole = verb(setMemberRole, async (call, input) => {
  const member = await memberToChange(call, input)
  if (member.role !== input.role) await call.identityAdmin.setRole(call, input.userId, input.role)
  return saved(call, input.userId)
})

const suspend = verb(suspendMember, async (call, input) => {
  refuseOnSelf(call, input.userId, 'self_suspend')
  const member = await memberToChange(call, input)
  if (member.status !== 'suspended') await call.identityAdmin.suspend(call, input.userId)
  return saved(call, input.userId)
})

const reactivate = verb(reactivateMember, async (call, input) => {
  const member = await memberToChange(call, input)
  if (member.status !== 'active') await call.identityAdmin.reactivate(call, input.userId)
  return saved(call, input.userId)
})

const remove = verb(removeMember, async (call, input) => {
  refuseOnSelf(call, input.userId, 'self_remove')
  await memberToChange(call, input)
  await call.identityAdmin.remove(call, input.userId)
  return { userId: input.userId }
})

const resetFactor = verb(resetSecondFactor, async (call, input) => {
  refuseOnSelf(call, input.userId, 'self_factor_reset')
  await memberToChange(call, input)
  await call.identityAdmin.resetSecondFactor(call, input.userId)
  return saved(call, input.userId)
})

const linkStaff = verb(linkMemberStaff, async (call, input) => {
  await memberToChange(call, input)
  if (input.staffId !== null) {
    const staff = await selectStaffLink(call.tx, call.orgId, input.staffId)
    if (!staff) throw notFound('field_staff')
    if (staff.userId !== null && staff.userId !== input.userId) {
      throw fieldError('staffId', 'record_linked')
    }
  }
  await updateStaffLink(call, input.userId, input.staffId)
  return saved(call, input.userId)
})

const asksIdentity: Verb[] = [setRole, suspend, reactivate, remove, resetFactor]

export const memberVerbs: Verb[] = [
  list,
  exportAll,
  ...asksIdentity.map((each) => limitedVerb(identitySlots, each)),
  linkStaff,
]
