import { awayAfterDays, type MemberFigures, type MemberRow } from '@tour-ops/contract/members/members'
import type { listMembers } from '@tour-ops/contract/members/members'
import { grants, type Role } from '@tour-ops/contract/identity/access'
import type { Given } from '@tour-ops/contract/callable'
import { sql, type RawBuilder } from 'kysely'
import type { MemberCall } from '../../context.ts'
import type { Tx } from '../../platform/db/database.ts'
import { allOf, iso, isoOrNull, isOneOf, orderBy } from '../../platform/list-query.ts'
import { notFound } from '../../platform/optimistic-lock.ts'
import { selectPage } from '../../platform/select-page.ts'

type Filter = Pick<Given<typeof listMembers>, 'q' | 'filters'>
type Sort = Given<typeof listMembers>['sort']

interface Row {
  kind: MemberRow['kind']
  id: string
  name: string | null
  email: string | null
  imageUrl: string | null
  role: Role | null
  status: MemberRow['status']
  staff: { id: string; name: string } | null
  lastSeenAt: Date | null
  since: Date
  expiresAt: Date | null
  invitedBy: string | null
  version: number | null
  hasSecondFactor: boolean | null
}

/** Who has a second factor is for administrators, and known where we keep the accounts. */
export const seesFactors = ({ role, config }: MemberCall): boolean =>
  'members:manage' in grants[role] && config.identity.kind === 'embedded'

/** One shape for three kinds of people. The waitlist shows rows only to the organization that decides about it. */
const everybody = (call: MemberCall): RawBuilder<unknown> => {
  const { orgId, role } = call
  const hasFactor = seesFactors(call)
    ? sql`m.user_id in (select user_id from identity.members_with_factor())`
    : sql`null::boolean`
  return sql`
  select 'member' as kind, m.user_id as id, m.name, m.email::text as email, m.image_url, m.role, m.status,
    m.staff_id, coalesce(used.at, u."lastSignInAt") as last_seen_at, m.joined_at as since,
    null::timestamptz as expires_at, null::text as invited_by, m.version,
    ${hasFactor} as has_factor
  from members m left join identity."user" u on u.id = m.user_id
    left join identity.organization_uses used on used."userId" = m.user_id and used."organizationId" = m.org_id
  where m.org_id = ${orgId} and m.status <> 'removed'
  union all
  select 'invitation', i.id::text, null, i.email::text, null, i.role,
    case when i.status = 'pending' and i.expires_at > app_now() then 'pending' else 'expired' end,
    i.staff_id, null, i.created_at, i.expires_at, i.invited_by, null, null
  from invitations i where i.org_id = ${orgId} and i.status in ('pending', 'expired')
  union all
  select 'waitlist', w.id, null, w.email, null, null, 'waiting', null, null, w."createdAt", null, null, null, null
  from identity.waitlist w where w.status = 'pending' and ${role === 'admin'}`
}

const isAway = sql`(p.kind = 'member' and p.status = 'active'
  and coalesce(p.last_seen_at, p.since) < app_now() - make_interval(days => ${awayAfterDays}))`

const from = (call: MemberCall, { q, filters = {} }: Filter): RawBuilder<unknown> => sql`
  from (${everybody(call)}) p
  left join field_staff s on s.org_id = ${call.orgId} and s.id = p.staff_id
  left join members i on i.org_id = ${call.orgId} and i.user_id = p.invited_by
  where ${allOf([
    isOneOf(sql`p.kind`, filters.kind),
    isOneOf(sql`p.status`, filters.status),
    isOneOf(sql`p.role`, filters.role),
    filters.away === undefined ? undefined : sql`${isAway} = ${filters.away}`,
    // null, and so no row, for callers who may not know
    filters.secondFactor === undefined ? undefined : sql`p.has_factor = ${filters.secondFactor}`,
    filters.linked === undefined ? undefined : sql`(p.staff_id is not null) = ${filters.linked}`,
    q !== '' &&
      sql`searchable(coalesce(p.name, '') || ' ' || coalesce(p.email, '') || ' ' || coalesce(s.first_name || ' ' || s.last_name, ''))
        like '%' || searchable(${q}) || '%'`,
  ])}`

const columns = sql<Row>`p.kind, p.id, p.name, p.email, p.image_url as "imageUrl", p.role, p.status,
  case when s.id is not null then jsonb_build_object('id', s.id, 'name', s.first_name || ' ' || s.last_name) end as staff,
  p.last_seen_at as "lastSeenAt", p.since, p.expires_at as "expiresAt", coalesce(i.name, i.email::text) as "invitedBy", p.version,
  p.has_factor as "hasSecondFactor"`

