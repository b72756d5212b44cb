import { Link } from '@tanstack/react-router'
import type { PagePayload } from '@tour-ops/contract/page-config'
import { useState } from 'react'
import { m } from '../../paraglide/messages.js'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { Field, PasswordInput, TextInput } from '../../ui/field.tsx'
import { currentAccounts } from '../accounts-port.ts'
import { Divider, FormProblem } from './identity-card.tsx'
import { emailProblem, problemsIn } from './identity-words.ts'
import { leaveForTarget, returnQuery, useRedirectTargets, useReturnPath } from './redirects.ts'
import { useAttempt } from './use-attempt.ts'
import { WalletSignInButton } from './wallet-sign-in-button.tsx'

export interface SignInFormProps {
  payload: Pick<PagePayload, 'signUp' | 'providers'>
  /** Where sign-up should lead back to; the return path of the address otherwise. */
  returnPath?: string | undefined
}

/** E-mail and password, or a wallet. What follows a session is the business of the guards. */
export function SignInForm({ payload, returnPath: given }: SignInFormProps) {
  const { afterSignIn } = useRedirectTargets()
  const carried = useReturnPath()
  const returnPath = given ?? carried
  const [email, setEmail] = useState('')
  const attempt = useAttempt({
    fields: ['email', 'password'],
    check: (values) =>
      problemsIn({
        email: emailProblem(values.email),
        password: values.password === '' ? m.identity_password_empty() : undefined,
      }),
    act: async (values) => {
      await currentAccounts().signIn({ email: values.email.trim(), password: values.password })
      leaveForTarget(afterSignIn, returnPath)
    },
  })
  const isUnverified = attempt.error?.details.reason === 'email_not_verified'
  return (
    <form className="mt-5 flex flex-col gap-4" noValidate onSubmit={attempt.submit}>
      <Field label={m.identity_email()} error={attempt.problems.email}>
        <TextInput
          name="email"
          type="email"
          autoComplete="username"
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
          search={email.trim() === '' ? {} : ({ email: email.trim() } as never)}
          className="link absolute end-0 top-0 text-xs"
        >
          {m.identity_forgot_password()}
        </Link>
      </div>
      {isUnverified ? (
        <Banner tone="info" role="alert" title={m.identity_email_not_verified()}>
          {m.identity_letter_on_its_way({ email: email.trim() })}
        </Banner>
      ) : (
        <FormProblem>{attempt.problems.form}</FormProblem>
      )}
      <Button type="submit" variant="primary" className="mt-1" pending={attempt.isPending}>
        {m.identity_sign_in()}
      </Button>
      {payload.providers.includes('wallet') && (
        <>
          <Divider>{m.identity_or_with()}</Divider>
          <WalletSignInButton onSignedIn={() => leaveForTarget(afterSignIn, returnPath)} />
        </>
      )}
      <NoAccount signUp={payload.signUp} returnPath={returnPath} />
    </form>
  )
}

/** The other way in: sign-up, or the waitlist while it is closed. */
function NoAccount({ signUp, returnPath }: { signUp: PagePayload['signUp']; returnPath: string | undefined }) {
  return (
    <p className="mt-3 text-ink-2">
      {signUp === 'open' ? m.identity_no_account() : m.identity_no_account_closed()}{' '}
      {signUp === 'open' ? (
        <Link to="/sign-up" search={returnQuery(returnPath) as never} className="link">
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
