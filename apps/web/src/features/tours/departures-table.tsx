import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import {
  departureStatuses,
  exportDepartures,
  listDepartures,
  setDepartureSales,
  type DepartureRow,
} from '@tour-ops/contract/departures/departures'
import { statusesOf, hasStatus, notLeftStatuses } from '@tour-ops/contract/state-machines'
import { tourOptionsForPickers } from '@tour-ops/contract/tours/tours'
import { CirclePause, CirclePlay, CircleSlash } from 'lucide-react'
import { useOpenDeparture } from '../../records/departure-link.tsx'
import { DepartureStatus } from '../../records/departure-status.tsx'
import { useNow } from '../../ui/clock.ts'
import { useListScreen } from '../../app/use-list-screen.tsx'
import { refusalText } from '../../errors/refusal-text.ts'
import { callQuery, useCall } from '../../backend/queries.ts'
import { useAccess } from '../../identity/access.ts'
import { m } from '../../paraglide/messages.js'
import { Button } from '../../ui/button.tsx'
import { Calm, statusLabel } from '../../ui/chip.tsx'
import { Empty } from '../../ui/empty.tsx'
import { formatLanguage, formatLocalDay, formatLocalTime, timeFormat } from '../../ui/format.ts'
import { LoadBar } from '../../ui/load-bar.tsx'
import { Ltr } from '../../ui/ltr.tsx'
import { DataTable } from '../../ui/table/data-table.tsx'
import type { DataColumn, SavedView, TableFilter } from '../../ui/table/table-types.ts'
import { toast } from '../../ui/toast.tsx'
import { departureFiltersOf } from './departure-filters.ts'
import { useToday } from '../../app/shell/today.ts'
import { optionsOf, salesLabels } from './tour-labels.ts'
import { FirstDeparture } from '../../records/first-departure.tsx'
import { ZoneNote } from '../../ui/zone-note.tsx'

const columns = (now: number): DataColumn<DepartureRow>[] => [
  {
    id: 'start',
    header: m.tours_start(),
    width: timeFormat() === '24h' ? 186 : 214,
    pinned: true,
    alwaysShown: true,
    sortable: 'startsAt',
    cell: (row) => (
      <>
        <Ltr>
          <b className="font-semibold text-ink-strong">{formatLocalTime(row.startTimeLocal)}</b>
        </Ltr>{' '}
        <span className="num text-ink-2">{formatLocalDay(row.localDate)}</span>{' '}
        <ZoneNote moment={row.startsAt} zone={row.timeZone} />
      </>
    ),
  },
  {
    id: 'status',
    header: m.tours_status(),
    width: 160,
    sortable: true,
    cell: (row) => <DepartureStatus departure={row} now={now} />,
  },
  {
    id: 'tour',
    header: m.tours_tour(),
    width: 180,
    grow: true,
    sortable: 'tourName',
    cell: (row) => <b className="font-medium text-ink-strong">{row.tourName}</b>,
  },
  {
    id: 'booked',
    header: m.tours_booked(),
    width: 124,
    sortable: 'load',
    cell: (row) => <LoadBar value={row.seatsConfirmed} capacity={row.capacity} />,
  },
  {
    id: 'sales',
    header: m.tours_sales(),
    width: 100,
    cell: (row) => <Sales row={row} />,
  },
  {
    id: 'guide',
    header: m.tours_guide(),
    width: 150,
    cell: (row) => row.leadGuide?.name ?? <span className="text-xs font-medium text-gap">{m.tours_no_guide()}</span>,
  },
  { id: 'vehicle', header: m.tours_vehicle(), width: 96, cell: (row) => row.vehicle?.name ?? '' },
  {
    id: 'ready',
    header: m.tours_ready(),
    width: 72,
    align: 'end',
    cell: ({ readiness }) =>
      readiness.total === 0 ? (
        <span className="text-ink-2">–</span>
      ) : (
        <Ltr className={readiness.ready ? '' : 'font-medium text-warn'}>
          {readiness.done}/{readiness.total}
        </Ltr>
      ),
  },
  {
    id: 'seatsLeft',
    header: m.tours_seats_left(),
    width: 96,
    align: 'end',
    sortable: true,
    initiallyHidden: true,
    cell: (row) => <span className="num">{row.seatsLeft}</span>,
  },
  {
    id: 'waitlist',
    header: m.tours_waitlist(),
    width: 96,
    align: 'end',
    sortable: true,
    initiallyHidden: true,
    cell: (row) => <span className="num">{row.waitlistCount}</span>,
  },
  {
    id: 'language',
    header: m.tours_language(),
    width: 110,
    initiallyHidden: true,
    cell: (row) => (row.language ? formatLanguage(row.language) : ''),
  },
  {
    id: 'code',
    header: m.tours_code(),
    width: 170,
    sortable: true,
    initiallyHidden: true,
    cell: (row) => <Ltr className="text-ink-2">{row.code}</Ltr>,
  },
]

