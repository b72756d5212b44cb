import { CheckCheck, Check, CircleDashed, Clock, Download, Leaf, MessageSquare, Nut, UserRoundX } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { Button } from '../../ui/button.tsx'
import { Calm, Chip, Flags } from '../../ui/chip.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Ltr } from '../../ui/ltr.tsx'
import { Segments } from '../../ui/tabs.tsx'
import { DataTable } from '../../ui/table/data-table.tsx'
import { defaultTableState, type TableState } from '../../ui/table/table-state.ts'
import type { DataColumn, SavedView, TableFilter } from '../../ui/table/table-types.ts'
import { toast } from '../../ui/toast.tsx'
import { travelers, type GalleryTraveler } from './gallery-data.ts'

const looks: Record<GalleryTraveler['state'], () => ReactNode> = {
  aboard: () => (
    <Calm tone="ok" icon={CheckCheck}>
      Aboard <span className="num">08:21</span>
    </Calm>
  ),
  expected: () => <Calm icon={CircleDashed}>Expected</Calm>,
  confirmed: () => <Calm icon={Check}>Confirmed</Calm>,
  no_show: () => (
    <Chip tone="bad" icon={UserRoundX}>
      No-show
    </Chip>
  ),
  waitlist: () => (
    <Chip tone="info" icon={Clock}>
      Waitlist 1
    </Chip>
  ),
  hold: () => (
    <Chip tone="warn" icon={Clock}>
      On hold to <span className="num">17:00</span>
    </Chip>
  ),
}

const flagsOf = (row: GalleryTraveler) => (
  <Flags
    flags={row.flags.map((label) => {
      const isAllergy = label.includes('allergy')
      return { label, tone: isAllergy ? 'warn' : 'neutral', icon: isAllergy ? Nut : Leaf }
    })}
  />
)

const columns: DataColumn<GalleryTraveler>[] = [
  {
    id: 'name',
    header: 'Name',
    width: 176,
    pinned: true,
    alwaysShown: true,
    sortable: true,
    cell: (row) => (
      <>
        <b className="font-medium text-ink-strong">{row.name}</b>{' '}
        <span className="text-xs text-ink-2">{row.country}</span>
      </>
    ),
  },
  {
    id: 'departure',
    header: 'Next departure',
    width: 240,
    sortable: 'start',
    cell: (row) => (
      <>
        <Ltr>
          <b className="font-semibold text-ink-strong">{row.time}</b>
        </Ltr>
        <span className="inline-block w-[82px] ps-1.5 text-ink-2">{row.day}</span>
        <span className="text-ink-strong">{row.tour}</span>
      </>
    ),
  },
  { id: 'state', header: 'State', width: 150, cell: (row) => looks[row.state]() },
  { id: 'flags', header: 'Flags', width: 230, grow: true, cell: flagsOf },
  { id: 'reference', header: 'Booking', width: 110, cell: (row) => <Ltr className="text-ink-2">{row.reference}</Ltr> },
  {
    id: 'languages',
    header: 'Languages',
    width: 100,
    sortable: true,
    cell: (row) => <span className="text-ink-2">{row.languages}</span>,
  },
  { id: 'phone', header: 'Phone', width: 150, cell: (row) => <Ltr className="text-ink-2">{row.phone}</Ltr> },
  { id: 'country', header: 'Country', width: 80, initiallyHidden: true, cell: (row) => row.country },
]

const filters: TableFilter[] = [
  {
    id: 'state',
    label: 'State',
    kind: 'choice',
    options: Object.keys(looks).map((value) => ({ value, label: value.replace('_', '-') })),
  },
  { id: 'start', label: 'Starts', kind: 'dates' },
  { id: 'medical', label: 'Medical note', kind: 'yesNo' },
  { id: 'city', label: 'City', kind: 'text' },
]

const views: SavedView[] = [
  { id: 'all', name: 'All', count: 420, state: {} },
  { id: 'now', name: 'On tour now', count: 84, state: { filters: { state: ['aboard'] } } },
  {
    id: 'weekend',
    name: 'This weekend',
    count: 38,
    own: true,
    state: { filters: { start: ['2026-11-20', '2026-11-22'] } },
  },
]

const situations = ['rows', 'loading', 'empty', 'no match', 'error', 'updating'] as const
type Situation = (typeof situations)[number]

/** The list in all its situations. */
export function GalleryTable() {
  const [situation, setSituation] = useState<Situation>('rows')
  const [state, setState] = useState<TableState>({
    ...defaultTableState,
    view: 'weekend',
    sort: [{ by: 'start', descending: false }],
    filters: { start: ['2026-11-20', '2026-11-22'] },
  })
  const [selection, setSelection] = useState<ReadonlySet<string>>(new Set())
  const [openKey, setOpenKey] = useState<string | null>(null)
  const isEmpty = situation === 'empty' || situation === 'no match'
  return (
    <>
      <div className="pb-3">
        <Segments
          label="Situation"
          items={situations.map((key) => ({ key, label: key }))}
          value={situation}
          onChange={setSituation}
        />
      </div>
      <DataTable
        label="Travelers"
        columns={columns}
        rows={situation === 'loading' || situation === 'error' ? undefined : isEmpty ? [] : travelers}
        total={situation === 'loading' || situation === 'error' ? undefined : isEmpty ? 0 : 100_000}
        rowKey={(row) => row.id}
        rowLabel={(row) => row.name}
        state={situation === 'empty' ? defaultTableState : { ...state, size: 500 }}
        onStateChange={setState}
        searchPlaceholder="Name, phone or booking"
        filters={filters}
        views={views}
        onSaveView={(name) => toast(`Saved ${name}`)}
        onDeleteView={() => toast('Deleted', { label: 'Undo', onPress: () => toast('Back again') })}
        onOpen={(row) => setOpenKey(row.id)}
        openKey={openKey}
        selection={selection}
        onSelectionChange={setSelection}
        selectionActions={(keys) => (
          <>
            <Button variant="primary" icon={MessageSquare}>
              Message {keys.length}
            </Button>
            <Button icon={Download}>Export</Button>
          </>
        )}
        renderCard={(row) => (
          <span className="flex items-start gap-3">
            <span className="num w-12 shrink-0">
              <b className="block font-semibold text-ink-strong">{row.time}</b>
              <span className="text-xs text-ink-2">Fri 20</span>
            </span>
            <span className="min-w-0 flex-1">
              <span className="flex items-center gap-2">
                <b className="truncate font-medium text-ink-strong">{row.name}</b>
                <span className="ms-auto">{looks[row.state]()}</span>
              </span>
              <span className="mt-0.5 flex flex-wrap items-center gap-x-2 gap-y-1 text-ink-2">
                {row.tour} {flagsOf(row)}
              </span>
            </span>
          </span>
        )}
        isFetching={situation === 'updating' || situation === 'loading'}
        error={situation === 'error' ? { message: 'The list could not be read.', requestId: '7f3a9c2e41' } : null}
        onRetry={() => setSituation('rows')}
        empty={<Empty title="No travelers yet">They come with the first booking or a manifest file.</Empty>}
        footerNote="Times are local to each tour"
        countLabel={(total) => `${total} travelers`}
      />
    </>
  )
}
