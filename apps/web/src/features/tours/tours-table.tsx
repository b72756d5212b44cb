import { useNavigate } from '@tanstack/react-router'
import { exportTours, listTours, type TourRow } from '@tour-ops/contract/tours/tours'
import { Archive, CalendarPlus, Copy, Ellipsis, PencilLine, Route, Ticket, Undo2 } from 'lucide-react'
import { useState } from 'react'
import { useListScreen } from '../../app/use-list-screen.tsx'
import { useAccess } from '../../identity/access.ts'
import { m } from '../../paraglide/messages.js'
import { Empty } from '../../ui/empty.tsx'
import { formatDay, formatDuration, formatLanguage, formatMoney, formatPercent, formatTime } from '../../ui/format.ts'
import { Ltr } from '../../ui/ltr.tsx'
import { loadLater, onIntent } from '../../ui/load-later.tsx'
import { Menu, type MenuAction } from '../../ui/menu.tsx'
import { DataTable } from '../../ui/table/data-table.tsx'
import type { DataColumn, SavedView, TableFilter } from '../../ui/table/table-types.ts'
import { useRestore } from './tour-reads.ts'
import { TourStatus } from './tour-status.tsx'
import { kindLabels, optionsOf, tourStatusLabels } from './tour-labels.ts'
import { FirstStep } from '../../records/first-step.tsx'
import { ZoneNote } from '../../ui/zone-note.tsx'

const DuplicateDialog = loadLater(async () => (await import('./tour-dialogs.tsx')).DuplicateDialog)
const ArchiveDialog = loadLater(async () => (await import('./tour-dialogs.tsx')).ArchiveDialog)

/** `8 h`, or `5 days`. */
const durationOf = ({ durationDays, durationMin }: Pick<TourRow, 'durationDays' | 'durationMin'>): string =>
  durationDays > 1 ? m.tours_days({ count: durationDays }) : formatDuration(durationMin)

const dash = <span className="text-ink-2">–</span>

const columns = (): DataColumn<TourRow>[] => [
  {
    id: 'name',
    header: m.tours_name(),
    width: 236,
    grow: true,
    pinned: true,
    alwaysShown: true,
    sortable: true,
    cell: (row) => (
      <span className="inline-flex max-w-full min-w-0 items-center gap-2">
        <span className="size-2.5 shrink-0 rounded-full" style={{ background: row.color }} aria-hidden />
        <b className="truncate font-medium text-ink-strong">{row.name}</b>
        <span className="shrink-0" data-whole>
          <Ltr className="text-xs text-ink-2">{row.code}</Ltr>
        </span>
      </span>
    ),
  },
  {
    id: 'status',
    header: m.tours_status(),
    width: 176,
    sortable: true,
    cell: (row) => <TourStatus status={row.status} hasDraft={row.hasDraft && row.revisionNumber !== null} />,
  },
  { id: 'kind', header: m.tours_kind(), width: 100, sortable: true, cell: (row) => kindLabels[row.kind]() },
  {
    id: 'duration',
    header: m.tours_duration(),
    width: 88,
    sortable: true,
    cell: (row) => <span className="num">{durationOf(row)}</span>,
  },
  {
    id: 'nextDeparture',
    header: m.tours_next_departure(),
    width: 188,
    sortable: true,
    cell: (row) =>
      row.nextDeparture ? (
        <Ltr>
          <b className="font-semibold text-ink-strong">{formatTime(row.nextDeparture.startsAt, row.timeZone)}</b>{' '}
          <span className="text-ink-2">{formatDay(row.nextDeparture.startsAt, row.timeZone)}</span>{' '}
          <ZoneNote moment={row.nextDeparture.startsAt} zone={row.timeZone} />
        </Ltr>
      ) : (
        dash
      ),
  },
  {
    id: 'departures30d',
    header: m.tours_departures_30d(),
    width: 104,
    align: 'end',
    sortable: true,
    cell: (row) => <span className="num">{row.departuresNext30d}</span>,
  },
  {
    id: 'load30d',
    header: m.tours_load_30d(),
    width: 68,
    align: 'end',
    sortable: true,
    cell: (row) => <span className="num">{row.load30d === null ? '–' : formatPercent(row.load30d)}</span>,
  },
  {
    id: 'seatsOpen',
    header: m.tours_seats_open(),
    width: 96,
    align: 'end',
    initiallyHidden: true,
    cell: (row) => <span className="num">{row.seatsOpen30d}</span>,
  },
  {
    id: 'price',
    header: m.tours_from_price(),
    width: 112,
    align: 'end',
    cell: (row) =>
      row.fromPriceMinor !== null && row.currency ? <Ltr>{formatMoney(row.fromPriceMinor, row.currency)}</Ltr> : dash,
  },
  {
    id: 'languages',
    header: m.tours_languages(),
    width: 110,
    initiallyHidden: true,
    cell: (row) => (
      <span className="text-ink-2" title={row.languages.map(formatLanguage).join(', ')}>
        {row.languages.join(', ')}
      </span>
    ),
  },
]

const views = (): SavedView[] => [
  { id: 'current', name: m.tours_view_current(), state: { filters: { status: ['published', 'draft'] } } },
  { id: 'drafts', name: m.tours_view_drafts(), state: { filters: { status: ['draft'] } } },
  { id: 'archived', name: m.tours_view_archived(), state: { filters: { status: ['archived'] } } },
]

