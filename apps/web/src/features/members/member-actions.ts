import type { MemberRow } from '@tour-ops/contract/members/members'
import { Ban, IdCard, KeyRound, MailX, RotateCw, Send, ShieldCheck, UserCheck, UserX } from 'lucide-react'
import { m } from '../../paraglide/messages.js'
import type { MenuAction } from '../../ui/menu.tsx'

interface ActionLook extends Pick<MenuAction, 'icon' | 'danger'> {
  readonly label: () => string
}

const looks = {
  role: { icon: ShieldCheck, label: () => m.members_change_role() },
  staff: { icon: IdCard, label: () => m.members_link_staff() },
  suspend: { icon: Ban, label: () => m.members_suspend() },
  reactivate: { icon: RotateCw, label: () => m.members_reactivate() },
  remove: { icon: UserX, label: () => m.members_remove(), danger: true },
  resetFactor: { icon: KeyRound, label: () => m.members_reset_factor(), danger: true },
  resend: { icon: Send, label: () => m.members_resend() },
  revoke: { icon: MailX, label: () => m.members_revoke(), danger: true },
  admit: { icon: UserCheck, label: () => m.members_admit() },
  reject: { icon: Ban, label: () => m.members_reject(), danger: true },
} satisfies Record<string, ActionLook>

/** What is being asked about a row of the table. */
export type MemberAction = keyof typeof looks

export const actionLooks: Readonly<Record<MemberAction, ActionLook>> = looks

/** What can be done with a row, by its kind and status. */
export function actionsOf(row: MemberRow): MemberAction[] {
  if (row.kind === 'invitation') return ['resend', 'revoke']
  if (row.kind === 'waitlist') return ['admit', 'reject']
  const own: MemberAction[] = ['role', 'staff']
  if (row.isSelf) return own
  if (row.hasSecondFactor) own.push('resetFactor')
  return [...own, row.status === 'suspended' ? 'reactivate' : 'suspend', 'remove']
}

export const menuOf = (row: MemberRow, onAction: (action: MemberAction) => void): MenuAction[] =>
  actionsOf(row).map((action) => {
    const { label, ...look } = actionLooks[action]
    return { key: action, label: label(), ...look, onSelect: () => onAction(action) }
  })
