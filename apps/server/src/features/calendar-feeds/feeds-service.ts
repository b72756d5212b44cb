import {
  type CalendarFeed,
  calendarPath,
  type FeedSubject,
  getCalendarFeed,
  issueCalendarFeed,
  revokeCalendarFeed,
} from '@tour-ops/contract/calendar-feeds/calendar-feeds'
import { hasAccess, type Permission } from '@tour-ops/contract/identity/access'
import { refuse } from '@tour-ops/contract/refusals'
import { type RawBuilder, sql } from 'kysely'
import type { MemberCall } from '../../context.ts'
import { newId } from '../../platform/ids.ts'
import { iso } from '../../platform/list-query.ts'
import { hashOfToken, newToken } from '../../platform/operations/address-token.ts'
import { notFound } from '../../platform/optimistic-lock.ts'
import { type Verb, verb } from '../../platform/verb.ts'

interface Subject {
  readonly subject: FeedSubject
  readonly subjectId: string | null
}

/** The row of `calendar_feeds f` that belongs to a subject. */
const feedOf = ({ subject, subjectId }: Subject): RawBuilder<boolean> => sql<boolean>`
  f.staff_id is not distinct from ${subject === 'staff' ? subjectId : null}::uuid
    and f.vehicle_id is not distinct from ${subject === 'vehicle' ? subjectId : null}::uuid`

const get = verb(getCalendarFeed, async (call, asked) => {
  await requireSubject(call, asked)
  const { rows } = await sql<Omit<CalendarFeed, 'issuedAt'> & { issuedAt: Date }>`
    select f.id, f.version, f.issued_at as "issuedAt", m.name as "issuedByName", f.token_hint as hint
    from calendar_feeds f left join members m on m.org_id = f.org_id and m.user_id = f.issued_by
    where f.org_id = ${call.orgId} and ${feedOf(asked)}`.execute(call.tx)
  return {
    feed: rows[0] ? { ...rows[0], issuedAt: iso(rows[0].issuedAt) } : null,
    mayIssue: lackingToIssue(call, asked) === undefined,
  }
})

const issue = verb(issueCalendarFeed, async (call, asked) => {
  requireIssuer(call, asked)
  await requireSubject(call, asked)
  const token = newToken()
  const { subject, subjectId } = asked
  const { rows } = await sql<{ id: string; version: number }>`
    insert into calendar_feeds as f (org_id, id, staff_id, vehicle_id, token_hash, token_hint, issued_by)
    values (${call.orgId}, ${newId()}, ${subject === 'staff' ? subjectId : null}, ${subject === 'vehicle' ? subjectId : null},
      ${hashOfToken(token)}, ${token.slice(-4)}, ${call.caller.userId})
    on conflict on constraint calendar_feeds_subject_once do update
      set token_hash = excluded.token_hash, token_hint = excluded.token_hint, issued_at = app_now(), issued_by = excluded.issued_by
    returning f.id, f.version`.execute(call.tx)
  const [feed] = rows
  if (!feed) throw new Error('a calendar feed was written and not returned')
  return { ...feed, url: new URL(calendarPath(token), call.config.publicUrl).href }
})

const revoke = verb(revokeCalendarFeed, async (call, { id, version }) => {
  const { rows } = await sql<{ version: number; staffId: string | null; vehicleId: string | null }>`
    select version, staff_id as "staffId", vehicle_id as "vehicleId" from calendar_feeds
    where org_id = ${call.orgId} and id = ${id} for update`.execute(call.tx)
  const [feed] = rows
  if (!feed) throw notFound('calendar_feed')
  requireIssuer(call, {
    subject: feed.staffId ? 'staff' : feed.vehicleId ? 'vehicle' : 'organization',
    subjectId: feed.staffId ?? feed.vehicleId,
  })
  if (feed.version !== version) throw refuse('version_conflict', { current: feed.version, what: 'calendar_feed' })
  await sql`delete from calendar_feeds where org_id = ${call.orgId} and id = ${id}`.execute(call.tx)
  return { id }
})

/** Everybody may have their own calendar; those of others are for planners, that of the organization for people who set it up. */
function lackingToIssue(call: MemberCall, { subject, subjectId }: Subject): Permission | undefined {
  if (subject === 'staff' && subjectId !== null && subjectId === call.staffId) return undefined
  const permission: Permission = subject === 'organization' ? 'settings:manage' : 'departures:dispatch'
  return hasAccess(call, { permission }) ? undefined : permission
}

function requireIssuer(call: MemberCall, asked: Subject): void {
  const permission = lackingToIssue(call, asked)
  if (permission) throw refuse('missing_permission', { permission })
}

async function requireSubject(call: MemberCall, { subject, subjectId }: Subject): Promise<void> {
  if (subject === 'organization') return
  const { rows } = await sql`select from ${subject === 'staff' ? sql`field_staff` : sql`vehicles`}
    where org_id = ${call.orgId} and id = ${subjectId} and archived_at is null`.execute(call.tx)
  if (rows.length === 0) throw notFound(subject === 'staff' ? 'field_staff' : 'vehicle')
}

export const calendarFeedVerbs: Verb[] = [get, issue, revoke]
