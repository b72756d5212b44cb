import { hasAccess } from '@tour-ops/contract/identity/access'
import { fieldError } from '@tour-ops/contract/field-rules'
import {
  acknowledgeAlert,
  getAlert,
  listAlerts,
  maxSnoozeHours,
  reopenAlert,
  resolveAlert,
  snoozeAlert,
} from '@tour-ops/contract/monitoring/alerts'
import { type RawBuilder, sql } from 'kysely'
import type { MemberCall } from '../../context.ts'
import { allOf, isOneOf, isOneOfIds, orderBy } from '../../platform/list-query.ts'
import { dayBounds } from '../../platform/local-time.ts'
import { notFound } from '../../platform/optimistic-lock.ts'
import { organizationZone } from '../../platform/organization-zone.ts'
import { selectPage } from '../../platform/select-page.ts'
import { type Verb, verb } from '../../platform/verb.ts'
import { updateVersioned } from '../../platform/version-conflict.ts'
import { alertColumns, alertRowOf, alertSource, findAlert, severityOrder } from './alerts-store.ts'

const sortColumns = { openedAt: sql`a.opened_at`, severity: severityOrder, status: sql`a.status`, kind: sql`a.kind` }

const list = verb(listAlerts, async (call, { q, filters = {}, ...page }) => {
  const day = filters.resolvedOn ? dayBounds(filters.resolvedOn, await organizationZone(call)) : undefined
  const where = allOf([
    sql`a.org_id = ${call.orgId}`,
    isOneOf(sql`a.status`, filters.status),
    isOneOf(sql`a.severity`, filters.severity),
    isOneOf(sql`a.kind`, filters.kind),
    isOneOfIds(sql`a.departure_id`, filters.departureId),
    isOneOf(sql`a.owner_user_id`, filters.ownerId),
    day && sql`a.resolved_at >= ${day.from} and a.resolved_at < ${day.to}`,
    q
      ? sql`searchable(a.title || ' ' || coalesce(t.name || ' ' || d.code, '')) like '%' || searchable(${q}) || '%'`
      : undefined,
  ])
  const { rows, total } = await selectPage(call.tx, {
    columns: alertColumns,
    from: sql`${alertSource} where ${where}`,
    order: orderBy(page.sort, sortColumns, sql`${severityOrder}, a.opened_at, a.id`),
    page,
  })
  return { rows: rows.map(alertRowOf), total }
})

const get = verb(getAlert, async (call, { id }) => {
  const found = await findAlert(call.tx, call.orgId, id, {
    seesPhone: hasAccess(call, { permission: 'staff_private:read' }),
    seesPositions: hasAccess(call, { permission: 'tracking:read' }),
    seesHistory: hasAccess(call, { permission: 'tracking:history' }),
  })
  if (!found) throw notFound('alert')
  return found
})

const change = (call: MemberCall, { id, version }: { id: string; version: number }, set: RawBuilder<unknown>) =>
  updateVersioned(call.tx, 'alerts', { orgId: call.orgId, id, version }, set)

const awake = sql`snoozed_until = null, snoozed_stop_id = null`

/** A snoozed alert has to be reopened before anything else can become of it. */
async function wake(
  call: MemberCall,
  target: { id: string; version: number },
): Promise<{ id: string; version: number }> {
  const { rows } = await sql<{ status: string }>`
    select status from alerts where org_id = ${call.orgId} and id = ${target.id}`.execute(call.tx)
  return rows[0]?.status === 'snoozed' ? change(call, target, sql`status = 'open', ${awake}`) : target
}

const acknowledge = verb(acknowledgeAlert, async (call, input) =>
  change(
    call,
    await wake(call, input),
    sql`status = 'acknowledged', owner_user_id = ${call.caller.userId}, acknowledged_by = ${call.caller.userId},
      acknowledged_at = coalesce(acknowledged_at, app_now())`,
  ),
)

const hourMs = 3_600_000

const snooze = verb(snoozeAlert, async (call, { until, stopId, ...target }) => {
  const now = call.clock.now().getTime()
  const end = Date.parse(until)
  if (end <= now) throw fieldError('until', 'in_past')
  if (end > now + maxSnoozeHours * hourMs) throw fieldError('until', 'snooze_too_long', { hours: maxSnoozeHours })
  const stopName = stopId === null ? null : await nameOfStopAhead(call, target.id, stopId)
  return change(
    call,
    target,
    sql`status = 'snoozed', snoozed_until = ${new Date(end)}, snoozed_stop_id = ${stopId}, snoozed_stop_name = ${stopName}, owner_user_id = coalesce(owner_user_id, ${call.caller.userId})`,
  )
})

/**
 * @throws AppError `not-found` for a stop of another departure, `invalid-argument` for one that has been reached.
 */
async function nameOfStopAhead(call: MemberCall, alertId: string, stopId: string): Promise<string> {
  const { rows } = await sql<{ name: string; isAhead: boolean }>`
    select p.name, s.status in ('planned', 'approaching') as "isAhead" from alerts a
      join departure_stops s on s.org_id = a.org_id and s.departure_id = a.departure_id and s.id = ${stopId}
      join places p on p.org_id = s.org_id and p.id = s.place_id
    where a.org_id = ${call.orgId} and a.id = ${alertId}`.execute(call.tx)
  const stop = rows[0]
  if (!stop) throw notFound('stop')
  if (!stop.isAhead) throw fieldError('stopId', 'in_past')
  return stop.name
}

const reopen = verb(reopenAlert, (call, input) =>
  change(call, input, sql`status = 'open', ${awake}, owner_user_id = null`),
)

const resolve = verb(resolveAlert, async (call, { resolution, reason, ...target }) =>
  change(
    call,
    await wake(call, target),
    sql`status = 'resolved', resolved_at = app_now(), resolved_by = ${call.caller.userId}, resolution = ${resolution},
      resolution_note = ${reason}`,
  ),
)

export const alertVerbs: Verb[] = [list, get, acknowledge, snooze, reopen, resolve]
