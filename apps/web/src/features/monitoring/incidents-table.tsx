import { useSearch } from '@tanstack/react-router'
import { incidentCategories, type IncidentRow, listIncidents } from '@tour-ops/contract/monitoring/incidents'
import { statusesOf } from '@tour-ops/contract/state-machines'
import { ListTodo, Siren, TriangleAlert } from 'lucide-react'
import { useListScreen } from '../../app/use-list-screen.tsx'
import { m } from '../../paraglide/messages.js'
import { useNow } from '../../ui/clock.ts'
import { Calm, Chip } from '../../ui/chip.tsx'
import { Empty } from '../../ui/empty.tsx'
import { formatDayTime, formatMoment } from '../../ui/format.ts'
import { Ltr } from '../../ui/ltr.tsx'
import { DataTable } from '../../ui/table/data-table.tsx'
import { TimesIn } from '../../ui/times-in.tsx'
import type { DataColumn, SavedView, TableFilter } from '../../ui/table/table-types.ts'
import { gravityLabels } from '../../records/incident-labels.ts'
import { categoryLooks, gravityTone, incidentStatusLabels, isOver, statusText } from './incident-labels.ts'
import { useOpenIncident } from '../../records/use-open-incident.ts'

const departureText = ({ departure }: IncidentRow): string =>
  departure ? `${departure.tourName} ${formatMoment(departure.startsAt, departure.timeZone)}` : ''

/** Category and gravity; tinted while the incident needs somebody. */
export function GravityChip({ incident }: { incident: Pick<IncidentRow, 'category' | 'severity' | 'status'> }) {
  const { label, icon } = categoryLooks[incident.category]
  const words = `${label()} · ${gravityLabels[incident.severity]?.() ?? incident.severity}`
  if (isOver(incident.status)) return <Calm icon={icon}>{words}</Calm>
  return (
    <Chip tone={gravityTone(incident)} icon={icon}>
      {words}
    </Chip>
  )
}

/** How many tasks are open; tinted when the first of them is overdue. Nothing where none is. */
export function OpenTasks({
  incident: { openTasks, taskDueAt },
  now,
}: {
  incident: Pick<IncidentRow, 'openTasks' | 'taskDueAt'>
  now: number
}) {
  if (openTasks === 0) return null
  if (taskDueAt === null || Date.parse(taskDueAt) > now) {
    return <Calm icon={ListTodo}>{m.monitoring_tasks_open({ count: openTasks })}</Calm>
  }
  return (
    <Chip tone="bad" icon={TriangleAlert}>
      {m.monitoring_tasks_overdue({ count: openTasks })}
    </Chip>
  )
}

const columns = (timeZone: string, now: number): DataColumn<IncidentRow>[] => [
  {
    id: 'reportedAt',
    header: m.monitoring_reported_at(),
    width: 150,
    pinned: true,
    sortable: true,
    cell: (row) => <Ltr className="text-ink-strong">{formatDayTime(row.reportedAt, timeZone)}</Ltr>,
  },
  {
    id: 'status',
    header: m.monitoring_status(),
    width: 120,
    sortable: true,
    cell: (row) => (
      <span className="block leading-4 whitespace-normal" data-whole>
        {statusText(row)}
      </span>
    ),
  },
  {
    id: 'severity',
    header: m.monitoring_gravity(),
    width: 216,
    sortable: true,
    cell: (row) => <GravityChip incident={row} />,
  },
  {
    id: 'title',
    header: m.monitoring_what_happened(),
    width: 244,
    grow: true,
    alwaysShown: true,
    cell: (row) => <b className="font-medium text-ink-strong">{row.title}</b>,
  },
  {
    id: 'departure',
    header: m.monitoring_departure(),
    width: 200,
    cell: (row) => (
      <bdi className="block text-xs leading-4 whitespace-normal" data-whole>
        {departureText(row)}
      </bdi>
    ),
  },
  {
    id: 'tasks',
    header: m.monitoring_tasks(),
    width: 190,
    cell: (row) => <OpenTasks incident={row} now={now} />,
  },
  { id: 'owner', header: m.monitoring_leads(), width: 150, cell: (row) => <bdi>{row.owner?.name}</bdi> },
  {
    id: 'number',
    header: m.monitoring_number(),
    width: 140,
    sortable: true,
    cell: (row) => <Ltr className="text-ink-2">{row.number}</Ltr>,
  },
]

const filters = (): TableFilter[] => [
  {
    id: 'status',
    label: m.monitoring_status(),
    kind: 'choice',
    options: statusesOf('incidents').map((value) => ({ value, label: incidentStatusLabels[value]() })),
  },
  {
    id: 'category',
    label: m.monitoring_category(),
    kind: 'choice',
    options: incidentCategories.map((value) => ({ value, label: categoryLooks[value].label() })),
  },
  {
    id: 'severity',
    label: m.monitoring_gravity(),
    kind: 'choice',
    options: [1, 2, 3, 4].map((value) => ({ value: String(value), label: gravityLabels[value]?.() ?? '' })),
  },
]

const views = (): SavedView[] => [
  { id: 'all', name: m.monitoring_view_all(), state: {} },
  {
    id: 'open',
    name: m.monitoring_view_open(),
    state: { filters: { status: statusesOf('incidents').filter((status) => !isOver(status)) } },
  },
]

/** What is overdue is marked as it becomes so. */
const clockMs = 30_000

/** All incidents, those that need somebody first. */
export function IncidentsTable({ timeZone }: { timeZone: string }) {
  const open = useOpenIncident()
  const now = useNow(clockMs)
  const { incident } = useSearch({ from: '/_dashboard' })
  const screen = useListScreen({
    screen: 'incidents',
    list: listIncidents,
    views: views(),
    filtersOf: ({ severity, ...chosen }) => ({ ...chosen, ...(severity && { severity: severity.map(Number) }) }),
  })
  return (
    <DataTable
      {...screen.table}
      selection={undefined}
      onSelectionChange={undefined}
      label={m.monitoring_incidents()}
      columns={columns(timeZone, now)}
      rowKey={(row) => row.id}
      rowLabel={(row) => row.number}
      searchPlaceholder={m.monitoring_search_incidents()}
      filters={filters()}
      onOpen={(row) => open(row.id)}
      openKey={incident ?? null}
      renderCard={(row) => <IncidentCard row={row} timeZone={timeZone} now={now} />}
      footerNote={<TimesIn zone={timeZone} />}
      countLabel={(count) => m.monitoring_incident_count({ count })}
      empty={
        <Empty title={m.monitoring_no_incidents()} icon={Siren}>
          {m.monitoring_no_incidents_text()}
        </Empty>
      }
    />
  )
}

const IncidentCard = ({ row, timeZone, now }: { row: IncidentRow; timeZone: string; now: number }) => (
  <span className="grid grid-cols-1 gap-0.5">
    <span className="flex items-center justify-between gap-2">
      <Ltr className="text-xs text-ink-2">{formatDayTime(row.reportedAt, timeZone)}</Ltr>
      <GravityChip incident={row} />
    </span>
    <b className="font-medium text-ink-strong">{row.title}</b>
    <span className="text-xs text-ink-2">{[statusText(row), departureText(row)].filter(Boolean).join(' · ')}</span>
    <OpenTasks incident={row} now={now} />
  </span>
)