const salesIcons = { open: CirclePlay, paused: CirclePause, closed: CircleSlash }

/** Sales matter only while somebody could still book. */
function Sales({ row }: { row: DepartureRow }) {
  if (row.status !== 'draft' && !hasStatus(notLeftStatuses, row.status)) return null
  return <Calm icon={salesIcons[row.salesStatus]}>{salesLabels[row.salesStatus]()}</Calm>
}

/** All departures as a table: filters, views, export, and sales of many at once. */
export function DeparturesTable() {
  const open = useOpenDeparture()
  const { can } = useAccess()
  const now = useNow(30_000)
  const today = useToday()
  const { departure } = useSearch({ from: '/_dashboard' })
  const upcoming = { dates: [today, ''] }
  const views: SavedView[] = [
    { id: 'upcoming', name: m.tours_view_upcoming(), state: { filters: upcoming } },
    { id: 'today', name: m.tours_view_today(), state: { filters: { dates: [today, today] } } },
    { id: 'no_guide', name: m.tours_view_no_guide(), state: { filters: { ...upcoming, needs: ['lead_guide'] } } },
    { id: 'below', name: m.tours_view_below(), state: { filters: { ...upcoming, needs: ['minimum_pax'] } } },
    {
      id: 'waitlist',
      name: m.tours_view_waitlist(),
      state: { filters: { ...upcoming, needs: ['waitlist_decision'] } },
    },
  ]
  const screen = useListScreen({
    screen: 'departures',
    list: listDepartures,
    exportAs: exportDepartures,
    views,
    filtersOf: departureFiltersOf,
    defaults: { view: 'upcoming', filters: upcoming },
  })
  return (
    <DataTable
      {...screen.table}
      label={m.tours_tab_departures()}
      columns={columns(now)}
      rowKey={(row) => row.id}
      rowLabel={(row) => row.code}
      searchPlaceholder={m.tours_search_departures()}
      filters={useFilters()}
      onOpen={(row) => open(row.id, { replace: departure !== undefined })}
      openKey={departure ?? null}
      renderCard={(row) => <DepartureCard row={row} now={now} />}
      selection={can('departures:dispatch') ? screen.table.selection : undefined}
      onSelectionChange={can('departures:dispatch') ? screen.table.onSelectionChange : undefined}
      selectionActions={(ids) => <SalesActions ids={ids} onDone={screen.clearSelection} />}
      footerNote={m.tours_local_times()}
      countLabel={(count) => m.tours_departure_count({ count })}
      empty={
        <Empty title={m.tours_no_departures_title()} actions={<FirstDeparture />}>
          {m.tours_no_departures_text()}
        </Empty>
      }
    />
  )
}

