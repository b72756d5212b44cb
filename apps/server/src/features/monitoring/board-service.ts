import { type AlertRow, monitoringBoard } from '@tour-ops/contract/monitoring/alerts'
import { sql } from 'kysely'
import type { MemberCall } from '../../context.ts'
import { iso, isoOrNull } from '../../platform/list-query.ts'
import { dayBounds, localDateOf } from '../../platform/local-time.ts'
import { organizationZone } from '../../platform/organization-zone.ts'
import { type Verb, verb } from '../../platform/verb.ts'
import { selectMutes } from './alert-mutes.ts'
import { alertColumns, type AlertRecord, alertRowOf, alertSource, severityOrder } from './alerts-store.ts'
import { selectShiftNote } from './shift-notes-service.ts'
import { isOut } from '../../platform/operations/departure-phase.ts'
import { statuses } from '../../platform/operations/status-sets.ts'

/** Twice the alerts a large operator has in a day. See docs/domain.md, "Sizes". */
const maxWaiting = 500
/** Resolved ones on the board; the rest is a number. */
const maxResolved = 40

/** Gravest and oldest first among those that wait, newest first among those that are over. */
async function selectBoard(call: MemberCall, from: Date): Promise<AlertRow[]> {
  const { rows } = await sql<AlertRecord>`
    (select ${alertColumns} ${alertSource} where a.org_id = ${call.orgId} and a.status in ${statuses.unresolved}
      order by ${severityOrder}, a.opened_at, a.id limit ${maxWaiting})
    union all
    (select ${alertColumns} ${alertSource} where a.org_id = ${call.orgId} and a.status = 'resolved' and a.resolved_at >= ${from}
      order by a.resolved_at desc, a.id limit ${maxResolved})`.execute(call.tx)
  return rows.map(alertRowOf)
}

interface Figures {
  critical: number
  warning: number
  info: number
  waiting: number
  resolvedToday: number
  oldestOpenAt: Date | null
  lastResolvedAt: Date | null
  medianAcknowledgeSeconds: number | null
  runningDepartures: number
  openIncidents: number
  evaluatedAt: Date | null
}

async function selectFigures(call: MemberCall, from: Date): Promise<Figures> {
  const { rows } = await sql<Figures>`
    select (count(*) filter (where a.status = 'open' and a.severity = 'critical'))::int as critical,
      (count(*) filter (where a.status = 'open' and a.severity = 'warning'))::int as warning,
      (count(*) filter (where a.status = 'open' and a.severity = 'info'))::int as info,
      (count(*) filter (where a.status <> 'resolved'))::int as waiting,
      (count(*) filter (where a.status = 'resolved' and a.resolved_at >= ${from}))::int as "resolvedToday",
      min(a.opened_at) filter (where a.status = 'open') as "oldestOpenAt", max(a.resolved_at) as "lastResolvedAt",
      percentile_cont(0.5) within group (order by extract(epoch from a.acknowledged_at - a.opened_at))
        filter (where a.acknowledged_at >= ${from}) as "medianAcknowledgeSeconds",
      (select count(*)::int from departures d where d.org_id = ${call.orgId} and ${isOut}) as "runningDepartures",
      (select count(*)::int from incidents i where i.org_id = ${call.orgId} and i.status not in ${statuses.overIncident}) as "openIncidents",
      (select e.evaluated_at from alert_evaluations e where e.org_id = ${call.orgId}) as "evaluatedAt"
    from alerts a where a.org_id = ${call.orgId}`.execute(call.tx)
  const figures = rows[0]
  if (!figures) throw new Error('An aggregate has one row.')
  return figures
}

const board = verb(monitoringBoard, async (call) => {
  const timeZone = await organizationZone(call)
  const now = call.clock.now()
  const { from } = dayBounds(localDateOf(now, timeZone), timeZone)
  const { critical, warning, info, waiting, oldestOpenAt, lastResolvedAt, evaluatedAt, ...figures } =
    await selectFigures(call, from)
  return {
    ...figures,
    alerts: await selectBoard(call, from),
    muted: await selectMutes(call),
    shiftNote: await selectShiftNote(call),
    counts: { critical, warning, info },
    oldestOpenAt: isoOrNull(oldestOpenAt),
    calmSince: waiting === 0 ? isoOrNull(lastResolvedAt) : null,
    evaluatedAt: isoOrNull(evaluatedAt),
    now: iso(now),
    timeZone,
  }
})

export const boardVerbs: Verb[] = [board]
