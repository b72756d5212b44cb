import type { Callable, In } from '@tour-ops/contract/callable'
import type { Role } from '@tour-ops/contract/identity/access'
import type { Named } from '@tour-ops/contract/fields'
import {
  decideWaitlist,
  linkMemberStaff,
  reactivateMember,
  removeMember,
  resendInvitation,
  resetSecondFactor,
  revokeInvitation,
  setMemberRole,
  suspendMember,
  type MemberRow,
} from '@tour-ops/contract/members/members'
import { type ReactNode, useState } from 'react'
import { roleName } from '../../identity/role-name.ts'
import { useCall } from '../../backend/queries.ts'
import { m } from '../../paraglide/messages.js'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog, Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { toast } from '../../ui/toast.tsx'
import { memberRefusal, nameOfRow } from './member-labels.ts'
import { RoleChoice } from './role-choice.tsx'
import { StaffPicker } from './staff-picker.tsx'

import { actionLooks, type MemberAction } from './member-actions.ts'

interface DialogProps {
  readonly row: MemberRow
  readonly onClose: () => void
}

/** The question that belongs to an action. */
export function MemberActionDialog({ action, ...props }: DialogProps & { readonly action: MemberAction }) {
  const ActionDialog = dialogs[action]
  return <ActionDialog {...props} />
}

const onMember = (row: MemberRow) => ({ userId: row.id, version: row.version ?? 1 })

function RoleDialog({ row, onClose }: DialogProps) {
  const [role, setRole] = useState<Role | null>(row.role)
  const call = useCall(setMemberRole, {
    onSuccess: (_, input) => {
      toast(m.members_role_changed({ name: nameOfRow(row), role: roleName(input.role) }))
      onClose()
    },
  })
  return (
    <Dialog
      open
      onClose={onClose}
      locked={call.isPending}
      title={m.members_change_role_title({ name: nameOfRow(row) })}
      description={m.members_change_role_text()}
      actions={
        <>
          <Button onClick={onClose}>{m.members_cancel()}</Button>
          <Button
            variant="primary"
            pending={call.isPending}
            disabled={role === null || role === row.role}
            onClick={() => role && call.mutate({ ...onMember(row), role })}
          >
            {m.members_change_role()}
          </Button>
        </>
      }
    >
      <RoleChoice value={role} onChange={setRole} />
      <Refusal text={memberRefusal(call.error)} />
    </Dialog>
  )
}

function StaffDialog({ row, onClose }: DialogProps) {
  const [staff, setStaff] = useState<Named | null>(row.staff)
  const call = useCall(linkMemberStaff, {
    onSuccess: () => {
      toast(staff ? m.members_staff_linked({ name: staff.name }) : m.members_staff_unlinked())
      onClose()
    },
  })
  return (
    <Dialog
      open
      onClose={onClose}
      locked={call.isPending}
      title={m.members_link_staff_title({ name: nameOfRow(row) })}
      description={m.members_link_staff_text()}
      actions={
        <>
          <Button onClick={onClose}>{m.members_cancel()}</Button>
          <Button
            variant="primary"
            pending={call.isPending}
            disabled={staff?.id === row.staff?.id}
            onClick={() => call.mutate({ ...onMember(row), staffId: staff?.id ?? null })}
          >
            {staff ? m.members_link() : m.members_unlink()}
          </Button>
        </>
      }
    >
      <Field label={m.members_staff()} error={memberRefusal(call.error)}>
        <StaffPicker value={staff} onChange={setStaff} />
      </Field>
    </Dialog>
  )
}

