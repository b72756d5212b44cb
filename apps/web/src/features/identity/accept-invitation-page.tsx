import { useQuery } from '@tanstack/react-query'
import { AppError } from '@tour-ops/contract/errors'
import { Check } from 'lucide-react'
import { useState } from 'react'
import { navigateTo } from '../../addresses/navigate-to.ts'
import { paths } from '../../addresses/paths.ts'
import { roleName } from '../../identity/role-name.ts'
import { useUrlState } from '../../addresses/url-state.ts'
import { useAuth } from '../../identity/access.ts'
import { currentAccounts, type OwnInvitation } from '../../identity/accounts-port.ts'
import { serviceWidgets } from '../../identity/service-widgets.ts'
import { SignOutButton } from '../../identity/widgets/identity-buttons.tsx'
import { FormProblem, IdentityCard } from '../../identity/widgets/identity-card.tsx'
import { InvitedCard } from '../../identity/widgets/invited-card.tsx'
import { identityErrorText } from '../../identity/widgets/identity-errors.ts'
import { goToTarget, useRedirectTargets } from '../../identity/widgets/redirects.ts'
import { m } from '../../paraglide/messages.js'
import { Button } from '../../ui/button.tsx'
import { formatDay } from '../../ui/format.ts'
import { LoadingBar } from '../../ui/progress.tsx'

/** Where the e-mail of an invitation leads. What it is about is shown to its addressee alone. */
export function AcceptInvitationPage() {
  const service = serviceWidgets()
  return service ? <service.AcceptInvitation /> : <OwnInvitationPage />
}

function OwnInvitationPage() {
  const [{ id = '' }] = useUrlState('/accept-invitation')
  const { isAuthenticated } = useAuth()
  return isAuthenticated ? <Invitation id={id} /> : <InvitedCard />
}

function Invitation({ id }: { id: string }) {
  const { userEmail, userName } = useAuth()
  const { data, error, isPending } = useQuery({
    queryKey: ['identity-invitation', id],
    queryFn: () => currentAccounts().readInvitation(id),
  })
  if (isPending) return <LoadingBar label={m.app_title_accept_invitation()} />
  if (data) return <Answer invitation={data} />
  return (
    <IdentityCard
      title={m.app_title_accept_invitation()}
      lead={`${identityErrorText(AppError.from(error))} ${m.identity_signed_in_as({ person: userEmail ?? userName ?? '' })}`}
    >
      <div className="mt-5 flex flex-wrap gap-2">
        <Button onClick={() => navigateTo(paths.organizations())}>{m.app_title_organizations()}</Button>
        <SignOutButton />
      </div>
    </IdentityCard>
  )
}

function Answer({
  invitation: { id, organizationName, role, inviterEmail, expiresAt },
}: {
  invitation: OwnInvitation
}) {
  const { afterSelectOrganization } = useRedirectTargets()
  const [pending, setPending] = useState<'accept' | 'decline' | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const answer = async (word: 'accept' | 'decline') => {
    setProblem(null)
    setPending(word)
    try {
      await (word === 'accept' ? currentAccounts().acceptInvitation(id) : currentAccounts().declineInvitation(id))
      goToTarget(word === 'accept' ? afterSelectOrganization : paths.organizations())
    } catch (error) {
      setProblem(identityErrorText(AppError.from(error)))
    } finally {
      setPending(null)
    }
  }
  return (
    <IdentityCard title={m.identity_invited_to({ organization: organizationName })}>
      <p className="mt-1 text-ink">
        {role && m.identity_invited_as({ role: roleName(role) })}{' '}
        {inviterEmail && m.identity_invited_by({ person: inviterEmail })}{' '}
        {m.identity_invitation_until({ day: formatDay(expiresAt) })}
      </p>
      {problem !== null && (
        <div className="mt-4">
          <FormProblem>{problem}</FormProblem>
        </div>
      )}
      <div className="mt-5 flex flex-wrap gap-2">
        <Button variant="primary" icon={Check} pending={pending === 'accept'} onClick={() => void answer('accept')}>
          {m.identity_accept()}
        </Button>
        <Button variant="ghost" pending={pending === 'decline'} onClick={() => void answer('decline')}>
          {m.identity_decline()}
        </Button>
      </div>
    </IdentityCard>
  )
}
