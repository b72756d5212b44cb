import type { FieldStaff, FieldStaffRow } from '@tour-ops/contract/field-staff/field-staff'
import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../platform/db/database.ts'
import { type DutySpan, hoursByStaff } from '../../platform/duty-hours.ts'
import { allOf, isOneOf, isOneOfIds } from '../../platform/list-query.ts'
import { endsLater } from '../../platform/operations/departure-phase.ts'
import { linkState } from '../../platform/operations/link-state.ts'
import { shownState } from '../../platform/operations/signal-gap.ts'

/** Certificates count as expiring from 30 days before their end. See docs/domain.md, "Assignments". */
const expiringWithinDays = 30

const dutyState = shownState(
  linkState({
    isOnDuty: sql`duty.id is not null`,
    intervalS: sql`device.interval_s`,
    recordedAt: sql`latest.recorded_at`,
  }),
)

const certificateState = sql`case
  when certificate.valid_until is null and certificate.held = 0 then 'none'
  when certificate.valid_until < app_now()::date then 'expired'
  when certificate.valid_until < app_now()::date + ${expiringWithinDays}::int then 'expiring'
  else 'ok' end`

const name = sql`trim(s.first_name || ' ' || s.last_name)`

/** Everything the roster joins; laterals run once per person of the page. */
const joins = sql`
  left join places base on base.org_id = s.org_id and base.id = s.home_base_place_id
  left join duty_sessions duty on duty.org_id = s.org_id and duty.staff_id = s.id and duty.status = 'open'
  left join lateral (
    select max(device.report_interval_s) as interval_s from devices device
     where device.org_id = s.org_id and device.staff_id = s.id and device.archived_at is null) device on true
  left join latest_positions latest on latest.org_id = s.org_id and latest.staff_id = s.id and latest.duty_session_id = duty.id
  left join lateral (
    select r.org_id, r.id, r.status from departures r
     where duty.id is not null and r.org_id = s.org_id and r.status = 'in_progress' and r.id = coalesce(duty.departure_id, (
       select a.departure_id from assignments a join departures o on o.org_id = a.org_id and o.id = a.departure_id and o.status = 'in_progress'
        where a.org_id = s.org_id and a.staff_id = s.id and a.status in ('accepted', 'on_duty') order by o.starts_at desc limit 1))) d on true
  left join lateral (
    select min(c.valid_until) as valid_until, count(*)::int as held from staff_certificates c
     where c.org_id = s.org_id and c.staff_id = s.id) certificate on true
  left join lateral (
    select d.id, d.code, d.starts_at, d.time_zone from assignments a
      join departures d on d.org_id = a.org_id and d.id = a.departure_id
     where a.org_id = s.org_id and a.staff_id = s.id and a.status in ('accepted', 'on_duty') and ${endsLater}
     order by d.starts_at limit 1) next_one on true`

const personColumns = (phones: boolean): RawBuilder<unknown> => sql`
  s.id, s.version, s.code, s.first_name as "firstName", s.last_name as "lastName", ${name} as name, s.kinds,
  s.employment, s.status, s.languages, s.skills,
  case when base.id is not null then jsonb_build_object('id', base.id, 'name', base.name) end as "homeBase",
  ${phones ? sql`s.phone` : sql`null`} as phone,
  case when s.rating_count > 0 then jsonb_build_object('average', s.rating_average, 'count', s.rating_count) end as rating,
  ${dutyState} as "dutyState"`

export interface RosterFilter {
  readonly q: string
  /** Whether phone numbers may be seen, and so be searched. */
  readonly phones: boolean
  /** Guides see themselves only. */
  readonly onlyStaffId: string | null | undefined
  readonly status?: readonly string[] | undefined
  readonly kind?: readonly string[] | undefined
  readonly employment?: readonly string[] | undefined
  readonly language?: readonly string[] | undefined
  readonly skill?: readonly string[] | undefined
  readonly homeBasePlaceId?: readonly string[] | undefined
  readonly certificates?: readonly string[] | undefined
  readonly dutyState?: readonly string[] | undefined
  /** The week whose hours are shown. */
  readonly week: DutySpan
  /** Free during this span. */
  readonly free?: { readonly from: Date; readonly to: Date } | undefined
}

/** FROM to WHERE of the roster. */
export function roster(orgId: string, filter: RosterFilter): RawBuilder<unknown> {
  const where = allOf([
    sql`s.org_id = ${orgId} and s.archived_at is null`,
    filter.onlyStaffId === undefined ? undefined : sql`s.id = ${filter.onlyStaffId}`,
    isOneOf(sql`s.status`, filter.status),
    filter.kind?.length ? sql`s.kinds && ${[...filter.kind]}::text[]` : undefined,
    isOneOf(sql`s.employment`, filter.employment),
    filter.language?.length
      ? sql`exists (select 1 from jsonb_array_elements(s.languages) spoken where spoken->>'tag' = any(${filter.language}))`
      : undefined,
    filter.skill?.length ? sql`s.skills && ${[...filter.skill]}::text[]` : undefined,
    isOneOfIds(sql`s.home_base_place_id`, filter.homeBasePlaceId),
    filter.certificates?.length ? isOneOf(certificateState, filter.certificates) : undefined,
    filter.dutyState?.length ? isOneOf(dutyState, filter.dutyState) : undefined,
    filter.free
      ? sql`not exists (select 1 from staff_busy(tstzrange(${filter.free.from}, ${filter.free.to}), array[s.id], true))`
      : undefined,
    filter.q
      ? sql`searchable(s.first_name || ' ' || s.last_name || ' ' || s.code || ' ' || ${filter.phones ? sql`coalesce(s.phone, '')` : sql`''`})
          like '%' || searchable(${filter.q}) || '%'`
      : undefined,
  ])
  return sql`from field_staff s ${joins} left join ${hoursByStaff(orgId, filter.week)} week on week.staff_id = s.id where ${where}`
}

