import { hasAccess } from '@tour-ops/contract/access'
import type { DepartureRow } from '@tour-ops/contract/departures'
import { sql, type RawBuilder } from 'kysely'
import type { MemberCall } from '../../context.ts'
import type { Tx } from '../db/database.ts'
import { allOf, iso, isoOrNull, type Condition } from '../list-query.ts'
import { readinessJoins, type ReadinessColumns } from './readiness.ts'

export interface DepartureQuery {
  /** Conditions over `d` (departures), `t` (tours) and, with `filtersReadiness`, `ready`. */
  readonly where: readonly Condition[]
  readonly orderBy: RawBuilder<unknown>
  readonly limit: number
  readonly offset: number
  /** The local day that "day n of m" refers to; the tour's own today when left out. */
  readonly onDay?: string | undefined
  /** Computes the checklist before paging, since a condition needs it. */
  readonly filtersReadiness?: boolean
}

interface Row extends ReadinessColumns {
  total: number
  id: string
  version: number
  code: string
  tourId: string
  tourCode: string
  tourName: string
  tourKind: DepartureRow['tourKind']
  tourColor: string | null
  optionName: string | null
  language: string | null
  status: DepartureRow['status']
  salesStatus: DepartureRow['salesStatus']
  startsAt: Date
  endsAt: Date
  timeZone: string
  localDate: string
  startTimeLocal: string
  dayIndex: number
  dayCount: number
  capacity: number
  minPax: number
  overbookLimit: number
  seatsConfirmed: number
  seatsHeld: number
  waitlistCount: number
  aboard: number
  noShow: number
  decideBy: Date | null
  delaySeconds: number
  missesTimedEntry: boolean
  leadId: string | null
  leadName: string | null
  vehicleId: string | null
  vehicleLabel: string | null
  nextStopName: string | null
  nextStopNumber: number
  stopCount: number
  openAlerts: number | null
}

/** Late by more than this at a timed entry means that it will be missed. Source: product description, section 4.7 (5 min). */
const timedEntryGraceSeconds = 300

/** Seats that may still be sold; holds that have run out count as free. Needs `d`. */
export const seatsLeftOf = sql<number>`greatest(0, d.capacity + d.overbook_limit - d.seats_confirmed - d.seats_held)`

/** Departures as every board, table and calendar shows them, with how many there are without paging. */
export async function selectDepartureRows(
  call: Pick<MemberCall, 'tx' | 'orgId' | 'role'>,
  query: DepartureQuery,
): Promise<{ rows: DepartureRow[]; total: number }> {
  const { tx, orgId } = call
  const filter = sql`from departures d join tours t on t.org_id = d.org_id and t.id = d.tour_id
    ${query.filtersReadiness ? readinessJoins : sql``}
    where d.org_id = ${orgId} and ${allOf(query.where)}`
  const { rows } = await sql<Row>`
    with chosen as (
      select d.id, count(*) over () as total, row_number() over (order by ${query.orderBy}) as place ${filter}
      order by ${query.orderBy} limit ${query.limit} offset ${query.offset}
    )
    select ${columns(query.onDay, hasAccess(call, { permission: 'monitoring:read' }))}, chosen.total
    from chosen
    join departures d on d.org_id = ${orgId} and d.id = chosen.id
    join tours t on t.org_id = d.org_id and t.id = d.tour_id
    left join tour_options o on o.org_id = d.org_id and o.id = d.option_id
    ${readinessJoins}
    cross join lateral (
      select (count(*) filter (where m.status in ('checked_in', 'on_tour', 'finished', 'left_early', 'missing')))::int as aboard,
        (count(*) filter (where m.status = 'no_show'))::int as no_show
      from manifest_entries m where m.org_id = d.org_id and m.departure_id = d.id
    ) people
    cross join lateral (
      select count(*)::int as total, (count(*) filter (where s.status in ('departed', 'skipped')))::int as done,
        coalesce(bool_or(s.timed_entry and s.status in ('planned', 'approaching') and s.delay_seconds > ${timedEntryGraceSeconds}), false) as misses
      from departure_stops s where s.org_id = d.org_id and s.departure_id = d.id
    ) stops
    left join lateral (
      select p.name, (select count(*)::int from departure_stops e where e.org_id = s.org_id and e.departure_id = s.departure_id
        and e.stop_order <= s.stop_order) as number
      from departure_stops s join places p on p.org_id = s.org_id and p.id = s.place_id
      where s.org_id = d.org_id and s.departure_id = d.id and s.status in ('planned', 'approaching', 'arrived')
        and s.stop_order >= coalesce((select max(e.stop_order) from departure_stops e where e.org_id = s.org_id
          and e.departure_id = s.departure_id and e.status in ('arrived', 'departed')), 0)
      order by s.stop_order limit 1
    ) upcoming on true
    cross join lateral (
      select count(*)::int as open from alerts a
      where a.org_id = d.org_id and a.departure_id = d.id and a.status in ('open', 'acknowledged')
    ) alarm
    order by chosen.place`.execute(tx)
  if (rows.length === 0 && query.offset > 0) return { rows: [], total: await countDepartures(tx, filter) }
  return { rows: rows.map(departureRowOf), total: rows[0]?.total ?? 0 }
}

