import { useState } from 'react'
import { readPageConfig } from '../../../backend/page-config.ts'
import { m } from '../../../paraglide/messages.js'
import { Button } from '../../../ui/button.tsx'
import { Field, PasswordInput } from '../../../ui/field.tsx'
import { toast } from '../../../ui/toast.tsx'
import { currentAccounts } from '../../accounts-port.ts'
import { FormProblem } from '../identity-card.tsx'
import { passwordProblem, problemsIn } from '../identity-errors.ts'
import { useAttempt } from '../use-attempt.ts'

/** Replaces the password; the other sessions of the account end. */
export function PasswordForm({ onChanged }: { onChanged: () => void }) {
  const { passwordMinLength: minLength } = readPageConfig()
  const [isOpen, setOpen] = useState(false)
  const attempt = useAttempt({
    fields: ['current', 'password'],
    check: (values) =>
      problemsIn({
        current: values.current === '' ? m.identity_password_empty() : undefined,
        password: passwordProblem(values.password, minLength),
      }),
    act: async (values) => {
      await currentAccounts().changePassword(values.current, values.password)
      setOpen(false)
      onChanged()
      toast(m.identity_password_changed())
    },
  })
  if (!isOpen) {
    return <Button onClick={() => setOpen(true)}>{m.identity_change_password()}</Button>
  }
  return (
    <form className="flex max-w-[400px] flex-col gap-3" noValidate onSubmit={attempt.submit}>
      <Field label={m.identity_current_password()} error={attempt.problems.current}>
        <PasswordInput name="current" />
      </Field>
      <Field
        label={m.identity_new_password()}
        hint={m.identity_password_hint({ count: minLength })}
        error={attempt.problems.password}
      >
        <PasswordInput name="password" autoComplete="new-password" />
      </Field>
      <FormProblem>{attempt.problems.form}</FormProblem>
      <div className="flex gap-2">
        <Button type="submit" variant="primary" pending={attempt.isPending}>
          {m.identity_change_password()}
        </Button>
        <Button variant="ghost" onClick={() => setOpen(false)}>
          {m.identity_cancel()}
        </Button>
      </div>
      <p className="text-xs text-ink-2">{m.identity_change_password_hint()}</p>
    </form>
  )
}