export const rosterColumns = (
  phones: boolean,
): RawBuilder<FieldStaffRow> => sql<FieldStaffRow>`${personColumns(phones)},
  case when next_one.id is not null then jsonb_build_object('departureId', next_one.id, 'code', next_one.code,
    'startsAt', to_char(next_one.starts_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), 'timeZone', next_one.time_zone) end as "nextAssignment",
  round(coalesce(week.hours, 0)::numeric, 1)::float8 as "hoursThisWeek", s.contracted_hours_per_week as "contractedHoursPerWeek",
  ${certificateState} as certificates`

export const rosterSort = {
  name: sql`s.last_name collate "und-x-icu"`,
  status: sql`s.status`,
  homeBase: sql`base.name collate "und-x-icu"`,
  nextAssignment: sql`next_one.starts_at`,
  hoursThisWeek: sql`coalesce(week.hours, 0)`,
  rating: sql`s.rating_average`,
}

/** One person with private fields only where they may be seen. */
export async function findFieldStaff(
  tx: Tx,
  orgId: string,
  id: string,
  isPrivate: boolean,
): Promise<FieldStaff | undefined> {
  const hidden = (column: RawBuilder<unknown>): RawBuilder<unknown> => sql`case when ${isPrivate} then ${column} end`
  const { rows } = await sql<
    Omit<FieldStaff, 'certificates' | 'figures' | 'trackingConsentAt'> & { trackingConsentAt: Date | null }
  >`
    select ${personColumns(isPrivate)}, ${hidden(sql`s.email`)} as email,
      ${hidden(sql`case when s.emergency_phone is not null then jsonb_build_object('name', coalesce(s.emergency_name, ''),
        'relation', s.emergency_relation, 'phone', s.emergency_phone) end`)} as "emergencyContact",
      s.supplier_id as "supplierId", s.home_base_place_id as "homeBasePlaceId", s.max_hours_per_day as "maxHoursPerDay",
      s.min_rest_hours as "minRestHours", s.contracted_hours_per_week as "contractedHoursPerWeek",
      ${hidden(sql`s.cost_per_day_minor`)} as "costPerDayMinor", s.currency as "costCurrency",
      s.member_user_id as "memberUserId", m.name as "memberName", ${hidden(sql`s.notes`)} as notes,
      s.tracking_consent_at as "trackingConsentAt",
      (select count(*)::int from assignments a join departures d on d.org_id = a.org_id and d.id = a.departure_id
        where a.org_id = s.org_id and a.staff_id = s.id and a.status in ('accepted', 'on_duty') and d.starts_at > app_now()
      ) as "futureDepartures"
    from field_staff s ${joins} left join members m on m.org_id = s.org_id and m.user_id = s.member_user_id
    where s.org_id = ${orgId} and s.id = ${id} and s.archived_at is null`.execute(tx)
  const found = rows[0]
  if (!found) return undefined
  return {
    ...found,
    trackingConsentAt: found.trackingConsentAt?.toISOString() ?? null,
    certificates: await selectCertificates(tx, orgId, id),
    figures: await selectFigures(tx, orgId, id),
  }
}

async function selectCertificates(tx: Tx, orgId: string, staffId: string): Promise<FieldStaff['certificates']> {
  const { rows } = await sql<FieldStaff['certificates'][number]>`
    select id, version, kind, number, issued_on as "issuedOn", valid_until as "validUntil",
      case when valid_until < app_now()::date then 'expired'
           when valid_until < app_now()::date + ${expiringWithinDays}::int then 'expiring' else 'ok' end as state
    from staff_certificates where org_id = ${orgId} and staff_id = ${staffId} order by valid_until nulls last, kind`.execute(
    tx,
  )
  return rows
}

/** Departures led, punctual starts and answers to offers. See docs/domain.md, "Figures of the reports". */
async function selectFigures(tx: Tx, orgId: string, staffId: string): Promise<FieldStaff['figures']> {
  const { rows } = await sql<FieldStaff['figures']>`
    select
      count(*) filter (where a.status = 'completed' and d.starts_at > app_now() - interval '30 days')::int as "departures30d",
      count(*) filter (where a.status = 'completed' and d.starts_at > app_now() - interval '365 days')::int as "departures365d",
      avg((d.actual_start_at - d.starts_at <= interval '5 minutes')::int) filter (where d.actual_start_at is not null)::float8 as "onTimeStartShare",
      avg((a.status in ('accepted', 'on_duty', 'completed', 'released', 'replaced'))::int)
        filter (where a.offered_at is not null and a.status <> 'offered' and a.status <> 'withdrawn')::float8 as "acceptanceShare"
    from assignments a join departures d on d.org_id = a.org_id and d.id = a.departure_id
    where a.org_id = ${orgId} and a.staff_id = ${staffId}`.execute(tx)
  return rows[0] ?? { departures30d: 0, departures365d: 0, onTimeStartShare: null, acceptanceShare: null }
}

/** Departures in the future that a person is still on, soonest first. */
export async function selectFutureDepartures(
  tx: Tx,
  orgId: string,
  staffId: string,
): Promise<{ id: string; code: string; assignmentId: string }[]> {
  const { rows } = await sql<{ id: string; code: string; assignmentId: string }>`
    select d.id, d.code, a.id as "assignmentId" from assignments a
      join departures d on d.org_id = a.org_id and d.id = a.departure_id
     where a.org_id = ${orgId} and a.staff_id = ${staffId} and a.status in ('offered', 'accepted', 'on_duty')
       and ${endsLater} order by d.starts_at`.execute(tx)
  return rows
}
