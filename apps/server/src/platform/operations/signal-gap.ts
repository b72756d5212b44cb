import { silentStates } from '@tour-ops/contract/tracking/expected-silence'
import { type RawBuilder, sql } from 'kysely'
import { stopsInOrder } from './stops-in-order.ts'

/**
 * Until when nothing is expected of departure `d` on the way: where no signal is expected on the way ahead, its planned arrival behind that, later
 * by as much as they were late; null elsewhere. By the plan, and not by the estimate, which moves on with every minute of silence.
 */
export const quietUntil: RawBuilder<Date | null> = sql<Date | null>`(
  select max(way.planned_arrive_at) + coalesce(max(way.late), interval '0')
  from (
    select s.planned_arrive_at, s.stop_order > coalesce(s.behind, -1) as is_ahead,
      bool_and(s.signal_gap) filter (where s.stop_order > coalesce(s.behind, -1)) over (order by s.number) as is_gap,
      max(greatest(interval '0', coalesce(s.actual_depart_at - s.planned_depart_at, s.actual_arrive_at - s.planned_arrive_at, s.started_at - s.planned_depart_at)))
        filter (where s.stop_order = s.behind) over () as late
    from ${stopsInOrder(sql<string>`d.org_id`, sql`array[d.id]`)} where s.status <> 'skipped'
  ) way where d.status = 'in_progress' and way.is_ahead and way.is_gap)`

/**
 * The same for a list of departures, of which few have such a way: the stops of the others are not put in order. Null once the moment is over:
 * silence is then no longer expected.
 */
export const quietUntilNow: RawBuilder<Date | null> = sql<Date | null>`case
  when d.status = 'in_progress' and exists (select from departure_stops g where g.org_id = d.org_id and g.departure_id = d.id and g.signal_gap)
  then (select quiet.until from (select ${quietUntil} as until) quiet where quiet.until > app_now()) end`

/** `shownState` of the contract for somebody on departure `d`, or on none. @param state Theirs; null stays null. */
export const shownState = (state: RawBuilder<unknown>): RawBuilder<unknown> => sql`case
  when ${state} = any (${[...silentStates]}::text[]) and (${quietUntilNow}) is not null then 'quiet' else ${state} end`
