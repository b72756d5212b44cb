import { CreateOrganization, OrganizationList, SignIn, SignUp, TaskChooseOrganization, Waitlist } from '@clerk/react'
import type { LoadedClerk } from '@clerk/react/types'
import { useLocation } from '@tanstack/react-router'
import type { PageConfig } from '@tour-ops/contract/page-config'
import { useEffect } from 'react'
import { navigateTo } from '../../addresses/navigate-to.ts'
import { paths } from '../../addresses/paths.ts'
import { useAuth, useSession } from '../access.ts'
import { loadLater } from '../../ui/load-later.tsx'
import type { ServiceWidgets } from '../service-widgets.ts'
import { goToTarget } from '../widgets/redirects.ts'

/** Of the sign-in alone: no other page loads it. */
const WalletButton = loadLater(async () => (await import('./clerk-wallet-button.tsx')).WalletButton)
/** Of an invitation's address alone. */
const InvitedCard = loadLater(async () => (await import('../widgets/invited-card.tsx')).InvitedCard)

type Dialogs = Pick<LoadedClerk, 'openSignIn' | 'openUserProfile' | 'openOrganizationProfile'>

let dialogs: Dialogs | undefined

/** Called by the provider's attachment; dialogs can be opened from then on. */
export function connectClerk(clerk: Dialogs): void {
  dialogs = clerk
}

/** The service's widgets with the installation's redirect targets. */
export function clerkWidgets(redirects: PageConfig['redirects']): ServiceWidgets {
  return {
    SignIn: () => <SignIn routing="path" path="/sign-in" />,
    SignUp: () => <SignUp routing="path" path="/sign-up" />,
    Waitlist: () => <Waitlist afterJoinWaitlistUrl={redirects.afterJoinWaitlist} />,
    CreateOrganization: () => (
      <CreateOrganization afterCreateOrganizationUrl={redirects.afterCreateOrganization} skipInvitationScreen />
    ),
    OrganizationList: () => <Organizations redirects={redirects} />,
    AcceptInvitation,
    WalletSignInButton: () => <WalletButton afterSignIn={redirects.afterSignIn} />,
    openSignIn: (returnPath) => dialogs?.openSignIn({ fallbackRedirectUrl: returnPath }),
    openUserProfile: () => dialogs?.openUserProfile(),
    openOrganizationProfile: () =>
      dialogs?.openOrganizationProfile({ afterLeaveOrganizationUrl: redirects.afterLeaveOrganization }),
  }
}

/** Whether the choice of an organization was what a session waited for. The page reloads when the session begins to count. */
let wasPending = false

/** The choice of an organization; a session that waits for it has its own widget, which activates the session. */
function Organizations({ redirects }: { redirects: PageConfig['redirects'] }) {
  const { pendingTask, orgId } = useSession()
  useEffect(() => {
    if (wasPending && orgId !== null) goToTarget(redirects.afterSelectOrganization)
    wasPending = pendingTask === 'choose-organization'
  }, [pendingTask, orgId, redirects])
  if (pendingTask === 'choose-organization') {
    return <TaskChooseOrganization redirectUrlComplete={redirects.afterSelectOrganization} />
  }
  return (
    <OrganizationList
      hidePersonal
      afterSelectOrganizationUrl={redirects.afterSelectOrganization}
      afterCreateOrganizationUrl={redirects.afterCreateOrganization}
    />
  )
}

/**
 * The service's e-mail leads here with a ticket, which its forms take, and says whether the addressee has an account. Without one, a person who is
 * signed in finds the invitation among the organizations.
 *
 * @see https://clerk.com/docs/guides/development/custom-flows/authentication/application-invitations
 */
function AcceptInvitation() {
  const query = useLocation({ select: ({ searchStr }) => searchStr })
  const status = new URLSearchParams(query).get('__clerk_status')
  const { isAuthenticated } = useAuth()
  const isStranger = !isAuthenticated && status !== 'sign_in' && status !== 'sign_up'
  useEffect(() => {
    if (isStranger) return
    if (status === 'sign_in') navigateTo(`/sign-in${query}`, { replace: true })
    else if (status === 'sign_up') navigateTo(`/sign-up${query}`, { replace: true })
    else navigateTo(paths.organizations(), { replace: true })
  }, [isStranger, status, query])
  return isStranger ? <InvitedCard /> : null
}
