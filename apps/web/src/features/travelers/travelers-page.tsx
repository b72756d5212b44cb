import { useQuery } from '@tanstack/react-query'
import { Link, linkOptions, useNavigate } from '@tanstack/react-router'
import { travelerFlags } from '@tour-ops/contract/bookings/manifest'
import { tourOptionsForPickers } from '@tour-ops/contract/tours/tours'
import {
  countTravelerViews,
  exportTravelers,
  listTravelers,
  type TravelerRow,
  travelerViews,
} from '@tour-ops/contract/travelers/travelers'
import { Plus, Upload } from 'lucide-react'
import { TravelerFlagsColumn, travelerFlagLabel } from '../../records/traveler-flags.tsx'
import { useListScreen } from '../../app/use-list-screen.tsx'
import { callQuery } from '../../backend/queries.ts'
import { useAccess } from '../../identity/access.ts'
import { m } from '../../paraglide/messages.js'
import { buttonClass } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { formatDay, formatLanguage, formatNumber, formatTime } from '../../ui/format.ts'
import { Ltr } from '../../ui/ltr.tsx'
import { Page } from '../../ui/page.tsx'
import { DataTable } from '../../ui/table/data-table.tsx'
import type { DataColumn, SavedView, TableFilter } from '../../ui/table/table-types.ts'
import { FirstStep } from '../../records/first-step.tsx'
import { ZoneNote } from '../../ui/zone-note.tsx'
import { ChosenTravelers } from './chosen-travelers-later.ts'
import { TravelerCard, TravelerState } from './traveler-card.tsx'

const viewLabels: Record<(typeof travelerViews)[number], () => string> = {
  all: m.travelers_view_all,
  on_tour: m.travelers_view_on_tour,
  arriving: m.travelers_view_arriving,
  missing_data: m.travelers_view_missing_data,
  duplicates: m.travelers_view_duplicates,
}

/** The table uses lists of values; the callable takes a view and days. */
function filtersOf(filters: Record<string, string[]>): Record<string, unknown> {
  const { view, starts, ...rest } = filters
  const [from, to] = starts ?? []
  return { ...rest, ...(view?.[0] && { view: view[0] }), ...(from && { from }), ...(to && { to }) }
}

const columns = (): DataColumn<TravelerRow>[] => [
  {
    id: 'name',
    header: m.travelers_name(),
    width: 168,
    pinned: true,
    alwaysShown: true,
    sortable: 'lastName',
    cell: (row) => (
      <>
        <b className="font-medium text-ink-strong">
          <bdi>{row.name}</bdi>
        </b>{' '}
        <span className="text-xs text-ink-2">{row.nationality}</span>
      </>
    ),
  },
  { id: 'trip', header: m.travelers_trip(), width: 330, sortable: true, cell: (row) => <TripCell row={row} /> },
  { id: 'state', header: m.travelers_state(), width: 164, cell: (row) => <TravelerState row={row} /> },
  {
    id: 'flags',
    header: m.travelers_flags(),
    width: 140,
    grow: true,
    cell: (row) => <TravelerFlagsColumn flags={row.flags} />,
  },
  {
    id: 'booking',
    header: m.travelers_booking(),
    width: 116,
    cell: (row) => <Ltr className="text-ink-2">{row.trip?.bookingRef ?? ''}</Ltr>,
  },
  {
    id: 'languages',
    header: m.travelers_languages(),
    width: 76,
    cell: (row) => <span className="text-ink-2">{row.languages.join(', ')}</span>,
  },
  {
    id: 'phone',
    header: m.travelers_phone(),
    width: 124,
    cell: (row) => <Ltr className="text-ink-2">{row.phone ?? ''}</Ltr>,
  },
  {
    id: 'email',
    header: m.travelers_email(),
    width: 200,
    initiallyHidden: true,
    cell: (row) => <Ltr className="text-ink-2">{row.email ?? ''}</Ltr>,
  },
  {
    id: 'tags',
    header: m.travelers_tags(),
    width: 140,
    initiallyHidden: true,
    cell: (row) => <span className="text-ink-2">{row.tags.join(', ')}</span>,
  },
  {
    id: 'toursTaken',
    header: m.travelers_tours_taken(),
    width: 80,
    align: 'end',
    sortable: true,
    initiallyHidden: true,
    cell: (row) => <span className="num">{row.toursTaken}</span>,
  },
]

