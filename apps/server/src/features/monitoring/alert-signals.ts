import type { AlertKind } from '@tour-ops/contract/monitoring/alerts'
import { findingKinds } from '@tour-ops/contract/tracking/watch/way-findings'
import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../platform/db/database.ts'
import type { AlertRules } from '../../platform/operations/alert-limits.ts'
import type { DueSubject } from '../../platform/operations/alert-dues.ts'
import { ahead } from './alert-ahead.ts'
import { type SubjectIds } from './due-subjects.ts'
import { fleetSeats } from './fleet-seats.ts'
import { guestKinds, guestSignals } from './guest-signals.ts'
import { onTourKinds, onTourSignals } from './on-tour-signals.ts'
import { selectRestSignals } from './rest-signals.ts'
import type { Signal } from './signal.ts'
import { waySignals } from './way-signals.ts'
import { selectWeatherSignals } from './weather-reach.ts'
import { endsLater, isAwaited, isOut, isRunning } from '../../platform/operations/departure-phase.ts'
import { lastHeadCount } from '../../platform/operations/head-counts.ts'
import { statuses } from '../../platform/operations/status-sets.ts'

/** Kinds that the data says; only these are opened and closed here. */
export const evaluatedKinds: readonly AlertKind[] = [
  'late_start',
  'running_late',
  'no_lead_guide',
  'below_min_pax',
  'headcount_mismatch',
  'hold_expiring',
  'assignment_unanswered',
  'capacity_conflict',
  'certificate_expiring',
  'rest_violation',
  'service_unconfirmed',
  'message_failed',
  'weather_warning',
  ...onTourKinds,
  ...findingKinds,
  ...guestKinds,
]

const interval = (unit: 'mins' | 'hours' | 'days', count: number): RawBuilder<unknown> =>
  sql`make_interval(${sql.raw(unit)} => ${count}::int)`

/** Ten minutes after the plan and not under way. As late as "at risk" is critical. */
const lateStart = ({ atRiskMin, lateStartMin }: AlertRules): RawBuilder<unknown> => sql`
  select 'late_start', case when d.starts_at <= app_now() - ${interval('mins', atRiskMin)} then 'critical' else 'warning' end,
    'departure', d.id::text, d.id, t.name || ' has not started',
    jsonb_build_object('startsAt', d.starts_at, 'limitMin', ${lateStartMin}::int)
  from d join tours t on t.org_id = d.org_id and t.id = d.tour_id
  where d.status in ${statuses.notLeft} and d.starts_at <= app_now() - ${interval('mins', lateStartMin)}`

const runningLate = ({ runningLateMin, atRiskMin }: AlertRules): RawBuilder<unknown> => sql`
  select 'running_late', case when d.delay_seconds >= ${atRiskMin * 60}::int then 'critical' else 'warning' end,
    'departure', d.id::text, d.id, concat(d.delay_seconds / 60, ' min late', ' after ' || reached.name),
    jsonb_build_object('delayMin', d.delay_seconds / 60, 'limitMin', ${runningLateMin}::int, 'criticalMin', ${atRiskMin}::int, 'stopName', reached.name)
  from d left join lateral (
    select p.name from departure_stops s join places p on p.org_id = s.org_id and p.id = s.place_id
    where s.org_id = d.org_id and s.departure_id = d.id and s.status in ('arrived', 'departed') order by s.stop_order desc limit 1
  ) reached on true
  where d.status = 'in_progress' and d.delay_seconds >= ${runningLateMin * 60}::int`

const noLeadGuide = sql`
  select 'no_lead_guide', 'warning', 'departure', d.id::text, d.id, 'No lead guide for ' || t.name,
    jsonb_build_object('startsAt', d.starts_at, 'guests', d.seats_confirmed, 'offeredTo', asked.name, 'respondBy', asked.respond_by)
  from d join tours t on t.org_id = d.org_id and t.id = d.tour_id
  left join lateral (
    select concat_ws(' ', f.first_name, f.last_name) as name, a.respond_by
    from assignments a join field_staff f on f.org_id = a.org_id and f.id = a.staff_id
    where a.org_id = d.org_id and a.departure_id = d.id and a.role = 'lead_guide' and a.status = 'offered' order by a.respond_by, a.id limit 1
  ) asked on true
  where d.status in ${statuses.notLeft} and d.starts_at <= app_now() + ${interval('hours', ahead.leadGuideHours)} and d.ends_at > app_now()
    and not exists (select from assignments a where a.org_id = d.org_id and a.departure_id = d.id and a.role = 'lead_guide'
      and a.status in ${statuses.binding})`

