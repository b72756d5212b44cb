import type { AlertDetail, AlertRow } from '@tour-ops/contract/monitoring/alerts'
import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../platform/db/database.ts'
import { iso, isoOrNull } from '../../platform/list-query.ts'
import { selectPlace } from './alert-place.ts'
import { statuses } from '../../platform/operations/status-sets.ts'

/** What `alertColumns` select. */
export interface AlertRecord {
  id: string
  version: number
  kind: AlertRow['kind']
  severity: AlertRow['severity']
  status: AlertRow['status']
  title: string
  evidence: Record<string, unknown>
  subjectType: string
  subjectId: string | null
  openedAt: Date
  acknowledgedAt: Date | null
  snoozedUntil: Date | null
  snoozedStopId: string | null
  snoozedStopName: string | null
  resolvedAt: Date | null
  resolvedByName: string | null
  resolution: AlertRow['resolution']
  resolutionNote: string | null
  resolutionFacts: Record<string, unknown>
  escalationLevel: number
  incidentId: string | null
  incidentNumber: string | null
  ownerId: string | null
  ownerName: string | null
  departureId: string | null
  code: string | null
  tourName: string | null
  startsAt: Date | null
  timeZone: string | null
  guests: number | null
  vehicleName: string | null
}

export const alertColumns = sql<AlertRecord>`a.id, a.version, a.kind, a.severity, a.status, a.title, a.evidence, a.subject_type as "subjectType",
  a.subject_id as "subjectId", a.opened_at as "openedAt", a.acknowledged_at as "acknowledgedAt", a.snoozed_until as "snoozedUntil",
  a.snoozed_stop_id as "snoozedStopId", a.snoozed_stop_name as "snoozedStopName",
  a.resolved_at as "resolvedAt", r.name as "resolvedByName", a.resolution, a.resolution_note as "resolutionNote",
  a.resolution_facts as "resolutionFacts",
  a.escalation_level as "escalationLevel", i.id as "incidentId", i.number as "incidentNumber", a.owner_user_id as "ownerId",
  o.name as "ownerName", d.id as "departureId", d.code, t.name as "tourName", d.starts_at as "startsAt", d.time_zone as "timeZone",
  d.seats_confirmed as guests, fleet.label as "vehicleName"`

/** FROM of every statement that selects `alertColumns`; the caller adds WHERE. */
export const alertSource: RawBuilder<unknown> = sql`
  from alerts a
  left join departures d on d.org_id = a.org_id and d.id = a.departure_id
  left join tours t on t.org_id = d.org_id and t.id = d.tour_id
  left join members o on o.org_id = a.org_id and o.user_id = a.owner_user_id
  left join members r on r.org_id = a.org_id and r.user_id = a.resolved_by
  left join incidents i on i.org_id = a.org_id and i.id = a.incident_id
  left join lateral (
    select v.label from vehicle_assignments va
      join vehicle_calendar_entries e on e.org_id = va.org_id and e.id = va.calendar_entry_id and e.status <> 'cancelled'
      join vehicles v on v.org_id = e.org_id and v.id = e.vehicle_id
    where va.org_id = d.org_id and va.departure_id = d.id order by e.id limit 1
  ) fleet on true`

/** How grave a severity is, to compare it with another one. */
export const gravityOf = (severity: RawBuilder<unknown>): RawBuilder<number> =>
  sql<number>`array_position(array['info', 'warning', 'critical'], ${severity})`

/** Gravest first. */
export const severityOrder = sql`array_position(array['critical', 'warning', 'info'], a.severity)`

export function alertRowOf(record: AlertRecord): AlertRow {
  const {
    ownerId,
    ownerName,
    incidentId,
    incidentNumber,
    snoozedStopId,
    snoozedStopName,
    departureId,
    code,
    tourName,
    startsAt,
    timeZone,
    guests,
    vehicleName,
    ...alert
  } = record
  return {
    ...alert,
    openedAt: iso(record.openedAt),
    acknowledgedAt: isoOrNull(record.acknowledgedAt),
    snoozedUntil: isoOrNull(record.snoozedUntil),
    resolvedAt: isoOrNull(record.resolvedAt),
    snoozedStop: snoozedStopId ? { id: snoozedStopId, name: snoozedStopName ?? '' } : null,
    owner: ownerId ? { userId: ownerId, name: ownerName ?? '' } : null,
    incident: incidentId && incidentNumber ? { id: incidentId, number: incidentNumber } : null,
    departure:
      departureId && code && tourName && startsAt && timeZone
        ? { id: departureId, code, tourName, startsAt: iso(startsAt), timeZone, guests: guests ?? 0, vehicleName }
        : null,
  }
}

