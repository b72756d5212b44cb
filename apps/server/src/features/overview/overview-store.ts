import { hasAccess } from '@tour-ops/contract/identity/access'
import type { DepartureRow } from '@tour-ops/contract/departures/departures'
import { lastLocalDate } from '@tour-ops/contract/fields'
import { leastGrave } from '@tour-ops/contract/monitoring/incident-gravity'
import type { AttentionItem, Overview } from '@tour-ops/contract/overview/overview'
import { sql, type RawBuilder } from 'kysely'
import type { MemberCall } from '../../context.ts'
import { iso, isoOrNull } from '../../platform/list-query.ts'
import { isUnread } from '../../platform/operations/booking-thread.ts'
import { type DepartureReader, daysBeforeLast, selectDepartureRows } from '../../platform/operations/departure-rows.ts'
import { isOut } from '../../platform/operations/departure-phase.ts'
import { isPoor } from '../../platform/operations/poor-rating.ts'
import { statuses } from '../../platform/operations/status-sets.ts'

/** Departures of one day that the board shows: the peak of a large operator. See docs/domain.md, "Sizes". */
export const maxOnBoard = 500
/** As the day goes. */
export const inDayOrder = sql`d.local_start_time, d.starts_at, d.id`
/**
 * Departures of a local day, `day`: those that start on it, those of several days that are on their way, and today also everything else
 * that is running: still out after midnight, boarding shortly before it, or far to the east, where it is tomorrow already. Ranges keep the
 * index in use; the longest tour that there is makes the first one short.
 */
export const isOnDay = ({ orgId }: Pick<MemberCall, 'orgId'>, day: string, isToday: boolean): RawBuilder<boolean> => {
  const starting = sql<boolean>`(d.local_date between ${day}::date - ${daysBeforeLast(orgId)} and ${day}::date
      and d.local_date + (coalesce(t.duration_days, 1) - 1) >= ${day}::date)`
  if (!isToday) return starting
  return sql<boolean>`(${starting} or ${isOut})`
}

interface AttentionRow {
  key: string
  kind: AttentionItem['kind']
  alertKind: AttentionItem['alertKind']
  severity: AttentionItem['severity']
  title: string
  evidence: AttentionItem['evidence']
  alertId: string | null
  alertVersion: number | null
  incidentId: string | null
  staffId: string | null
  staffName: string | null
  ownerName: string | null
  departureId: string | null
  code: string | null
  tourName: string | null
  startsAt: Date | null
  timeZone: string | null
  delaySeconds: number | null
  seatsConfirmed: number | null
  minPax: number | null
  since: Date
  due: Date | null
  feedbackId: string | null
  feedbackVersion: number | null
  bookingId: string | null
  contactName: string | null
  stars: number | null
  comment: string | null
}

/** Items on the list at most; the rest is on the monitoring board. */
const maxItems = 30
/** Certificates and inspections are named this long before they end. See docs/domain.md, "Alerts". */
const documentWarningDays = 30
/** A poor rating is named for so long: later a call comes too late. */
const followUpDays = 14

/** Whether `w` of `feedback` is of a party that was unhappy, and can be asked why. */
export const isPoorRating = (orgId: string): RawBuilder<boolean> =>
  sql<boolean>`(${isPoor(orgId, { tour: sql`w.tour_rating`, guide: sql`w.guide_rating` })} and w.booking_id is not null)`

