import { hasAccess } from '@tour-ops/contract/identity/access'
import { holdSeats, releaseSeats } from '@tour-ops/contract/bookings/form-holds'
import type { Departure, HistoryEntry, NextStatus } from '@tour-ops/contract/departures/departures'
import type { DepartureStop } from '@tour-ops/contract/departures/run-sheet'
import type { StatusOf } from '@tour-ops/contract/state-machines'
import { sql } from 'kysely'
import type { MemberCall } from '../../context.ts'
import { historyEntryOf, type AuditRow } from '../../platform/history.ts'
import { iso, isoOrNull } from '../../platform/list-query.ts'
import { notFound } from '../../platform/optimistic-lock.ts'
import { selectDepartureRows } from '../../platform/operations/departure-rows.ts'
import { isRunning } from '../../platform/operations/departure-phase.ts'
import { selectFormHolds } from '../../platform/operations/form-holds.ts'
import { isFresh } from '../../platform/operations/estimates.ts'
import { hasHeadCount, lastHeadCount } from '../../platform/operations/head-counts.ts'
import { positionsOnDuty } from '../../platform/operations/positions-on-duty.ts'
import { leavesAt } from '../../platform/operations/stops-in-order.ts'
import { selectChecks } from '../../platform/operations/readiness.ts'
import { memberName, seesPrivateOf, seesPrivateOfAll } from '../../platform/private-fields.ts'
import { statusOptions, type DepartureFacts, type GuardRules } from './status-guards.ts'
import { statuses } from '../../platform/operations/status-sets.ts'

type Call = Pick<MemberCall, 'tx' | 'orgId'>

export interface DepartureRecord {
  id: string
  version: number
  code: string
  tourId: string
  revisionId: string
  status: StatusOf<'departures'>
  salesStatus: StatusOf<'departure_sales'>
  startsAt: Date
  endsAt: Date
  timeZone: string
  capacity: number
  overbookLimit: number
  minPax: number
  seatsConfirmed: number
  seatsHeld: number
  actualStartAt: Date | null
  actualEndAt: Date | null
}

/**
 * A departure within the caller's reach, locked against other writers.
 *
 * @throws AppError `not-found`.
 */
export async function lockDeparture(call: Call, id: string): Promise<DepartureRecord> {
  const { rows } = await sql<DepartureRecord>`
    select d.id, d.version, d.code, d.tour_id as "tourId", d.revision_id as "revisionId", d.status, d.sales_status as "salesStatus",
      d.starts_at as "startsAt", d.ends_at as "endsAt", d.time_zone as "timeZone", d.capacity, d.overbook_limit as "overbookLimit",
      d.min_pax as "minPax", d.seats_confirmed as "seatsConfirmed", d.seats_held as "seatsHeld", d.actual_start_at as "actualStartAt",
      d.actual_end_at as "actualEndAt"
    from departures d where d.org_id = ${call.orgId} and d.id = ${id}
    for no key update of d`.execute(call.tx)
  if (!rows[0]) throw notFound('departure')
  return rows[0]
}

type FactsRow = DepartureFacts & GuardRules

/** What the guards of a status change look at. Vehicle seats count without the crew's (I20). */
async function selectStatusFacts(
  call: Pick<MemberCall, 'tx' | 'orgId'>,
  id: string,
): Promise<{ facts: DepartureFacts; rules: GuardRules }> {
  const { rows } = await sql<FactsRow>`
    select d.status, d.starts_at as "startsAt", d.actual_end_at as "actualEndAt", d.seats_confirmed as "seatsConfirmed",
      d.min_pax as "minPax", s.boarding_opens_minutes as "boardingOpensMinutes",
      coalesce(s.tour_rules ->> 'headcountPolicy', 'require') = 'require' as "needsHeadcount",
      exists (select from tours t where t.org_id = d.org_id and t.id = d.tour_id and t.vehicle_class is not null) as "needsVehicle",
      exists (select from assignments a where a.org_id = d.org_id and a.departure_id = d.id and a.role = 'lead_guide'
        and a.status in ${statuses.binding}) as "hasLeadGuide",
      ${hasHeadCount} as "hasHeadcount",
      (select (sum(v.seats) - (select count(*) from assignments a where a.org_id = d.org_id and a.departure_id = d.id
          and a.status in ${statuses.binding} and a.role <> 'backup'))::int
        from vehicle_assignments va
        join vehicle_calendar_entries e on e.org_id = va.org_id and e.id = va.calendar_entry_id and e.status <> 'cancelled'
        join vehicles v on v.org_id = e.org_id and v.id = e.vehicle_id
        where va.org_id = d.org_id and va.departure_id = d.id) as "vehicleSeats",
      (select count(*)::int from manifest_entries m where m.org_id = d.org_id and m.departure_id = d.id
        and m.status in ${statuses.present}) as aboard,
      (select count(*)::int from manifest_entries m where m.org_id = d.org_id and m.departure_id = d.id
        and m.status in ('expected', 'missing')
        and (select b.status from bookings b where b.org_id = m.org_id and b.id = m.booking_id) in ${statuses.sold}) as undecided
    from departures d join org_settings s on s.org_id = d.org_id where d.org_id = ${call.orgId} and d.id = ${id}`.execute(
    call.tx,
  )
  const row = rows[0]
  if (!row) throw notFound('departure')
  const { boardingOpensMinutes, needsHeadcount, ...facts } = row
  return { facts, rules: { boardingOpensMinutes, needsHeadcount } }
}

