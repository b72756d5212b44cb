import { useNavigate } from '@tanstack/react-router'
import { exportFieldStaff, type FieldStaffRow, listFieldStaff } from '@tour-ops/contract/field-staff/field-staff'
import { employments, staffKinds, staffStatuses } from '@tour-ops/contract/field-staff/staff-terms'
import { shownStates } from '@tour-ops/contract/tracking/expected-silence'
import { CircleCheck, CircleDashed, Clock, TriangleAlert, type LucideIcon } from 'lucide-react'
import { useListScreen } from '../../app/use-list-screen.tsx'
import { m } from '../../paraglide/messages.js'
import { Avatar } from '../../ui/avatar.tsx'
import { Calm, Chip, type Tone } from '../../ui/chip.tsx'
import { formatDay, formatNumber, formatTime } from '../../ui/format.ts'
import { Ltr } from '../../ui/ltr.tsx'
import { DataTable } from '../../ui/table/data-table.tsx'
import type { DataColumn, TableFilter } from '../../ui/table/table-types.ts'
import { NobodyYet } from './nobody-yet.tsx'
import { certificateStateLabels, employmentLabels, kindLabels, staffStatusLabels } from './staff-labels.ts'
import { ZoneNote } from '../../ui/zone-note.tsx'
import { linkStateLabels } from '../../records/link-state-labels.ts'

const options = <K extends string>(keys: readonly K[], words: Record<K, () => string>) =>
  keys.map((value) => ({ value, label: words[value]() }))

const filters = (): TableFilter[] => [
  { id: 'kind', label: m.field_staff_kinds(), kind: 'choice', options: options(staffKinds, kindLabels) },
  { id: 'status', label: m.field_staff_status(), kind: 'choice', options: options(staffStatuses, staffStatusLabels) },
  {
    id: 'employment',
    label: m.field_staff_employment(),
    kind: 'choice',
    options: options(employments, employmentLabels),
  },
  { id: 'dutyState', label: m.field_staff_duty(), kind: 'choice', options: options(shownStates, linkStateLabels) },
  {
    id: 'certificates',
    label: m.field_staff_certificates(),
    kind: 'choice',
    options: options(['ok', 'expiring', 'expired', 'none'] as const, certificateStateLabels),
  },
]

const certificateLooks: Record<'expiring' | 'expired', { tone: Tone; icon: LucideIcon }> = {
  expiring: { tone: 'warn', icon: Clock },
  expired: { tone: 'bad', icon: TriangleAlert },
}

/** Valid certificates are neutral; expiring ones need attention. */
function CertificateState({ state }: { state: FieldStaffRow['certificates'] }) {
  const word = certificateStateLabels[state]()
  if (state === 'ok') return <Calm icon={CircleCheck}>{word}</Calm>
  if (state === 'none') return <Calm icon={CircleDashed}>{word}</Calm>
  return <Chip {...certificateLooks[state]}>{word}</Chip>
}

function Duty({ row }: { row: FieldStaffRow }) {
  if (row.status !== 'active') return <Calm icon={CircleDashed}>{staffStatusLabels[row.status]()}</Calm>
  return (
    <Calm
      icon={row.dutyState === 'off_duty' ? CircleDashed : CircleCheck}
      tone={row.dutyState === 'live' ? 'ok' : 'neutral'}
    >
      {linkStateLabels[row.dutyState]()}
    </Calm>
  )
}

function NextDeparture({ next }: { next: FieldStaffRow['nextAssignment'] }) {
  if (!next) return null
  return (
    <>
      <Ltr className="font-semibold text-ink-strong">{formatTime(next.startsAt, next.timeZone)}</Ltr>{' '}
      <span className="text-ink-2">{formatDay(next.startsAt, next.timeZone)}</span>{' '}
      <ZoneNote moment={next.startsAt} zone={next.timeZone} />{' '}
      <Ltr className="text-ink-2">{next.code.split('-')[0]}</Ltr>
    </>
  )
}

const hoursText = ({ hoursThisWeek, contractedHoursPerWeek }: FieldStaffRow): string =>
  contractedHoursPerWeek === null
    ? formatNumber(hoursThisWeek, 1)
    : m.field_staff_hours_of({ hours: formatNumber(hoursThisWeek, 1), limit: formatNumber(contractedHoursPerWeek, 1) })

