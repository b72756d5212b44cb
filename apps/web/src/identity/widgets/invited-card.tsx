import { m } from '../../paraglide/messages.js'
import { SignInButton, SignUpButton } from './identity-buttons.tsx'
import { IdentityCard } from './identity-card.tsx'

/** To somebody who follows an invitation and is not signed in: what it is about is shown to its addressee alone. */
export const InvitedCard = () => (
  <IdentityCard title={m.identity_invited()} lead={m.identity_invited_lead()}>
    <div className="mt-5 flex flex-wrap gap-2">
      <SignInButton mode="modal" />
      <SignUpButton />
    </div>
  </IdentityCard>
)