export async function selectStops(
  call: Pick<MemberCall, 'tx' | 'orgId'>,
  departureIds: readonly string[],
): Promise<(DepartureStop & { departureId: string })[]> {
  const { rows } = await sql<StopRow>`
    select s.id, s.version, s.departure_id as "departureId", s.stop_order as "order", s.day_index as "dayIndex", s.place_id as "placeId",
      p.name as "placeName", p.lat, p.lng, s.kind, s.status, s.planned_arrive_at as "plannedArriveAt", s.planned_depart_at as "plannedDepartAt",
      s.actual_arrive_at as "actualArriveAt", s.actual_depart_at as "actualDepartAt", coalesce(s.depart_source, s.source) as source, s.eta_at as "etaAt",
      case when s.eta_at is not null then r.seen_at end as "seenAt",
      ${leavesAt(sql`d.actual_start_at`)} as "leavesAt", s.delay_seconds as "delaySeconds", (extract(epoch from s.planned_depart_at - s.planned_arrive_at) / 60)::int as "dwellMin",
      s.slack_min as "slackMin", s.headcount_required as "headcountRequired", s.headcount_expected as "headcountExpected",
      s.headcount_actual as "headcountActual", s.timed_entry as "timedEntry", s.travel_mode as "travelMode", s.signal_gap as "signalGap",
      s.skip_reason as "skipReason", s.note
    from departure_stops s join places p on p.org_id = s.org_id and p.id = s.place_id
      join departures d on d.org_id = s.org_id and d.id = s.departure_id
      left join departure_reach r on r.org_id = s.org_id and r.stop_id = s.id and ${isFresh}
    where s.org_id = ${call.orgId} and s.departure_id = any (${[...departureIds]}::uuid[]) order by s.departure_id, s.stop_order`.execute(
    call.tx,
  )
  return rows.map((row) => ({
    ...row,
    plannedArriveAt: iso(row.plannedArriveAt),
    plannedDepartAt: iso(row.plannedDepartAt),
    actualArriveAt: isoOrNull(row.actualArriveAt),
    actualDepartAt: isoOrNull(row.actualDepartAt),
    etaAt: isoOrNull(row.etaAt),
    seenAt: isoOrNull(row.seenAt),
    leavesAt: isoOrNull(row.leavesAt),
  }))
}

type Moments =
  | 'plannedArriveAt'
  | 'plannedDepartAt'
  | 'actualArriveAt'
  | 'actualDepartAt'
  | 'etaAt'
  | 'seenAt'
  | 'leavesAt'
type StopRow = Omit<DepartureStop, Moments> & {
  departureId: string
  plannedArriveAt: Date
  plannedDepartAt: Date
  actualArriveAt: Date | null
  actualDepartAt: Date | null
  etaAt: Date | null
  seenAt: Date | null
  leavesAt: Date | null
}