/** What needs a person, gravest first, then longest waiting; alerts and incidents for those who may read them. */
export async function selectAttention(call: MemberCall): Promise<AttentionItem[]> {
  const isOffice = call.scope === 'all'
  const seesAlerts = hasAccess(call, { permission: 'monitoring:read' })
  const answersGuests = isOffice && hasAccess(call, { permission: 'bookings:manage' })
  const { rows } = await sql<AttentionRow>`
    with item (key, kind, alert_kind, severity, title, evidence, alert_id, alert_version, incident_id, staff_id, owner_id, departure_id, since, due, feedback_id) as (
      select 'alert:' || a.id, 'alert', a.kind, a.severity, a.title, a.evidence, a.id, a.version, a.incident_id,
        case when a.subject_type = 'staff' then a.subject_id end, a.owner_user_id, a.departure_id, a.opened_at, null::timestamptz, null::uuid
      from alerts a where a.org_id = ${call.orgId} and ${seesAlerts} and a.status = 'open'
        -- what the list says below in its own words is not said twice
        and not (a.kind in ('assignment_unanswered', 'certificate_expiring') or a.kind = 'below_min_pax' and a.severity <> 'info')
      union all
      select 'incident:' || i.id, 'incident', null, case when i.severity <= ${leastGrave} then 'critical' else 'warning' end, i.title, null::jsonb, null, null, i.id, null,
        i.owner_user_id, i.departure_id, i.created_at, null, null
      from incidents i where i.org_id = ${call.orgId} and ${seesAlerts} and i.status not in ${statuses.overIncident}
      union all
      select 'decide:' || d.id, 'decide', 'below_min_pax', 'warning', d.code, null, null, null, null, null, null, d.id,
        d.decide_by - interval '1 day', d.decide_by, null
      from departures d where d.org_id = ${call.orgId} and d.status = 'scheduled' and d.seats_confirmed < d.min_pax
        and d.starts_at > app_now() and d.decide_by <= app_now() + interval '1 day'
      union all
      select 'rebook:' || d.id, 'rebook', null, 'warning', d.code, null, null, null, null, null, null, d.id, d.updated_at, d.starts_at, null
      from departures d where d.org_id = ${call.orgId} and d.status = 'cancelled' and d.seats_confirmed > 0 and d.starts_at > app_now() - interval '7 days'
      union all
      select 'offer:' || s.id, 'offer_unanswered', 'assignment_unanswered', 'warning', d.code, null, null, null, null, s.staff_id::text, null, d.id,
        coalesce(s.offered_at, s.created_at), s.respond_by, null
      from assignments s join departures d on d.org_id = s.org_id and d.id = s.departure_id
      where s.org_id = ${call.orgId} and s.status = 'offered' and s.respond_by <= app_now() + interval '2 hours' and d.starts_at > app_now()
      union all
      select 'wrote:' || d.id, 'guests_wrote', null, 'warning', d.code, jsonb_build_object('messages', count(*)), null, null, null, null, null, d.id, min(g.created_at), null, null
      from booking_messages g join bookings b on b.org_id = g.org_id and b.id = g.booking_id join departures d on d.org_id = b.org_id and d.id = b.departure_id
      where g.org_id = ${call.orgId} and ${answersGuests} and ${isUnread} group by d.id, d.code
      union all
      select 'rating:' || w.id, 'poor_rating', null, 'warning', d.code, null, null, null, null, null, u.owner_user_id, d.id, w.at, null, w.id
      from feedback w join departures d on d.org_id = w.org_id and d.id = w.departure_id
        left join feedback_follow_ups u on u.org_id = w.org_id and u.id = w.id
      where w.org_id = ${call.orgId} and ${answersGuests} and ${isPoorRating(call.orgId)}
        and u.closed_at is null and w.at > app_now() - make_interval(days => ${followUpDays})
      union all
      select 'certificate:' || c.id, 'certificate_expiring', 'certificate_expiring', 'info', c.kind, null, null, null, null, c.staff_id::text, null, null,
        c.valid_until - make_interval(days => ${documentWarningDays}), c.valid_until, null
      from staff_certificates c join field_staff f on f.org_id = c.org_id and f.id = c.staff_id and f.status = 'active'
      where c.org_id = ${call.orgId} and ${isOffice} and c.valid_until <= (app_now() + make_interval(days => ${documentWarningDays}))::date
      union all
      select 'vehicle:' || v.id, 'vehicle_inspection', null, 'info', v.label, null, null, null, null, null, null, null,
        v.inspection_valid_until - make_interval(days => ${documentWarningDays}), v.inspection_valid_until, null
      from vehicles v where v.org_id = ${call.orgId} and ${isOffice} and v.status = 'active'
        and v.inspection_valid_until <= (app_now() + make_interval(days => ${documentWarningDays}))::date
    )
    select item.key, item.kind, item.alert_kind as "alertKind", item.severity, item.title,
      coalesce(item.evidence, '{}') as evidence, item.alert_id as "alertId",
      item.alert_version as "alertVersion", item.incident_id as "incidentId", f.id as "staffId", concat_ws(' ', f.first_name, f.last_name) as "staffName",
      o.name as "ownerName", d.id as "departureId", d.code, t.name as "tourName", d.starts_at as "startsAt", d.time_zone as "timeZone",
      d.delay_seconds as "delaySeconds", d.seats_confirmed as "seatsConfirmed", d.min_pax as "minPax", item.since, item.due,
      w.id as "feedbackId", u.version as "feedbackVersion", b.id as "bookingId", b.contact_name as "contactName",
      least(w.tour_rating, w.guide_rating)::int as stars, w.comment
    from item
    left join departures d on d.org_id = ${call.orgId} and d.id = item.departure_id
    left join tours t on t.org_id = d.org_id and t.id = d.tour_id
    left join field_staff f on f.org_id = ${call.orgId} and f.id::text = item.staff_id
    left join members o on o.org_id = ${call.orgId} and o.user_id = item.owner_id
    left join feedback w on w.org_id = ${call.orgId} and w.id = item.feedback_id
    left join bookings b on b.org_id = w.org_id and b.id = w.booking_id
    left join feedback_follow_ups u on u.org_id = w.org_id and u.id = w.id
    order by array_position(array['critical', 'warning', 'info'], item.severity), item.since, item.key limit ${maxItems}`.execute(
    call.tx,
  )
  return rows.map(attentionOf)
}