/** Raised ahead, a warning on the last day, and until somebody decides. */
const belowMinimum = sql`
  select 'below_min_pax', case when d.decide_by <= app_now() + interval '1 day' then 'warning' else 'info' end,
    'departure', d.id::text, d.id, concat(d.seats_confirmed, ' guests, ', d.min_pax, ' needed'),
    jsonb_build_object('pax', d.seats_confirmed, 'minPax', d.min_pax, 'decideBy', d.decide_by)
  from d where d.status = 'scheduled' and d.seats_confirmed < d.min_pax and d.starts_at > app_now()
    and d.decide_by <= app_now() + ${interval('days', ahead.belowMinimumDays)}`

/** By the last count. The count itself opens and closes the same alert at once; this keeps it true. */
const headcountMismatch = sql`
  select 'headcount_mismatch', 'critical', 'departure', d.id::text, d.id, concat(last.counted, ' of ', last.expected, ' counted', ' at ' || p.name),
    jsonb_build_object('expected', last.expected, 'counted', last.counted, 'reason', last.reason, 'stopName', p.name)
  from d cross join lateral ${lastHeadCount} last join departure_stops s on s.org_id = d.org_id and s.id = last.stop_id
    join places p on p.org_id = s.org_id and p.id = s.place_id
  where ${isRunning} and last.counted <> last.expected`

/** Not for holds that were never meant to last longer than the warning. */
const holdExpiring = (orgId: string, ids: readonly string[]): RawBuilder<unknown> => sql`
  select 'hold_expiring', 'info', 'booking', b.id::text, b.departure_id, concat('Hold ', b.booking_ref, ' for ', b.pax, ' ends soon'),
    jsonb_build_object('bookingRef', b.booking_ref, 'pax', b.pax, 'contactName', b.contact_name, 'expiresAt', b.expires_at)
  from bookings b
  where b.org_id = ${orgId} and b.id = any (${[...ids]}::uuid[]) and b.status = 'on_hold' and b.expires_at > app_now() and b.expires_at <= app_now() + ${interval('hours', ahead.holdHours)}
    and b.expires_at - b.created_at > ${interval('hours', ahead.holdHours)}`

const assignmentUnanswered = sql`
  select 'assignment_unanswered', 'warning', 'assignment', a.id::text, d.id, concat_ws(' ', f.first_name, f.last_name) || ' has not answered',
    jsonb_build_object('staffName', concat_ws(' ', f.first_name, f.last_name), 'role', a.role, 'respondBy', a.respond_by)
  from d join assignments a on a.org_id = d.org_id and a.departure_id = d.id and a.status = 'offered' and a.respond_by <= app_now()
    join field_staff f on f.org_id = a.org_id and f.id = a.staff_id
  where d.starts_at > app_now() and d.status in ${statuses.notLeft}`

const capacityConflict = sql`
  select 'capacity_conflict', 'warning', 'departure', d.id::text, d.id, concat(d.seats_confirmed, ' guests, ', fleet.free, ' seats in ', fleet.label),
    jsonb_build_object('pax', d.seats_confirmed, 'seats', fleet.free, 'vehicle', fleet.label)
  from d cross join lateral (${fleetSeats}) fleet
  where d.status in ${statuses.active} and ${endsLater} and fleet.vehicles > 0 and fleet.free < d.seats_confirmed`

/** Certificates of people, and the inspection of vehicles. Expired ones are a warning. */
const certificateExpiring = (orgId: string, { staff, vehicle }: SubjectIds): RawBuilder<unknown> => sql`
  select 'certificate_expiring', case when c.valid_until < app_now()::date then 'warning' else 'info' end, 'staff', f.id::text, null::uuid,
    concat_ws(' ', f.first_name, f.last_name, c.kind, 'until', c.valid_until),
    jsonb_build_object('certificate', c.kind, 'staffName', concat_ws(' ', f.first_name, f.last_name), 'validUntil', c.valid_until)
  from staff_certificates c join field_staff f on f.org_id = c.org_id and f.id = c.staff_id and f.status = 'active'
  where c.org_id = ${orgId} and c.staff_id = any (${[...staff]}::uuid[]) and c.valid_until <= (app_now() + ${interval('days', ahead.certificateDays)})::date
    and not exists (select from staff_certificates newer where newer.org_id = c.org_id and newer.staff_id = c.staff_id and newer.kind = c.kind
      and newer.valid_until > c.valid_until)
  union all
  select 'certificate_expiring', case when v.inspection_valid_until < app_now()::date then 'warning' else 'info' end, 'vehicle', v.id::text, null::uuid,
    concat('Inspection of ', v.label, ' until ', v.inspection_valid_until),
    jsonb_build_object('vehicle', v.label, 'validUntil', v.inspection_valid_until)
  from vehicles v
  where v.org_id = ${orgId} and v.id = any (${[...vehicle]}::uuid[]) and v.status = 'active' and v.inspection_valid_until <= (app_now() + ${interval('days', ahead.certificateDays)})::date`

