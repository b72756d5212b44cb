import type { Point } from '@tour-ops/contract/tracking/arrivals/travel'
import { sql } from 'kysely'
import type { Tx } from '../../platform/db/database.ts'
import { restWith, roadSeconds, stopOf } from '../../platform/operations/rest.ts'
import { ahead } from './alert-ahead.ts'
import type { Signal } from './signal.ts'
import { statuses } from '../../platform/operations/status-sets.ts'

interface Pair {
  assignmentId: string
  departureId: string
  staffId: string
  staffName: string
  minRestHours: number
  /** From the release of the duty before to the report for this one. */
  gapHours: number
  formerCode: string
  formerEnd: Point | null
  start: Point | null
  roadSeconds: number | null
}

/**
 * People whose next duty begins before they have rested, by the same figure as suggestions: plans change after somebody said yes. What was
 * overridden with a reason raises no alert.
 *
 * @param staffIds Of whom.
 * @see docs/domain.md, "Alerts"
 */
export async function selectRestSignals(tx: Tx, orgId: string, staffIds: readonly string[]): Promise<Signal[]> {
  const { rows } = await sql<Pair>`
    with taken as materialized (
      select busy.staff_id, busy.from_at, busy.to_at, a.id, a.departure_id, a.broken_rules
      from staff_busy(tstzrange(app_now() - make_interval(hours => ${ahead.restBackHours}::int), app_now() + make_interval(hours => ${ahead.restHours}::int)), ${[...staffIds]}::uuid[], true) busy
        cross join lateral (select a.id, a.departure_id, a.broken_rules from assignments a where a.org_id = ${orgId}
          and a.calendar_entry_id = busy.id and a.status in ${statuses.binding} order by a.id limit 1) a
      where busy.kind = 'assignment'
    ), following as (
      select t.*, lag(departure_id) over before as former_id, lag(to_at) over before as former_to, lag(broken_rules) over before as former_broken
      from taken t window before as (partition by staff_id order by from_at)
    )
    select f.id as "assignmentId", d.id as "departureId", s.id as "staffId", concat_ws(' ', s.first_name, s.last_name) as "staffName",
      s.min_rest_hours::float8 as "minRestHours", extract(epoch from f.from_at - f.former_to)::float8 / 3600 as "gapHours",
      duty.code as "formerCode", ends.former as "formerEnd", ends.start, ${roadSeconds(orgId, sql`ends.former`, sql`ends.start`)} as "roadSeconds"
    from following f
      join departures d on d.org_id = ${orgId} and d.id = f.departure_id and d.status in ${statuses.notLeft}
      join departures duty on duty.org_id = ${orgId} and duty.id = f.former_id
      join field_staff s on s.org_id = ${orgId} and s.id = f.staff_id
      cross join lateral (select ${stopOf('duty', 'last')} as former, ${stopOf('d', 'first')} as start) ends
    where f.from_at > app_now() and not ((f.broken_rules || f.former_broken) && array['rest', 'travel'])
      and f.from_at - f.former_to < (s.min_rest_hours + ${ahead.restBackHours}::int) * interval '1 hour'`.execute(tx)
  return rows.flatMap((pair) => {
    const former = { code: pair.formerCode, gapHours: pair.gapHours, at: pair.formerEnd, roadSeconds: pair.roadSeconds }
    const rest = restWith(former, pair.start)
    return rest && rest.hours < pair.minRestHours ? [signalOf(pair, Math.max(0, rest.hours))] : []
  })
}

const signalOf = (pair: Pair, restHours: number): Signal => ({
  key: `rest_violation:${pair.assignmentId}`,
  of: { kind: 'staff', id: pair.staffId },
  kind: 'rest_violation',
  severity: 'warning',
  subjectType: 'assignment',
  subjectId: pair.assignmentId,
  departureId: pair.departureId,
  title: `${pair.staffName} rests ${restHours.toFixed(1)} h after ${pair.formerCode}, ${pair.minRestHours} h needed`,
  evidence: {
    staffName: pair.staffName,
    restHours: Math.round(restHours * 10) / 10,
    limitHours: pair.minRestHours,
    code: pair.formerCode,
  },
})
