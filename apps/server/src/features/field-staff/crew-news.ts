import { sql } from 'kysely'
import type { Services } from '../../context.ts'
import type { Tx } from '../../platform/db/database.ts'
import {
  eachByItself,
  eachOrganization,
  insideOrganization,
  organizationIds,
  type OrganizationSweep,
} from '../../platform/jobs/housekeeping.ts'
import { type NoticeCall, sendNotice } from '../../platform/notices.ts'
import { changeNotesSince } from '../../platform/operations/change-notes.ts'
import { type ChangedAssignment, type CrewNews, newsOf, newsText } from './crew-news-text.ts'

export type CrewServices = Pick<Services, 'db' | 'clock' | 'log' | 'jobs' | 'live' | 'channels'>

/** Changes wait so long for the next one, so that a person who plans in steps, or takes back, writes once or not at all. */
const restMinutes = 3
/** People that are told in one turn; the others have theirs a minute later. */
const peopleAtOnce = 500

const action = 'crew-tell'

/**
 * Tells members of crews what happened to their assignments, once it has rested: given, taken, or changed in what they have to know. Any
 * number of processes may do it at once.
 *
 * @throws AggregateError with what went wrong for people and organizations, after all of them.
 * @see docs/decisions/0155
 */
export async function tellCrews(services: CrewServices): Promise<void> {
  await eachOrganization(await organizationIds(services), async (orgId) => {
    const staffIds = await insideOrganization(services, orgId, action, (tx) => selectWaiting(tx, orgId))
    await eachByItself(
      staffIds.map(
        (staffId) => () =>
          insideOrganization(services, orgId, action, (tx) => tellPerson({ ...services, tx, orgId }, staffId)),
      ),
    )
  })
}

const hasRested = sql`n.changed_at <= app_now() - make_interval(mins => ${restMinutes})`

async function selectWaiting(tx: Tx, orgId: string): Promise<string[]> {
  const { rows } = await sql<{ staffId: string }>`
    select a.staff_id as "staffId" from crew_notices n join assignments a on a.org_id = n.org_id and a.id = n.assignment_id
    where n.org_id = ${orgId} and ${hasRested} group by a.staff_id order by min(n.changed_at), a.staff_id limit ${peopleAtOnce}`.execute(
    tx,
  )
  return rows.map(({ staffId }) => staffId)
}

interface NewsRow extends ChangedAssignment {
  readonly assignmentId: string
  readonly departureId: string
  /** The member; null for people without an account, whom only a call reaches. */
  readonly userId: string | null
  readonly isOver: boolean
}

/** Rows are locked until they are told: a second process passes over them. */
async function tellPerson(call: NoticeCall, staffId: string): Promise<void> {
  const { tx, orgId } = call
  const { rows } = await sql<NewsRow>`
    select n.assignment_id as "assignmentId", n.was, crew_view(a) as now, a.role, a.respond_by as "respondBy", a.departure_id as "departureId",
      t.name as "tourName", d.time_zone as "timeZone", s.time_format as "timeFormat", d.status = 'cancelled' as "isCancelled",
      ${changeNotesSince(sql`(n.was ->> 'revision')::int`)} as "changeNotes", d.ends_at <= app_now() as "isOver",
      (select m.user_id from members m where m.org_id = a.org_id and m.staff_id = a.staff_id and m.status = 'active' limit 1) as "userId"
    from crew_notices n join assignments a on a.org_id = n.org_id and a.id = n.assignment_id
      join departures d on d.org_id = a.org_id and d.id = a.departure_id join tours t on t.org_id = d.org_id and t.id = d.tour_id
      join org_settings s on s.org_id = n.org_id
    where n.org_id = ${orgId} and a.staff_id = ${staffId} and ${hasRested}
    order by d.starts_at, a.id for no key update of n skip locked`.execute(tx)
  const news = rows.flatMap((row) => {
    const what = row.isOver ? undefined : newsOf(row)
    return what === undefined ? [] : [{ row, what }]
  })
  const userId = news[0]?.row.userId ?? null
  if (userId !== null) {
    for (const event of ['assignment_decided', 'assignment_changed'] as const) {
      await tell(
        call,
        userId,
        event,
        news.filter(({ what }) => eventOf(what) === event).map(({ row }) => row),
      )
    }
  }
  const revised = news.filter(
    ({ row, what }) => userId !== null && what === 'changed' && row.now.revision !== row.was.revision,
  )
  await settle(
    call,
    rows.map(({ assignmentId }) => assignmentId),
    revised.map(({ row }) => row.assignmentId),
  )
}

const eventOf = (what: CrewNews) => (what === 'changed' ? 'assignment_changed' : 'assignment_decided')

async function tell(
  call: NoticeCall,
  userId: string,
  event: ReturnType<typeof eventOf>,
  changed: readonly NewsRow[],
): Promise<void> {
  const [first, ...others] = changed
  if (!first) return
  const isReadable = others.length === 0 && first.now.state !== 'none'
  await sendNotice(call, userId, {
    event,
    link: isReadable ? `/dashboard/overview?departure=${first.departureId}` : '/dashboard/overview',
    text: (locale) => newsText(changed, locale),
  })
}

/** They are told of all; a new itinerary stays noted until they open it, and one from before while the duty is theirs. */
async function settle(
  { tx, orgId }: NoticeCall,
  toldIds: readonly string[],
  revisedIds: readonly string[],
): Promise<void> {
  await sql`
    update crew_notices n set was = null, changed_at = null, revision_number = r.number, told_at = app_now(), reported_at = null
    from assignments a join departures d on d.org_id = a.org_id and d.id = a.departure_id
      join tour_revisions r on r.org_id = d.org_id and r.id = d.revision_id
    where n.org_id = ${orgId} and n.assignment_id = any (${[...revisedIds]}::uuid[]) and a.org_id = n.org_id and a.id = n.assignment_id`.execute(
    tx,
  )
  await sql`
    delete from crew_notices n using assignments a
    where n.org_id = ${orgId} and n.assignment_id = any (${[...toldIds]}::uuid[]) and a.org_id = n.org_id and a.id = n.assignment_id
      and (n.revision_number is null or a.status not in ('offered', 'accepted', 'on_duty'))`.execute(tx)
  await sql`
    update crew_notices set was = null, changed_at = null
    where org_id = ${orgId} and assignment_id = any (${[...toldIds]}::uuid[]) and was is not null`.execute(tx)
}

/** What was planned before anybody looked is no news: of a calendar that a program has made. */
export const crewsKnow: OrganizationSweep = {
  action: 'crew-notices-forget',
  run: (tx, orgId) => sql`delete from crew_notices where org_id = ${orgId}`.execute(tx),
}
