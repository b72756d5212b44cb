import { Link } from '@tanstack/react-router'
import { roles } from '@tour-ops/contract/identity/access'
import {
  exportMembers,
  listMembers,
  memberRowStatuses,
  type MemberFigures,
  type MemberRow,
} from '@tour-ops/contract/members/members'
import { Ban, CircleCheck, CircleDashed, Clock, Ellipsis, Hourglass, Mail, UserPlus } from 'lucide-react'
import { useState } from 'react'
import { roleName } from '../../identity/role-name.ts'
import { useNow } from '../../ui/clock.ts'
import { useListScreen } from '../../app/use-list-screen.tsx'
import { useUrlState } from '../../addresses/url-state.ts'
import { useAccess } from '../../identity/access.ts'
import { accountSecurity } from '../../identity/account-security-port.ts'
import { m } from '../../paraglide/messages.js'
import { Avatar } from '../../ui/avatar.tsx'
import { buttonClass } from '../../ui/button.tsx'
import { Calm, Chip } from '../../ui/chip.tsx'
import { Empty } from '../../ui/empty.tsx'
import { formatPastAge } from '../../ui/format.ts'
import { ViewerZoneNote } from '../../ui/zone-note.tsx'
import { Ltr } from '../../ui/ltr.tsx'
import { loadLater, onIntent } from '../../ui/load-later.tsx'
import { Menu } from '../../ui/menu.tsx'
import { Page } from '../../ui/page.tsx'
import { DataTable } from '../../ui/table/data-table.tsx'
import type { DataColumn, SavedView, TableFilter } from '../../ui/table/table-types.ts'
import { menuOf, type MemberAction } from './member-actions.ts'
import { factorLabel, memberStatusLabel, nameOfRow } from './member-labels.ts'

const MemberActionDialog = loadLater(async () => (await import('./member-action-dialog.tsx')).MemberActionDialog)
const MemberPanel = loadLater(async () => (await import('./member-panel.tsx')).MemberPanel)

const keyOf = ({ kind, id }: MemberRow): string => `${kind}.${id}`

/** The table uses strings; the callable takes booleans. */
function filtersOf({ away, linked, secondFactor, ...rest }: Record<string, string[]>): Record<string, unknown> {
  return {
    ...rest,
    ...(away?.[0] ? { away: away[0] === 'true' } : {}),
    ...(linked?.[0] ? { linked: linked[0] === 'true' } : {}),
    ...(secondFactor?.[0] ? { secondFactor: secondFactor[0] === 'true' } : {}),
  }
}

function viewsOf(figures: MemberFigures | undefined): SavedView[] {
  const view = (id: string, name: string, count: number | undefined, filters: Record<string, string[]>) => ({
    id,
    name,
    count,
    state: { filters },
  })
  const everybody = figures && figures.active + figures.suspended + figures.pending + figures.waiting
  return [
    { id: 'all', name: m.members_view_all(), count: everybody, state: {} },
    view('invited', m.members_view_invited(), figures?.pending, { kind: ['invitation'] }),
    ...(figures && figures.waiting > 0
      ? [view('waitlist', m.members_view_waitlist(), figures.waiting, { kind: ['waitlist'] })]
      : []),
    view('away', m.members_view_away(), figures?.away, { away: ['true'] }),
  ]
}

const filters = (seesFactors: boolean): TableFilter[] => [
  {
    id: 'role',
    label: m.members_role(),
    kind: 'choice',
    options: roles.map((role) => ({ value: role, label: roleName(role) })),
  },
  {
    id: 'status',
    label: m.members_status(),
    kind: 'choice',
    options: memberRowStatuses.map((status) => ({ value: status, label: memberStatusLabel(status) })),
  },
  { id: 'linked', label: m.members_filter_linked(), kind: 'yesNo' },
  ...(seesFactors ? [{ id: 'secondFactor', label: m.members_second_factor(), kind: 'yesNo' as const }] : []),
]