function attentionOf(row: AttentionRow): AttentionItem {
  const {
    staffId,
    staffName,
    departureId,
    code,
    tourName,
    startsAt,
    timeZone,
    delaySeconds,
    seatsConfirmed,
    minPax,
    feedbackId,
    feedbackVersion,
    bookingId,
    contactName,
    stars,
    comment,
    ...item
  } = row
  return {
    ...item,
    since: iso(row.since),
    due: isoOrNull(row.due),
    staff: staffId && staffName ? { id: staffId, name: staffName } : null,
    feedback:
      feedbackId && bookingId && contactName !== null && stars !== null
        ? { id: feedbackId, version: feedbackVersion, bookingId, contactName, stars, comment }
        : null,
    departure:
      departureId && code && tourName && startsAt && timeZone
        ? {
            id: departureId,
            code,
            tourName,
            startsAt: iso(startsAt),
            timeZone,
            delaySeconds: delaySeconds ?? 0,
            seatsConfirmed: seatsConfirmed ?? 0,
            minPax: minPax ?? 0,
          }
        : null,
  }
}

interface AlertFigures {
  openAlerts: number | null
  oldestAlertAt: Date | null
  onTimeTolerance: number
}

/** Open alerts for those who may read them, and the minutes that still count as on time. */
export async function selectAlertFigures(call: MemberCall): Promise<AlertFigures> {
  const seesAlerts = hasAccess(call, { permission: 'monitoring:read' })
  const { rows } = await sql<AlertFigures>`
    select case when ${seesAlerts} then open.alerts end as "openAlerts", case when ${seesAlerts} then open.oldest end as "oldestAlertAt",
      (select on_time_tolerance_minutes from org_settings where org_id = ${call.orgId}) as "onTimeTolerance"
    from (select count(*)::int as alerts, min(a.opened_at) as oldest from alerts a
      where a.org_id = ${call.orgId} and ${seesAlerts} and a.status = 'open') open`.execute(call.tx)
  return rows[0] ?? { openAlerts: null, oldestAlertAt: null, onTimeTolerance: 5 }
}

