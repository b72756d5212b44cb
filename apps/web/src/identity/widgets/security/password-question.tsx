import type { ReactNode } from 'react'
import { m } from '../../../paraglide/messages.js'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Field, PasswordInput } from '../../../ui/field.tsx'
import { FormProblem } from '../identity-card.tsx'
import { problemsIn } from '../identity-errors.ts'
import { useAttempt } from '../use-attempt.ts'

export interface PasswordQuestionProps {
  title: string
  children?: ReactNode
  confirmLabel: string
  danger?: boolean | undefined
  /** Without a password the question has a button only. */
  hasPassword: boolean
  onClose: () => void
  /** Rejects with an `AppError`, which is shown at the field. */
  onConfirm: (password: string | undefined) => Promise<void>
}

/** Asks for the password before something about the account's security changes. */
export function PasswordQuestion(props: PasswordQuestionProps) {
  const { title, children, confirmLabel, danger, hasPassword, onClose, onConfirm } = props
  const attempt = useAttempt({
    fields: ['password'],
    check: ({ password }) =>
      problemsIn({ password: hasPassword && password === '' ? m.identity_password_empty() : undefined }),
    act: ({ password }) => onConfirm(hasPassword ? password : undefined),
  })
  return (
    <Dialog open onClose={onClose} title={title} locked={attempt.isPending}>
      <form className="flex flex-col gap-4" noValidate onSubmit={attempt.submit}>
        {children}
        {hasPassword && (
          <Field label={m.identity_password()} error={attempt.problems.password}>
            <PasswordInput name="password" />
          </Field>
        )}
        <FormProblem>{attempt.problems.form}</FormProblem>
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{m.security_cancel()}</Button>
          <Button type="submit" variant={danger ? 'danger' : 'primary'} pending={attempt.isPending}>
            {confirmLabel}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
