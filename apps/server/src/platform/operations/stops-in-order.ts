import { sql, type RawBuilder } from 'kysely'

/**
 * All stops `s` of some departures with their `number` in the run and the order of the last one that was `reached`; null before the
 * first. To be put into a `from`.
 *
 * @param ids SQL array with the ids of the departures.
 */
export const stopsInOrder = (orgId: string, ids: RawBuilder<unknown>): RawBuilder<unknown> => sql`(
    select e.id, e.departure_id, e.place_id, e.stop_order, e.status, e.planned_arrive_at, e.planned_depart_at, e.eta_at, e.delay_seconds,
      e.slack_min, e.timed_entry, (row_number() over run)::int as number,
      max(e.stop_order) filter (where e.status in ('arrived', 'departed'))
        over (run range between unbounded preceding and unbounded following) as reached
    from departure_stops e where e.org_id = ${orgId} and e.departure_id = any (${ids})
    window run as (partition by e.departure_id order by e.stop_order)
  ) s`

/** Whether the guests are at the stop `s` of `stopsInOrder` or still come there; the first such stop is the next one. */
export const isAhead: RawBuilder<boolean> = sql<boolean>`(s.status in ('planned', 'approaching', 'arrived')
    and s.stop_order >= coalesce(s.reached, 0))`
