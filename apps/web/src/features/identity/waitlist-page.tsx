import { useState } from 'react'
import { usePagePayload } from '../../app/page-payload.ts'
import { useUrlState } from '../../addresses/url-state.ts'
import { serviceWidgets } from '../../identity/service-widgets.ts'
import { SignInButton, SignUpButton } from '../../identity/widgets/identity-buttons.tsx'
import { IdentityCard } from '../../identity/widgets/identity-card.tsx'
import { EmailSent } from '../../identity/widgets/email-sent.tsx'
import { goToTarget, useRedirectTargets } from '../../identity/widgets/redirects.ts'
import { WaitlistForm } from '../../identity/widgets/waitlist-form.tsx'
import { m } from '../../paraglide/messages.js'

/** Asking to be let in. Where sign-up is open, it says so and leads there. */
export function WaitlistPage() {
  const service = serviceWidgets()
  return service ? <service.Waitlist /> : <OwnWaitlist />
}

function OwnWaitlist() {
  const { signUp } = usePagePayload()
  const { afterJoinWaitlist } = useRedirectTargets()
  const [{ email }] = useUrlState('/waitlist')
  const [joined, setJoined] = useState<string | null>(null)
  if (joined !== null) {
    return (
      <EmailSent
        title={m.identity_waitlist_joined()}
        actions={<SignInButton mode="redirect" returnPath="/" look={{ variant: 'ghost' }} />}
      >
        {m.identity_waitlist_joined_text({ email: joined })}
      </EmailSent>
    )
  }
  if (signUp === 'open') {
    return (
      <IdentityCard title={m.app_title_waitlist()} lead={m.identity_waitlist_not_needed()}>
        <div className="mt-5 flex gap-2">
          <SignUpButton look={{ variant: 'primary' }} returnPath="/" />
          <SignInButton mode="redirect" returnPath="/" look={{ variant: 'ghost' }} />
        </div>
      </IdentityCard>
    )
  }
  return (
    <IdentityCard title={m.identity_join_waitlist()} lead={m.identity_waitlist_lead()}>
      <WaitlistForm
        email={email}
        onJoined={(address) => {
          setJoined(address)
          if (afterJoinWaitlist !== '/waitlist') goToTarget(afterJoinWaitlist)
        }}
      />
      <p className="mt-4 flex items-center gap-1 text-ink-2">
        {m.identity_have_account()}
        <SignInButton mode="redirect" returnPath="/" look={{ variant: 'ghost', size: 'sm' }} />
      </p>
    </IdentityCard>
  )
}
