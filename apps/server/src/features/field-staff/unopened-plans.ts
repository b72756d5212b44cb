import type { TimeFormat } from '@tour-ops/contract/fields'
import type { Locale } from '@tour-ops/contract/locales'
import { sql } from 'kysely'
import { nameInEmail } from '../../platform/channels/email-text.ts'
import type { Tx } from '../../platform/db/database.ts'
import { eachOrganization, insideOrganization, organizationIds } from '../../platform/jobs/housekeeping.ts'
import { type NoticeText, sendNotice } from '../../platform/notices.ts'
import { selectPeopleWith } from '../../platform/people-with.ts'
import { plural } from '../../platform/plural.ts'
import { dateTag, zonedTimes } from '../../platform/zoned-times.ts'
import type { CrewServices } from './crew-news.ts'
import { crewWords } from './crew-words.ts'

/** The office hears of departures that start within these hours. */
const aheadHours = 24
/** So long a person has to open a new itinerary, minutes; less in the last hour before the start. */
const patience = { usual: 60, lastHour: 10 }
/** Lines of a notice. */
const maxLines = 10

const action = 'crew-unopened'

/**
 * Notifies whoever dispatches of crews who have not opened the new itinerary of a departure that starts soon: once for each person, departure
 * and revision, all that are due in one notice. Any number of processes may do it at once.
 *
 * @see docs/decisions/0155
 */
export const reportUnopenedPlans = async (services: CrewServices): Promise<void> =>
  eachOrganization(await organizationIds(services), (orgId) =>
    insideOrganization(services, orgId, action, async (tx) => {
      await forgetOpened(tx, orgId)
      const unopened = await takeUnopened(tx, orgId)
      const [first] = unopened
      if (!first) return
      for (const userId of await selectPeopleWith(tx, orgId, 'departures:dispatch')) {
        await sendNotice({ ...services, tx, orgId }, userId, {
          event: 'plan_unopened',
          link: `/dashboard/overview?departure=${first.departureId}`,
          text: (locale) => unopenedText(unopened, locale),
        })
      }
    }),
  )

/** Opened since, no longer theirs, or under way: nobody has to be asked. */
const forgetOpened = (tx: Tx, orgId: string) =>
  sql`
    delete from crew_notices n using assignments a join departures d on d.org_id = a.org_id and d.id = a.departure_id
    where n.org_id = ${orgId} and n.revision_number is not null and n.was is null and a.org_id = n.org_id and a.id = n.assignment_id
      and (coalesce(a.seen_version, 0) >= n.revision_number or a.status not in ('offered', 'accepted', 'on_duty') or d.starts_at <= app_now())`.execute(
    tx,
  )

interface Unopened {
  readonly departureId: string
  readonly staffName: string
  readonly tourName: string
  readonly startsAt: Date
  readonly timeZone: string
  readonly timeFormat: TimeFormat
}

async function takeUnopened(tx: Tx, orgId: string): Promise<Unopened[]> {
  const { rows } = await sql<Unopened>`
    with taken as (
      select n.assignment_id from crew_notices n join assignments a on a.org_id = n.org_id and a.id = n.assignment_id
        join departures d on d.org_id = a.org_id and d.id = a.departure_id
      where n.org_id = ${orgId} and n.told_at is not null and n.reported_at is null and n.was is null and a.status in ('accepted', 'on_duty')
        and coalesce(a.seen_version, 0) < n.revision_number and d.starts_at > app_now() and d.starts_at <= app_now() + make_interval(hours => ${aheadHours})
        and n.told_at <= app_now() - make_interval(mins => case when d.starts_at <= app_now() + interval '1 hour' then ${patience.lastHour}::int else ${patience.usual}::int end)
      for no key update of n skip locked
    ), reported as (
      update crew_notices n set reported_at = app_now() from taken where n.org_id = ${orgId} and n.assignment_id = taken.assignment_id returning n.assignment_id
    )
    select d.id as "departureId", concat_ws(' ', f.first_name, f.last_name) as "staffName", t.name as "tourName", d.starts_at as "startsAt",
      d.time_zone as "timeZone", s.time_format as "timeFormat"
    from reported join assignments a on a.org_id = ${orgId} and a.id = reported.assignment_id
      join field_staff f on f.org_id = a.org_id and f.id = a.staff_id join departures d on d.org_id = a.org_id and d.id = a.departure_id
      join tours t on t.org_id = d.org_id and t.id = d.tour_id join org_settings s on s.org_id = a.org_id
    order by d.starts_at, f.last_name, a.id`.execute(tx)
  return rows
}

function unopenedText(unopened: readonly Unopened[], locale: Locale): NoticeText {
  const lines = unopened.slice(0, maxLines).map(({ staffName, tourName, startsAt, timeZone, timeFormat }) => {
    const timeOf = zonedTimes(dateTag(locale), timeZone, timeFormat, { dateStyle: 'medium', timeStyle: 'short' })
    return `${nameInEmail(staffName)}: ${nameInEmail(tourName)}, ${timeOf(startsAt)}`
  })
  const rest = unopened.length > maxLines ? ['…'] : []
  return { title: plural(unopened.length, ...crewWords[locale].unopened, locale), body: [...lines, ...rest].join('\n') }
}
