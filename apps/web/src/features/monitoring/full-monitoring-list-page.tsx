import { useSearch } from '@tanstack/react-router'
import {
  exportMonitoring,
  maxMonitored,
  monitoringList,
  type MonitoringRow,
} from '@tour-ops/contract/monitoring/monitoring-list'
import { Pause, Play, Radar } from 'lucide-react'
import { useState } from 'react'
import { useOpenDeparture } from '../../records/departure-link.tsx'
import { useNow } from '../../ui/clock.ts'
import { useListScreen } from '../../app/use-list-screen.tsx'
import { m } from '../../paraglide/messages.js'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { formatDayTimeThere } from '../../ui/format.ts'
import { Page } from '../../ui/page.tsx'
import { DataTable } from '../../ui/table/data-table.tsx'
import type { SavedView } from '../../ui/table/table-types.ts'
import { MessageGuests } from '../notifications/index.ts'
import { useDepartureSignals } from './departure-signals.ts'
import { MonitoringCard, monitoringColumns, stateFilter, type Watched } from './monitoring-columns.tsx'
import { FirstStep, scheduleLink } from '../../records/first-step.tsx'

/** Ages are repainted this often. */
const clockMs = 5_000
/** Estimates are computed once a minute from positions, which send no change notification. */
const readEveryMs = 60_000

/** What a paused list continues showing. */
interface Snapshot {
  rows: readonly MonitoringRow[] | undefined
  total: number | undefined
  watched: Watched
}

/** Every departure that runs or starts within a day, in one dense table. See docs/screens.md, "Monitoring". */
export function FullMonitoringListPage() {
  const open = useOpenDeparture()
  const now = useNow(clockMs)
  const { departure } = useSearch({ from: '/_dashboard' })
  const [frozen, setFrozen] = useState<Snapshot | null>(null)
  const screen = useListScreen({
    screen: 'monitoring-list',
    list: monitoringList,
    exportAs: exportMonitoring,
    defaults: { size: maxMonitored },
    readEveryMs,
  })
  const signals = useDepartureSignals()
  const { counts, nextStart } = screen.answer ?? {}
  const builtIn: SavedView[] = [
    { id: 'all', name: m.monitoring_view_all(), count: counts?.all, state: {} },
    {
      id: 'on_time',
      name: m.monitoring_state_on_time(),
      count: counts?.onTime,
      state: { filters: { state: ['on_time'] } },
    },
    { id: 'late', name: m.monitoring_state_late(), count: counts?.late, state: { filters: { state: ['late'] } } },
    {
      id: 'no_signal',
      name: m.monitoring_state_no_signal(),
      count: counts?.noSignal,
      state: { filters: { state: ['no_signal'] } },
    },
    {
      id: 'not_ready',
      name: m.monitoring_state_not_ready(),
      count: counts?.notReady,
      state: { filters: { state: ['not_ready'] } },
    },
  ]
  const current: Snapshot = { rows: screen.table.rows, total: screen.table.total, watched: { now, signals } }
  const { rows, total, watched } = frozen ?? current
  const pause = () => setFrozen(frozen ? null : current)
  return (
    <Page
      title={m.app_title_monitoring_list()}
      context={counts && m.monitoring_list_context({ count: counts.all })}
      actions={
        <>
          {rows && rows.length > 0 && (
            <MessageGuests guests={{ departureIds: rows.map(({ id }) => id), bookingIds: [] }} />
          )}
          <Button icon={frozen ? Play : Pause} aria-pressed={frozen !== null} onClick={pause}>
            {frozen ? m.monitoring_go_on() : m.monitoring_pause()}
          </Button>
        </>
      }
      fill
    >
      <DataTable
        {...screen.table}
        {...{ rows, total }}
        views={[...builtIn, ...(screen.table.views ?? [])]}
        selection={undefined}
        onSelectionChange={undefined}
        label={m.app_title_monitoring_list()}
        columns={monitoringColumns(watched)}
        rowKey={(row) => row.id}
        rowLabel={(row) => row.code}
        searchPlaceholder={m.monitoring_search_departures()}
        filters={[stateFilter()]}
        onOpen={(row) => open(row.id, { replace: departure !== undefined })}
        openKey={departure ?? null}
        renderCard={(row) => <MonitoringCard row={row} watched={watched} />}
        countLabel={(count) => m.monitoring_departures({ count })}
        footerNote={frozen ? m.monitoring_paused_note() : m.monitoring_local_times()}
        empty={
          <Empty
            title={m.monitoring_nothing_moves()}
            icon={Radar}
            actions={
              !nextStart && (
                <FirstStep permission="departures:manage" link={scheduleLink}>
                  {m.tours_first_schedule()}
                </FirstStep>
              )
            }
          >
            {nextStart
              ? m.monitoring_next_start({ time: formatDayTimeThere(nextStart.startsAt, nextStart.timeZone) })
              : m.monitoring_nothing_planned()}
          </Empty>
        }
      />
    </Page>
  )
}