/** "Who may come in, and what may they do?" Members, invitations and the waitlist in one table. See docs/screens.md, "Members". */
export function UsersPage() {
  const mayManage = useAccess().can('members:manage')
  const seesFactors = mayManage && accountSecurity() !== undefined
  const [{ person }, setUrl] = useUrlState('/_dashboard/user-management/list')
  const [asked, setAsked] = useState<{ action: MemberAction; row: MemberRow } | null>(null)
  const screen = useListScreen({
    screen: 'members',
    list: listMembers,
    exportAs: exportMembers,
    filtersOf,
    defaults: { view: 'all' },
  })
  const figures = screen.answer?.figures
  const rows = screen.table.rows ?? []
  const open = rows.find((row) => keyOf(row) === person)
  const step = (by: 1 | -1) => {
    const at = rows.findIndex((row) => keyOf(row) === person)
    const next = rows[at + by]
    if (next) setUrl({ person: keyOf(next) })
  }
  const ask = (action: MemberAction, row: MemberRow) => {
    setAsked({ action, row })
    // Nobody asks why somebody may see something who is gone a moment later.
    if (action === 'remove') setUrl({ person: undefined })
  }
  return (
    <Page
      fill
      title={m.app_title_users()}
      context={figures && contextOf(figures)}
      actions={
        mayManage && (
          <Link to="/user-management/create" className={buttonClass({ variant: 'primary' })}>
            <UserPlus size={16} aria-hidden />
            {m.members_invite_people()}
          </Link>
        )
      }
    >
      <div className="flex min-h-0 flex-1 gap-4">
        <div className="flex min-w-0 flex-1 flex-col" {...onIntent(MemberPanel)}>
          <DataTable
            {...screen.table}
            views={[...viewsOf(figures), ...(screen.table.views ?? [])]}
            selection={undefined}
            onSelectionChange={undefined}
            label={m.app_title_users()}
            columns={columns({ mayManage, seesFactors, onAction: ask })}
            rowKey={keyOf}
            rowLabel={nameOfRow}
            searchPlaceholder={m.members_search()}
            filters={filters(seesFactors)}
            onOpen={(row) => setUrl({ person: keyOf(row) === person ? undefined : keyOf(row) })}
            openKey={open ? keyOf(open) : null}
            renderCard={(row) => <MemberCard row={row} />}
            countLabel={(count) => m.members_count({ count })}
            footerNote={<ViewerZoneNote />}
            empty={<Empty title={m.members_empty_title()}>{m.members_empty_text()}</Empty>}
          />
        </div>
        {open && (
          <MemberPanel
            row={open}
            mayManage={mayManage}
            onAction={(action) => ask(action, open)}
            onClose={() => setUrl({ person: undefined })}
            onStep={step}
          />
        )}
      </div>
      {asked && <MemberActionDialog {...asked} onClose={() => setAsked(null)} />}
    </Page>
  )
}

/** "33 active, 2 invited, 1 suspended". */
function contextOf({ active, pending, suspended, waiting }: MemberFigures): string {
  return [
    m.members_figure_active({ count: active }),
    pending > 0 && m.members_figure_invited({ count: pending }),
    suspended > 0 && m.members_figure_suspended({ count: suspended }),
    waiting > 0 && m.members_figure_waiting({ count: waiting }),
  ]
    .filter(Boolean)
    .join(', ')
}

interface ColumnOptions {
  mayManage: boolean
  seesFactors: boolean
  onAction: (action: MemberAction, row: MemberRow) => void
}

