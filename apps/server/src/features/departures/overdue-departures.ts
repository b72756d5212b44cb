import { sql } from 'kysely'
import type { Clock } from '../../platform/clock.ts'
import type { Tx } from '../../platform/db/database.ts'
import type { OrganizationSweep } from '../../platform/jobs/housekeeping.ts'
import { rewriteEstimates } from './run-sheet-store.ts'
import { isAwaited, isOut } from '../../platform/operations/departure-phase.ts'

/**
 * Makes departures late whose next step (the start, an arrival, leaving a stop) should have happened and was not marked. Status, boards,
 * estimates and alerts follow from what is written here. Run once a minute for every organization, before the alerts are evaluated.
 * See docs/domain.md, "Lateness".
 */
export const overdueDepartures = (clock: Clock): OrganizationSweep => ({
  action: 'departures-estimate',
  run: (tx, orgId) => estimateOverdue(tx, orgId, clock.now()),
})

/** @returns how many departures were checked. */
export async function estimateOverdue(tx: Tx, orgId: string, now: Date): Promise<number> {
  const ids = await selectOverdue(tx, orgId)
  for (const id of ids) await rewriteEstimates(tx, orgId, id, now)
  return ids.length
}

/**
 * Departures of which a time has passed, in the order of their ids, which is the order in which changes of several lock them. A departure under way is late
 * until somebody closes the tour; what never began is left alone a day after its end.
 */
async function selectOverdue(tx: Tx, orgId: string): Promise<string[]> {
  const passed = sql`app_now() - interval '1 minute'`
  const { rows } = await sql<{ id: string }>`
    select d.id from departures d
    where d.org_id = ${orgId} and (
      ${isAwaited} and d.starts_at <= ${passed}
      or ${isOut} and d.status = 'boarding' and d.starts_at <= ${passed}
      or ${isOut} and d.status = 'in_progress' and (d.ends_at <= ${passed} or exists (
        select from departure_stops s where s.org_id = d.org_id and s.departure_id = d.id
          and (s.status in ('planned', 'approaching') and s.kind not in ('pickup', 'start') and s.planned_arrive_at <= ${passed}
            or s.status = 'arrived' and s.planned_depart_at <= ${passed}))))
    order by d.id`.execute(tx)
  return rows.map(({ id }) => id)
}
