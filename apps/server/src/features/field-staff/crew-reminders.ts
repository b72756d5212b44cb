import type { TimeFormat } from '@tour-ops/contract/fields'
import type { Locale } from '@tour-ops/contract/locales'
import { usualDailyTime } from '@tour-ops/contract/settings/settings'
import type { StaffRole } from '@tour-ops/contract/tours/tour-terms'
import { sql } from 'kysely'
import { nameInEmail } from '../../platform/channels/email-text.ts'
import type { Tx } from '../../platform/db/database.ts'
import {
  eachByItself,
  eachOrganization,
  insideOrganization,
  organizationIds,
  type OrganizationSweep,
} from '../../platform/jobs/housekeeping.ts'
import { addDays, lateSince } from '../../platform/local-time.ts'
import { type NoticeText, sendNotice } from '../../platform/notices.ts'
import { statuses } from '../../platform/operations/status-sets.ts'
import { roleNames } from '../../platform/operations/role-names.ts'
import { plural } from '../../platform/plural.ts'
import { dateTag, dayName, timesIn } from '../../platform/zoned-times.ts'
import type { CrewServices } from './crew-news.ts'
import { crewWords } from './crew-words.ts'

/** For so long it is known who was reminded of what, days. */
const rememberedDays = 30
/** A departure of tomorrow starts at most so far ahead of the moment at which its crew is reminded. */
const aheadHours = 48

const action = 'crew-remind'

/**
 * Reminds members of crews of the next day's departures, the evening before by the clock of the tour, each once. Any number of processes may do it at once.
 *
 * @throws AggregateError with what went wrong for people and organizations, after all of them.
 * @see docs/decisions/0155
 */
export async function remindCrews(services: CrewServices): Promise<void> {
  await eachOrganization(await organizationIds(services), async (orgId) => {
    const now = services.clock.now()
    const due = await insideOrganization(services, orgId, action, (tx) => selectDue(tx, orgId, now))
    await eachByItself(
      due.map(
        ({ userId, localDate, duties }) =>
          () =>
            insideOrganization(services, orgId, action, async (tx) => {
              if (!(await takeDay(tx, orgId, userId, localDate))) return
              await sendNotice({ ...services, tx, orgId }, userId, {
                event: 'duty_reminder',
                link:
                  duties.length === 1
                    ? `/dashboard/overview?departure=${duties[0]?.departureId}`
                    : '/dashboard/overview',
                text: (locale) => reminderText(localDate, duties, locale),
              })
            }),
      ),
    )
  })
}

/** A duty of tomorrow. */
export interface RemindedDuty {
  readonly departureId: string
  readonly tourName: string
  readonly role: StaffRole
  readonly startsAt: Date
  readonly reportAt: Date | null
  readonly timeZone: string
  readonly timeFormat: TimeFormat
  readonly guests: number
  readonly vehicles: readonly string[]
  readonly weatherNote: string | null
}

interface DueReminder {
  readonly userId: string
  readonly localDate: string
  readonly duties: readonly RemindedDuty[]
}

interface DutyRow extends RemindedDuty {
  readonly userId: string
  readonly localDate: string
  readonly createdAt: Date
  readonly at: string
}

/** The time of day of the organization's reminder; null where it is off. Asked first: all day long nobody is due, and nothing more is read then. */
const remindedAt = sql`nullif(coalesce(s.notification_rules ->> 'crewReminderAt', ${usualDailyTime}), 'off')`

