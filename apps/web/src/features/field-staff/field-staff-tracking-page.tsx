import { type FieldStaffRow, listFieldStaff } from '@tour-ops/contract/field-staff/field-staff'
import { linkStates } from '@tour-ops/contract/tracking/link-state'
import { useQuery } from '@tanstack/react-query'
import { linkOptions, useNavigate } from '@tanstack/react-router'
import { CircleCheck, CircleDashed } from 'lucide-react'
import { useMemo } from 'react'
import { DepartureLink } from '../../records/departure-link.tsx'
import { FirstStep } from '../../records/first-step.tsx'
import { useListScreen } from '../../app/use-list-screen.tsx'
import { callQuery } from '../../backend/queries.ts'
import { m } from '../../paraglide/messages.js'
import { Calm } from '../../ui/chip.tsx'
import { useNow } from '../../ui/clock.ts'
import { formatPastAge, formatPercent } from '../../ui/format.ts'
import { Empty } from '../../ui/empty.tsx'
import { Ltr } from '../../ui/ltr.tsx'
import { Page } from '../../ui/page.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { DataTable } from '../../ui/table/data-table.tsx'
import type { DataColumn, TableFilter } from '../../ui/table/table-types.ts'
import { type SeenSubject, signalOf, useSeenSubjects } from '../tracking/index.ts'
import { NobodyYet } from './nobody-yet.tsx'
import { dutyWords, kindWords } from './staff-words.ts'

/** Ages are looked at again this often. */
const clockMs = 5_000
const onDuty = linkStates.filter((state) => state !== 'off_duty')

/** What the stream says of people on duty, and the moment at which it is looked at. */
interface Seen {
  readonly byStaff: ReadonlyMap<string, SeenSubject>
  readonly now: number
}

/** The signal as it is now; what the list was told is as old as its answer. */
function State({ row, seen }: { row: FieldStaffRow; seen: Seen }) {
  const position = seen.byStaff.get(row.id)
  const state = position ? signalOf(position, seen.now) : row.dutyState
  return (
    <Calm icon={state === 'live' ? CircleCheck : CircleDashed} tone={state === 'live' ? 'ok' : 'neutral'}>
      {dutyWords[state]()}
    </Calm>
  )
}

const Age = ({ position, now }: { position: SeenSubject | undefined; now: number }) =>
  position && <span className="num text-ink-2">{formatPastAge(position.recordedAt, now)}</span>

const Battery = ({ position }: { position: SeenSubject | undefined }) =>
  typeof position?.batteryPct === 'number' && (
    <span className="num text-ink-2">{formatPercent(position.batteryPct / 100)}</span>
  )

const Departure = ({ next }: { next: FieldStaffRow['nextAssignment'] }) =>
  next && (
    <DepartureLink id={next.departureId} className="link">
      <Ltr>{next.code}</Ltr>
    </DepartureLink>
  )

const columns = (seen: Seen): DataColumn<FieldStaffRow>[] => [
  {
    id: 'name',
    header: m.field_staff_name(),
    width: 220,
    pinned: true,
    alwaysShown: true,
    sortable: true,
    cell: (row) => <b className="font-medium text-ink-strong">{row.name}</b>,
  },
  { id: 'duty', header: m.field_staff_duty(), width: 160, cell: (row) => <State row={row} seen={seen} /> },
  {
    id: 'signal',
    header: m.tracking_column_signal(),
    width: 140,
    cell: (row) => <Age position={seen.byStaff.get(row.id)} now={seen.now} />,
  },
  {
    id: 'battery',
    header: m.tracking_column_battery(),
    width: 90,
    cell: (row) => <Battery position={seen.byStaff.get(row.id)} />,
  },
  {
    id: 'departure',
    header: m.field_staff_on_departure(),
    width: 200,
    grow: true,
    cell: (row) => <Departure next={row.nextAssignment} />,
  },
  {
    id: 'kinds',
    header: m.field_staff_kinds(),
    width: 160,
    cell: (row) => row.kinds.map((kind) => kindWords[kind]()).join(', '),
  },
  {
    id: 'phone',
    header: m.field_staff_phone(),
    width: 160,
    cell: (row) => <Ltr className="text-ink-2">{row.phone ?? ''}</Ltr>,
  },
]

/** "Who is out there, and when were they last seen?" See docs/screens.md, "Field staff". */
export function FieldStaffTrackingPage() {
  const navigate = useNavigate()
  const now = useNow(clockMs)
  const subjects = useSeenSubjects()
  const seen = useMemo(
    () => ({ byStaff: new Map(subjects.map((subject) => [subject.subjectId, subject])), now }),
    [subjects, now],
  )
  const { table } = useListScreen({
    screen: 'tracking',
    list: listFieldStaff,
    // Who is off duty is shown to those who ask; an empty page is then not "nothing matches".
    filtersOf: (filters) => ({ dutyState: onDuty, ...filters }),
  })
  const { selection: _selection, onSelectionChange: _onSelectionChange, ...rest } = table
  const filters: TableFilter[] = [
    {
      id: 'dutyState',
      label: m.field_staff_duty(),
      kind: 'choice',
      options: linkStates.map((value) => ({ value, label: dutyWords[value]() })),
    },
  ]
  return (
    <Page fill title={m.app_title_staff_tracking()} context={m.field_staff_tracking_context()}>
      <DataTable
        {...rest}
        label={m.app_title_staff_tracking()}
        columns={columns(seen)}
        rowKey={(row) => row.id}
        rowLabel={(row) => row.name}
        searchPlaceholder={m.field_staff_search()}
        filters={filters}
        onOpen={(row) => void navigate({ to: '/field-staff/details/$id', params: { id: row.id } })}
        renderCard={(row) => (
          <span className="flex items-center justify-between gap-3">
            <b className="font-medium text-ink-strong">{row.name}</b>
            <State row={row} seen={seen} />
          </span>
        )}
        countLabel={(count) => m.field_staff_count({ count })}
        empty={<NobodyOnDuty />}
      />
    </Page>
  )
}

/** Where there is nobody at all, the first step is a person; else it is a plan, after which duties begin by themselves. */
function NobodyOnDuty() {
  const { data } = useQuery(callQuery(listFieldStaff, { size: 1 }))
  if (!data) return <SkeletonRows rows={2} />
  if (data.total === 0) return <NobodyYet>{m.field_staff_tracking_none()}</NobodyYet>
  return (
    <Empty
      title={m.field_staff_tracking_empty()}
      actions={
        <FirstStep
          permission="staff:read"
          link={linkOptions({ to: '/field-staff/list', search: { show: 'planner' } })}
          isMain={false}
        >
          {m.field_staff_tracking_plan()}
        </FirstStep>
      }
    >
      {m.field_staff_tracking_empty_text()}
    </Empty>
  )
}
