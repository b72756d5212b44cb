import type { Given } from '@tour-ops/contract/callable'
import { listTracked, type TrackedSubject } from '@tour-ops/contract/tracking/tracked-subjects'
import { type RawBuilder, sql } from 'kysely'
import type { MemberCall } from '../../context.ts'
import { allOf, anyOf, iso, isOneOf, isOneOfIds, isoOrNull, orderBy } from '../../platform/list-query.ts'
import { isOut } from '../../platform/operations/departure-phase.ts'
import { linkState } from '../../platform/operations/link-state.ts'
import { quietUntilNow, shownState } from '../../platform/operations/signal-gap.ts'
import { isAhead, stopsInOrder } from '../../platform/operations/stops-in-order.ts'
import { selectPage } from '../../platform/select-page.ts'
import { type Verb, verb } from '../../platform/verb.ts'

type Filters = NonNullable<Given<typeof listTracked>['filters']>

/** People and vehicles that may report positions, `who`. */
const everybody = (call: MemberCall): RawBuilder<unknown> => sql`(
  select 'staff' as kind, s.id, trim(s.first_name || ' ' || s.last_name) as name, s.kinds from field_staff s
  where s.org_id = ${call.orgId} and s.archived_at is null and s.status = 'active'
    and ${call.scope === 'own' ? sql`s.id = ${call.staffId}` : sql`true`}
  union all
  select 'vehicle', v.id, v.label, '{}' from vehicles v
  where v.org_id = ${call.orgId} and v.archived_at is null and v.status <> 'retired' and ${call.scope === 'all'}
) who`

/** Departures that are out, by who is on them: `out`. Somebody on two is on the one that started last. */
const outOf = (orgId: string): RawBuilder<unknown> => sql`
  select distinct on (on_it.id) on_it.id, d.id as departure_id from departures d
    join lateral (
      select a.staff_id as id from assignments a where a.org_id = d.org_id and a.departure_id = d.id and a.status in ('accepted', 'on_duty')
      union all
      select e.vehicle_id from vehicle_assignments va join vehicle_calendar_entries e on e.org_id = va.org_id and e.id = va.calendar_entry_id
      where va.org_id = d.org_id and va.departure_id = d.id and e.status <> 'cancelled'
    ) on_it on true
  where d.org_id = ${orgId} and ${isOut} order by on_it.id, d.starts_at desc, d.id`

/** Everything of the list from FROM on, before what narrows it. */
const joined = (call: MemberCall): RawBuilder<unknown> => sql`
  from ${everybody(call)}
    left join duty_sessions duty on duty.org_id = ${call.orgId} and duty.status = 'open' and coalesce(duty.staff_id, duty.vehicle_id) = who.id
    left join (
      select coalesce(v.staff_id, v.vehicle_id) as id, max(v.report_interval_s) as interval_s from devices v
      where v.org_id = ${call.orgId} and v.archived_at is null group by 1
    ) device on device.id = who.id
    left join latest_positions latest on latest.org_id = ${call.orgId} and latest.subject_id = who.id and latest.duty_session_id = duty.id
    left join (${outOf(call.orgId)}) out on out.id = who.id
    left join departures d on d.org_id = ${call.orgId} and d.id = coalesce(duty.departure_id, out.departure_id)
    left join tours t on t.org_id = d.org_id and t.id = d.tour_id`

const state = linkState({
  isOnDuty: sql`duty.id is not null`,
  intervalS: sql`device.interval_s`,
  recordedAt: sql`latest.recorded_at`,
})

/** As the screen shows it, which is what it is narrowed to and sorted by. */
const shown = shownState(state)

/** Without search and filters: everyone who is on duty, or should be. */
function narrowed(q: string, { state: states, kind, departureId }: Filters): RawBuilder<unknown> {
  const isEverybody = q !== '' || states?.length || kind?.length || departureId?.length
  const kinds = kind?.filter((each) => each !== 'vehicle') ?? []
  return allOf([
    !isEverybody && sql`(duty.id is not null or d.id is not null)`,
    isOneOf(shown, states),
    kind?.length
      ? anyOf([
          kind.includes('vehicle') && sql`who.kind = 'vehicle'`,
          kinds.length > 0 && sql`who.kinds && ${kinds}::text[]`,
        ])
      : undefined,
    isOneOfIds(sql`d.id`, departureId),
    q !== '' &&
      sql`searchable(who.name || ' ' || coalesce(d.code, '') || ' ' || coalesce(t.name, '')) like '%' || searchable(${q}) || '%'`,
  ])
}