async function selectCrew(call: MemberCall, id: string): Promise<Departure['crew']> {
  type Crew = Departure['crew'][number]
  const { rows } = await sql<
    Omit<Crew, 'reportAt' | 'releaseAt' | 'respondBy'> & {
      reportAt: Date | null
      releaseAt: Date | null
      respondBy: Date | null
    }
  >`
    select a.id as "assignmentId", a.version, f.id as "staffId", concat_ws(' ', f.first_name, f.last_name) as name, a.role, a.status,
      ${sql`case when ${seesPrivateOf(call, sql`f.id`)} then f.phone end`} as phone, array(select spoken ->> 'tag' from jsonb_array_elements(f.languages) spoken) as languages,
      a.report_at as "reportAt", a.release_at as "releaseAt", a.respond_by as "respondBy", a.seen_version as "seenVersion",
      f.id is not distinct from ${call.staffId}::uuid as "isSelf"
    from assignments a join field_staff f on f.org_id = a.org_id and f.id = a.staff_id
    where a.org_id = ${call.orgId} and a.departure_id = ${id} and a.status not in ('declined', 'expired', 'withdrawn')
    order by a.status = 'released', array_position(array['lead_guide', 'guide', 'tour_leader', 'driver', 'porter', 'backup'], a.role), f.last_name, a.id`.execute(
    call.tx,
  )
  return rows.map((row) => ({
    ...row,
    reportAt: isoOrNull(row.reportAt),
    releaseAt: isoOrNull(row.releaseAt),
    respondBy: isoOrNull(row.respondBy),
  }))
}

async function selectVehicles(call: MemberCall, id: string): Promise<Departure['vehicles']> {
  const { rows } = await sql<Departure['vehicles'][number]>`
    select e.id as "assignmentId", v.id as "vehicleId", v.label, v.plate, v.seats, v.wheelchair_places as "wheelchairPlaces", v.child_seats as "childSeats",
      case when f.id is not null then concat_ws(' ', f.first_name, f.last_name) end as "driverName"
    from vehicle_assignments va
    join vehicle_calendar_entries e on e.org_id = va.org_id and e.id = va.calendar_entry_id and e.status <> 'cancelled'
    join vehicles v on v.org_id = e.org_id and v.id = e.vehicle_id
    left join field_staff f on f.org_id = e.org_id and f.id = e.driver_staff_id
    where va.org_id = ${call.orgId} and va.departure_id = ${id} order by v.label`.execute(call.tx)
  return rows
}

async function selectServices(call: MemberCall, id: string): Promise<Departure['services']> {
  const { rows } = await sql<Departure['services'][number]>`
    select s.id, s.version, s.day_index as "dayIndex", s.kind, s.supplier_id as "supplierId", p.name as "supplierName", s.description, s.quantity, s.status,
      s.confirmation_ref as "confirmationRef"
    from departure_services s left join suppliers p on p.org_id = s.org_id and p.id = s.supplier_id
    where s.org_id = ${call.orgId} and s.departure_id = ${id} order by s.day_index, s.created_at, s.id`.execute(call.tx)
  return rows
}

async function selectEquipment(call: MemberCall, id: string): Promise<Departure['equipment']> {
  const { rows } = await sql<Departure['equipment'][number]>`
    select e.id as "equipmentId", e.name, e.kind, e.sizes, i.quantity
    from equipment_issues i join equipment e on e.org_id = i.org_id and e.id = i.equipment_id
    where i.org_id = ${call.orgId} and i.departure_id = ${id} order by e.name collate "und-x-icu", e.id`.execute(
    call.tx,
  )
  return rows
}

interface HeadRow {
  createdAt: Date
  updatedAt: Date
  revisionNumber: number | null
  optionId: string | null
  isPrivate: boolean
  actualStartAt: Date | null
  actualEndAt: Date | null
  guaranteedAt: Date | null
  cancelReason: Departure['cancelReason']
  weatherNote: string | null
  internalNote: string | null
  statusSince: Date | null
  statusByName: string | null
  expected: number
  aboard: number
  noShow: number
  onHold: number
  waitlisted: number
  childSeats: number
  wheelchairs: number
  messages: number
  incidents: number
  countStop: string | null
  countExpected: number
  counted: number
  countAt: Date | null
  countReason: string | null
  lastPositionAt: Date | null
  batteryPct: number | null
}

