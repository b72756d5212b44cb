import { AppError } from '@tour-ops/contract/errors'
import { LogOut } from 'lucide-react'
import { useState } from 'react'
import { roleName } from '../role-name.ts'
import { m } from '../../paraglide/messages.js'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { Definition, DefinitionList } from '../../ui/definition-list.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, TextInput } from '../../ui/field.tsx'
import { formatDate } from '../../ui/format.ts'
import { Ltr } from '../../ui/ltr.tsx'
import { toast } from '../../ui/toast.tsx'
import { useAccess, useAuth } from '../access.ts'
import { currentAccounts } from '../accounts-port.ts'
import type { OrganizationRecord } from '../auth-store.ts'
import { FormProblem } from './identity-card.tsx'
import { identityErrorText, problemsIn } from './identity-errors.ts'
import { OrganizationLogo } from './organization-logo.tsx'
import { goToTarget, useRedirectTargets } from './redirects.ts'
import { useAttempt } from './use-attempt.ts'

/** Name, logo and facts of the active organization, and the way out of it. */
export function OrganizationProfile({ onClose }: { onClose: () => void }) {
  const { organization } = useAuth()
  const mayChange = useAccess().can('settings:manage')
  if (!organization) return null
  return (
    <Dialog open onClose={onClose} title={m.identity_organization_profile()}>
      <div className="flex flex-col gap-5">
        <OrganizationLogo organization={organization} mayChange={mayChange} />
        <NameForm organization={organization} mayChange={mayChange} />
        <Facts organization={organization} />
        <Leave organization={organization} />
      </div>
    </Dialog>
  )
}

interface PartProps {
  organization: OrganizationRecord
  mayChange: boolean
}

function NameForm({ organization: { id, name }, mayChange }: PartProps) {
  const attempt = useAttempt({
    fields: ['name'],
    check: (values) =>
      problemsIn({ name: values.name.trim() === '' ? m.identity_organization_name_empty() : undefined }),
    act: async (values) => {
      await currentAccounts().updateOrganization(id, { name: values.name.trim() })
      toast(m.identity_saved())
    },
  })
  return (
    <form className="flex flex-col gap-3" noValidate onSubmit={attempt.submit}>
      <div className="flex items-end gap-2">
        <Field
          className="flex-1"
          label={m.identity_organization_name()}
          error={attempt.problems.name}
          {...(mayChange ? {} : { hint: m.identity_profile_read_only() })}
        >
          <TextInput name="name" maxLength={200} defaultValue={name} readOnly={!mayChange} />
        </Field>
        {mayChange && (
          <Button type="submit" pending={attempt.isPending}>
            {m.identity_save()}
          </Button>
        )}
      </div>
      <FormProblem>{attempt.problems.form}</FormProblem>
    </form>
  )
}

function Facts({ organization: { slug, memberCount, role, createdAt } }: Pick<PartProps, 'organization'>) {
  return (
    <DefinitionList>
      <Definition label={m.identity_slug()}>
        <Ltr>{slug}</Ltr>
      </Definition>
      <Definition label={m.identity_members_label()}>
        <span className="num">{memberCount}</span>
      </Definition>
      <Definition label={m.identity_your_role()}>{roleName(role)}</Definition>
      {createdAt && <Definition label={m.identity_since()}>{formatDate(createdAt)}</Definition>}
    </DefinitionList>
  )
}

/** Leaving is asked for twice, in place: it cannot be undone without an invitation. */
function Leave({ organization: { id, name } }: Pick<PartProps, 'organization'>) {
  const { afterLeaveOrganization } = useRedirectTargets()
  const [isAsking, setAsking] = useState(false)
  const [isPending, setPending] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const leave = async () => {
    setProblem(null)
    setPending(true)
    try {
      await currentAccounts().leaveOrganization(id)
      goToTarget(afterLeaveOrganization)
    } catch (error) {
      setProblem(identityErrorText(AppError.from(error)))
    } finally {
      setPending(false)
    }
  }
  if (!isAsking) {
    return (
      <div className="border-t border-line pt-4">
        <Button variant="ghost" icon={LogOut} onClick={() => setAsking(true)}>
          {m.identity_leave()}
        </Button>
      </div>
    )
  }
  return (
    <Banner
      tone="bad"
      framed
      title={m.identity_leave_title({ name })}
      actions={
        <>
          <Button variant="danger" pending={isPending} onClick={() => void leave()}>
            {m.identity_leave_confirm()}
          </Button>
          <Button disabled={isPending} onClick={() => setAsking(false)}>
            {m.identity_cancel()}
          </Button>
        </>
      }
    >
      {m.identity_leave_text()}
      {problem !== null && (
        <p role="alert" className="mt-2 font-medium text-bad">
          {problem}
        </p>
      )}
    </Banner>
  )
}