/** Of each person the duties of a day, if any of them is from before the reminder was due: of one that came later they have just been told. */
async function selectDue(tx: Tx, orgId: string, now: Date): Promise<DueReminder[]> {
  const { rows } = await sql<DutyRow>`
    select m.user_id as "userId", d.local_date as "localDate", a.created_at as "createdAt", d.id as "departureId", t.name as "tourName", a.role,
      d.starts_at as "startsAt", a.report_at as "reportAt", d.time_zone as "timeZone", s.time_format as "timeFormat", d.seats_confirmed as guests,
      d.weather_note as "weatherNote", ${remindedAt} as at,
      array(select jsonb_array_elements_text(crew_view(a) -> 'vehicles')) as vehicles
    from departures d join assignments a on a.org_id = d.org_id and a.departure_id = d.id and a.status = 'accepted'
      join members m on m.org_id = a.org_id and m.staff_id = a.staff_id and m.status = 'active'
      join tours t on t.org_id = d.org_id and t.id = d.tour_id join org_settings s on s.org_id = d.org_id
    where d.org_id = ${orgId} and d.starts_at > app_now() and d.starts_at < app_now() + make_interval(hours => ${aheadHours})
      and d.status in ${statuses.active} and (d.local_date - 1 + ${remindedAt}::time) at time zone d.time_zone <= app_now()
      and not exists (select from crew_reminders r where r.org_id = m.org_id and r.user_id = m.user_id and r.local_date = d.local_date)
    order by m.user_id, d.local_date, d.starts_at, d.id`.execute(tx)
  const days = Map.groupBy(rows, ({ userId, localDate }) => `${localDate} ${userId}`)
  return [...days.values()].flatMap((duties) => {
    const [first] = duties
    if (!first) return []
    const dueAt = lateSince(now, addDays(first.localDate, -1), first.at, first.timeZone)
    const isKnown = dueAt !== undefined && duties.some(({ createdAt }) => createdAt <= dueAt)
    return isKnown ? [{ userId: first.userId, localDate: first.localDate, duties }] : []
  })
}

/** Whether the day was open for the person. Who asks at the same time waits for the end of this transaction, and gets a no. */
async function takeDay(tx: Tx, orgId: string, userId: string, localDate: string): Promise<boolean> {
  const { rows } = await sql<{ userId: string }>`
    insert into crew_reminders (org_id, user_id, local_date) values (${orgId}, ${userId}, ${localDate}::date)
    on conflict (org_id, user_id, local_date) do nothing returning user_id as "userId"`.execute(tx)
  return rows.length > 0
}

/** What somebody reads the evening before: of each departure when, what, as what, and with how many guests. */
function reminderText(localDate: string, duties: readonly RemindedDuty[], locale: Locale): NoticeText {
  const words = crewWords[locale]
  const [first] = duties
  const named =
    duties.length === 1 && first ? nameOf(first, locale) : plural(duties.length, ...words.departures, locale)
  return {
    title: words.tomorrow(dayName(localDate, locale, 'short'), named),
    body: duties
      .map((duty) => `${duties.length > 1 ? `${nameOf(duty, locale)}: ` : ''}${factsOf(duty, locale).join(', ')}`)
      .join('\n'),
  }
}

const clockOf = ({ timeZone, timeFormat }: RemindedDuty, locale: Locale) =>
  timesIn(dateTag(locale), timeZone, timeFormat, { timeStyle: 'short' })

const nameOf = (duty: RemindedDuty, locale: Locale): string =>
  `${clockOf(duty, locale)(duty.startsAt)} ${nameInEmail(duty.tourName)}`

function factsOf(duty: RemindedDuty, locale: Locale): string[] {
  const words = crewWords[locale]
  const { role, reportAt, guests, vehicles, weatherNote } = duty
  return [
    roleNames[locale][role],
    ...(reportAt ? [words.reportAtShort(clockOf(duty, locale)(reportAt))] : []),
    plural(guests, ...words.guests, locale),
    ...vehicles.map(nameInEmail),
    ...(weatherNote?.trim() ? [weatherNote.trim()] : []),
  ]
}

/** Forgets who was reminded a month ago. */
export const oldCrewReminders: OrganizationSweep = {
  action: 'crew-reminders-forget',
  run: (tx, orgId) =>
    sql`delete from crew_reminders where org_id = ${orgId} and local_date < app_now()::date - ${rememberedDays}::int`.execute(
      tx,
    ),
}
