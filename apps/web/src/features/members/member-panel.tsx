import type { MemberRow } from '@tour-ops/contract/members/members'
import { CircleCheck, CircleDot, CircleX, X, type LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { roleName } from '../../identity/role-name.ts'
import { m } from '../../paraglide/messages.js'
import { Avatar } from '../../ui/avatar.tsx'
import { Button } from '../../ui/button.tsx'
import { Definition, DefinitionList } from '../../ui/definition-list.tsx'
import { Drawer } from '../../ui/drawer.tsx'
import { formatDate, formatDayTimeThere, viewerZone } from '../../ui/format.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { Ltr } from '../../ui/ltr.tsx'
import { useIsDesktop } from '../../ui/use-media.ts'
import { ExplainAccess } from './explain-access.tsx'
import { mayDo, type MayDo } from './may-do.ts'
import { actionLooks, actionsOf, type MemberAction } from './member-actions.ts'
import { factorLabel, firstNameOf, memberStatusLabel, nameOfRow } from './member-labels.ts'

export interface MemberPanelProps {
  row: MemberRow
  mayManage: boolean
  onAction: (action: MemberAction) => void
  onClose: () => void
  onStep: (by: 1 | -1) => void
}

/** About one row of the table: next to it from 1280 px, a page over it below. */
export function MemberPanel(props: MemberPanelProps) {
  const { row, onClose, onStep } = props
  const isDesktop = useIsDesktop()
  if (!isDesktop) {
    return (
      <Drawer
        label={nameOfRow(row)}
        onClose={onClose}
        onStep={onStep}
        head={<Head row={row} />}
        subhead={<div className="h-3" />}
      >
        <Content {...props} />
      </Drawer>
    )
  }
  return (
    <aside className="card flex w-[380px] shrink-0 flex-col overflow-hidden" aria-label={nameOfRow(row)}>
      <div className="flex items-center gap-2 border-b border-line px-4 py-3.5">
        <Head row={row} />
        <IconButton label={m.members_close_panel()} icon={X} small className="ms-auto" onClick={onClose} />
      </div>
      <div className="min-h-0 flex-1 overflow-auto" role="region" aria-label={nameOfRow(row)} tabIndex={0}>
        <Content {...props} />
      </div>
    </aside>
  )
}

function Head({ row }: { row: MemberRow }) {
  const { role, staff, imageUrl, status } = row
  const line = [role && roleName(role), staff?.name, status !== 'active' && memberStatusLabel(status)]
  return (
    <span className="flex min-w-0 items-center gap-3">
      <Avatar name={nameOfRow(row)} size={40} tinted imageUrl={imageUrl} />
      <span className="min-w-0 leading-tight">
        <b className="block truncate text-base font-semibold text-ink-strong">
          <bdi>{nameOfRow(row)}</bdi>
        </b>
        <span className="block truncate text-ink-2">{line.filter(Boolean).join(' · ')}</span>
      </span>
    </span>
  )
}

function Content({ row, mayManage, onAction }: MemberPanelProps) {
  const firstName = firstNameOf(row)
  return (
    <div className="flex flex-col divide-y divide-line">
      {mayManage && (
        <Part>
          <MemberButtons row={row} onAction={onAction} />
        </Part>
      )}
      {row.kind === 'member' && (
        <Part>
          <ExplainAccess key={row.id} userId={row.id} firstName={firstName} />
        </Part>
      )}
      {row.role && (
        <Part>
          <h3 className="mb-2 text-sm font-semibold">
            {row.kind === 'member'
              ? m.members_may_title({ name: firstName })
              : m.members_may_title_later({ name: firstName })}
          </h3>
          <ul>
            {mayDo(row.role).map((line) => (
              <MayLine key={line.label} {...line} />
            ))}
          </ul>
        </Part>
      )}
      <Facts row={row} />
    </div>
  )
}

const Part = ({ children }: { children: ReactNode }) => <div className="px-4 py-3.5">{children}</div>

const marks: Readonly<Record<MayDo['answer'], { icon: LucideIcon; className: string }>> = {
  yes: { icon: CircleCheck, className: 'text-ok' },
  limited: { icon: CircleDot, className: 'text-warn' },
  no: { icon: CircleX, className: 'text-neutral' },
}

function MayLine({ label, answer, text }: MayDo) {
  const { icon: Icon, className } = marks[answer]
  return (
    <li className="flex min-h-7 items-center gap-2.5">
      <Icon size={17} className={`shrink-0 ${className}`} aria-hidden />
      <span className="text-ink-strong">{label}</span>
      <span className="ms-auto text-end text-xs text-ink-2">{text}</span>
    </li>
  )
}

function Facts({ row }: { row: MemberRow }) {
  const { kind, email, since, expiresAt, invitedBy, lastSeenAt, hasSecondFactor } = row
  const sinceLabels = {
    member: m.members_fact_joined(),
    invitation: m.members_fact_invited(),
    waitlist: m.members_fact_waits_since(),
  }
  return (
    <DefinitionList>
      {email && (
        <Definition label={m.members_email()}>
          <Ltr>{email}</Ltr>
        </Definition>
      )}
      <Definition label={sinceLabels[kind]}>{formatDate(since)}</Definition>
      {lastSeenAt && (
        <Definition label={m.members_last_seen()}>{formatDayTimeThere(lastSeenAt, viewerZone())}</Definition>
      )}
      {hasSecondFactor !== null && (
        <Definition label={m.members_second_factor()}>{factorLabel(hasSecondFactor)}</Definition>
      )}
      {invitedBy && <Definition label={m.members_fact_invited_by()}>{invitedBy}</Definition>}
      {expiresAt && (
        <Definition label={m.members_fact_expires()}>{formatDayTimeThere(expiresAt, viewerZone())}</Definition>
      )}
    </DefinitionList>
  )
}

/** The actions as buttons; the first one is the usual one. */
function MemberButtons({ row, onAction }: { row: MemberRow; onAction: (action: MemberAction) => void }) {
  return (
    <div className="flex flex-wrap gap-2">
      {actionsOf(row).map((action) => (
        <Button
          key={action}
          variant={actionLooks[action].danger ? 'ghost' : 'secondary'}
          icon={actionLooks[action].icon}
          onClick={() => onAction(action)}
        >
          {actionLooks[action].label()}
        </Button>
      ))}
    </div>
  )
}