function useFilters(): TableFilter[] {
  const { data } = useQuery(callQuery(tourOptionsForPickers, {}))
  return [
    { id: 'dates', label: m.tours_dates(), kind: 'dates' },
    {
      id: 'tourId',
      label: m.tours_tour(),
      kind: 'choice',
      options: (data?.tours ?? []).map((tour) => ({ value: tour.id, label: tour.name })),
    },
    {
      id: 'status',
      label: m.tours_status(),
      kind: 'choice',
      options: departureStatuses.map((value) => ({
        value,
        label: value === 'in_progress' ? m.tours_in_progress() : statusLabel(value),
      })),
    },
    {
      id: 'salesStatus',
      label: m.tours_sales(),
      kind: 'choice',
      options: optionsOf(salesLabels),
    },
    {
      id: 'needs',
      label: m.tours_needs(),
      kind: 'choice',
      options: [
        { value: 'lead_guide', label: m.tours_view_no_guide() },
        { value: 'vehicle', label: m.tours_needs_vehicle() },
        { value: 'minimum_pax', label: m.tours_view_below() },
        { value: 'waitlist_decision', label: m.tours_view_waitlist() },
      ],
    },
    {
      id: 'readiness',
      label: m.tours_ready(),
      kind: 'choice',
      options: [
        { value: 'ready', label: m.tours_is_ready() },
        { value: 'not_ready', label: m.tours_not_ready() },
      ],
    },
    {
      id: 'load',
      label: m.tours_load_band(),
      kind: 'choice',
      options: [
        { value: 'none', label: m.tours_load_none() },
        { value: 'low', label: m.tours_load_low() },
        { value: 'medium', label: m.tours_load_medium() },
        { value: 'full', label: m.tours_load_full() },
      ],
    },
  ]
}

const DepartureCard = ({ row, now }: { row: DepartureRow; now: number }) => (
  <span className="grid grid-cols-[78px_minmax(0,1fr)] gap-x-2">
    <Ltr className="font-semibold text-ink-strong">{formatLocalTime(row.startTimeLocal)}</Ltr>
    <span className="flex items-center justify-between gap-2">
      <b className="min-w-0 font-medium text-ink-strong" data-whole>
        {row.tourName}
      </b>
      <DepartureStatus departure={row} now={now} />
    </span>
    <span className="num text-xs text-ink-2">
      {formatLocalDay(row.localDate)} <ZoneNote moment={row.startsAt} zone={row.timeZone} />
    </span>
    <span className="flex flex-wrap items-center gap-x-2 text-xs text-ink-2">
      <Ltr>
        {row.seatsConfirmed}/{row.capacity}
      </Ltr>
      <span>{row.leadGuide?.name ?? <span className="font-medium text-gap">{m.tours_no_guide()}</span>}</span>
      {row.salesStatus !== 'open' && <Sales row={row} />}
    </span>
  </span>
)

/** Most departures of one bulk act. Source: contract, `departures-set-sales`. */
const maxBulk = 200

function SalesActions({ ids, onDone }: { ids: readonly string[]; onDone: () => void }) {
  const set = useCall(setDepartureSales, {
    onSuccess: ({ changed }, { to }) => {
      toast(to === 'open' ? m.tours_sales_opened({ count: changed }) : m.tours_sales_stopped({ count: changed }))
      onDone()
    },
    onError: (error) => toast(refusalText(error)),
  })
  const tooMany = ids.length > maxBulk ? m.tours_too_many({ max: maxBulk }) : undefined
  const labels = { open: m.tours_open_sales, paused: m.tours_pause_sales, closed: m.tours_close_sales }
  return (
    <>
      {statusesOf('departure_sales').map((to) => (
        <Button
          key={to}
          icon={salesIcons[to]}
          pending={set.isPending && set.variables.to === to}
          disabledReason={to === 'open' ? tooMany : undefined}
          disabled={to !== 'open' && tooMany !== undefined}
          onClick={() => set.mutate({ ids: [...ids], to })}
        >
          {labels[to]()}
        </Button>
      ))}
    </>
  )
}
