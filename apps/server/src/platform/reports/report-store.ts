import type { ReportDeparture } from '@tour-ops/contract/reports/reports'
import { refuse } from '@tour-ops/contract/refusals'
import { sql, type RawBuilder } from 'kysely'
import type { MemberCall } from '../../context.ts'
import { allOf, isOneOf, isOneOfIds } from '../list-query.ts'
import { statuses } from '../operations/status-sets.ts'
import type { Period } from './report-period.ts'

/** Whose report is read, and when: by a member, or by whoever has the link of one. */
export type ReportReading = Pick<MemberCall, 'tx' | 'orgId' | 'clock'>

/** What a report asks for, without its period. */
export interface ReportFilter {
  readonly tourId?: readonly string[] | undefined
  readonly staffId?: readonly string[] | undefined
  readonly language?: readonly string[] | undefined
}

/** Facts of a report at most: a large operator's year with room. See docs/domain.md, "Sizes". */
export const maxFacts = 100_000

export function requireReasonable<T>(rows: T[]): T[] {
  if (rows.length <= maxFacts) return rows
  throw refuse('report_too_large')
}

/** Departures `d` of a period, as far as the reader's permission reaches. */
export const inReport = (reading: ReportReading, period: Period, filter: ReportFilter): RawBuilder<boolean> =>
  allOf([
    sql`d.org_id = ${reading.orgId} and d.local_date between ${period.from}::date and ${period.to}::date and d.status <> 'draft'`,
    isOneOfIds(sql`d.tour_id`, filter.tourId),
    isOneOf(sql`d.language`, filter.language),
    filter.staffId?.length
      ? sql`exists (select from assignments led where led.org_id = d.org_id and led.departure_id = d.id
          and led.staff_id = any (${[...filter.staffId]}::uuid[]) and led.status in ${statuses.binding})`
      : undefined,
  ])

/** Severities go from 1, critical, to 4, minor; what is minor does not count. See docs/domain.md, "Figures of the reports". */
const leastCounted = 3

export const startDelay = sql<number | null>`extract(epoch from d.actual_start_at - d.starts_at)::int`

export type DepartureFact = ReportDeparture

/** Departures of a period with everything that the tour report counts, oldest first. */
export async function selectDepartureFacts(
  reading: ReportReading,
  period: Period,
  filter: ReportFilter,
): Promise<DepartureFact[]> {
  const { rows } = await sql<DepartureFact>`
    with chosen as materialized (select d.id from departures d where ${inReport(reading, period, filter)} limit ${maxFacts + 1}),
    guests as (
      select m.booking_id, count(*) filter (where m.status in ${statuses.carried})::int as carried,
        count(*) filter (where m.status = 'no_show')::int as no_show
      from manifest_entries m where m.org_id = ${reading.orgId} and m.departure_id in (select id from chosen)
      group by m.booking_id
    ), purses as (
      select b.departure_id, b.currency, sum(b.amount_total_minor)::bigint as revenue,
        coalesce(sum(guests.carried), 0)::int as carried, coalesce(sum(guests.no_show), 0)::int as no_show
      from bookings b left join guests on guests.booking_id = b.id
      where b.org_id = ${reading.orgId} and b.departure_id in (select id from chosen) and b.status in ${statuses.sold}
      group by b.departure_id, b.currency
    ), sold as (
      select departure_id, sum(carried)::int as carried, sum(no_show)::int as no_show,
        jsonb_agg(jsonb_build_object('currency', currency, 'revenueMinor', revenue, 'paxCarried', carried) order by currency) as money
      from purses group by departure_id
    ), stops as (
      select s.departure_id, count(*)::int as planned, count(*) filter (where s.status in ('arrived', 'departed'))::int as visited
      from departure_stops s
      where s.org_id = ${reading.orgId} and s.departure_id in (select id from chosen) and not s.optional
      group by s.departure_id
    ), said as (
      select f.departure_id, count(*)::int as answers, count(*) filter (where f.nps >= 9)::int as promoters,
        count(*) filter (where f.nps <= 6)::int as detractors
      from feedback f where f.org_id = ${reading.orgId} and f.departure_id in (select id from chosen) and f.nps is not null
      group by f.departure_id
    ), trouble as (
      select i.departure_id, count(*)::int as incidents, count(i.closed_at)::int as resolved,
        coalesce(sum(extract(epoch from i.closed_at - i.created_at)), 0)::int as seconds
      from incidents i where i.org_id = ${reading.orgId} and i.departure_id in (select id from chosen) and i.severity <= ${leastCounted}
        and i.status <> 'merged'
      group by i.departure_id
    )
    select d.id, d.code, t.id as "tourId", t.name as "tourName", d.local_date as "localDate", d.status, d.capacity,
      coalesce(sold.carried, 0) as "paxCarried", coalesce(sold.no_show, 0) as "noShow",
      coalesce(sold.money, '[]') as money, ${startDelay} as "startDelaySeconds",
      coalesce(stops.planned, 0) as "stopsPlanned", coalesce(stops.visited, 0) as "stopsVisited",
      coalesce(said.answers, 0) as "npsAnswers", coalesce(said.promoters, 0) as promoters, coalesce(said.detractors, 0) as detractors,
      coalesce(trouble.incidents, 0) as incidents, coalesce(trouble.resolved, 0) as "incidentsResolved",
      coalesce(trouble.seconds, 0) as "resolveSeconds"
    from chosen join departures d on d.org_id = ${reading.orgId} and d.id = chosen.id
    join tours t on t.org_id = d.org_id and t.id = d.tour_id
    left join sold on sold.departure_id = d.id
    left join stops on stops.departure_id = d.id
    left join said on said.departure_id = d.id
    left join trouble on trouble.departure_id = d.id
    order by d.local_date, d.starts_at, d.id`.execute(reading.tx)
  return requireReasonable(rows)
}

