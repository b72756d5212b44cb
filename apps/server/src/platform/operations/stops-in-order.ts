import { sql, type RawBuilder } from 'kysely'

/**
 * All stops `s` of some departures with their `number` in the run and the order of the last one that is `behind`, or of the current one; null
 * before the first. To be put into a `from`.
 *
 * @param orgId the organization, or SQL that names it.
 * @param ids SQL array with the ids of the departures.
 */
export const stopsInOrder = (orgId: string | RawBuilder<string>, ids: RawBuilder<unknown>): RawBuilder<unknown> => sql`(
    select stop.*, o.actual_start_at as started_at,
      greatest(stop.reached, case when o.actual_start_at is not null then stop.start_order end) as behind
    from unnest(${ids}) wanted_one (id) join departures o on o.org_id = ${orgId} and o.id = wanted_one.id
    -- departure by departure: a join would be planned for a database without statistics as each departure with each stop
    cross join lateral (
      select e.id, e.departure_id, e.place_id, e.stop_order, e.kind, e.status, e.planned_arrive_at, e.planned_depart_at, e.actual_arrive_at,
        e.actual_depart_at, e.eta_at, e.delay_seconds, e.slack_min, e.timed_entry, e.signal_gap, (row_number() over run)::int as number,
        max(e.stop_order) filter (where e.status in ('arrived', 'departed')) over whole as reached,
        greatest(min(e.stop_order) filter (where e.kind = 'start') over whole, min(e.stop_order) filter (where e.kind <> 'pickup') over whole - 1) as start_order
      from departure_stops e where e.org_id = ${orgId} and e.departure_id = o.id
      window run as (order by e.stop_order), whole as (order by e.stop_order range between unbounded preceding and unbounded following)
    ) stop
  ) s`

/** Whether nobody marked that they left a start or pickup, but the tour set out after they came there. Over a stop `s` with `started_at`. */
const isLeftByStarting = (startedAt: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql<boolean>`(s.kind in ('start', 'pickup') and coalesce(s.actual_arrive_at <= ${startedAt}, false))`

/**
 * Whether the guests are at the stop `s` of `stopsInOrder` or still come there; the first such stop is the next one. The same as
 * `whereaboutsOf` in the contract.
 */
export const isAhead: RawBuilder<boolean> = sql<boolean>`(
    s.status in ('planned', 'approaching') and s.stop_order > coalesce(s.behind, -1)
    or s.status = 'arrived' and s.stop_order >= s.behind and not ${isLeftByStarting(sql`s.started_at`)})`

/**
 * When they leave a stop `s` that is marked as reached and not as left, as the estimates carry it on (`carryDelay`): the plan and what of
 * the delay that its slack does not make up, and never before the present minute. Null at other stops, at the end, and at what setting out has
 * left. A stop that was passed has it too while nobody has marked that they left it; the one to show is that of the stop where they are.
 *
 * @param startedAt SQL of the moment when the departure set out.
 */
export const leavesAt = (startedAt: RawBuilder<unknown>): RawBuilder<Date | null> =>
  sql<Date | null>`case when s.status = 'arrived' and s.kind <> 'end' and not ${isLeftByStarting(startedAt)} then
    s.planned_depart_at + make_interval(secs => greatest(0, extract(epoch from s.actual_arrive_at - s.planned_arrive_at) - s.slack_min * 60,
      floor(extract(epoch from app_now() - s.planned_depart_at) / 60) * 60)) end`
