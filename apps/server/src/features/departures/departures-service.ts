import { updateDeparture } from '@tour-ops/contract/departures/departure-edit'
import type { Given } from '@tour-ops/contract/callable'
import {
  departureHistory,
  exportDepartures,
  getDeparture,
  listDepartures,
  noteDeparture,
  setDepartureSales,
  type DepartureRow,
} from '@tour-ops/contract/departures/departures'
import { listDepartureStops, seeRunSheet } from '@tour-ops/contract/departures/run-sheet'
import { fieldIssue } from '@tour-ops/contract/field-rules'
import { refuse } from '@tour-ops/contract/refusals'
import { sql } from 'kysely'
import type { MemberCall } from '../../context.ts'
import { csvFile } from '../../platform/csv.ts'
import { anyOf, isOneOf, isOneOfIds, orderBy, pageOf, type Condition } from '../../platform/list-query.ts'
import { isOpen, isOut } from '../../platform/operations/departure-phase.ts'
import { countDepartures, selectDepartureRows, type DepartureQuery } from '../../platform/operations/departure-rows.ts'
import { seatsLeftOf } from '../../platform/operations/seats-left.ts'
import { promoteWaitlist } from '../../platform/operations/seats.ts'
import { notFound, requireVersion } from '../../platform/optimistic-lock.ts'
import { reachAs } from '../../platform/own-scope.ts'
import { sharedVerb, verb, type Verb } from '../../platform/verb.ts'
import { createOne, preview, schedule } from './departures-schedule.ts'
import { setStatus } from './departures-status.ts'
import { lockDeparture, selectDeparture, selectHistory, selectStops } from './departures-store.ts'
import { mark, recordCount } from './stops-service.ts'
import { statuses } from '../../platform/operations/status-sets.ts'

type ListFilter = Pick<Given<typeof listDepartures>, 'q' | 'filters' | 'sort'>
type Filters = NonNullable<ListFilter['filters']>

const load = sql`(d.seats_confirmed + d.seats_held)::float8 / nullif(d.capacity, 0)`
const sortColumns = {
  startsAt: sql`d.starts_at`,
  code: sql`d.code`,
  tourName: sql`t.name collate "und-x-icu"`,
  status: sql`d.status`,
  seatsLeft: seatsLeftOf(sql`d`),
  load,
  delay: sql`d.delay_seconds`,
  waitlist: sql`d.waitlist_count`,
}

/** Bands of the calendar. See docs/screens.md, "Tours". */
const loadBands: Record<NonNullable<Filters['load']>[number], Condition> = {
  none: sql`d.seats_confirmed + d.seats_held = 0`,
  low: sql`d.seats_confirmed + d.seats_held > 0 and ${load} < 0.35`,
  medium: sql`${load} >= 0.35 and ${load} < 0.95`,
  full: sql`${load} >= 0.95`,
}

/** A departure that is over or cancelled needs nothing. */
const needs: Record<NonNullable<Filters['needs']>[number], Condition> = {
  lead_guide: sql`${isOpen} and not exists (select from assignments a where a.org_id = d.org_id and a.departure_id = d.id and a.role = 'lead_guide'
    and a.status in ${statuses.binding})`,
  minimum_pax: sql`d.status in ('draft', 'scheduled') and d.seats_confirmed < d.min_pax`,
  vehicle: sql`${isOpen} and t.vehicle_class is not null and not exists (select from vehicle_assignments va where va.org_id = d.org_id and va.departure_id = d.id)`,
  waitlist_decision: sql`${isOpen} and d.waitlist_count > 0`,
}

/** A departure of several days counts on each of them, and one that is still out on each day until today. */
const lastsUntil = (day: string): Condition => sql`(d.local_date + (coalesce(t.duration_days, 1) - 1) >= ${day}::date
  or ${isOut} and (app_now() at time zone d.time_zone)::date >= ${day}::date)`

const staffIs = (ids: readonly string[] | undefined): Condition =>
  ids?.length
    ? sql`exists (select from assignments a where a.org_id = d.org_id and a.departure_id = d.id and a.staff_id = any (${[...ids]}::uuid[])
        and a.status = any (own_assignment_statuses(true)))`
    : undefined

const readinessIs = {
  ready: sql<boolean>`cardinality(ready.failing) = 0 and d.status not in ('cancelled', 'aborted')`,
  not_ready: sql<boolean>`cardinality(ready.failing) > 0`,
}

function conditionsOf({ q, filters = {} }: ListFilter): Condition[] {
  return [
    filters.from !== undefined && lastsUntil(filters.from),
    filters.to !== undefined && sql`d.local_date <= ${filters.to}::date`,
    isOneOf(sql`d.status`, filters.status),
    isOneOf(sql`d.sales_status`, filters.salesStatus),
    isOneOfIds(sql`d.tour_id`, filters.tourId),
    isOneOf(sql`d.language`, filters.language),
    staffIs(filters.staffId),
    anyOf((filters.load ?? []).map((band) => loadBands[band])),
    anyOf((filters.needs ?? []).map((need) => needs[need])),
    q !== '' && sql`normalize_search(d.code || ' ' || t.name) like '%' || normalize_search(${q}) || '%'`,
  ]
}

const queryOf = (input: ListFilter, page: { limit: number; offset: number }): DepartureQuery => ({
  where: conditionsOf(input),
  orderBy: orderBy(input.sort, sortColumns, sql`d.starts_at, d.id`),
  whereReady: anyOf((input.filters?.readiness ?? []).map((state) => readinessIs[state])),
  onDay: input.filters?.from !== undefined && input.filters.from === input.filters.to ? input.filters.from : undefined,
  ...page,
})