const isOverHours = ({ hoursThisWeek, contractedHoursPerWeek }: FieldStaffRow): boolean =>
  contractedHoursPerWeek !== null && hoursThisWeek > contractedHoursPerWeek

const columns = (): DataColumn<FieldStaffRow>[] => [
  {
    id: 'name',
    header: m.field_staff_name(),
    width: 190,
    pinned: true,
    alwaysShown: true,
    sortable: true,
    cell: (row) => (
      <span className="flex items-center gap-2.5">
        <Avatar name={row.name} size={24} />
        <b className="truncate font-medium text-ink-strong">
          <bdi>{row.name}</bdi>
        </b>
      </span>
    ),
  },
  {
    id: 'kinds',
    header: m.field_staff_kinds(),
    width: 108,
    cell: (row) => row.kinds.map((kind) => kindLabels[kind]()).join(', '),
  },
  {
    id: 'languages',
    header: m.field_staff_languages(),
    width: 88,
    cell: (row) => <span className="text-ink-2">{row.languages.map((spoken) => spoken.tag).join(', ')}</span>,
  },
  {
    id: 'homeBase',
    header: m.field_staff_base(),
    width: 140,
    sortable: true,
    cell: (row) => <span className="text-ink-2">{row.homeBase?.name}</span>,
  },
  {
    id: 'duty',
    header: m.field_staff_duty(),
    width: 148,
    cell: (row) => (
      <span data-whole>
        <Duty row={row} />
      </span>
    ),
  },
  {
    id: 'next',
    header: m.field_staff_next(),
    width: 220,
    grow: true,
    sortable: 'nextAssignment',
    cell: (row) => <NextDeparture next={row.nextAssignment} />,
  },
  {
    id: 'hours',
    header: m.field_staff_hours(),
    width: 128,
    align: 'end',
    sortable: 'hoursThisWeek',
    cell: (row) => <span className={isOverHours(row) ? 'num font-semibold text-bad' : 'num'}>{hoursText(row)}</span>,
  },
  {
    id: 'certificates',
    header: m.field_staff_certificates(),
    width: 96,
    cell: (row) => <CertificateState state={row.certificates} />,
  },
  {
    id: 'phone',
    header: m.field_staff_phone(),
    width: 140,
    initiallyHidden: true,
    cell: (row) => <Ltr className="text-ink-2">{row.phone ?? ''}</Ltr>,
  },
  {
    id: 'employment',
    header: m.field_staff_employment(),
    width: 110,
    initiallyHidden: true,
    cell: (row) => <span className="text-ink-2">{employmentLabels[row.employment]()}</span>,
  },
]

const PersonCard = ({ row }: { row: FieldStaffRow }) => (
  <div className="grid grid-cols-[36px_minmax(0,1fr)_auto] items-center gap-x-3">
    <Avatar name={row.name} size={36} />
    <span className="min-w-0">
      <b className="block font-medium text-ink-strong">
        <bdi>{row.name}</bdi>
      </b>
      <span className="block truncate text-ink-2">{row.kinds.map((kind) => kindLabels[kind]()).join(', ')}</span>
    </span>
    <Duty row={row} />
    <span className="col-span-2 col-start-2">
      <NextDeparture next={row.nextAssignment} />
    </span>
  </div>
)

/** The roster as a table; guides see themselves. */
export function Roster() {
  const navigate = useNavigate()
  const { table } = useListScreen({
    screen: 'field-staff',
    list: listFieldStaff,
    exportAs: exportFieldStaff,
    defaults: { filters: { status: ['active'] } },
  })
  const { selection: _selection, onSelectionChange: _onSelectionChange, ...rest } = table
  return (
    <DataTable
      {...rest}
      label={m.app_title_staff_list()}
      columns={columns()}
      rowKey={(row) => row.id}
      rowLabel={(row) => row.name}
      searchPlaceholder={m.field_staff_search()}
      filters={filters()}
      onOpen={(row) => void navigate({ to: '/field-staff/details/$id', params: { id: row.id } })}
      renderCard={(row) => <PersonCard row={row} />}
      countLabel={(count) => m.field_staff_count({ count })}
      empty={<NobodyYet />}
    />
  )
}