const columns = ({ mayManage, seesFactors, onAction }: ColumnOptions): DataColumn<MemberRow>[] => [
  {
    id: 'name',
    header: m.members_name(),
    width: 350,
    grow: true,
    pinned: true,
    alwaysShown: true,
    sortable: true,
    cell: (row) => <NameCell row={row} />,
  },
  { id: 'role', header: m.members_role(), width: 190, sortable: true, cell: ({ role }) => role && roleName(role) },
  {
    id: 'staff',
    header: m.members_staff(),
    width: 190,
    sortable: true,
    cell: ({ staff }) => <span className="text-ink-2">{staff?.name ?? '–'}</span>,
  },
  {
    id: 'lastSeenAt',
    header: m.members_seen(),
    width: 140,
    sortable: true,
    cell: (row) => <SeenCell row={row} />,
  },
  ...(seesFactors
    ? [
        {
          id: 'secondFactor',
          header: m.members_second_factor(),
          width: 140,
          cell: ({ hasSecondFactor }: MemberRow) =>
            hasSecondFactor !== null && (
              <Calm icon={hasSecondFactor ? CircleCheck : CircleDashed} tone={hasSecondFactor ? 'ok' : 'neutral'}>
                {factorLabel(hasSecondFactor)}
              </Calm>
            ),
        },
      ]
    : []),
  {
    id: 'since',
    header: m.members_since(),
    width: 120,
    sortable: true,
    initiallyHidden: true,
    cell: ({ since }) => <Age moment={since} />,
  },
  ...(mayManage
    ? [
        {
          id: 'actions',
          header: m.members_acts(),
          width: 76,
          align: 'end' as const,
          alwaysShown: true,
          cell: (row: MemberRow) => (
            <Menu
              label={m.members_acts_on({ name: nameOfRow(row) })}
              icon={Ellipsis}
              align="end"
              width={220}
              items={menuOf(row, (action) => onAction(action, row))}
              intent={onIntent(MemberActionDialog)}
            />
          ),
        },
      ]
    : []),
]

const NameCell = ({ row }: { row: MemberRow }) => (
  <span className="flex min-w-0 items-center gap-2.5">
    <Avatar name={nameOfRow(row)} size={26} imageUrl={row.imageUrl} />
    <span className="min-w-0 truncate">
      <b className="font-medium text-ink-strong">
        <bdi>{nameOfRow(row)}</bdi>
      </b>{' '}
      {row.isSelf && <span className="text-xs text-ink-2">({m.members_you()}) </span>}
      {row.name && <Ltr className="text-xs text-ink-2">{row.email}</Ltr>}
    </span>
  </span>
)

/** When somebody was here last; for everybody else their status. */
function SeenCell({ row: { status, lastSeenAt } }: { row: MemberRow }) {
  switch (status) {
    case 'active':
      return lastSeenAt ? <Age moment={lastSeenAt} /> : <span className="text-ink-2">{m.members_never()}</span>
    case 'suspended':
      return (
        <Chip tone="neutral" icon={Ban}>
          {memberStatusLabel(status)}
        </Chip>
      )
    case 'pending':
      return (
        <Chip tone="info" icon={Mail}>
          {memberStatusLabel(status)}
        </Chip>
      )
    case 'expired':
      return (
        <Chip tone="warn" icon={Clock}>
          {memberStatusLabel(status)}
        </Chip>
      )
    case 'waiting':
      return (
        <Chip tone="warn" icon={Hourglass}>
          {memberStatusLabel(status)}
        </Chip>
      )
  }
}

function Age({ moment }: { moment: string }) {
  const now = useNow(60_000)
  return <span className="num text-ink-2">{formatPastAge(moment, now)}</span>
}

const MemberCard = ({ row }: { row: MemberRow }) => (
  <span className="flex items-center gap-3">
    <Avatar name={nameOfRow(row)} size={36} imageUrl={row.imageUrl} />
    <span className="min-w-0 flex-1 leading-5">
      <span className="flex items-center justify-between gap-2">
        <b className="truncate font-medium text-ink-strong">
          <bdi>{nameOfRow(row)}</bdi>
        </b>
        <SeenCell row={row} />
      </span>
      <span className="block truncate text-xs text-ink-2">
        {[row.role && roleName(row.role), row.name && row.email].filter(Boolean).join(' · ')}
      </span>
    </span>
  </span>
)
