import { fieldError } from '@tour-ops/contract/field-rules'
import { refuse } from '@tour-ops/contract/refusals'
import {
  beginDuty,
  beginDutyFor,
  type DutySession,
  endDuty,
  endDutyFor,
  listDuty,
  ownDuty,
  setDutyBreak,
  setTrackingConsent,
  trackingConsentVersion,
} from '@tour-ops/contract/tracking/duty'
import { type RawBuilder, sql } from 'kysely'
import type { MemberCall } from '../../context.ts'
import { newId } from '../../platform/ids.ts'
import { allOf, iso, isoOrNull, isOneOf, isOneOfIds, orderBy } from '../../platform/list-query.ts'
import { consentOf } from '../../platform/operations/duty.ts'
import { notFound } from '../../platform/optimistic-lock.ts'
import { selectLongPage } from '../../platform/select-page.ts'
import { type Verb, verb } from '../../platform/verb.ts'
import { updateVersioned } from '../../platform/version-conflict.ts'
import { statuses } from '../../platform/operations/status-sets.ts'

interface DutyRecord extends Omit<DutySession, 'startedAt' | 'endedAt' | 'breakStartedAt' | 'askedAt'> {
  readonly startedAt: Date
  readonly endedAt: Date | null
  readonly breakStartedAt: Date | null
  readonly askedAt: Date | null
}

const breakSeconds = sql`(select coalesce(sum(extract(epoch from upper(b) - lower(b))), 0) from unnest(u.breaks) b)`
const until = sql`coalesce(u.ended_at, u.break_started_at, app_now())`

const columns = sql<DutyRecord>`u.id, u.version, u.status, u.source, u.started_at as "startedAt", u.ended_at as "endedAt", u.ended_by as "endedBy",
  u.consent_version as "consentVersion", u.break_started_at as "breakStartedAt", u.asked_at as "askedAt", ${breakSeconds}::int as "breakSeconds",
  greatest(0, extract(epoch from ${until} - u.started_at) - ${breakSeconds})::int as "dutySeconds",
  case when s.id is not null then jsonb_build_object('id', s.id, 'name', trim(s.first_name || ' ' || s.last_name)) end as staff,
  case when v.id is not null then jsonb_build_object('id', v.id, 'name', v.label) end as vehicle,
  case when d.id is not null then jsonb_build_object('id', d.id, 'code', d.code) end as departure`

const source = sql`from duty_sessions u
  left join field_staff s on s.org_id = u.org_id and s.id = u.staff_id
  left join vehicles v on v.org_id = u.org_id and v.id = u.vehicle_id
  left join departures d on d.org_id = u.org_id and d.id = u.departure_id`

const sessionOf = (row: DutyRecord): DutySession => ({
  ...row,
  startedAt: iso(row.startedAt),
  endedAt: isoOrNull(row.endedAt),
  breakStartedAt: isoOrNull(row.breakStartedAt),
  askedAt: isoOrNull(row.askedAt),
})

const list = verb(listDuty, async (call, { q, filters = {}, sort, ...page }) => {
  const where = allOf([
    sql`u.org_id = ${call.orgId}`,
    isOneOfIds(sql`u.staff_id`, filters.staffId),
    isOneOfIds(sql`u.vehicle_id`, filters.vehicleId),
    isOneOfIds(sql`u.departure_id`, filters.departureId),
    isOneOf(sql`u.status`, filters.status),
    filters.from !== undefined && sql`(u.ended_at is null or u.ended_at > ${filters.from})`,
    filters.to !== undefined && sql`u.started_at < ${filters.to}`,
    q !== '' &&
      sql`searchable(coalesce(s.first_name || ' ' || s.last_name, v.label, '')) like '%' || searchable(${q}) || '%'`,
  ])
  const { rows, total } = await selectLongPage<DutyRecord>(call.tx, {
    row: sql`u`,
    columns,
    from: q === '' ? sql`from duty_sessions u` : source,
    where,
    shown: source,
    order: orderBy(sort, { startedAt: sql`u.started_at` }, sql`u.started_at desc, u.id`),
    page,
  })
  return { rows: rows.map(sessionOf), total }
})

/** @throws AppError for members that are no field staff: there is nobody whose duty it could be. */
function requireStaff({ staffId }: MemberCall): string {
  if (staffId === null) throw refuse('no_staff_record')
  return staffId
}

const own = verb(ownDuty, async (call) => {
  if (call.staffId === null) return { session: null, consent: null, consentVersion: trackingConsentVersion }
  const { rows } = await sql<DutyRecord>`
    select ${columns} ${source} where u.org_id = ${call.orgId} and u.staff_id = ${call.staffId} and u.status = 'open'`.execute(
    call.tx,
  )
  const { rows: given } = await sql<{ version: string; at: Date }>`
    select tracking_consent_version as version, tracking_consent_at as at from field_staff
    where org_id = ${call.orgId} and id = ${call.staffId} and tracking_consent_version is not null and tracking_consent_at is not null`.execute(
    call.tx,
  )
  return {
    session: rows[0] ? sessionOf(rows[0]) : null,
    consent: given[0] ? { version: given[0].version, at: iso(given[0].at) } : null,
    consentVersion: trackingConsentVersion,
  }
})