/** Whether a departure `d` that has left did so on time. */
const isOnTime = (toleranceMinutes: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql<boolean>`(d.actual_start_at <= d.starts_at + make_interval(mins => ${toleranceMinutes}))`

/** Starts of a day that have happened, and how many were on time. */
export async function selectStarts(
  call: MemberCall,
  day: string,
  toleranceMinutes: number,
): Promise<{ starts: number; startedOnTime: number }> {
  const { rows } = await sql<{ starts: number; startedOnTime: number }>`
    select count(*)::int as starts,
      (count(*) filter (where ${isOnTime(sql`${toleranceMinutes}::int`)}))::int as "startedOnTime"
    from departures d where d.org_id = ${call.orgId} and d.local_date = ${day}::date and d.actual_start_at is not null`.execute(
    call.tx,
  )
  return rows[0] ?? { starts: 0, startedOnTime: 0 }
}

/** Departures that are to run, or have. */
export const isGoing = sql<boolean>`d.status not in ('draft', 'cancelled', 'aborted')`

export interface LateDeparture {
  id: string
  tourName: string
  startsAt: Date
  timeZone: string
  minutes: number
}

/** Departures of a day that left late, or are expected to be late, in the order of the day. */
export async function selectLate(
  { tx, orgId }: Pick<DepartureReader, 'tx' | 'orgId'>,
  day: string,
): Promise<LateDeparture[]> {
  const tolerance = sql`(select s.on_time_tolerance_minutes from org_settings s where s.org_id = ${orgId})`
  const { rows } = await sql<LateDeparture>`
    select d.id, t.name as "tourName", d.starts_at as "startsAt", d.time_zone as "timeZone",
      (greatest(extract(epoch from d.actual_start_at - d.starts_at), d.delay_seconds) / 60)::int as minutes
    from departures d join tours t on t.org_id = d.org_id and t.id = d.tour_id
    where d.org_id = ${orgId} and d.local_date = ${day}::date and ${isGoing}
      and (not ${isOnTime(tolerance)} or d.status in ${statuses.active} and d.delay_seconds > ${tolerance} * 60)
    order by ${inDayOrder} limit ${maxOnBoard}`.execute(tx)
  return rows
}

/** Departures that start on a day and are to run. */
export const selectStarting = (call: DepartureReader, day: string): Promise<DepartureRow[]> =>
  selectDepartureRows(call, {
    where: [sql`d.local_date = ${day}::date`, isGoing],
    orderBy: inDayOrder,
    limit: maxOnBoard,
    offset: 0,
  })

/** Of departures that start on a day the checks that fail. */
export const preparationOf = (rows: readonly DepartureRow[]): Overview['tomorrow'] =>
  rows.map(({ id, code, tourName, startsAt, timeZone, startTimeLocal, readiness }) => ({
    id,
    code,
    tourName,
    startsAt,
    timeZone,
    startTimeLocal,
    failing: readiness.failing,
  }))

/** Days of the load strip. */
const loadDays = 14

export async function selectLoad(call: MemberCall, day: string): Promise<Overview['load']> {
  // days that the planner does not see: it need not plan again for each look
  const { rows } = await sql<Overview['load'][number]>`
    with span as (select ${day}::date as first, least(${day}::date + ${loadDays - 1}::int, ${lastLocalDate}::date) as last)
    select day::date as "localDate", coalesce(sold.departures, 0) as departures, coalesce(sold.seats, 0) as seats, coalesce(sold.taken, 0) as taken
    from span cross join generate_series(span.first, span.last, interval '1 day') day
    left join (
      select d.local_date, count(*)::int as departures, sum(d.capacity)::int as seats, sum(d.seats_confirmed + d.seats_held)::int as taken
      from departures d
      where d.org_id = ${call.orgId} and d.local_date between (select first from span) and (select last from span)
        and d.status not in ('draft', 'cancelled')
      group by d.local_date
    ) sold on sold.local_date = day::date
    order by day`.execute(call.tx)
  return rows
}

const nothingDone: Overview['start'] = {
  setUp: true,
  tours: false,
  staff: false,
  departures: false,
  travelers: false,
  colleagues: false,
}

/** What a new organization has done of its first five steps: for those who can see all of it. */
export async function selectStart(call: MemberCall): Promise<Overview['start']> {
  if (call.scope === 'own') return nothingDone
  const has = (table: string, condition: RawBuilder<unknown> = sql`true`): RawBuilder<boolean> =>
    sql<boolean>`exists (select from ${sql.table(table)} where org_id = ${call.orgId} and ${condition})`
  const { rows } = await sql<Overview['start']>`
    select ${has('org_settings', sql`set_up_at is not null`)} as "setUp", ${has('tours')} as tours, ${has('field_staff')} as staff, ${has('departures')} as departures, ${has('travelers')} as travelers,
      (select count(*) > 1 from members where org_id = ${call.orgId} and status = 'active') or ${has('invitations')} as colleagues`.execute(
    call.tx,
  )
  return rows[0] ?? nothingDone
}

/** What the departures of a board take along. */
export async function selectEquipment(
  call: MemberCall,
  departures: readonly { id: string }[],
): Promise<Overview['equipment']> {
  const { rows } = await sql<Overview['equipment'][number]>`
    select i.departure_id as "departureId", e.name, i.quantity
    from equipment_issues i join equipment e on e.org_id = i.org_id and e.id = i.equipment_id
    where i.org_id = ${call.orgId} and i.departure_id = any (${departures.map(({ id }) => id)}::uuid[])
    order by e.name collate "und-x-icu", e.id, i.departure_id`.execute(call.tx)
  return rows
}