const serviceUnconfirmed = sql`
  select 'service_unconfirmed', 'warning', 'service', s.id::text, d.id, concat(coalesce(nullif(s.description, ''), s.kind), ' not confirmed'),
    jsonb_build_object('service', s.kind, 'description', s.description, 'supplierName', u.name, 'status', s.status)
  from d join departure_services s on s.org_id = d.org_id and s.departure_id = d.id and s.status in ('to_request', 'requested', 'waitlisted', 'declined')
    left join suppliers u on u.org_id = s.org_id and u.id = s.supplier_id
  where d.status in ${statuses.notLeft} and d.starts_at <= app_now() + ${interval('hours', ahead.serviceHours)} and d.ends_at > app_now()`

const messageFailed = (orgId: string, ids: readonly string[]): RawBuilder<unknown> => sql`
  select 'message_failed', 'info', 'message', g.id::text, g.departure_id, concat('Not delivered to ', failed.people, ' recipients'),
    jsonb_build_object('subject', g.subject, 'failed', failed.people, 'channel', failed.channel)
  from messages g cross join lateral (
    select count(*)::int as people, min(y.channel) as channel from deliveries y
    where y.org_id = g.org_id and y.message_id = g.id and y.status = 'failed'
  ) failed
  where g.org_id = ${orgId} and g.id = any (${[...ids]}::uuid[]) and g.status in ('failed', 'partly_failed') and g.created_at > app_now() - ${interval('hours', ahead.messageHours)}
    and failed.people > 0`

const departureSources = (orgId: string, rules: AlertRules): RawBuilder<unknown>[] => [
  lateStart(rules),
  runningLate(rules),
  noLeadGuide,
  belowMinimum,
  headcountMismatch,
  assignmentUnanswered,
  capacityConflict,
  serviceUnconfirmed,
  ...onTourSignals(rules),
  ...waySignals,
  ...guestSignals(orgId),
]

/** With what a signal is evaluated, as `subjectOfAlert` says it of its alert. */
const evaluatedWith: Partial<Record<AlertKind, DueSubject['kind']>> = {
  hold_expiring: 'booking',
  message_failed: 'message',
}

function subjectOf({ kind, subjectType, subjectId, departureId }: Omit<Signal, 'of'>): DueSubject {
  if (kind === 'certificate_expiring') return { kind: subjectType === 'vehicle' ? 'vehicle' : 'staff', id: subjectId }
  const alone = evaluatedWith[kind]
  return alone ? { kind: alone, id: subjectId } : { kind: 'departure', id: departureId ?? subjectId }
}

/**
 * Everything that is true of these now, in one statement, and others for rests, whose ways, and for weather warnings, whose areas are reckoned here. Kinds and limits:
 * docs/domain.md, "Alerts". What has a clock in it has its moment in `next-dues.ts`.
 */
export async function selectSignals(tx: Tx, orgId: string, subjects: SubjectIds, rules: AlertRules): Promise<Signal[]> {
  const sources = [
    ...(subjects.departure.length > 0 ? departureSources(orgId, rules) : []),
    ...(subjects.booking.length > 0 ? [holdExpiring(orgId, subjects.booking)] : []),
    ...(subjects.staff.length + subjects.vehicle.length > 0 ? [certificateExpiring(orgId, subjects)] : []),
    ...(subjects.message.length > 0 ? [messageFailed(orgId, subjects.message)] : []),
  ]
  const reckoned = [
    ...(subjects.staff.length > 0 ? await selectRestSignals(tx, orgId, subjects.staff) : []),
    ...(subjects.departure.length > 0 ? await selectWeatherSignals(tx, orgId, subjects.departure) : []),
  ]
  if (sources.length === 0) return reckoned
  const { rows } = await sql<Omit<Signal, 'of'>>`
    with d as (
      select * from departures d where d.org_id = ${orgId} and d.id = any (${[...subjects.departure]}::uuid[]) and (${isAwaited} or ${isOut})
    ), signal (kind, severity, subject_type, subject_id, departure_id, title, evidence) as (${sql.join(sources, sql` union all `)})
    select kind || ':' || subject_id || coalesce(':' || coalesce(evidence ->> 'certificate', evidence ->> 'areaId'), '') as key, kind, severity,
      subject_type as "subjectType", subject_id as "subjectId", departure_id as "departureId", title, evidence - 'place' as evidence, evidence -> 'place' as place
    from signal`.execute(tx)
  return [...rows.map((row) => ({ ...row, of: subjectOf(row) })), ...reckoned]
}
