import { hasAccess } from '@tour-ops/contract/identity/access'
import type { Given } from '@tour-ops/contract/callable'
import {
  getIncident,
  type Incident,
  type IncidentRow,
  listIncidents,
  noteIncident,
  reportIncident,
  setIncidentStatus,
} from '@tour-ops/contract/monitoring/incidents'
import { canBecome, nextStatuses } from '@tour-ops/contract/state-machines'
import { fieldError } from '@tour-ops/contract/field-rules'
import { refuse } from '@tour-ops/contract/refusals'
import { type RawBuilder, sql } from 'kysely'
import type { MemberCall } from '../../context.ts'
import { allOf, iso, isoOrNull, isOneOf, isOneOfIds, orderBy } from '../../platform/list-query.ts'
import { statuses } from '../../platform/operations/status-sets.ts'
import { notFound, requireVersion } from '../../platform/optimistic-lock.ts'
import { reachAs } from '../../platform/own-scope.ts'
import { selectPage } from '../../platform/select-page.ts'
import { type Verb, verb } from '../../platform/verb.ts'
import { addEntry, lockIncident, selectEntries, selectMerged } from './incident-log.ts'
import { tellOfIncident } from './incident-notice.ts'
import { countOpenTasks, selectTasks } from './incident-tasks-service.ts'
import { openIncident } from './open-incident.ts'
import { selectRollCall } from './roll-calls-service.ts'

interface IncidentRecord {
  id: string
  version: number
  number: string
  title: string
  category: IncidentRow['category']
  severity: number
  status: IncidentRow['status']
  affected: number
  openTasks: number
  taskDueAt: Date | null
  reportedByName: string | null
  reportedAt: Date
  closedAt: Date | null
  mergedIntoId: string | null
  mergedIntoNumber: string | null
  ownerId: string | null
  ownerName: string | null
  placeId: string | null
  placeName: string | null
  departureId: string | null
  code: string | null
  tourName: string | null
  startsAt: Date | null
  timeZone: string | null
  guests: number | null
  lat: number | null
  lng: number | null
  rootCause: string | null
}

const columns = sql<IncidentRecord>`i.id, i.version, i.number, i.title, i.category, i.severity, i.status, people.affected,
  tasks.open as "openTasks", tasks.due as "taskDueAt", r.name as "reportedByName",
  i.created_at as "reportedAt", i.closed_at as "closedAt", g.id as "mergedIntoId",
  g.number as "mergedIntoNumber", i.owner_user_id as "ownerId", o.name as "ownerName", p.id as "placeId",
  p.name as "placeName", d.id as "departureId", d.code, t.name as "tourName", d.starts_at as "startsAt", d.time_zone as "timeZone",
  d.seats_confirmed as guests, i.lat, i.lng, i.root_cause as "rootCause"`

const source: RawBuilder<unknown> = sql`
  from incidents i
  left join incidents g on g.org_id = i.org_id and g.id = i.merged_into_id
  left join departures d on d.org_id = i.org_id and d.id = i.departure_id
  left join tours t on t.org_id = d.org_id and t.id = d.tour_id
  left join places p on p.org_id = i.org_id and p.id = i.place_id
  left join members o on o.org_id = i.org_id and o.user_id = i.owner_user_id
  left join members r on r.org_id = i.org_id and r.user_id = i.reported_by
  cross join lateral (select count(*)::int as affected from incident_travelers x where x.org_id = i.org_id and x.incident_id = i.id) people
  cross join lateral (select count(*)::int as open, min(k.due_at) as due from incident_tasks k
    where k.org_id = i.org_id and k.incident_id = i.id and k.done_at is null) tasks`

