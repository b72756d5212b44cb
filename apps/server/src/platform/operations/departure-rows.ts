import { hasAccess } from '@tour-ops/contract/identity/access'
import type { DepartureRow } from '@tour-ops/contract/departures/departures'
import { sql, type RawBuilder } from 'kysely'
import type { MemberCall } from '../../context.ts'
import { allOf, groupedOnce, iso, isoOrNull, type Condition } from '../list-query.ts'
import { daysBetween, localDateOf } from '../local-time.ts'
import type { KnownDeparture } from './known-departures.ts'
import { readinessJoins } from './readiness.ts'
import { isAhead, stopsInOrder } from './stops-in-order.ts'
import { seatsLeftOf } from './seats-left.ts'
import { statuses } from './status-sets.ts'

export interface DepartureQuery {
  /** Conditions over `d` (departures) and `t` (tours). */
  readonly where: readonly Condition[]
  /** Condition on the checklist, `ready`; it is computed for everything that `where` leaves. */
  readonly whereReady?: Condition
  readonly orderBy: RawBuilder<unknown>
  readonly limit: number
  readonly offset: number
  /** The local day that "day n of m" refers to; the tour's own today when left out. */
  readonly onDay?: string | undefined
}

/** Late by more than this at a timed entry predicts that it will be missed. See docs/domain.md, "Lateness". */
export const timedEntryGraceSeconds = 300

/** Days from the start to the last day of the longest tour that the organization has: what started before cannot be on its way. */
export const daysBeforeLast = (orgId: string): RawBuilder<number> =>
  sql<number>`(select coalesce(max(l.duration_days), 1) - 1 from tours l where l.org_id = ${orgId})`

type Query = Pick<DepartureQuery, 'where' | 'whereReady'>

/** `select …` over the departures that a query chooses. A tour is always there: the left join falls away where nothing asks for it. */
function selectChosen(orgId: string, { where, whereReady }: Query, selected: RawBuilder<unknown>): RawBuilder<unknown> {
  const source = sql`from departures d left join tours t on t.org_id = d.org_id and t.id = d.tour_id`
  const condition = sql`where d.org_id = ${orgId} and ${allOf(where)}`
  if (!whereReady) return sql`select ${selected} ${source} ${condition}`
  return sql`with candidate as materialized (select d.id ${source} ${condition})
    select ${selected} ${source} ${readinessJoins(orgId, sql`array(select candidate.id from candidate)`)}
    where d.org_id = ${orgId} and d.id = any (array(select candidate.id from candidate)) and ${whereReady}`
}

/** What reading rows takes: a call, or work that happens by itself. */
export type DepartureReader = Pick<MemberCall, 'tx' | 'orgId' | 'role' | 'scope' | 'clock' | 'knownDepartures'>

/** Departures as every board, table and calendar shows them. */
export async function selectDepartureRows(call: DepartureReader, query: DepartureQuery): Promise<DepartureRow[]> {
  return departureRowsOf(call, await selectIds(call, query), query.onDay)
}

/** The same for departures whose ids are known, in their order. */
export async function departureRowsOf(
  call: DepartureReader,
  ids: readonly string[],
  onDay?: string,
): Promise<DepartureRow[]> {
  const rows = await call.knownDepartures.rowsOf(call, ids, (wanted) => readRows(call, wanted))
  return rows.map(rowsFor(call, onDay))
}

async function selectIds({ tx, orgId }: DepartureReader, query: DepartureQuery): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`${selectChosen(orgId, query, sql`d.id`)}
    order by ${query.orderBy} limit ${query.limit} offset ${query.offset}`.execute(tx)
  return rows.map(({ id }) => id)
}

async function readRows({ tx, orgId }: DepartureReader, wanted: readonly string[]): Promise<KnownDeparture[]> {
  // from a common table expression: one plan serves one departure and 450, which takes longer to plan than to read
  const ids = sql`array(select wanted.id from wanted)`
  const { rows } = await sql<KnownDeparture>`
    with wanted as materialized (select unnest(${[...wanted]}::uuid[]) as id)
    select ${columns}
    from departures d
    join tours t on t.org_id = ${orgId} and t.id = d.tour_id
    left join tour_options o on o.org_id = ${orgId} and o.id = d.option_id
    ${readinessJoins(orgId, ids)}
    left join ${groupedOnce(sql`
      select m.departure_id, (count(*) filter (where m.status in ${statuses.aboard}))::int as aboard,
        (count(*) filter (where m.status = 'no_show'))::int as no_show
      from manifest_entries m where m.org_id = ${orgId} and m.departure_id = any (${ids}) group by m.departure_id`)} people on people.departure_id = d.id
    left join ${groupedOnce(sql`
      select s.departure_id, count(*)::int as total,
        bool_or(s.timed_entry and s.status in ('planned', 'approaching') and s.delay_seconds > ${timedEntryGraceSeconds}) as misses,
        min(s.number) filter (where ${isAhead}) as next,
        (array_agg(s.place_id order by s.number) filter (where ${isAhead}))[1] as next_place,
        (array_agg(coalesce(s.eta_at, s.planned_arrive_at) order by s.number) filter (where ${isAhead}))[1] as next_at,
        (array_agg(s.status = 'arrived' order by s.number) filter (where ${isAhead}))[1] as is_here
      from ${stopsInOrder(orgId, ids)} group by s.departure_id`)} stops on stops.departure_id = d.id
    left join places p on p.org_id = ${orgId} and p.id = stops.next_place
    left join ${groupedOnce(sql`
      select a.departure_id, count(*)::int as open from alerts a
      where a.org_id = ${orgId} and a.departure_id = any (${ids}) and a.status in ${statuses.standing} group by a.departure_id`)} alarm on alarm.departure_id = d.id
    where d.org_id = ${orgId} and d.id = any (${ids})`.execute(tx)
  return rows
}

