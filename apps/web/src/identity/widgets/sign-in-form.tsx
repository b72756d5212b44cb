import { Link } from '@tanstack/react-router'
import type { PagePayload } from '@tour-ops/contract/page-config'
import { useState } from 'react'
import { m } from '../../paraglide/messages.js'
import { Button } from '../../ui/button.tsx'
import { Field, PasswordInput, TextInput } from '../../ui/field.tsx'
import { currentAccounts, type SignInOutcome } from '../accounts-port.ts'
import { Divider, FormProblem } from './identity-card.tsx'
import { emailProblem, problemsIn } from './identity-errors.ts'
import { leaveForTarget, returnQuery, useRedirectTargets, useReturnPath } from './redirects.ts'
import { PasskeySignInButton, useSuggestedPasskeys } from './security/passkey-sign-in.tsx'
import { SecondStep } from './security/second-step.tsx'
import { useAttempt } from './use-attempt.ts'
import { WalletSignInButton } from './wallet-sign-in-button.tsx'

export interface SignInFormProps {
  payload: Pick<PagePayload, 'signUp' | 'providers'>
  /** Where sign-up should lead back to; the return path of the address otherwise. */
  returnPath?: string | undefined
  /** A code of the authenticator app is next. Without it the form asks for the code in its own place. */
  onSecondFactor?: (() => void) | undefined
}

/** E-mail and password, a passkey, or a wallet; then a code where the account asks for one. What follows a session is up to the guards. */
export function SignInForm(props: SignInFormProps) {
  const { returnPath, onSecondFactor } = props
  const [isCodeNext, setCodeNext] = useState(false)
  if (isCodeNext) return <SecondStep returnPath={returnPath} onBack={() => setCodeNext(false)} />
  return <FirstStep {...props} onSecondFactor={onSecondFactor ?? (() => setCodeNext(true))} />
}

function FirstStep({ payload, returnPath: given, onSecondFactor }: SignInFormProps & { onSecondFactor: () => void }) {
  const { afterSignIn } = useRedirectTargets()
  const carried = useReturnPath()
  const returnPath = given ?? carried
  const [email, setEmail] = useState('')
  const finish = (outcome: SignInOutcome) =>
    outcome === 'second-factor' ? onSecondFactor() : leaveForTarget(afterSignIn, returnPath)
  const attempt = useAttempt({
    fields: ['email', 'password'],
    check: (values) =>
      problemsIn({
        email: emailProblem(values.email),
        password: values.password === '' ? m.identity_password_empty() : undefined,
      }),
    act: async (values) => {
      finish(await currentAccounts().signIn({ email: values.email.trim(), password: values.password }))
    },
  })
  useSuggestedPasskeys(() => leaveForTarget(afterSignIn, returnPath))
  return (
    <form className="mt-5 flex flex-col gap-4" noValidate onSubmit={attempt.submit}>
      <Field label={m.identity_email()} error={attempt.problems.email}>
        <TextInput
          name="email"
          type="email"
          autoComplete="username webauthn"
          placeholder={m.identity_email_example()}
          value={email}
          onChange={(event) => setEmail(event.target.value)}
        />
      </Field>
      <div className="relative">
        <Field label={m.identity_password()} error={attempt.problems.password}>
          <PasswordInput name="password" />
        </Field>
        <Link
          to="/reset-password"
          search={email.trim() === '' ? {} : { email: email.trim() }}
          className="link absolute end-0 top-0 text-xs"
        >
          {m.identity_forgot_password()}
        </Link>
      </div>
      <FormProblem>{attempt.problems.form}</FormProblem>
      <Button type="submit" variant="primary" className="mt-1" pending={attempt.isPending}>
        {m.identity_sign_in()}
      </Button>
      <Divider>{m.identity_or_with()}</Divider>
      <PasskeySignInButton onSignedIn={() => finish('signed-in')} />
      {payload.providers.includes('wallet') && <WalletSignInButton onSignedIn={finish} />}
      <NoAccount signUp={payload.signUp} returnPath={returnPath} />
    </form>
  )
}

/** The alternative: sign-up, or the waitlist while it is closed. */
function NoAccount({ signUp, returnPath }: { signUp: PagePayload['signUp']; returnPath: string | undefined }) {
  return (
    <p className="mt-3 text-ink-2">
      {signUp === 'open' ? m.identity_no_account() : m.identity_no_account_closed()}{' '}
      {signUp === 'open' ? (
        <Link to="/sign-up" search={returnQuery(returnPath)} className="link">
          {m.identity_sign_up()}
        </Link>
      ) : (
        <Link to="/waitlist" className="link">
          {m.identity_join_waitlist()}
        </Link>
      )}
    </p>
  )
}