async function countDepartures(tx: Tx, filter: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ total: number }>`select count(*) as total ${filter}`.execute(tx)
  return rows[0]?.total ?? 0
}

const columns = (onDay: string | undefined, seesAlerts: boolean): RawBuilder<unknown> => sql`
  d.id, d.version, d.code, t.id as "tourId", t.code as "tourCode", t.name as "tourName", t.kind as "tourKind", t.color as "tourColor",
  o.name as "optionName", d.language, d.status, d.sales_status as "salesStatus", d.starts_at as "startsAt", d.ends_at as "endsAt",
  d.time_zone as "timeZone", d.local_date as "localDate", to_char(d.local_start_time, 'HH24:MI') as "startTimeLocal",
  least(greatest(1, (${onDay === undefined ? sql`(app_now() at time zone d.time_zone)::date` : sql`${onDay}::date`} - d.local_date) + 1),
    coalesce(t.duration_days, 1)) as "dayIndex", coalesce(t.duration_days, 1) as "dayCount",
  d.capacity, d.min_pax as "minPax", d.overbook_limit as "overbookLimit", d.seats_confirmed as "seatsConfirmed", d.seats_held as "seatsHeld",
  d.waitlist_count as "waitlistCount", people.aboard, people.no_show as "noShow", d.decide_by as "decideBy", d.delay_seconds as "delaySeconds",
  stops.misses and d.status = 'in_progress' as "missesTimedEntry", crew.lead_id as "leadId", crew.lead_name as "leadName",
  fleet.vehicle_id as "vehicleId", fleet.vehicle_label as "vehicleLabel", upcoming.name as "nextStopName",
  coalesce(upcoming.number, 0) as "nextStopNumber", stops.total as "stopCount", ready.failing, ready.applicable, ${seesAlerts ? sql`alarm.open` : sql`null::int`} as "openAlerts"`

function departureRowOf(row: Row): DepartureRow {
  const {
    total: _total,
    leadId,
    leadName,
    vehicleId,
    vehicleLabel,
    nextStopName,
    nextStopNumber,
    stopCount,
    failing,
    applicable,
    tourColor,
    ...rest
  } = row
  return {
    ...rest,
    tourColor: tourColor ?? '#FF4B00',
    startsAt: iso(row.startsAt),
    endsAt: iso(row.endsAt),
    decideBy: isoOrNull(row.decideBy),
    seatsLeft: Math.max(0, row.capacity + row.overbookLimit - row.seatsConfirmed - row.seatsHeld),
    leadGuide: leadId && leadName ? { id: leadId, name: leadName } : null,
    vehicle: vehicleId && vehicleLabel ? { id: vehicleId, name: vehicleLabel } : null,
    nextStop: nextStopName === null ? null : { name: nextStopName, number: nextStopNumber, of: stopCount },
    readiness: {
      done: applicable.length - failing.length,
      total: applicable.length,
      ready: failing.length === 0,
      failing,
    },
  }
}
