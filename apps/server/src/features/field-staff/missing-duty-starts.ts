import type { TimeFormat } from '@tour-ops/contract/fields'
import type { Locale } from '@tour-ops/contract/locales'
import { sql } from 'kysely'
import { nameInEmail } from '../../platform/channels/email-text.ts'
import type { Tx } from '../../platform/db/database.ts'
import {
  eachByItself,
  eachOrganization,
  insideOrganization,
  organizationIds,
} from '../../platform/jobs/housekeeping.ts'
import { type NoticeText, sendNotice } from '../../platform/notices.ts'
import { statuses } from '../../platform/operations/status-sets.ts'
import { dateTag, zonedTimes } from '../../platform/zoned-times.ts'
import type { CrewServices } from './crew-news.ts'
import { crewWords } from './crew-words.ts'

/** So long after the time to report nobody is bothered, minutes. */
const patienceMin = 5
/** What was due longer ago is no reminder any more: the server was down, and the office has called. Minutes. */
const lateMin = 60
/** A duty begins at most so long before its departure, hours. */
const reportAheadHours = 24

const action = 'crew-duty-start'

/**
 * Tells members of crews whose duty was to begin and has not, each once for an assignment, and again where its time has moved to a later one. The office has the alert of a departure that
 * does not start. Any number of processes may do it at once.
 *
 * @throws AggregateError with what went wrong for people and organizations, after all of them.
 * @see docs/decisions/0175
 */
export async function remindOfDutyStart(services: CrewServices): Promise<void> {
  await eachOrganization(await organizationIds(services), async (orgId) => {
    const missing = await insideOrganization(services, orgId, action, (tx) => selectMissing(tx, orgId))
    await eachByItself(
      missing.map(
        (duty) => () =>
          insideOrganization(services, orgId, action, async (tx) => {
            if (!(await take(tx, orgId, duty))) return
            await sendNotice({ ...services, tx, orgId }, duty.userId, {
              event: 'duty_start_missing',
              link: `/dashboard/overview?departure=${duty.departureId}`,
              text: (locale) => missingText(duty, locale),
            })
          }),
      ),
    )
  })
}

interface MissingDuty {
  readonly assignmentId: string
  readonly userId: string
  readonly departureId: string
  readonly tourName: string
  readonly dueAt: Date
  readonly timeZone: string
  readonly timeFormat: TimeFormat
}

/** A backup stands by and has no duty. Of a driver the duty of the vehicle counts as well; a duty that ended before its time does not. */
async function selectMissing(tx: Tx, orgId: string): Promise<MissingDuty[]> {
  const { rows } = await sql<MissingDuty>`
    select a.id as "assignmentId", m.user_id as "userId", d.id as "departureId", t.name as "tourName", due.at as "dueAt",
      d.time_zone as "timeZone", s.time_format as "timeFormat"
    from departures d join assignments a on a.org_id = d.org_id and a.departure_id = d.id and a.status = 'accepted' and a.role <> 'backup'
      join members m on m.org_id = a.org_id and m.staff_id = a.staff_id and m.status = 'active'
      cross join lateral (select coalesce(a.report_at, d.starts_at) as at) due
      join tours t on t.org_id = d.org_id and t.id = d.tour_id join org_settings s on s.org_id = d.org_id
    where d.org_id = ${orgId} and d.starts_at > app_now() - make_interval(hours => ${reportAheadHours})
      and d.starts_at < app_now() + make_interval(hours => ${reportAheadHours}) and d.ends_at > app_now() and d.status in ${statuses.active}
      and greatest(due.at, a.responded_at, a.created_at) <= app_now() - make_interval(mins => ${patienceMin})
      and due.at > app_now() - make_interval(mins => ${lateMin})
      and not exists (select from duty_sessions u where u.org_id = a.org_id
        and (u.staff_id = a.staff_id or a.role = 'driver' and u.vehicle_id is not null and u.departure_id = d.id)
        and (u.ended_at is null or u.ended_at > due.at))
      and not exists (select from duty_start_notices n where n.org_id = a.org_id and n.assignment_id = a.id and n.told_at >= due.at)
    order by due.at, a.id`.execute(tx)
  return rows
}

/** Whether nobody has told it since it was due. Who asks at the same time waits for the end of this transaction, and gets a no. */
async function take(tx: Tx, orgId: string, { assignmentId, dueAt }: MissingDuty): Promise<boolean> {
  const { rows } = await sql<{ assignmentId: string }>`
    insert into duty_start_notices as n (org_id, assignment_id) values (${orgId}, ${assignmentId})
    on conflict (org_id, assignment_id) do update set told_at = excluded.told_at where n.told_at < ${dueAt} returning assignment_id as "assignmentId"`.execute(
    tx,
  )
  return rows.length > 0
}

function missingText({ tourName, dueAt, timeZone, timeFormat }: MissingDuty, locale: Locale): NoticeText {
  const words = crewWords[locale]
  const time = zonedTimes(dateTag(locale), timeZone, timeFormat, { timeStyle: 'short' })(dueAt)
  return { title: words.dutyMissing(nameInEmail(tourName)), body: words.dutyWasDue(time) }
}