/** Roles from the most to the least powerful, statuses by what needs somebody. */
const order = (sort: Sort): RawBuilder<unknown> =>
  orderBy(
    sort,
    {
      name: sql`coalesce(p.name, p.email) collate "und-x-icu"`,
      email: sql`p.email`,
      role: sql`array_position(array['admin', 'operations_manager', 'dispatcher', 'tour_designer', 'guide', 'viewer'], p.role)`,
      status: sql`array_position(array['waiting', 'pending', 'expired', 'active', 'suspended'], p.status)`,
      staff: sql`s.last_name collate "und-x-icu"`,
      lastSeenAt: sql`p.last_seen_at`,
      since: sql`p.since`,
    },
    sql`p.kind = 'member' desc, coalesce(p.name, p.email) collate "und-x-icu", p.id`,
  )

export async function selectPeople(
  call: MemberCall,
  input: Given<typeof listMembers>,
): Promise<{ rows: MemberRow[]; total: number }> {
  const found = await selectPage(call.tx, {
    columns,
    from: from(call, input),
    order: order(input.sort),
    page: input,
  })
  return { total: found.total, rows: found.rows.map((row) => asAnswer(row, call.caller.userId)) }
}

/** Every row of the filtered table, for the export. */
export async function selectAllPeople(call: MemberCall, filter: Filter, sort: Sort): Promise<MemberRow[]> {
  const { rows } = await sql<Row>`select ${columns} ${from(call, filter)} order by ${order(sort)}`.execute(call.tx)
  return rows.map((row) => asAnswer(row, call.caller.userId))
}

const asAnswer = (row: Row, ownUserId: string): MemberRow => ({
  kind: row.kind,
  id: row.id,
  name: row.name,
  email: row.email,
  imageUrl: row.imageUrl,
  role: row.role,
  status: row.status,
  staff: row.staff,
  lastSeenAt: isoOrNull(row.lastSeenAt),
  since: iso(row.since),
  expiresAt: isoOrNull(row.expiresAt),
  invitedBy: row.invitedBy,
  version: row.version,
  isSelf: row.kind === 'member' && row.id === ownUserId,
  hasSecondFactor: row.hasSecondFactor,
})

export async function selectFigures(call: MemberCall): Promise<MemberFigures> {
  const { rows } = await sql<MemberFigures>`
    select (count(*) filter (where p.kind = 'member' and p.status = 'active'))::int as active,
      (count(*) filter (where p.status = 'suspended'))::int as suspended,
      (count(*) filter (where p.kind = 'invitation'))::int as pending,
      (count(*) filter (where p.kind = 'waitlist'))::int as waiting,
      (count(*) filter (where p.kind = 'member' and p.status = 'active' and p.role = 'admin'))::int as admins,
      (count(*) filter (where ${isAway}))::int as away
    from (${everybody(call)}) p`.execute(call.tx)
  return rows[0] ?? { active: 0, suspended: 0, pending: 0, waiting: 0, admins: 0, away: 0 }
}

export interface StoredMember {
  readonly userId: string
  readonly name: string | null
  readonly role: Role
  readonly status: 'active' | 'suspended'
  readonly staffId: string | null
  readonly staffName: string | null
  readonly version: number
}

/** @throws AppError `not-found` for people who are not, or no longer, in the organization. */
export async function selectMember(call: Pick<MemberCall, 'tx' | 'orgId'>, userId: string): Promise<StoredMember> {
  const { rows } = await sql<StoredMember>`
    select m.user_id as "userId", m.name, m.role, m.status, m.staff_id as "staffId",
      s.first_name || ' ' || s.last_name as "staffName", m.version
    from members m left join field_staff s on s.org_id = m.org_id and s.id = m.staff_id
    where m.org_id = ${call.orgId} and m.user_id = ${userId} and m.status <> 'removed' for update of m`.execute(call.tx)
  if (!rows[0]) throw notFound('member')
  return rows[0]
}

export async function selectVersion(call: Pick<MemberCall, 'tx' | 'orgId'>, userId: string): Promise<number> {
  return (await selectMember(call, userId)).version
}

/** The field-staff record follows by trigger. */
export async function updateStaffLink(
  { tx, orgId }: MemberCall,
  userId: string,
  staffId: string | null,
): Promise<void> {
  await sql`update members set staff_id = ${staffId} where org_id = ${orgId} and user_id = ${userId}`.execute(tx)
}

export interface StaffLink {
  readonly id: string
  /** The member it is linked with already. */
  readonly userId: string | null
}

export async function selectStaffLink(tx: Tx, orgId: string, staffId: string): Promise<StaffLink | undefined> {
  const { rows } = await sql<StaffLink>`
    select s.id, (select m.user_id from members m where m.org_id = s.org_id and m.staff_id = s.id) as "userId"
    from field_staff s where s.org_id = ${orgId} and s.id = ${staffId}`.execute(tx)
  return rows[0]
}