export interface TravelerFact {
  id: string
  nationality: string | null
  language: string | null
  /** Whole years on the last day of the period. */
  age: number | null
  dietary: string[]
  mobility: string
  /** They had no tour with us before the period. */
  isNew: boolean
  /** At least two completed departures in the 24 months up to the end of the period. */
  isRepeat: boolean
}

/** Distinct people who traveled in a period. */
export async function selectTravelerFacts(
  reading: ReportReading,
  period: Period,
  filter: ReportFilter,
): Promise<TravelerFact[]> {
  const carried = sql`manifest_entries m
    join bookings b on b.org_id = m.org_id and b.id = m.booking_id and b.status in ${statuses.sold}
    join departures d on d.org_id = m.org_id and d.id = m.departure_id`
  const { rows } = await sql<TravelerFact>`
    with people as materialized (
      select distinct m.traveler_id as id from ${carried} where ${inReport(reading, period, filter)} and m.status in ${statuses.carried}
      limit ${maxFacts + 1}
    ), trips as (
      select m.traveler_id as id, min(d.local_date) as first,
        count(distinct d.id) filter (where d.status = 'completed' and d.local_date <= ${period.to}::date
          and d.local_date > ${period.to}::date - interval '24 months') as recent
      from ${carried} where m.org_id = ${reading.orgId} and m.traveler_id in (select id from people) and m.status in ${statuses.carried}
      group by m.traveler_id
    )
    select t.id, t.nationality, t.languages[1] as language, extract(year from age(${period.to}::date, p.date_of_birth))::int as age,
      t.dietary, t.mobility, trips.first >= ${period.from}::date as "isNew", trips.recent >= 2 as "isRepeat"
    from people join travelers t on t.org_id = ${reading.orgId} and t.id = people.id
    join trips on trips.id = people.id
    left join traveler_private p on p.org_id = t.org_id and p.traveler_id = t.id`.execute(reading.tx)
  return requireReasonable(rows)
}

export interface BookingFact {
  channel: string
  pax: number
  /** Whole days from confirmation to start. */
  leadDays: number | null
}

/** Confirmed and completed bookings on the departures of a period. */
export async function selectBookingFacts(
  reading: ReportReading,
  period: Period,
  filter: ReportFilter,
): Promise<BookingFact[]> {
  const { rows } = await sql<BookingFact>`
    select b.channel, b.pax, greatest(0, floor(extract(epoch from d.starts_at - b.confirmed_at) / 86400))::int as "leadDays"
    from departures d join bookings b on b.org_id = d.org_id and b.departure_id = d.id
    where ${inReport(reading, period, filter)} and b.status in ${statuses.sold} limit ${maxFacts + 1}`.execute(
    reading.tx,
  )
  return requireReasonable(rows)
}

export interface ReportOffice {
  timeZone: string
  currency: string
  onTimeMinutes: number
}

export async function selectOffice(reading: ReportReading): Promise<ReportOffice> {
  const { rows } = await sql<ReportOffice>`
    select time_zone as "timeZone", currency, on_time_tolerance_minutes as "onTimeMinutes"
    from org_settings where org_id = ${reading.orgId}`.execute(reading.tx)
  return rows[0] ?? { timeZone: 'UTC', currency: 'EUR', onTimeMinutes: 5 }
}