const filters = (): TableFilter[] => [
  { id: 'status', label: m.tours_status(), kind: 'choice', options: optionsOf(tourStatusLabels) },
  { id: 'kind', label: m.tours_kind(), kind: 'choice', options: optionsOf(kindLabels) },
  {
    id: 'language',
    label: m.tours_languages(),
    kind: 'choice',
    options: ['en', 'de', 'es', 'fr', 'it', 'pt', 'nl', 'zh', 'ja'].map((tag) => ({
      value: tag,
      label: formatLanguage(tag),
    })),
  },
]

export interface ToursTableProps {
  onSchedule: (tourId: string) => void
}

/** The catalogue: what is sold, how it sells in the next 30 days, and what may be done with it. */
export function ToursTable({ onSchedule }: ToursTableProps) {
  const navigate = useNavigate()
  const { can } = useAccess()
  const screen = useListScreen({
    screen: 'tours',
    list: listTours,
    exportAs: exportTours,
    views: views(),
    defaults: { view: 'current', filters: { status: ['published', 'draft'] } },
  })
  const mayAct = can('tours:manage') || can('departures:manage')
  const actionsColumn: DataColumn<TourRow> = {
    id: 'actions',
    header: m.tours_acts(),
    width: 64,
    alwaysShown: true,
    cell: (row) => <TourMenu tour={row} onSchedule={onSchedule} />,
  }
  return (
    <DataTable
      {...screen.table}
      selection={undefined}
      onSelectionChange={undefined}
      label={m.tours_tab_tours()}
      columns={mayAct ? [...columns(), actionsColumn] : columns()}
      rowKey={(row) => row.id}
      rowLabel={(row) => row.name}
      searchPlaceholder={m.tours_search()}
      filters={filters()}
      onOpen={(row) => void navigate({ to: '/tours/edit/$id', params: { id: row.id } })}
      renderCard={(row) => <TourCard row={row} />}
      footerNote={m.tours_local_times()}
      countLabel={(count) => m.tours_count({ count })}
      empty={
        <Empty
          title={m.tours_empty_title()}
          actions={
            <FirstStep permission="tours:manage" link={{ to: '/tours/constructor' }}>
              {m.tours_first()}
            </FirstStep>
          }
        >
          {m.tours_empty_text()}
        </Empty>
      }
    />
  )
}

const TourCard = ({ row }: { row: TourRow }) => (
  <span className="grid grid-cols-1 gap-1">
    <span className="flex items-center justify-between gap-2">
      <b className="min-w-0 truncate font-medium text-ink-strong">{row.name}</b>
      <TourStatus status={row.status} hasDraft={row.hasDraft && row.revisionNumber !== null} />
    </span>
    <span className="num flex flex-wrap gap-x-2 text-xs text-ink-2">
      <Ltr>{row.code}</Ltr>
      <span>{durationOf(row)}</span>
      {row.nextDeparture && <span>{m.tours_next({ day: formatDay(row.nextDeparture.startsAt, row.timeZone) })}</span>}
      {row.load30d !== null && <span>{m.tours_load({ share: formatPercent(row.load30d) })}</span>}
    </span>
  </span>
)

function TourMenu({ tour, onSchedule }: { tour: TourRow } & ToursTableProps) {
  const navigate = useNavigate()
  const { can } = useAccess()
  const [dialog, setDialog] = useState<'duplicate' | 'archive' | null>(null)
  const restore = useRestore()
  const close = () => setDialog(null)
  const mayManage = can('tours:manage')
  const to = (path: '/tours/edit/$id' | '/tours/wizard/$id') => void navigate({ to: path, params: { id: tour.id } })
  const items: (MenuAction | false)[] = [
    { key: 'edit', label: m.tours_edit(), icon: PencilLine, onSelect: () => to('/tours/edit/$id') },
    mayManage &&
      tour.status === 'draft' && {
        key: 'wizard',
        label: m.tours_continue_wizard(),
        icon: Route,
        onSelect: () => to('/tours/wizard/$id'),
      },
    can('bookings:manage') &&
      tour.status === 'published' && {
        key: 'book',
        label: m.bookings_new(),
        icon: Ticket,
        onSelect: () => void navigate({ to: '/travelers/book', search: { tour: tour.id } }),
      },
    can('departures:manage') &&
      tour.status === 'published' && {
        key: 'schedule',
        label: m.tours_schedule_departures(),
        icon: CalendarPlus,
        onSelect: () => onSchedule(tour.id),
      },
    mayManage && { key: 'copy', label: m.tours_duplicate(), icon: Copy, onSelect: () => setDialog('duplicate') },
    mayManage &&
      tour.status === 'published' && {
        key: 'archive',
        label: m.tours_archive(),
        icon: Archive,
        separated: true,
        onSelect: () => setDialog('archive'),
      },
    mayManage &&
      tour.status === 'archived' && {
        key: 'restore',
        label: m.tours_restore(),
        icon: Undo2,
        separated: true,
        onSelect: () => restore(tour),
      },
  ]
  return (
    <>
      <Menu
        label={m.tours_acts_of({ name: tour.name })}
        icon={Ellipsis}
        align="end"
        items={items.filter((item) => item !== false)}
        intent={onIntent(DuplicateDialog, ArchiveDialog)}
      />
      {dialog === 'duplicate' && <DuplicateDialog tour={tour} onClose={close} />}
      {dialog === 'archive' && <ArchiveDialog tour={tour} onClose={close} />}
    </>
  )
}
