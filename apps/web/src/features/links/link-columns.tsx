import { isSendable } from '@tour-ops/contract/links/link-messages'
import { isLiveLink, type LinkRow, statusShown } from '@tour-ops/contract/links/links'
import {
  CirclePause,
  CirclePlay,
  CircleX,
  Copy,
  Eye,
  Hourglass,
  Lock,
  Mail,
  MoreHorizontal,
  RefreshCw,
} from 'lucide-react'
import { m } from '../../paraglide/messages.js'
import { reportText } from '../../records/report-words.ts'
import { Calm, Chip, StatusChip } from '../../ui/chip.tsx'
import { formatAge, formatPastAge, formatDayTime } from '../../ui/format.ts'
import { Ltr } from '../../ui/ltr.tsx'
import { Menu, type MenuAction } from '../../ui/menu.tsx'
import type { DataColumn } from '../../ui/table/table-types.ts'
import type { LinkQuestion } from './use-link-actions.ts'
import {
  linkKindLabels,
  linkStatusIcons,
  linkStatusLabels,
  scopeLook,
  scopeNames,
  takesPasscode,
} from './link-labels.ts'
import type { LinkActions } from './use-link-actions.ts'

const dayMs = 86_400_000

const endsSoon = (row: LinkRow, now: number): boolean => isLiveLink(row) && Date.parse(row.expiresAt) - now < dayMs

/** Live links are neutral; paused ones need attention. */
function LinkStatus({ row }: { row: LinkRow }) {
  const status = statusShown(row)
  if (status === 'cancelled') return <StatusChip status="cancelled" />
  const icon = linkStatusIcons[status]
  const word = linkStatusLabels[status]()
  if (status === 'paused') {
    return (
      <Chip tone="warn" icon={icon}>
        {word}
      </Chip>
    )
  }
  return (
    <Calm icon={icon} tone={status === 'active' ? 'ok' : 'neutral'}>
      {word}
    </Calm>
  )
}

function Ends({ row, now }: { row: LinkRow; now: number }) {
  // day and time are on two lines: both fit into a narrow column
  if (!isLiveLink(row)) {
    return (
      <span className="num block text-xs leading-4 whitespace-normal text-ink-2">{formatDayTime(row.expiresAt)}</span>
    )
  }
  return (
    <span className={endsSoon(row, now) ? 'num font-semibold text-warn' : 'num'} title={formatDayTime(row.expiresAt)}>
      {formatAge(row.expiresAt, now)}
    </span>
  )
}

const Scopes = ({ row }: { row: LinkRow }) => (
  <span className="flex gap-1.5 text-ink-2">
    {scopeNames
      .filter((name) => row.scopes[name])
      .map((name) => {
        const { icon: Icon, label } = scopeLook(row.kind, name)
        return (
          <span key={name} title={label()}>
            <Icon size={15} aria-hidden />
            <span className="sr-only">{label()}</span>
          </span>
        )
      })}
  </span>
)

const PasscodeMark = () => (
  <span title={m.links_passcode()} className="shrink-0 text-ink-2">
    <Lock size={14} aria-hidden />
    <span className="sr-only">{m.links_passcode()}</span>
  </span>
)

interface ColumnParts {
  now: number
  mayManage: boolean
  /** Whether messages may be sent. */
  maySend: boolean
  actions: LinkActions
  ask: (question: LinkQuestion) => void
}

/** What a link is about; a live map that is about no tour is about all of them. */
function subjectOf({ kind, subject, report }: LinkRow): string {
  if (report) return reportText(report)
  return subject || (kind === 'live_map' ? m.links_all_tours() : '')
}

