import type { ReadinessCheck } from '@tour-ops/contract/departures/departures'
import type { TimeFormat } from '@tour-ops/contract/fields'
import type { severities } from '@tour-ops/contract/monitoring/alerts'
import { usualDailyTime } from '@tour-ops/contract/settings/settings'
import type { StaffRole } from '@tour-ops/contract/tours/tour-terms'
import { sql } from 'kysely'
import { addDays, momentOf } from '../../platform/local-time.ts'
import type { Tx } from '../../platform/db/database.ts'
import type { DepartureReader } from '../../platform/operations/departure-rows.ts'
import { fromOpenRoles } from '../../platform/operations/open-roles.ts'
import {
  inDayOrder,
  isGoing,
  isOnDay,
  isPoorRating,
  maxOnBoard,
  preparationOf,
  selectLate,
  selectStarting,
} from './overview-store.ts'

type Severity = (typeof severities)[number]

/** When an organization sends its digest. */
export interface DigestSchedule {
  readonly timeZone: string
  readonly timeFormat: TimeFormat
  /** Null where it is off. */
  readonly at: string | null
}

/** A departure as an entry of a list names it. */
export interface NamedDeparture {
  id: string
  tourName: string
  startsAt: Date
  timeZone: string
}

/** What the office reads about a day and the next. */
export interface DigestFacts {
  /** The day that is prepared. */
  readonly tomorrow: string
  readonly departures: number
  readonly guests: number
  readonly seats: number
  readonly unready: readonly (NamedDeparture & { readonly failing: readonly ReadinessCheck[] })[]
  readonly openRoles: readonly (NamedDeparture & { readonly roles: readonly StaffRole[] })[]
  readonly unanswered: readonly (NamedDeparture & { readonly staffName: string })[]
  /** Open ones. */
  readonly alerts: Readonly<Record<Severity, number>>
  readonly late: readonly (NamedDeparture & { readonly minutes: number })[]
  readonly ratings: readonly RatingRow[]
}

interface RatingRow {
  bookingId: string
  tourName: string
  contactName: string
  stars: number
}

export async function selectSchedule(tx: Tx, orgId: string): Promise<DigestSchedule> {
  const { rows } = await sql<{ timeZone: string; timeFormat: TimeFormat; digestAt: string }>`
    select time_zone as "timeZone", time_format as "timeFormat", coalesce(notification_rules ->> 'digestAt', ${usualDailyTime}) as "digestAt"
    from org_settings where org_id = ${orgId}`.execute(tx)
  const { timeZone = 'UTC', timeFormat = '24h', digestAt = 'off' } = rows[0] ?? {}
  return { timeZone, timeFormat, at: digestAt === 'off' ? null : digestAt }
}

/** What there is to say on a day; null where neither it nor the next one has a departure. */
export async function selectDigest(
  call: DepartureReader,
  today: string,
  { timeZone, at }: DigestSchedule,
): Promise<DigestFacts | null> {
  const { tx, orgId } = call
  const tomorrow = addDays(today, 1)
  if (!(await hasDepartures(call, today, tomorrow))) return null
  const starting = await selectStarting(call, tomorrow)
  const sum = (of: (row: (typeof starting)[number]) => number) => starting.reduce((total, row) => total + of(row), 0)
  return {
    tomorrow,
    departures: starting.length,
    guests: sum((row) => row.seatsConfirmed),
    seats: sum((row) => row.capacity),
    unready: preparationOf(starting)
      .filter(({ failing }) => failing.length > 0)
      .map((row) => ({ ...row, startsAt: new Date(row.startsAt) })),
    openRoles: await selectOpenRoles(tx, orgId, tomorrow),
    unanswered: await selectUnanswered(tx, orgId, tomorrow),
    alerts: await selectOpenAlerts(tx, orgId),
    late: await selectLate(call, today),
    // since the digest of the day before
    ratings: await selectRatings(tx, orgId, momentOf(addDays(today, -1), at ?? usualDailyTime, timeZone).at),
  }
}

async function hasDepartures(call: DepartureReader, today: string, tomorrow: string): Promise<boolean> {
  const { rows } = await sql`
    select from departures d join tours t on t.org_id = d.org_id and t.id = d.tour_id
    where d.org_id = ${call.orgId} and ${isGoing}
      and (${isOnDay(call, today, true)} or ${isOnDay(call, tomorrow, false)}) limit 1`.execute(call.tx)
  return rows.length > 0
}

const named = sql`d.id, t.name as "tourName", d.starts_at as "startsAt", d.time_zone as "timeZone"`

async function selectOpenRoles(tx: Tx, orgId: string, day: string): Promise<DigestFacts['openRoles']> {
  const { rows } = await sql<NamedDeparture & { roles: StaffRole[] }>`
    select ${named}, array_agg(needed.role order by needed.role) as roles
    ${fromOpenRoles(orgId, sql`d.local_date = ${day}::date`)}
    group by d.org_id, d.id, t.org_id, t.id order by ${inDayOrder} limit ${maxOnBoard}`.execute(tx)
  return rows
}

async function selectUnanswered(tx: Tx, orgId: string, day: string): Promise<DigestFacts['unanswered']> {
  const { rows } = await sql<NamedDeparture & { staffName: string }>`
    select ${named}, concat_ws(' ', f.first_name, f.last_name) as "staffName"
    from assignments a join departures d on d.org_id = a.org_id and d.id = a.departure_id
      join tours t on t.org_id = d.org_id and t.id = d.tour_id join field_staff f on f.org_id = a.org_id and f.id = a.staff_id
    where a.org_id = ${orgId} and a.status = 'offered' and d.local_date = ${day}::date and ${isGoing}
    order by ${inDayOrder}, f.last_name, f.id limit ${maxOnBoard}`.execute(tx)
  return rows
}

async function selectOpenAlerts(tx: Tx, orgId: string): Promise<DigestFacts['alerts']> {
  const { rows } = await sql<{ severity: Severity; count: number }>`
    select severity, count(*)::int as count from alerts where org_id = ${orgId} and status = 'open' group by severity`.execute(
    tx,
  )
  const counts = { critical: 0, warning: 0, info: 0 }
  for (const { severity, count } of rows) counts[severity] = count
  return counts
}

async function selectRatings(tx: Tx, orgId: string, since: Date): Promise<RatingRow[]> {
  const { rows } = await sql<RatingRow>`
    select b.id as "bookingId", t.name as "tourName", b.contact_name as "contactName", least(w.tour_rating, w.guide_rating)::int as stars
    from feedback w join bookings b on b.org_id = w.org_id and b.id = w.booking_id
      join departures d on d.org_id = w.org_id and d.id = w.departure_id join tours t on t.org_id = d.org_id and t.id = d.tour_id
    where w.org_id = ${orgId} and w.at >= ${since} and ${isPoorRating(orgId)} order by w.at, w.id limit ${maxOnBoard}`.execute(
    tx,
  )
  return rows
}