async function selectHead(call: MemberCall, id: string): Promise<HeadRow> {
  const { rows } = await sql<HeadRow>`
    select d.created_at as "createdAt", d.updated_at as "updatedAt", r.number as "revisionNumber", d.option_id as "optionId", d.private as "isPrivate",
      d.actual_start_at as "actualStartAt", d.actual_end_at as "actualEndAt", d.guaranteed_at as "guaranteedAt", d.cancel_reason as "cancelReason",
      d.weather_note as "weatherNote", d.internal_note as "internalNote", changed.at as "statusSince", changed.name as "statusByName",
      people.*, (select count(*)::int from messages g where g.org_id = d.org_id and g.departure_id = d.id) as messages,
      (select count(*)::int from incidents i where i.org_id = d.org_id and i.departure_id = d.id and i.status <> 'merged') as incidents,
      last.name as "countStop", coalesce(last.expected, 0) as "countExpected", coalesce(last.counted, 0) as counted, last.at as "countAt",
      last.reason as "countReason", seen.at as "lastPositionAt", seen.battery as "batteryPct"
    from departures d
    left join tour_revisions r on r.org_id = d.org_id and r.id = d.revision_id
    left join lateral (
      select e.at, m.name from audit_entries e left join members m on m.org_id = e.org_id and m.user_id = e.actor_id
      where e.org_id = d.org_id and e.entity_type = 'departures' and e.entity_id = d.id::text and e.diff ? 'status' order by e.id desc limit 1
    ) changed on true
    cross join lateral (
      select (count(m.id) filter (where m.status not in ('cancelled') and b.status in ${statuses.sold}))::int as expected,
        (count(m.id) filter (where m.status in ${statuses.aboard}))::int as aboard,
        (count(m.id) filter (where m.status = 'no_show'))::int as "noShow",
        (count(distinct b.id) filter (where b.status = 'on_hold'))::int as "onHold",
        (count(distinct b.id) filter (where b.status = 'waitlisted'))::int as waitlisted,
        (count(m.id) filter (where m.child_seat and m.status <> 'cancelled' and b.status in ('on_hold', 'confirmed', 'completed')))::int as "childSeats",
        (count(m.id) filter (where coalesce(m.trip_mobility, t.mobility) = 'wheelchair' and m.status <> 'cancelled' and b.status in ('on_hold', 'confirmed', 'completed')))::int as wheelchairs
      from bookings b left join manifest_entries m on m.org_id = b.org_id and m.booking_id = b.id
      left join travelers t on t.org_id = m.org_id and t.id = m.traveler_id
      where b.org_id = d.org_id and b.departure_id = d.id
    ) people
    left join lateral (
      select p.name, counted.* from ${lastHeadCount} counted
      join departure_stops s on s.org_id = d.org_id and s.id = counted.stop_id
      join places p on p.org_id = s.org_id and p.id = s.place_id
    ) last on true
    left join lateral (
      select n.recorded_at as at, n.battery_pct as battery
      from ${positionsOnDuty(sql`u.org_id = d.org_id and u.departure_id = d.id`)} order by n.recorded_at desc limit 1
    ) seen on ${isRunning}
    where d.org_id = ${call.orgId} and d.id = ${id}`.execute(call.tx)
  const row = rows[0]
  if (!row) throw notFound('departure')
  return row
}

/**
 * The whole drawer of a departure.
 *
 * @throws AppError `not-found`, also for departures outside the caller's reach.
 */
export async function selectDeparture(call: MemberCall, id: string): Promise<Departure> {
  const [row] = await selectDepartureRows(call, {
    where: [sql`d.id = ${id}`],
    orderBy: sql`d.id`,
    limit: 1,
    offset: 0,
  })
  if (!row) throw notFound('departure')
  const head = await selectHead(call, id)
  const stops = await selectStops(call, [id])
  return {
    ...row,
    createdAt: iso(head.createdAt),
    statusSince: iso(head.statusSince ?? head.createdAt),
    statusByName: head.statusByName,
    nextStatuses: await selectNextStatuses(call, id),
    revisionNumber: head.revisionNumber,
    optionId: head.optionId,
    isPrivate: head.isPrivate,
    actualStartAt: isoOrNull(head.actualStartAt),
    actualEndAt: isoOrNull(head.actualEndAt),
    guaranteedAt: isoOrNull(head.guaranteedAt),
    cancelReason: head.cancelReason,
    weatherNote: head.weatherNote,
    internalNote: call.scope === 'own' ? null : head.internalNote,
    stops: stops.map(({ departureId: _departure, ...stop }) => stop),
    crew: await selectCrew(call, id),
    vehicles: await selectVehicles(call, id),
    services: await selectServices(call, id),
    equipment: await selectEquipment(call, id),
    checks: await selectChecks(call.tx, call.orgId, id),
    counts: {
      expected: head.expected,
      aboard: head.aboard,
      noShow: head.noShow,
      onHold: head.onHold,
      waitlisted: head.waitlisted,
      childSeats: head.childSeats,
      wheelchairs: head.wheelchairs,
      messages: head.messages,
      incidents: hasAccess(call, { permission: 'monitoring:read' }) ? head.incidents : null,
    },
    lastHeadcount:
      head.countStop && head.countAt
        ? {
            stopName: head.countStop,
            expected: head.countExpected,
            counted: head.counted,
            at: iso(head.countAt),
            reason: head.countReason,
          }
        : null,
    lastPositionAt: isoOrNull(head.lastPositionAt),
    batteryPct: head.batteryPct,
    formHolds: await selectFormHolds(call, id),
    notes: await selectNotes(call, id),
  }
}

