import type { Given } from '@tour-ops/contract/callable'
import { exportMonitoring, monitoringList, type MonitoringRow } from '@tour-ops/contract/monitoring/monitoring-list'
import { sql } from 'kysely'
import { csvFile } from '../../platform/csv.ts'
import { type Condition, isOneOf, isOneOfIds, orderBy, pageOf } from '../../platform/list-query.ts'
import { localDateOf, localTimeOf } from '../../platform/local-time.ts'
import { isUnread } from '../../platform/operations/booking-thread.ts'
import { countDepartures, type DepartureQuery, selectDepartureRows } from '../../platform/operations/departure-rows.ts'
import { sharedVerb, type Verb, verb } from '../../platform/verb.ts'
import { selectWatched, watchRows } from './monitoring-list-store.ts'
import { statuses } from '../../platform/operations/status-sets.ts'

type Wanted = Pick<Given<typeof monitoringList>, 'q' | 'filters' | 'sort'>

const openAlerts = sql`(select count(*) from alerts a where a.org_id = d.org_id and a.departure_id = d.id and a.status in ${statuses.standing})`
const unreadMessages = sql`(select count(*) from bookings b join booking_messages g on g.org_id = b.org_id and g.booking_id = b.id
  where b.org_id = d.org_id and b.departure_id = d.id and ${isUnread})`
const statusOrder = sql`array_position(array['in_progress', 'boarding', 'guaranteed', 'scheduled'], d.status)`
const sortColumns = {
  startsAt: sql`d.starts_at`,
  delay: sql`d.delay_seconds`,
  tourName: sql`t.name collate "und-x-icu"`,
  status: statusOrder,
  openAlerts,
  unreadMessages,
}

function conditionsOf({ q, filters = {} }: Wanted, ids: readonly string[]): Condition[] {
  return [
    // not isOneOfIds, for which no ids are no filter
    sql`d.id = any (${[...ids]}::uuid[])`,
    isOneOf(sql`d.status`, filters.status),
    isOneOfIds(sql`d.tour_id`, filters.tourId),
    filters.staffId?.length
      ? sql`exists (select from assignments a where a.org_id = d.org_id and a.departure_id = d.id
          and a.staff_id = any (${[...filters.staffId]}::uuid[]) and a.status in ${statuses.binding})`
      : undefined,
    q !== '' && sql`searchable(d.code || ' ' || t.name) like '%' || searchable(${q}) || '%'`,
  ]
}

const queryOf = (wanted: Wanted, ids: readonly string[], page: { limit: number; offset: number }): DepartureQuery => ({
  where: conditionsOf(wanted, ids),
  orderBy: orderBy(wanted.sort, sortColumns, sql`d.starts_at, d.id`),
  ...page,
})

const list = sharedVerb(monitoringList, (call, input) =>
  call.shared.answer(call, [monitoringList.name, input], async (reader) => {
    const { ids, ...watched } = await selectWatched(reader, input.filters?.state)
    const query = queryOf(input, ids, pageOf(input))
    const rows = await watchRows(reader, await selectDepartureRows(reader, query))
    return { rows, total: await countDepartures(reader, query), ...watched }
  }),
)

/** More than an operator of the largest size has within a day. See docs/domain.md, "Sizes". */
const maxExported = 5_000

const exportCsv = verb(exportMonitoring, async (call, input) => {
  const { ids } = await selectWatched(call, input.filters?.state)
  const rows = await selectDepartureRows(call, queryOf(input, ids, { limit: maxExported, offset: 0 }))
  return csvFile<MonitoringRow>(
    'monitoring',
    {
      code: (row) => row.code,
      tour: (row) => row.tourName,
      local_date: (row) => localDateOf(new Date(row.startsAt), row.timeZone),
      start_local: (row) => localTimeOf(new Date(row.startsAt), row.timeZone),
      time_zone: (row) => row.timeZone,
      status: (row) => row.status,
      delay_seconds: (row) => row.delaySeconds,
      next_stop: (row) => row.next?.name ?? null,
      next_stop_number: (row) => row.nextStop?.number ?? null,
      stops: (row) => row.nextStop?.of ?? null,
      estimated_arrival: (row) => row.next?.etaAt ?? null,
      estimate_from: (row) => row.next?.basis?.source ?? null,
      estimate_from_at: (row) => row.next?.basis?.at ?? null,
      last_position_at: (row) => row.lastFixAt,
      battery_pct: (row) => row.batteryPct,
      expected: (row) => row.expected,
      aboard: (row) => row.aboard,
      no_show: (row) => row.noShow,
      last_count: (row) => (row.lastHeadcount ? `${row.lastHeadcount.counted} of ${row.lastHeadcount.expected}` : null),
      lead_guide: (row) => row.leadGuide?.name ?? null,
      vehicle: (row) => row.vehicle?.name ?? null,
      not_ready: (row) => row.readiness.failing.join(' '),
      open_alerts: (row) => row.openAlerts,
      unread_messages: (row) => row.unreadMessages,
    },
    await watchRows(call, rows),
    input.columns,
  )
})

export const monitoringListVerbs: Verb[] = [list, exportCsv]