/** What somebody may read of an alert. */
interface Reader {
  readonly seesPhone: boolean
  /** Where people are now. */
  readonly seesPositions: boolean
  /** Where they have been. */
  readonly seesHistory: boolean
}

/** The alert with everything the panel shows; undefined when there is none. */
export async function findAlert(
  tx: Tx,
  orgId: string,
  id: string,
  { seesPhone, seesPositions, seesHistory }: Reader,
): Promise<AlertDetail | undefined> {
  const { rows } = await sql<AlertRecord>`
    select ${alertColumns} ${alertSource} where a.org_id = ${orgId} and a.id = ${id}`.execute(tx)
  const record = rows[0]
  if (!record) return undefined
  return {
    ...alertRowOf(record),
    // somebody who calls for help wants to be found by whoever watches
    place:
      seesHistory || (seesPositions && record.kind === 'sos' && record.status !== 'resolved')
        ? await selectPlace(tx, orgId, id)
        : null,
    contact:
      (await selectCaller(tx, orgId, record, seesPhone)) ??
      (await selectLead(tx, orgId, record.departureId, seesPhone)),
    timeline: await selectTimeline(tx, orgId, id),
  }
}

type Contact = AlertDetail['contact']

/** Who called for help, where it is somebody of the field staff. */
async function selectCaller(
  tx: Tx,
  orgId: string,
  { kind, evidence }: Pick<AlertRecord, 'kind' | 'evidence'>,
  seesPhone: boolean,
): Promise<Contact> {
  if (kind !== 'sos' || typeof evidence['staffId'] !== 'string') return null
  const { rows } = await sql<NonNullable<Contact>>`
    select f.id, concat_ws(' ', f.first_name, f.last_name) as name, ${phoneOf(seesPhone)} as phone
    from field_staff f where f.org_id = ${orgId} and f.id = ${evidence['staffId']}`.execute(tx)
  return rows[0] ?? null
}

const phoneOf = (seesPhone: boolean): RawBuilder<string | null> => (seesPhone ? sql`f.phone` : sql`null`)

async function selectLead(tx: Tx, orgId: string, departureId: string | null, seesPhone: boolean): Promise<Contact> {
  if (departureId === null) return null
  const { rows } = await sql<NonNullable<Contact>>`
    select f.id, concat_ws(' ', f.first_name, f.last_name) as name, ${phoneOf(seesPhone)} as phone
    from assignments s join field_staff f on f.org_id = s.org_id and f.id = s.staff_id
    where s.org_id = ${orgId} and s.departure_id = ${departureId} and s.role = 'lead_guide' and s.status in ${statuses.binding}
    limit 1`.execute(tx)
  return rows[0] ?? null
}

type Event = AlertDetail['timeline'][number]

const whatOf: Readonly<Record<string, Event['what']>> = {
  open: 'reopened',
  acknowledged: 'acknowledged',
  snoozed: 'snoozed',
  resolved: 'resolved',
}

/** What happened to an alert, newest first, out of the audit log. */
async function selectTimeline(tx: Tx, orgId: string, id: string): Promise<Event[]> {
  const { rows } = await sql<{
    at: Date
    op: string
    to: string | null
    level: number | null
    actorName: string | null
  }>`
    select e.at, e.op, e.diff #>> '{status,1}' as "to", (e.diff #>> '{escalation_level,1}')::int as level, m.name as "actorName"
    from audit_entries e left join members m on m.org_id = e.org_id and m.user_id = e.actor_id
    where e.org_id = ${orgId} and e.entity_type = 'alerts' and e.entity_id = ${id} order by e.id desc limit 50`.execute(
    tx,
  )
  return rows.map(({ at, op, to, level, actorName }) => ({
    at: iso(at),
    what: op === 'insert' ? 'opened' : level !== null ? 'escalated' : (whatOf[to ?? ''] ?? 'changed'),
    actorName,
    level,
  }))
}
