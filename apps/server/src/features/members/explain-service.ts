import { isOnlyNearTour, scopeOf, type Permission } from '@tour-ops/contract/identity/access'
import { explainAccess, type AccessExplanation } from '@tour-ops/contract/members/members'
import { sql } from 'kysely'
import type { MemberCall } from '../../context.ts'
import { iso } from '../../platform/list-query.ts'
import { notFound } from '../../platform/optimistic-lock.ts'
import { opensWithOffer } from '../../platform/membership.ts'
import { dispatcherHours } from '../../platform/private-fields.ts'
import { type Verb, verb } from '../../platform/verb.ts'
import { seesFactors, selectMember, type StoredMember } from './members-store.ts'
import { isOut } from '../../platform/operations/departure-phase.ts'

const hourMs = 3_600_000

interface DepartureFacts {
  id: string
  code: string
  tourName: string
  startsAt: Date
  endsAt: Date
  timeZone: string
  isOut: boolean
  isOwn: boolean
}

type Verdict = Pick<AccessExplanation, 'answer' | 'reason' | 'window'>

const explain = verb(explainAccess, async (call, { userId, permission, departureId }) => {
  const member = await selectMember(call, userId)
  const departure = departureId ? await selectDeparture(call, member, permission, departureId) : null
  const scope = scopeOf(member.role, permission) ?? null
  return {
    ...judge(
      { ...member, lacksFactor: await lacksFactor(call, userId) },
      permission,
      scope,
      departure,
      call.clock.now(),
    ),
    permission,
    scope,
    member: {
      userId,
      name: member.name,
      role: member.role,
      status: member.status,
      staff: member.staffId && member.staffName ? { id: member.staffId, name: member.staffName } : null,
    },
    roleGiven: await selectRoleGiven(call, userId),
    departure: departure && {
      id: departure.id,
      code: departure.code,
      tourName: departure.tourName,
      startsAt: iso(departure.startsAt),
      endsAt: iso(departure.endsAt),
      timeZone: departure.timeZone,
      isOut: departure.isOut,
    },
    recentLooks: await selectLooks(call, userId),
  }
})

/** The rules of access in the order in which they decide. */
export function judge(
  member: Pick<StoredMember, 'role' | 'status' | 'staffId'> & { lacksFactor: boolean },
  permission: Permission,
  scope: 'all' | 'own' | null,
  departure: Pick<DepartureFacts, 'startsAt' | 'endsAt' | 'isOut' | 'isOwn'> | null,
  now: Date,
): Verdict {
  const no = (reason: Verdict['reason']): Verdict => ({ answer: 'no', reason, window: null })
  if (member.status === 'suspended') return no('suspended')
  if (member.lacksFactor) return no('second_factor_missing')
  if (scope === null) return no('role_lacks')
  if (scope === 'own') {
    if (member.staffId === null) return no('no_staff_record')
    if (!departure) return { answer: 'depends', reason: 'choose_departure', window: null }
    return departure.isOwn ? { answer: 'yes', reason: 'own_departure', window: null } : no('other_departure')
  }
  if (!isOnlyNearTour(member.role, permission)) return { answer: 'yes', reason: 'role_grants', window: null }
  if (!departure) return { answer: 'depends', reason: 'choose_departure', window: null }
  const from = new Date(departure.startsAt.getTime() - dispatcherHours * hourMs)
  const until = departure.endsAt
  const window = { from: iso(from), until: iso(until) }
  const isNear = now >= from && (now <= until || departure.isOut)
  return { answer: isNear ? 'for_now' : 'no', reason: isNear ? 'near_tour' : 'not_near_tour', window }
}

async function selectDeparture(
  call: MemberCall,
  { staffId }: StoredMember,
  permission: Permission,
  departureId: string,
): Promise<DepartureFacts> {
  const { rows } = await sql<DepartureFacts>`
    select d.id, d.code, t.name as "tourName", d.starts_at as "startsAt", d.ends_at as "endsAt", d.time_zone as "timeZone", ${isOut} as "isOut",
      exists (select from assignments a where a.org_id = d.org_id and a.departure_id = d.id and a.staff_id = ${staffId}::uuid
        and a.status = any (own_assignment_statuses(${opensWithOffer(permission)}))) as "isOwn"
    from departures d join tours t on t.org_id = d.org_id and t.id = d.tour_id
    where d.org_id = ${call.orgId} and d.id = ${departureId}`.execute(call.tx)
  if (!rows[0]) throw notFound('departure')
  return rows[0]
}

/**
 * Whether the organization requires a second factor of this person by now and they have none. Only returned to callers who may know who has one.
 */
async function lacksFactor(call: MemberCall, userId: string): Promise<boolean> {
  if (!seesFactors(call)) return false
  const { rows } = await sql<{ lacks: boolean }>`
    select coalesce(second_factor_due_at(s, m.role, m.user_id in (select user_id from identity.members_with_factor())) <= app_now(), false) as lacks
    from members m join org_settings s on s.org_id = m.org_id
    where m.org_id = ${call.orgId} and m.user_id = ${userId}`.execute(call.tx)
  return rows[0]?.lacks === true
}

/**
 * The newest entry of the audit log in which the role was written. Who joins writes their own membership: the role was given by the person who
 * invited them, and by nobody known where the invitation is gone.
 */
async function selectRoleGiven(call: MemberCall, userId: string): Promise<AccessExplanation['roleGiven']> {
  const { rows } = await sql<{ at: Date; by: string | null }>`
    select e.at, coalesce(giver.name, giver.email::text) as by
    from audit_entries e
      left join lateral (
        select i.invited_by from members own join invitations i on i.org_id = own.org_id and i.email = own.email and i.status = 'accepted'
        where own.org_id = e.org_id and own.user_id = ${userId} order by i.updated_at desc limit 1
      ) invited on true
      left join members giver on giver.org_id = e.org_id
        and giver.user_id = case when e.actor_id is distinct from ${userId} then e.actor_id else invited.invited_by end
    where e.org_id = ${call.orgId} and e.entity_type = 'members' and e.entity_id = ${userId} and e.diff ? 'role'
    order by e.id desc limit 1`.execute(call.tx)
  return rows[0] ? { at: iso(rows[0].at), by: rows[0].by } : null
}

/** Accesses are recorded where sensitive fields are revealed; the log names the call that did it. */
async function selectLooks(call: MemberCall, userId: string): Promise<string[]> {
  const { rows } = await sql<{ at: Date }>`
    select at from audit_entries
    where org_id = ${call.orgId} and actor_id = ${userId} and op = 'event' and action in ('travelers-reveal', 'travelers.reveal')
      and at > app_now() - interval '24 hours'
    order by id desc limit 50`.execute(call.tx)
  return rows.map(({ at }) => iso(at))
}

export const explainVerbs: Verb[] = [explain]