interface TrackedRecord {
  kind: 'staff' | 'vehicle'
  id: string
  name: string
  kinds: TrackedSubject['kinds']
  state: TrackedSubject['state']
  isOnBreak: boolean
  lastFixAt: Date | null
  batteryPct: number | null
  speedMps: number | null
  intervalS: number | null
  departureId: string | null
  code: string | null
  tourName: string | null
  timeZone: string | null
  quietUntil: Date | null
  delaySeconds: number | null
}

const columns = sql<TrackedRecord>`who.kind, who.id, who.name, who.kinds, ${state} as state, duty.break_started_at is not null as "isOnBreak",
  latest.recorded_at as "lastFixAt", latest.battery_pct as "batteryPct", latest.speed_mps as "speedMps", device.interval_s as "intervalS",
  d.id as "departureId", d.code, t.name as "tourName", d.time_zone as "timeZone", ${quietUntilNow} as "quietUntil", d.delay_seconds as "delaySeconds"`

const sorts = {
  name: sql`who.name collate "und-x-icu"`,
  state: sql`array_position(array['offline', 'stale', 'no_fix_yet', 'no_device', 'quiet', 'live', 'off_duty'], ${shown})`,
  lastFixAt: sql`latest.recorded_at`,
  batteryPct: sql`latest.battery_pct`,
  departure: sql`d.starts_at`,
  delay: sql`d.delay_seconds`,
}

interface NextStop {
  departureId: string
  name: string
  number: number
  of: number
  at: Date
}

/** Where departures are or come next, and when by the estimate. */
async function selectNextStops({ tx, orgId }: MemberCall, ids: readonly string[]): Promise<Map<string, NextStop>> {
  const { rows } = await sql<NextStop>`
    select distinct on (s.departure_id) s.departure_id as "departureId", p.name, s.number,
      (select count(*)::int from departure_stops a where a.org_id = ${orgId} and a.departure_id = s.departure_id) as of,
      coalesce(s.actual_arrive_at, s.eta_at, s.planned_arrive_at) as at
    from ${stopsInOrder(orgId, sql`${[...ids]}::uuid[]`)} join places p on p.org_id = ${orgId} and p.id = s.place_id
    where ${isAhead} order by s.departure_id, s.number`.execute(tx)
  return new Map(rows.map((row) => [row.departureId, row]))
}

function subjectOf(record: TrackedRecord, next: NextStop | undefined): TrackedSubject {
  const { kind, id, name, departureId, code, tourName, timeZone, quietUntil, delaySeconds, lastFixAt, ...row } = record
  return {
    ...row,
    subject: { kind, id, name },
    lastFixAt: isoOrNull(lastFixAt),
    departure:
      departureId === null
        ? null
        : {
            id: departureId,
            code: code ?? '',
            tourName: tourName ?? '',
            timeZone: timeZone ?? 'UTC',
            quietUntil: isoOrNull(quietUntil),
            delaySeconds: delaySeconds ?? 0,
            nextStop: next ? { name: next.name, number: next.number, of: next.of, at: iso(next.at) } : null,
          },
  }
}

const list = verb(listTracked, async (call, { q, filters = {}, sort, ...page }) => {
  const { rows, total } = await selectPage<TrackedRecord>(call.tx, {
    columns,
    from: sql`${joined(call)} where ${narrowed(q, filters)}`,
    order: orderBy(sort, sorts, sql`${sorts.name}, who.id`),
    page,
  })
  const departureIds = [...new Set(rows.flatMap(({ departureId }) => departureId ?? []))]
  const next = await selectNextStops(call, departureIds)
  return { rows: rows.map((row) => subjectOf(row, next.get(row.departureId ?? ''))), total }
})

export const trackedSubjectVerbs: Verb[] = [list]
