import { staleMs } from '@tour-ops/contract/tracking/arrivals/arrivals'
import { delayNoticeHours, leastDelayMinutes } from '@tour-ops/contract/notifications/guest-rules'
import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../db/database.ts'

/** Whether what is known of the way ahead, a `departure_reach` `r`, still says something. */
export const isFresh: RawBuilder<boolean> = sql<boolean>`r.seen_at > app_now() - make_interval(secs => ${sql.lit(staleMs / 1000)})`

/** What is overdue is expected in the present minute, and written a little later. */
export const overdueMinutes = 2

export interface Estimates {
  /** Of stops: `eta_at` is null once a stop is done. */
  readonly stops: readonly { id: string; eta_at: Date | null; delay_seconds: number }[]
  readonly departures: readonly { id: string; delay_seconds: number }[]
}

/**
 * Writes what differs, without new versions and audit entries: see the migration `0117_estimates.sql`. A departure of which guests who are still
 * ahead have to wait is noted for `noticeDelays`. The departures are locked by the caller.
 */
export async function writeEstimates(tx: Tx, orgId: string, { stops, departures }: Estimates): Promise<void> {
  await sql`select set_config('app.estimating', 'on', true)`.execute(tx)
  await sql`
    with changed as (
      update departure_stops s set eta_at = e.eta_at, delay_seconds = e.delay_seconds, eta_computed_at = app_now()
      from jsonb_to_recordset(${JSON.stringify(stops)}::jsonb) as e (id uuid, eta_at timestamptz, delay_seconds int)
      where s.org_id = ${orgId} and s.id = e.id and (s.eta_at, s.delay_seconds) is distinct from (e.eta_at, e.delay_seconds)
      returning s.departure_id, s.stop_order, s.kind, s.planned_arrive_at, s.eta_at, s.delay_seconds)
    insert into departure_notices (org_id, departure_id, late_since)
    select distinct ${orgId}, c.departure_id, app_now() from changed c
    where c.delay_seconds >= ${leastDelayMinutes * 60} and c.eta_at > app_now() - make_interval(mins => ${overdueMinutes})
      and c.planned_arrive_at <= app_now() + make_interval(hours => ${delayNoticeHours})
      and (c.kind in ('start', 'pickup') or not exists (select from departure_stops o where o.org_id = ${orgId} and o.departure_id = c.departure_id
        and o.stop_order < c.stop_order and o.kind <> 'pickup'))
    order by 2
    on conflict (org_id, departure_id) do update set late_since = excluded.late_since`.execute(tx)
  await sql`
    update departures d set delay_seconds = e.delay_seconds
    from jsonb_to_recordset(${JSON.stringify(departures)}::jsonb) as e (id uuid, delay_seconds int)
    where d.org_id = ${orgId} and d.id = e.id and d.delay_seconds <> e.delay_seconds`.execute(tx)
  await sql`select set_config('app.estimating', 'off', true)`.execute(tx)
}