function TripCell({ row: { trip } }: { row: TravelerRow }) {
  if (!trip) return null
  return (
    <>
      <Ltr>
        <b className="font-semibold text-ink-strong">{formatTime(trip.startsAt, trip.timeZone)}</b>
      </Ltr>
      <span className="inline-block w-[84px] ps-1.5 text-ink-2">{formatDay(trip.startsAt, trip.timeZone)}</span>
      <ZoneNote moment={trip.startsAt} zone={trip.timeZone} /> <span className="text-ink-strong">{trip.tourName}</span>
    </>
  )
}

/** "Who are our guests, and what is the status of their trips?" See docs/screens.md, "Travelers". */
export function TravelersPage() {
  const navigate = useNavigate()
  const { can } = useAccess()
  const { data: counts } = useQuery(callQuery(countTravelerViews, {}))
  const { data: tours } = useQuery(callQuery(tourOptionsForPickers, {}))
  const views: SavedView[] = travelerViews.map((view) => ({
    id: view,
    name: viewLabels[view](),
    count: counts?.[view],
    state: view === 'all' ? {} : { filters: { view: [view] } },
  }))
  const screen = useListScreen({
    screen: 'travelers',
    list: listTravelers,
    exportAs: exportTravelers,
    views,
    filtersOf,
    defaults: { view: 'all' },
  })
  const filters: TableFilter[] = [
    { id: 'starts', label: m.travelers_filter_starts(), kind: 'dates' },
    {
      id: 'tourId',
      label: m.travelers_filter_tour(),
      kind: 'choice',
      options: (tours?.tours ?? []).map((tour) => ({ value: tour.id, label: tour.name })),
    },
    {
      id: 'flag',
      label: m.travelers_flags(),
      kind: 'choice',
      options: travelerFlags.map((flag) => ({ value: flag, label: travelerFlagLabel(flag) })),
    },
    {
      id: 'language',
      label: m.travelers_languages(),
      kind: 'choice',
      options: ['en', 'de', 'es', 'fr', 'it', 'nl', 'pt', 'zh', 'ja'].map((tag) => ({
        value: tag,
        label: formatLanguage(tag),
      })),
    },
    { id: 'tag', label: m.travelers_filter_tag(), kind: 'text' },
  ]
  const mayManage = can('travelers:manage')
  const mayWrite = can('notifications:send')
  return (
    <Page
      fill
      title={m.app_title_travelers()}
      context={counts && m.travelers_context({ count: formatNumber(counts.all), now: formatNumber(counts.on_tour) })}
      actions={
        mayManage && (
          <>
            <Link to="/travelers/import" className={buttonClass({})}>
              <Upload size={16} aria-hidden />
              {m.travelers_import()}
            </Link>
            <Link
              to="/travelers/edit/$id"
              params={{ id: 'create' }}
              className={buttonClass({ variant: screen.table.selection?.size ? 'secondary' : 'primary' })}
            >
              <Plus size={16} aria-hidden />
              {m.travelers_new()}
            </Link>
          </>
        )
      }
    >
      <DataTable
        {...screen.table}
        label={m.app_title_travelers()}
        columns={columns()}
        rowKey={(row) => row.id}
        rowLabel={(row) => row.name}
        searchPlaceholder={m.travelers_search()}
        filters={filters}
        onOpen={(row) => void navigate({ to: '/travelers/details/$id', params: { id: row.id } })}
        renderCard={(row) => <TravelerCard row={row} />}
        selection={mayManage || mayWrite ? screen.table.selection : undefined}
        selectionActions={(ids) => <ChosenTravelers ids={ids} onDone={screen.clearSelection} />}
        footerNote={m.travelers_times_note()}
        countLabel={(count) => m.travelers_count({ count })}
        empty={
          <Empty
            title={m.travelers_empty_title()}
            actions={
              <>
                <FirstStep permission="travelers:manage" link={{ to: '/travelers/import' }} isMain={false}>
                  {m.travelers_import()}
                </FirstStep>
                <FirstStep
                  permission="travelers:manage"
                  link={linkOptions({ to: '/travelers/edit/$id', params: { id: 'create' } })}
                >
                  {m.travelers_new()}
                </FirstStep>
              </>
            }
          >
            {m.travelers_empty_text()}
          </Empty>
        }
      />
    </Page>
  )
}
