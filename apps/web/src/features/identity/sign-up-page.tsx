import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { usePagePayload } from '../../app/page-payload.ts'
import { useUrlState } from '../../addresses/url-state.ts'
import { currentAccounts } from '../../identity/accounts-port.ts'
import { serviceWidgets } from '../../identity/service-widgets.ts'
import { IdentityCard } from '../../identity/widgets/identity-card.tsx'
import { EmailSent } from '../../identity/widgets/email-sent.tsx'
import { returnQuery, useReturnPath } from '../../identity/widgets/redirects.ts'
import { SignUpForm } from '../../identity/widgets/sign-up-form.tsx'
import { m } from '../../paraglide/messages.js'
import { buttonClass } from '../../ui/button.tsx'

/** A new account: for everybody, for those who were let in, or with the set-up link of a new installation. */
export function SignUpPage() {
  const service = serviceWidgets()
  return service ? <service.SignUp /> : <OwnSignUp />
}

function OwnSignUp() {
  const payload = usePagePayload()
  const [{ setup, email }] = useUrlState('/sign-up')
  const returnPath = useReturnPath()
  const [sentTo, setSentTo] = useState<string | null>(null)
  if (sentTo !== null) {
    return (
      <EmailSent
        title={m.identity_check_mail()}
        onResend={() => currentAccounts().sendVerification(sentTo)}
        actions={
          <Link to="/sign-in" search={returnQuery(returnPath)} className={buttonClass({ variant: 'ghost' })}>
            {m.identity_to_sign_in()}
          </Link>
        }
      >
        {m.identity_verify_email_sent({ email: sentTo })}
      </EmailSent>
    )
  }
  const lead = setup
    ? m.identity_sign_up_lead_setup()
    : payload.signUp === 'open'
      ? m.identity_sign_up_lead_open()
      : m.identity_sign_up_lead_closed()
  return (
    <IdentityCard title={setup ? m.identity_set_up() : m.identity_sign_up()} lead={lead}>
      <SignUpForm payload={payload} setupToken={setup} email={email} onEmailSent={setSentTo} />
    </IdentityCard>
  )
}