function incidentRowOf(record: IncidentRecord): IncidentRow {
  const { id, version, number, title, category, severity, status, affected, openTasks, reportedByName } = record
  const {
    mergedIntoId,
    mergedIntoNumber,
    ownerId,
    ownerName,
    placeId,
    placeName,
    departureId,
    code,
    tourName,
    startsAt,
    timeZone,
  } = record
  return {
    id,
    version,
    number,
    title,
    category,
    severity,
    status,
    affected,
    openTasks,
    taskDueAt: isoOrNull(record.taskDueAt),
    reportedByName,
    reportedAt: iso(record.reportedAt),
    closedAt: isoOrNull(record.closedAt),
    mergedInto: mergedIntoId && mergedIntoNumber ? { id: mergedIntoId, number: mergedIntoNumber } : null,
    owner: ownerId ? { userId: ownerId, name: ownerName ?? '' } : null,
    place: placeId && placeName ? { id: placeId, name: placeName } : null,
    departure:
      departureId && code && tourName && startsAt && timeZone
        ? {
            id: departureId,
            code,
            tourName,
            startsAt: iso(startsAt),
            timeZone,
            guests: record.guests ?? 0,
            vehicleName: null,
          }
        : null,
  }
}

const statusOrder = sql`array_position(array['reported', 'triaged', 'active', 'stabilised', 'resolved', 'reviewed', 'merged'], i.status)`
const sortColumns = {
  reportedAt: sql`i.created_at`,
  severity: sql`i.severity`,
  status: statusOrder,
  number: sql`i.number`,
}

const list = verb(listIncidents, async (call, { q, filters = {}, ...page }) => {
  const where = allOf([
    sql`i.org_id = ${call.orgId}`,
    isOneOf(sql`i.status`, filters.status),
    isOneOf(sql`i.category`, filters.category),
    isOneOf(sql`i.severity::text`, filters.severity?.map(String)),
    isOneOfIds(sql`i.departure_id`, filters.departureId),
    q
      ? sql`searchable(i.number || ' ' || i.title || ' ' || coalesce(t.name, '')) like '%' || searchable(${q}) || '%'`
      : undefined,
  ])
  const { rows, total } = await selectPage(call.tx, {
    columns,
    from: sql`${source} where ${where}`,
    order: orderBy(page.sort, sortColumns, sql`i.status in ${statuses.overIncident}, i.created_at desc, i.id`),
    page,
  })
  return { rows: rows.map(incidentRowOf), total }
})

const get = verb(getIncident, async (call, { id }): Promise<Incident> => {
  const { rows } =
    await sql<IncidentRecord>`select ${columns} ${source} where i.org_id = ${call.orgId} and i.id = ${id}`.execute(
      call.tx,
    )
  const record = rows[0]
  if (!record) throw notFound('incident')
  return {
    ...incidentRowOf(record),
    lat: record.lat,
    lng: record.lng,
    rootCause: record.rootCause,
    affectedTravelers: await selectAffected(call, id),
    merged: await selectMerged(call, id),
    nextStatuses: nextStatuses('incidents', record.status).filter((next) => next !== 'merged'),
    tasks: await selectTasks(call, id),
    rollCall: await selectRollCall(call, id),
    timeline: await selectEntries(call, id),
  }
})

async function selectAffected(call: MemberCall, id: string): Promise<Incident['affectedTravelers']> {
  const { rows } = await sql<Incident['affectedTravelers'][number]>`
    select v.id, concat_ws(' ', v.first_name, v.last_name) as name
    from incident_travelers x join travelers v on v.org_id = x.org_id and v.id = x.traveler_id
    where x.org_id = ${call.orgId} and x.incident_id = ${id} order by v.last_name, v.first_name, v.id`.execute(call.tx)
  return rows
}

/** Guides report what happens on their own departures, the office everything. See docs/domain.md, "Roles and permissions". */
async function requireReporter(call: MemberCall, departureId: string | null): Promise<void> {
  if (call.scope === 'all') {
    if (hasAccess(call, { permission: 'incidents:manage' })) return
    throw refuse('missing_permission', { permission: 'incidents:manage' })
  }
  if (departureId === null) throw fieldError('departureId', 'departure_missing')
  // an offer is not enough to write about the departure
  await reachAs(call, 'checkin:write')
  const { rows } = await sql`select from departures d
    where d.org_id = ${call.orgId} and d.id = ${departureId}`.execute(call.tx)
  if (rows.length === 0) throw notFound('departure')
}