/** How many departures a query chooses, without paging. */
export async function countDepartures({ tx, orgId }: Pick<MemberCall, 'tx' | 'orgId'>, query: Query): Promise<number> {
  const { rows } = await sql<{ total: number }>`${selectChosen(orgId, query, sql`count(*)::int as total`)}`.execute(tx)
  return rows[0]?.total ?? 0
}

const columns: RawBuilder<unknown> = sql`
  d.id, d.version, d.code, t.id as "tourId", t.code as "tourCode", t.name as "tourName", t.kind as "tourKind", t.color as "tourColor",
  o.name as "optionName", d.language, d.status, d.sales_status as "salesStatus", d.starts_at as "startsAt", d.ends_at as "endsAt",
  d.time_zone as "timeZone", d.local_date as "localDate", to_char(d.local_start_time, 'HH24:MI') as "startTimeLocal",
  coalesce(t.duration_days, 1) as "dayCount",
  d.capacity, d.min_pax as "minPax", d.overbook_limit as "overbookLimit", d.seats_confirmed as "seatsConfirmed", d.seats_held as "seatsHeld",
  ${seatsLeftOf(sql`d`)} as "seatsLeft",
  d.waitlist_count as "waitlistCount", coalesce(people.aboard, 0) as aboard, coalesce(people.no_show, 0) as "noShow", d.decide_by as "decideBy", d.delay_seconds as "delaySeconds",
  coalesce(stops.misses and d.status = 'in_progress', false) as "missesTimedEntry", crew.lead_id as "leadId", crew.lead_name as "leadName",
  fleet.vehicle_id as "vehicleId", fleet.vehicle_label as "vehicleLabel", p.name as "nextStopName",
  stops.next_at as "nextStopAt", coalesce(stops.is_here, false) as "isAtNextStop",
  coalesce(stops.next, 0) as "nextStopNumber", coalesce(stops.total, 0) as "stopCount", ready.failing, ready.applicable,
  coalesce(alarm.open, 0) as "openAlerts"`

/** Makes of what is known what this caller sees now. */
function rowsFor(call: DepartureReader, onDay: string | undefined): (row: KnownDeparture) => DepartureRow {
  const seesAlerts = hasAccess(call, { permission: 'monitoring:read' })
  const now = call.clock.now()
  const days = new Map<string, string>()
  const dayIn = (zone: string): string => {
    const day = onDay ?? days.get(zone) ?? localDateOf(now, zone)
    days.set(zone, day)
    return day
  }
  return (row) => ({
    ...departureRowOf(row),
    dayIndex: Math.min(Math.max(1, daysBetween(row.localDate, dayIn(row.timeZone)) + 1), row.dayCount),
    openAlerts: seesAlerts ? row.openAlerts : null,
  })
}

function departureRowOf(row: KnownDeparture): Omit<DepartureRow, 'dayIndex' | 'openAlerts'> {
  const {
    leadId,
    leadName,
    vehicleId,
    vehicleLabel,
    nextStopName,
    nextStopNumber,
    nextStopAt,
    isAtNextStop,
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
    leadGuide: leadId && leadName ? { id: leadId, name: leadName } : null,
    vehicle: vehicleId && vehicleLabel ? { id: vehicleId, name: vehicleLabel } : null,
    nextStop:
      nextStopName === null || nextStopAt === null
        ? null
        : { name: nextStopName, number: nextStopNumber, of: stopCount, at: iso(nextStopAt), isHere: isAtNextStop },
    readiness: {
      done: applicable.length - failing.length,
      total: applicable.length,
      // A cancelled departure needs nothing, and is not "ready".
      ready: failing.length === 0 && row.status !== 'cancelled' && row.status !== 'aborted',
      failing,
    },
  }
}
