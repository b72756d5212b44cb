import { useState } from 'react'
import { readPageConfig } from '../../backend/page-config.ts'
import { m } from '../../paraglide/messages.js'
import { Button } from '../../ui/button.tsx'
import { Definition, DefinitionList } from '../../ui/definition-list.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, PasswordInput, TextInput } from '../../ui/field.tsx'
import { formatDate, formatDayTime } from '../../ui/format.ts'
import { Ltr } from '../../ui/ltr.tsx'
import { toast } from '../../ui/toast.tsx'
import { useAuth } from '../access.ts'
import { currentAccounts } from '../accounts-port.ts'
import type { UserRecord } from '../auth-store.ts'
import { FormProblem } from './identity-card.tsx'
import { passwordProblem, problemsIn } from './identity-words.ts'
import { useAttempt } from './use-attempt.ts'

/** The person's own name and password. */
export function UserProfile({ onClose }: { onClose: () => void }) {
  const { user } = useAuth()
  if (!user) return null
  return (
    <Dialog open onClose={onClose} title={m.identity_profile()}>
      <div className="flex flex-col gap-5">
        <NameForm user={user} />
        <DefinitionList>
          {user.email && (
            <Definition label={m.identity_email()}>
              <Ltr>{user.email}</Ltr>
            </Definition>
          )}
          {user.createdAt && <Definition label={m.identity_account_since()}>{formatDate(user.createdAt)}</Definition>}
          {user.lastSignInAt && (
            <Definition label={m.identity_last_sign_in()}>{formatDayTime(user.lastSignInAt)}</Definition>
          )}
        </DefinitionList>
        {user.email && <PasswordForm />}
      </div>
    </Dialog>
  )
}

function NameForm({ user }: { user: UserRecord }) {
  const attempt = useAttempt({
    fields: ['name'],
    check: (values) => problemsIn({ name: values.name.trim() === '' ? m.identity_name_empty() : undefined }),
    act: async (values) => {
      await currentAccounts().rename(values.name)
      toast(m.identity_saved())
    },
  })
  return (
    <form className="flex flex-col gap-3" noValidate onSubmit={attempt.submit}>
      <div className="flex items-end gap-2">
        <Field className="flex-1" label={m.identity_your_name()} error={attempt.problems.name}>
          <TextInput name="name" autoComplete="name" maxLength={120} defaultValue={user.fullName ?? ''} />
        </Field>
        <Button type="submit" pending={attempt.isPending}>
          {m.identity_save()}
        </Button>
      </div>
      <FormProblem>{attempt.problems.form}</FormProblem>
    </form>
  )
}

function PasswordForm() {
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
      toast(m.identity_password_changed())
    },
  })
  if (!isOpen) {
    return (
      <div className="border-t border-line pt-4">
        <Button onClick={() => setOpen(true)}>{m.identity_change_password()}</Button>
      </div>
    )
  }
  return (
    <form className="flex flex-col gap-3 border-t border-line pt-4" noValidate onSubmit={attempt.submit}>
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