/**
 * What a guide's report names belongs to the departure that it is about: its stops and its guests. Alerts are the office's.
 *
 * @throws AppError `invalid-argument` by field; the same for a record that does not exist.
 */
async function requireOwnReferences(
  call: MemberCall,
  { departureId, placeId, affectedTravelerIds, alertId }: Given<typeof reportIncident>,
): Promise<void> {
  if (call.scope === 'all') return
  if (alertId !== null) throw fieldError('alertId', 'alert_closed')
  const travelerIds = [...new Set(affectedTravelerIds)]
  const { rows } = await sql<{ hasPlace: boolean; guests: number }>`
    select exists (select from departure_stops s where s.org_id = ${call.orgId} and s.departure_id = ${departureId}
        and s.place_id = ${placeId}) as "hasPlace",
      (select count(distinct m.traveler_id)::int from manifest_entries m where m.org_id = ${call.orgId} and m.departure_id = ${departureId}
        and m.status <> 'cancelled' and m.traveler_id = any (${travelerIds}::uuid[])) as guests`.execute(call.tx)
  if (placeId !== null && !rows[0]?.hasPlace) throw fieldError('placeId', 'stop_of_departure')
  if (rows[0]?.guests !== travelerIds.length) {
    throw fieldError('affectedTravelerIds', 'guests_of_departure')
  }
}

const report = verb(reportIncident, async (call, input) => {
  await requireReporter(call, input.departureId)
  await requireOwnReferences(call, input)
  const { id, number } = await openIncident(call, input)
  await sql`
    insert into incident_travelers (org_id, incident_id, traveler_id)
    select ${call.orgId}, ${id}, unnest(${[...new Set(input.affectedTravelerIds)]}::uuid[])`.execute(call.tx)
  if (input.note !== null) await addEntry(call, id, 'note', input.note)
  if (input.alertId !== null) await joinAlert(call, input.alertId, id)
  return { id, version: 1, number }
})

/** The alert stays on the board and names its incident; who works on the incident has taken the alert. */
async function joinAlert(call: MemberCall, alertId: string, incidentId: string): Promise<void> {
  const { rows } = await sql`
    update alerts set incident_id = ${incidentId}, owner_user_id = coalesce(owner_user_id, ${call.caller.userId}),
      acknowledged_at = coalesce(acknowledged_at, app_now()), acknowledged_by = coalesce(acknowledged_by, ${call.caller.userId}),
      status = case when status = 'open' then 'acknowledged' else status end
    where org_id = ${call.orgId} and id = ${alertId} and status <> 'resolved' returning id`.execute(call.tx)
  if (rows.length === 0) throw fieldError('alertId', 'alert_closed')
}

const setStatus = verb(setIncidentStatus, async (call, { id, version, to, note, rootCause }) => {
  const incident = await lockIncident(call, id)
  requireVersion(incident, version, 'incident')
  if (!canBecome('incidents', incident.status, to)) {
    throw refuse('illegal_transition', { machine: 'incidents', from: incident.status, to })
  }
  const openTasks = to === 'resolved' && note === null ? await countOpenTasks(call, id) : 0
  if (openTasks > 0) throw refuse('incident_tasks_open', { count: openTasks })
  const { rows } = await sql<{ version: number }>`
    update incidents set status = ${to}, owner_user_id = coalesce(owner_user_id, ${call.caller.userId}),
      root_cause = case when ${rootCause === undefined} then root_cause else ${rootCause ?? null} end,
      closed_at = case when ${to}::text in ${statuses.overIncident} then coalesce(closed_at, app_now()) end
    where org_id = ${call.orgId} and id = ${id} returning version`.execute(call.tx)
  await addEntry(call, id, 'status', to)
  if (note !== null) await addEntry(call, id, 'note', note)
  await tellOfIncident(call, id, { status: to })
  return { id, version: rows[0]?.version ?? incident.version }
})

const note = verb(noteIncident, async (call, { id, kind, text }) => {
  await lockIncident(call, id)
  const entryId = await addEntry(call, id, kind, text)
  await tellOfIncident(call, id, { kind })
  return { id: entryId }
})

export const incidentVerbs: Verb[] = [list, get, report, setStatus, note]