/** A day has a handful; nobody reads more than the newest. */
const shownNotes = 50

async function selectNotes(call: MemberCall, id: string): Promise<Departure['notes']> {
  const { rows } = await sql<Omit<Departure['notes'][number], 'at'> & { at: Date }>`
    select n.id, n.at, n.by_name as "byName", n.text from departure_notes n
    where n.org_id = ${call.orgId} and n.departure_id = ${id} order by n.at desc, n.id desc limit ${shownNotes}`.execute(
    call.tx,
  )
  return rows.map((row) => ({ ...row, at: iso(row.at) }))
}

export async function selectNextStatuses(call: MemberCall, id: string): Promise<NextStatus[]> {
  const { facts, rules } = await selectStatusFacts(call, id)
  return statusOptions(facts, rules, call.clock.now())
}

/** Columns in the history that not everybody who may open a departure may read: for the office, or with a permission. */
const guardedColumns: Readonly<Record<string, (call: MemberCall) => boolean>> = {
  'departures.internal_note': (call) => call.scope === 'all',
  'departure_services.cost_minor': (call) => call.scope === 'all',
  'assignments.decline_reason': seesPrivateOfAll,
  'assignments.broken_rules': seesPrivateOfAll,
  'assignments.override_reason': seesPrivateOfAll,
  'assignments.release_reason': seesPrivateOfAll,
}

const readableEntry = (call: MemberCall, entry: HistoryEntry): HistoryEntry => ({
  ...entry,
  changes: entry.changes.filter(({ field }) => guardedColumns[`${entry.entityType}.${field}`]?.(call) ?? true),
})

export interface HistoryPage {
  readonly limit: number
  readonly offset: number
}

/** What happened to a departure, its stops, bookings, guests and crew, newest first. */
export async function selectHistory(
  call: MemberCall,
  id: string,
  page: HistoryPage,
): Promise<{ rows: HistoryEntry[]; total: number }> {
  const { rows } = await sql<AuditRow & { total: number }>`
    with part (kind, id) as (
      select 'departures', ${id}::text
      union all select 'departure_stops', s.id::text from departure_stops s where s.org_id = ${call.orgId} and s.departure_id = ${id}
      union all select 'bookings', b.id::text from bookings b where b.org_id = ${call.orgId} and b.departure_id = ${id}
      union all select 'assignments', a.id::text from assignments a where a.org_id = ${call.orgId} and a.departure_id = ${id}
      union all select 'manifest_entries', m.id::text from manifest_entries m where m.org_id = ${call.orgId} and m.departure_id = ${id}
      union all select 'departure_services', v.id::text from departure_services v where v.org_id = ${call.orgId} and v.departure_id = ${id}
    )
    select e.id, e.at, ${memberName(call, 'm')} as "actorName", e.actor_kind as "actorKind", e.action, e.op, e.entity_type as "entityType",
      e.entity_id as "entityId", e.diff, count(*) over () as total
    from part join audit_entries e on e.org_id = ${call.orgId} and e.entity_type = part.kind and e.entity_id = part.id
    left join members m on m.org_id = e.org_id and m.user_id = e.actor_id
    -- forms that were opened and closed say nothing about the departure
    where e.action <> all (${[holdSeats.name, releaseSeats.name]}::text[])
    order by e.id desc limit ${page.limit} offset ${page.offset}`.execute(call.tx)
  return { total: rows[0]?.total ?? 0, rows: rows.map((row) => readableEntry(call, historyEntryOf(row))) }
}
