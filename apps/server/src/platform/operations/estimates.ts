import { staleMs } from '@tour-ops/contract/tracking/arrivals/arrivals'
import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../db/database.ts'

/** Whether what is known of the way ahead, a `departure_reach` `r`, still says something. */
export const isFresh: RawBuilder<boolean> = sql<boolean>`r.seen_at > app_now() - make_interval(secs => ${sql.lit(staleMs / 1000)})`

export interface Estimates {
  /** Of stops: `eta_at` is null once a stop is done. */
  readonly stops: readonly { id: string; eta_at: Date | null; delay_seconds: number }[]
  readonly departures: readonly { id: string; delay_seconds: number }[]
}

/** Writes what differs, without new versions and audit entries: see the migration `0117_estimates.sql`. */
export async function writeEstimates(tx: Tx, orgId: string, { stops, departures }: Estimates): Promise<void> {
  await sql`select set_config('app.estimating', 'on', true)`.execute(tx)
  await sql`
    update departure_stops s set eta_at = e.eta_at, delay_seconds = e.delay_seconds, eta_computed_at = app_now()
    from jsonb_to_recordset(${JSON.stringify(stops)}::jsonb) as e (id uuid, eta_at timestamptz, delay_seconds int)
    where s.org_id = ${orgId} and s.id = e.id and (s.eta_at, s.delay_seconds) is distinct from (e.eta_at, e.delay_seconds)`.execute(
    tx,
  )
  await sql`
    update departures d set delay_seconds = e.delay_seconds
    from jsonb_to_recordset(${JSON.stringify(departures)}::jsonb) as e (id uuid, delay_seconds int)
    where d.org_id = ${orgId} and d.id = e.id and d.delay_seconds <> e.delay_seconds`.execute(tx)
  await sql`select set_config('app.estimating', 'off', true)`.execute(tx)
}