/** What may be done with a link in its state. */
function actionsOf(link: LinkRow, { mayManage, maySend, actions, ask }: ColumnParts): MenuAction[] {
  const log: MenuAction = {
    key: 'accesses',
    label: m.links_log(),
    icon: Eye,
    onSelect: () => ask({ kind: 'accesses', link }),
  }
  if (!mayManage || !isLiveLink(link)) return [log]
  return [
    {
      key: 'copy',
      label: m.links_copy_again(),
      hint: m.links_copy_again_hint(),
      icon: Copy,
      onSelect: () => actions.copy(link, false),
    },
    {
      key: 'rotate',
      label: m.links_rotate(),
      hint: m.links_rotate_hint(),
      icon: RefreshCw,
      onSelect: () => ask({ kind: 'rotate', link }),
    },
    ...(maySend && isSendable(link.kind) && link.status !== 'paused'
      ? [{ key: 'send', label: m.links_send(), icon: Mail, onSelect: () => ask({ kind: 'send', link }) }]
      : []),
    { key: 'extend', label: m.links_extend(), icon: Hourglass, onSelect: () => ask({ kind: 'extend', link }) },
    ...(takesPasscode(link)
      ? [
          {
            key: 'passcode',
            label: m.links_passcode(),
            icon: Lock,
            onSelect: () => ask({ kind: 'passcode', link }),
          },
        ]
      : []),
    link.status === 'paused'
      ? { key: 'resume', label: m.links_resume(), icon: CirclePlay, onSelect: () => actions.setPaused(link, false) }
      : { key: 'pause', label: m.links_pause(), icon: CirclePause, onSelect: () => actions.setPaused(link, true) },
    log,
    {
      key: 'revoke',
      label: m.links_revoke(),
      icon: CircleX,
      danger: true,
      separated: true,
      onSelect: () => ask({ kind: 'revoke', link }),
    },
  ]
}

export const linkColumns = (parts: ColumnParts): DataColumn<LinkRow>[] => [
  {
    id: 'label',
    header: m.links_label(),
    width: 220,
    pinned: true,
    alwaysShown: true,
    sortable: true,
    cell: (row) => (
      <span className="flex items-center gap-1.5">
        <b className="font-medium text-ink-strong">{row.label}</b>
        {row.hasPasscode && <PasscodeMark />}
      </span>
    ),
  },
  { id: 'status', header: m.monitoring_status(), width: 112, sortable: true, cell: (row) => <LinkStatus row={row} /> },
  {
    id: 'expiresAt',
    header: m.links_ends(),
    width: 108,
    sortable: true,
    cell: (row) => <Ends row={row} now={parts.now} />,
  },
  { id: 'kind', header: m.links_kind(), width: 96, sortable: true, cell: (row) => linkKindLabels[row.kind]() },
  {
    id: 'subject',
    header: m.links_subject(),
    width: 170,
    grow: true,
    cell: (row) => (
      <bdi className="block text-xs leading-4 whitespace-normal text-ink-2" data-whole>
        {subjectOf(row)}
      </bdi>
    ),
  },
  { id: 'scopes', header: m.links_shows(), width: 116, cell: (row) => <Scopes row={row} /> },
  {
    id: 'viewCount',
    header: m.links_views(),
    width: 68,
    align: 'end',
    sortable: true,
    cell: (row) => <span className="num">{row.viewCount}</span>,
  },
  {
    id: 'lastViewedAt',
    header: m.links_last_view(),
    width: 96,
    sortable: true,
    cell: (row) =>
      row.lastViewedAt ? (
        <span className="num">{formatPastAge(row.lastViewedAt, parts.now)}</span>
      ) : (
        <span className="text-ink-2">{m.links_never()}</span>
      ),
  },
  {
    id: 'createdBy',
    header: m.links_created_by(),
    width: 150,
    initiallyHidden: true,
    cell: (row) => <bdi>{row.createdByName}</bdi>,
  },
  {
    id: 'hint',
    header: m.links_hint(),
    width: 90,
    initiallyHidden: true,
    cell: (row) => row.tokenHint && <Ltr className="text-ink-2">…{row.tokenHint}</Ltr>,
  },
  {
    id: 'actions',
    header: m.links_acts(),
    width: 60,
    align: 'end',
    alwaysShown: true,
    cell: (row) => (
      <Menu
        label={m.links_acts_of({ name: row.label })}
        icon={MoreHorizontal}
        align="end"
        width={280}
        items={actionsOf(row, parts)}
      />
    ),
  },
]

/** A row below 1280 px. */
export const LinkCard = ({ row, now }: { row: LinkRow; now: number }) => (
  <span className="grid grid-cols-1 gap-0.5">
    <span className="flex items-center justify-between gap-2">
      <b className="min-w-0 truncate font-medium text-ink-strong">{row.label}</b>
      <LinkStatus row={row} />
    </span>
    <span className="truncate text-xs text-ink-2">
      {[linkKindLabels[row.kind](), subjectOf(row)].filter(Boolean).join(' · ')}
    </span>
    <span className="flex gap-3 text-xs text-ink-2">
      <Ends row={row} now={now} />
      <span className="num">{m.links_view_count({ count: row.viewCount })}</span>
    </span>
  </span>
)
