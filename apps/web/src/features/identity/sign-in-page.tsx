import { useState } from 'react'
import { usePagePayload } from '../../app/page-payload.ts'
import { serviceWidgets, type ServiceWidgets } from '../../identity/service-widgets.ts'
import { DemoAccounts } from '../../identity/widgets/demo-accounts.tsx'
import { IdentityCard, IdentityHead } from '../../identity/widgets/identity-card.tsx'
import { SecondStep } from '../../identity/widgets/security/second-step.tsx'
import { SignInForm } from '../../identity/widgets/sign-in-form.tsx'
import { m } from '../../paraglide/messages.js'

/** Sign-in; next to it the demo's fictional people, where the installation has them. The guards lead on once somebody is there. */
export function SignInPage() {
  const service = serviceWidgets()
  return service ? <ServiceSignIn {...service} /> : <OwnSignIn />
}

/** The form of a hosted identity service, with the wallet button next to it. */
function ServiceSignIn({ SignIn, WalletSignInButton }: ServiceWidgets) {
  const { providers } = usePagePayload()
  return (
    <div className="flex flex-col items-center gap-4">
      <SignIn />
      {providers.includes('wallet') && <WalletSignInButton />}
    </div>
  )
}

function OwnSignIn() {
  const payload = usePagePayload()
  const [isCodeNext, setCodeNext] = useState(false)
  const askForCode = () => setCodeNext(true)
  if (isCodeNext) {
    return (
      <IdentityCard title={m.security_step_title()}>
        <SecondStep onBack={() => setCodeNext(false)} />
      </IdentityCard>
    )
  }
  const head = { title: m.identity_sign_in(), lead: m.identity_sign_in_lead() }
  if (payload.demoAccounts.length === 0) {
    return (
      <IdentityCard {...head}>
        <SignInForm payload={payload} onSecondFactor={askForCode} />
      </IdentityCard>
    )
  }
  return (
    <div className="card grid w-full max-w-[440px] grid-cols-[minmax(0,1fr)] overflow-hidden md:max-w-[880px] md:grid-cols-2 md:divide-x md:divide-line">
      <div className="flex flex-col p-5 sm:p-8">
        <IdentityHead {...head} />
        <SignInForm payload={payload} onSecondFactor={askForCode} />
      </div>
      <DemoAccounts accounts={payload.demoAccounts} onSecondFactor={askForCode} />
    </div>
  )
}