/** Lets somebody from the waitlist sign up, with a role at once or without. */
function AdmitDialog({ row, onClose }: DialogProps) {
  const [role, setRole] = useState<Role | null>(null)
  const call = useCall(decideWaitlist, {
    onSuccess: () => {
      toast(m.members_admitted({ name: nameOfRow(row) }))
      onClose()
    },
  })
  return (
    <Dialog
      open
      onClose={onClose}
      locked={call.isPending}
      title={m.members_admit_title({ name: nameOfRow(row) })}
      description={m.members_admit_text()}
      actions={
        <>
          <Button onClick={onClose}>{m.members_cancel()}</Button>
          <Button pending={call.isPending} onClick={() => call.mutate({ ids: [row.id], approve: true })}>
            {m.members_admit_only()}
          </Button>
          <Button
            variant="primary"
            pending={call.isPending}
            disabled={role === null}
            onClick={() => call.mutate({ ids: [row.id], approve: true, role })}
          >
            {m.members_admit_and_invite()}
          </Button>
        </>
      }
    >
      <RoleChoice value={role} onChange={setRole} />
      <Refusal text={memberRefusal(call.error)} />
    </Dialog>
  )
}

const Refusal = ({ text }: { text: string | undefined }) =>
  text === undefined ? null : (
    <p role="alert" className="mt-3 font-medium text-bad">
      {text}
    </p>
  )

interface QuestionTexts {
  readonly title: (name: string) => string
  readonly text: (name: string) => string
  readonly done: (name: string) => string
}

/** A dialog that only asks whether to go on. */
function question<C extends Callable>(
  action: MemberAction,
  callable: C,
  inputOf: (row: MemberRow) => In<C>,
  { title, text, done }: QuestionTexts,
): (props: DialogProps) => ReactNode {
  return function Question({ row, onClose }) {
    const name = nameOfRow(row)
    const call = useCall(callable, {
      onSuccess: () => {
        toast(done(name))
        onClose()
      },
    })
    const { label, danger = false } = actionLooks[action]
    return (
      <ConfirmDialog
        open
        onClose={onClose}
        onConfirm={() => call.mutate(inputOf(row))}
        title={title(name)}
        confirmLabel={label()}
        danger={danger || action === 'suspend'}
        pending={call.isPending}
        error={memberRefusal(call.error)}
      >
        {text(name)}
      </ConfirmDialog>
    )
  }
}

const onRequest = ({ id }: MemberRow) => ({ id })

const dialogs: Readonly<Record<MemberAction, (props: DialogProps) => ReactNode>> = {
  role: RoleDialog,
  staff: StaffDialog,
  admit: AdmitDialog,
  suspend: question('suspend', suspendMember, onMember, {
    title: (name) => m.members_suspend_title({ name }),
    text: () => m.members_suspend_text(),
    done: (name) => m.members_suspended({ name }),
  }),
  reactivate: question('reactivate', reactivateMember, onMember, {
    title: (name) => m.members_reactivate_title({ name }),
    text: () => m.members_reactivate_text(),
    done: (name) => m.members_reactivated({ name }),
  }),
  remove: question('remove', removeMember, onMember, {
    title: (name) => m.members_remove_title({ name }),
    text: () => m.members_remove_text(),
    done: (name) => m.members_removed({ name }),
  }),
  resetFactor: question('resetFactor', resetSecondFactor, onMember, {
    title: (name) => m.members_reset_factor_title({ name }),
    text: () => m.members_reset_factor_text(),
    done: (name) => m.members_factor_was_reset({ name }),
  }),
  resend: question('resend', resendInvitation, onRequest, {
    title: (name) => m.members_resend_title({ name }),
    text: () => m.members_resend_text(),
    done: (name) => m.members_resent({ name }),
  }),
  revoke: question('revoke', revokeInvitation, onRequest, {
    title: (name) => m.members_revoke_title({ name }),
    text: () => m.members_revoke_text(),
    done: (name) => m.members_revoked({ name }),
  }),
  reject: question('reject', decideWaitlist, ({ id }) => ({ ids: [id], approve: false }), {
    title: (name) => m.members_reject_title({ name }),
    text: () => m.members_reject_text(),
    done: (name) => m.members_rejected({ name }),
  }),
}