const list = sharedVerb(listDepartures, async (call, input) => {
  const query = queryOf(input, pageOf(input))
  return call.shared.answer(call, [listDepartures.name, input], async (reader) => ({
    rows: await selectDepartureRows(reader, query),
    total: await countDepartures(reader, query),
  }))
})

/** Departures of one export at most; a year of a large operator is 60,000. See docs/domain.md, "Sizes". */
const maxExported = 60_000

const exportCsv = verb(exportDepartures, async (call, input) => {
  const page = { limit: maxExported, offset: 0 }
  const rows = await selectDepartureRows(call, queryOf(input, page))
  return csvFile<DepartureRow>(
    'departures',
    {
      code: (row) => row.code,
      tour: (row) => row.tourName,
      local_date: (row) => row.localDate,
      start_local: (row) => row.startTimeLocal,
      time_zone: (row) => row.timeZone,
      status: (row) => row.status,
      sales: (row) => row.salesStatus,
      language: (row) => row.language,
      capacity: (row) => row.capacity,
      minimum: (row) => row.minPax,
      confirmed: (row) => row.seatsConfirmed,
      held: (row) => row.seatsHeld,
      seats_left: (row) => row.seatsLeft,
      waitlist: (row) => row.waitlistCount,
      lead_guide: (row) => row.leadGuide?.name ?? null,
      vehicle: (row) => row.vehicle?.name ?? null,
      delay_seconds: (row) => row.delaySeconds,
      not_ready: (row) => row.readiness.failing.join(' '),
    },
    rows,
    input.columns,
  )
})

const get = verb(getDeparture, (call, { id }) => selectDeparture(call, id))

/** People who are not on the crew leave no trace. The same revision is noted once, and one that arrives late never replaces a newer one. */
const see = verb(seeRunSheet, async (call, { id, revisionNumber }) => {
  await requireVisible(call, [id])
  const { rows } = await sql<{ seenVersion: number | null }>`
    with plan as (
      select least(r.number, ${revisionNumber}::int) as number from departures d join tour_revisions r on r.org_id = d.org_id and r.id = d.revision_id
      where d.org_id = ${call.orgId} and d.id = ${id}
    ), seen as (
      update assignments a set seen_version = plan.number from plan
      where a.org_id = ${call.orgId} and a.departure_id = ${id} and a.staff_id = ${call.staffId}::uuid
        and a.status in ('offered', 'accepted', 'on_duty') and coalesce(a.seen_version, 0) < plan.number
    )
    select number as "seenVersion" from plan`.execute(call.tx)
  return { seenVersion: rows[0]?.seenVersion ?? null }
})

/** Names guests and bookings, which an offer does not open. */
const history = verb(departureHistory, async (call, { id, page, size }) => {
  await reachAs(call, 'bookings:read')
  await requireVisible(call, [id])
  return selectHistory(call, id, pageOf({ page, size }))
})

const stops = verb(listDepartureStops, async (call, { departureIds }) => {
  await requireVisible(call, departureIds)
  return { stops: await selectStops(call, departureIds) }
})

/** @throws AppError `not-found` unless all are within the caller's reach. */
async function requireVisible(call: MemberCall, ids: readonly string[]): Promise<void> {
  const { rows } = await sql<{ id: string }>`select d.id from departures d
    where d.org_id = ${call.orgId} and d.id = any (${[...ids]}::uuid[])`.execute(call.tx)
  if (rows.length !== new Set(ids).size) throw notFound('departure')
}

const saved = async (call: MemberCall, id: string): Promise<{ id: string; version: number }> => {
  const { version } = await lockDeparture(call, id)
  return { id, version }
}

/** More seats go to those who wait, before anybody else can ask for them. */
const update = verb(updateDeparture, async (call, { id, version, ...fields }) => {
  const departure = await lockDeparture(call, id)
  requireVersion(departure, version, 'departure')
  const sold = departure.seatsConfirmed + departure.seatsHeld
  if (fields.capacity + fields.overbookLimit < sold) {
    throw refuse('below_sold', { sold }, { fields: { capacity: [fieldIssue('seats_sold', { sold })] } })
  }
  await sql`update departures set capacity = ${fields.capacity}, min_pax = ${fields.minPax}, overbook_limit = ${fields.overbookLimit},
    private = coalesce(${fields.isPrivate ?? null}::boolean, private),
    decide_by = ${fields.decideBy}, language = ${fields.language}, weather_note = ${fields.weatherNote}, internal_note = ${fields.internalNote}
    where org_id = ${call.orgId} and id = ${id}`.execute(call.tx)
  await promoteWaitlist(call, id)
  return saved(call, id)
})

const note = verb(noteDeparture, async (call, { id, version, weatherNote, internalNote }) => {
  requireVersion(await lockDeparture(call, id), version, 'departure')
  await sql`update departures set weather_note = ${weatherNote}, internal_note = ${internalNote}
    where org_id = ${call.orgId} and id = ${id}`.execute(call.tx)
  return saved(call, id)
})

const setSales = verb(setDepartureSales, async (call, { ids, to }) => {
  await requireVisible(call, ids)
  const { rows } = await sql<{ id: string }>`update departures set sales_status = ${to}
    where org_id = ${call.orgId} and id = any (${[...ids]}::uuid[]) and sales_status <> ${to} returning id`.execute(
    call.tx,
  )
  return { changed: rows.length }
})

export const departuresVerbs: Verb[] = [
  list,
  exportCsv,
  get,
  see,
  history,
  stops,
  createOne,
  update,
  note,
  preview,
  schedule,
  setStatus,
  setSales,
  mark,
  recordCount,
]