interface NewDuty {
  readonly staffId: string | null
  readonly vehicleId: string | null
  readonly departureId: string | null
  readonly source: 'app' | 'dispatcher'
}

/** The staff record whose consent counts: of a vehicle, its driver's on the departure. */
const consentingStaff = (call: MemberCall, { staffId, vehicleId, departureId }: NewDuty): RawBuilder<unknown> =>
  staffId
    ? sql`${staffId}::uuid`
    : sql`(select e.driver_staff_id from vehicle_calendar_entries e
        join vehicle_assignments va on va.org_id = e.org_id and va.calendar_entry_id = e.id
       where e.org_id = ${call.orgId} and e.vehicle_id = ${vehicleId} and va.departure_id = ${departureId} and e.status <> 'cancelled' limit 1)`

/** @throws AppError when somebody is on duty already. */
async function insertDuty(call: MemberCall, duty: NewDuty): Promise<{ id: string; version: number }> {
  const id = newId()
  await sql`
    insert into duty_sessions (org_id, id, staff_id, vehicle_id, departure_id, source, consent_version)
    values (${call.orgId}, ${id}, ${duty.staffId}, ${duty.vehicleId}, ${duty.departureId}, ${duty.source},
      (select ${consentOf} from field_staff s where s.org_id = ${call.orgId} and s.id = ${consentingStaff(call, duty)}))`.execute(
    call.tx,
  )
  return { id, version: 1 }
}

const runningDeparture = sql`status in ${statuses.active}`

const begin = verb(beginDuty, async (call, { departureId }) => {
  const staffId = requireStaff(call)
  if (departureId) await requireOwnDeparture(call, staffId, departureId)
  return insertDuty(call, { staffId, vehicleId: null, departureId, source: 'app' })
})

async function requireOwnDeparture(call: MemberCall, staffId: string, departureId: string): Promise<void> {
  const { rows } = await sql`
    select from departures d join assignments a on a.org_id = d.org_id and a.departure_id = d.id
    where d.org_id = ${call.orgId} and d.id = ${departureId} and d.${runningDeparture}
      and a.staff_id = ${staffId} and a.status in ('accepted', 'on_duty')`.execute(call.tx)
  if (rows.length === 0) throw notFound('departure')
}

const beginFor = verb(beginDutyFor, async (call, { staffId, vehicleId, departureId }) => {
  if ((staffId === null) === (vehicleId === null)) throw fieldError('staffId', 'one_of_two')
  const { rows } = await sql`select from ${staffId ? sql`field_staff` : sql`vehicles`}
    where org_id = ${call.orgId} and id = ${staffId ?? vehicleId} and archived_at is null and status = 'active'`.execute(
    call.tx,
  )
  if (rows.length === 0) throw notFound(staffId ? 'field_staff' : 'vehicle')
  if (departureId) {
    const { rows: running } =
      await sql`select from departures where org_id = ${call.orgId} and id = ${departureId} and ${runningDeparture}`.execute(
        call.tx,
      )
    if (running.length === 0) throw notFound('departure')
  }
  return insertDuty(call, { staffId, vehicleId, departureId, source: 'dispatcher' })
})

const ended = (by: 'person' | 'dispatcher') =>
  sql`status = 'closed', ended_at = greatest(app_now(), started_at), ended_by = ${by}`

const end = verb(endDuty, (call) => changeOpen(call, ended('person')))

const endFor = verb(endDutyFor, (call, { id, version }) =>
  updateVersioned(call.tx, 'duty_sessions', { orgId: call.orgId, id, version }, ended('dispatcher')),
)

const setBreak = verb(setDutyBreak, (call, { onBreak }) =>
  changeOpen(
    call,
    onBreak
      ? sql`break_started_at = coalesce(break_started_at, app_now())`
      : sql`breaks = case when break_started_at is null then breaks else
          breaks + tstzmultirange(tstzrange(break_started_at, greatest(break_started_at, app_now()))) end, break_started_at = null`,
  ),
)

/** Changes the open session of the caller. @throws AppError when there is none. */
async function changeOpen(call: MemberCall, set: RawBuilder<unknown>): Promise<{ id: string; version: number }> {
  const staffId = requireStaff(call)
  const { rows } = await sql<{ id: string; version: number }>`
    update duty_sessions set ${set} where org_id = ${call.orgId} and staff_id = ${staffId} and status = 'open'
    returning id, version`.execute(call.tx)
  if (!rows[0]) throw refuse('not_on_duty')
  return rows[0]
}

/** Counts for the duty under way as well: from this moment positions are stored, or no longer. */
const setConsent = verb(setTrackingConsent, async (call, { agrees }) => {
  const staffId = requireStaff(call)
  const consentVersion = agrees ? trackingConsentVersion : null
  await sql`update field_staff set tracking_consent_version = ${consentVersion}, tracking_consent_at = ${agrees ? sql`app_now()` : null}
    where org_id = ${call.orgId} and id = ${staffId}`.execute(call.tx)
  await sql`update duty_sessions set consent_version = ${consentVersion}
    where org_id = ${call.orgId} and staff_id = ${staffId} and status = 'open'`.execute(call.tx)
  return { consentVersion }
})

export const dutyVerbs: Verb[] = [list, own, begin, end, setBreak, setConsent, beginFor, endFor]
