import { ShieldCheck } from 'lucide-react'
import { navigateTo } from '../../addresses/navigate-to.ts'
import { paths } from '../../addresses/paths.ts'
import { m } from '../../paraglide/messages.js'
import { Button } from '../../ui/button.tsx'
import { Definition, DefinitionList } from '../../ui/definition-list.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, TextInput } from '../../ui/field.tsx'
import { formatDate, formatDayTimeThere, viewerZone } from '../../ui/format.ts'
import { Ltr } from '../../ui/ltr.tsx'
import { toast } from '../../ui/toast.tsx'
import { useAuth } from '../access.ts'
import { currentAccounts } from '../accounts-port.ts'
import type { UserRecord } from '../auth-store.ts'
import { FormProblem } from './identity-card.tsx'
import { problemsIn } from './identity-errors.ts'
import { useAttempt } from './use-attempt.ts'

/** The person's own name, and the way to the security of the account. */
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
            <Definition label={m.identity_last_sign_in()}>
              {formatDayTimeThere(user.lastSignInAt, viewerZone())}
            </Definition>
          )}
        </DefinitionList>
        <div className="border-t border-line pt-4">
          <Button
            icon={ShieldCheck}
            onClick={() => {
              onClose()
              navigateTo(paths.accountSecurity())
            }}
          >
            {m.security_open_page()}
          </Button>
        </div>
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
