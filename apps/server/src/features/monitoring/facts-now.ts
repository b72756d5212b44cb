import { type RawBuilder, sql } from 'kysely'
import { lastHeadCount } from '../../platform/operations/head-counts.ts'
import { missingDocuments } from '../../platform/operations/missing-documents.ts'
import { statuses } from '../../platform/operations/status-sets.ts'
import { ahead } from './alert-ahead.ts'
import { fleetSeats } from './fleet-seats.ts'

const ofDeparture: RawBuilder<unknown> = sql`(
  select jsonb_strip_nulls(jsonb_build_object(
    'status', d.status, 'startedAt', d.actual_start_at, 'delayMin', d.delay_seconds / 60, 'pax', d.seats_confirmed, 'minPax', d.min_pax,
    'leadName', (select concat_ws(' ', f.first_name, f.last_name) from assignments a join field_staff f on f.org_id = a.org_id and f.id = a.staff_id
      where a.org_id = d.org_id and a.departure_id = d.id and a.role = 'lead_guide' and a.status in ${statuses.binding} limit 1),
    'heardAt', (select max(n.recorded_at) from duty_sessions u join latest_positions n on n.org_id = u.org_id and n.duty_session_id = u.id
      where u.org_id = d.org_id and u.departure_id = d.id),
    'batteryPct', (select n.battery_pct from latest_positions n where n.org_id = d.org_id and n.subject_id::text = alerts.subject_id),
    'areaArchivedAt', (select g.archived_at from geofences g where g.org_id = alerts.org_id and g.id::text = alerts.evidence ->> 'areaId'),
    'warningEndedAt', (select w.ended_at from weather_warnings w where w.org_id = alerts.org_id and w.id::text = alerts.evidence ->> 'warningId'),
    'answer', duty.status, 'isOverridden', duty.broken_rules && array['rest', 'travel'], 'isDutyAhead', duty.is_ahead,
    'vehicles', fleet.vehicles, 'seats', fleet.free,
    'serviceStatus', (select s.status from departure_services s where s.org_id = d.org_id and s.departure_id = d.id and alerts.kind = 'service_unconfirmed'
      and s.id::text = alerts.subject_id),
    'noShows', case when alerts.kind = 'no_show' then (select count(*) from manifest_entries g where g.org_id = d.org_id and g.departure_id = d.id
      and g.status = 'no_show') end,
    'startsAt', travel.starts_at, 'days', travel.days, 'guests', travel.guests, 'lacking', travel.lacking,
    'bookingStatus', hold.status, 'heldUntil', hold.expires_at,
    'expected', count.expected, 'counted', count.counted))
  from departures d left join lateral ${lastHeadCount} count on true
    left join bookings hold on hold.org_id = d.org_id and hold.departure_id = d.id and alerts.kind = 'hold_expiring' and hold.id::text = alerts.subject_id
    left join lateral (
      select a.status, a.broken_rules, lower(e.during) > app_now() as is_ahead
      from assignments a join staff_calendar_entries e on e.org_id = a.org_id and e.id = a.calendar_entry_id
      where a.org_id = d.org_id and a.departure_id = d.id and a.id::text = alerts.subject_id
    ) duty on alerts.kind in ('assignment_unanswered', 'rest_violation')
    left join lateral (${fleetSeats}) fleet on alerts.kind = 'capacity_conflict'
    left join lateral (
      select d.starts_at, u.duration_days as days,
        (select count(*) from manifest_entries g where g.org_id = d.org_id and g.departure_id = d.id and g.status <> 'cancelled') as guests,
        coalesce((select papers.missing from (${missingDocuments(sql`alerts.org_id`, sql`array[d.id]`)}) papers), 0) as lacking
      from tours u where u.org_id = d.org_id and u.id = d.tour_id
    ) travel on alerts.kind = 'document_missing'
  where d.org_id = alerts.org_id and d.id = alerts.departure_id)`

const ofCertificate: RawBuilder<unknown> = sql`case alerts.subject_type
  when 'vehicle' then (select jsonb_strip_nulls(jsonb_build_object('holderStatus', v.status, 'validUntil', v.inspection_valid_until))
    from vehicles v where v.org_id = alerts.org_id and v.id::text = alerts.subject_id)
  else (select jsonb_strip_nulls(jsonb_build_object('holderStatus', f.status, 'validUntil', newest.valid_until, 'certificates', newest.certificates))
    from field_staff f cross join lateral (
      select max(c.valid_until) as valid_until, count(*) as certificates from staff_certificates c
      where c.org_id = f.org_id and c.staff_id = f.id and c.kind = alerts.evidence ->> 'certificate'
    ) newest
    where f.org_id = alerts.org_id and f.id::text = alerts.subject_id)
  end`

/** Sent since the alert began: what was sent before is no reason for its end. */
const ofMessage: RawBuilder<unknown> = sql`(
  select jsonb_strip_nulls(jsonb_build_object('messageStatus', g.status, 'limitHours', ${ahead.messageHours}::int, 'failed', sending.failed,
    'suppressed', sending.suppressed, 'sentAt', sending.sent_at))
  from messages g cross join lateral (
    select count(*) filter (where y.status = 'failed') as failed, count(*) filter (where y.status = 'suppressed') as suppressed,
      max(y.sent_at) filter (where y.sent_at > alerts.opened_at) as sent_at
    from deliveries y where y.org_id = g.org_id and y.message_id = g.id
  ) sending
  where g.org_id = alerts.org_id and g.id::text = alerts.subject_id)`

/**
 * The present values of what a row of `alerts` is about, its departure, its message or who holds a certificate: why it ended by itself, in values that a
 * screen makes a sentence of. Null for all others. Its names stay as they are: what was written once is read for years.
 */
export const factsNow: RawBuilder<unknown> = sql`case alerts.kind when 'certificate_expiring' then ${ofCertificate}
  when 'message_failed' then ${ofMessage} else ${ofDeparture} end`
