import { Link } from '@tanstack/react-router'
import type { PagePayload } from '@tour-ops/contract/page-config'
import { useState } from 'react'
import { m } from '../../paraglide/messages.js'
import { Banner } from '../../ui/banner.tsx'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Field, PasswordInput, TextInput } from '../../ui/field.tsx'
import { currentAccounts } from '../accounts-port.ts'
import { FormProblem } from './identity-card.tsx'
import { emailProblem, passwordProblem, problemsIn } from './identity-errors.ts'
import { leaveForTarget, returnQuery, useRedirectTargets, useReturnPath } from './redirects.ts'
import { useAttempt } from './use-attempt.ts'

export interface SignUpFormProps {
  payload: Pick<PagePayload, 'passwordMinLength'>
  /** From the set-up link of a new installation. */
  setupToken?: string | undefined
  /** From the e-mail that ends the wait. */
  email?: string | undefined
  /** An e-mail was sent to this address. */
  onEmailSent: (email: string) => void
}

/** Name, address and password of a new account. */
export function SignUpForm({ payload, setupToken, email: known = '', onEmailSent }: SignUpFormProps) {
  const { afterSignUp } = useRedirectTargets()
  const returnPath = useReturnPath()
  const [email, setEmail] = useState(known)
  const attempt = useAttempt({
    fields: ['name', 'email', 'password'],
    check: (values) =>
      problemsIn({
        name: values.name.trim() === '' ? m.identity_name_empty() : undefined,
        email: emailProblem(values.email),
        password: passwordProblem(values.password, payload.passwordMinLength),
      }),
    act: async (values) => {
      const account = { name: values.name.trim(), email: values.email.trim(), password: values.password, setupToken }
      const next = await currentAccounts().signUp(account)
      if (next === 'verify-email') onEmailSent(account.email)
      else leaveForTarget(afterSignUp, returnPath)
    },
  })
  const isClosed = attempt.error?.details.reason === 'waitlist_required'
  return (
    <form className="mt-5 flex flex-col gap-4" noValidate onSubmit={attempt.submit}>
      <Field label={m.identity_your_name()} error={attempt.problems.name}>
        <TextInput name="name" autoComplete="name" maxLength={120} />
      </Field>
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
      <Field
        label={m.identity_password()}
        hint={m.identity_password_hint({ count: payload.passwordMinLength })}
        error={attempt.problems.password}
      >
        <PasswordInput name="password" autoComplete="new-password" />
      </Field>
      {isClosed ? (
        <Banner
          tone="info"
          role="alert"
          title={m.identity_sign_up_refused()}
          actions={
            <Link to="/waitlist" search={{ email: email.trim() }} className={buttonClass()}>
              {m.identity_join_waitlist()}
            </Link>
          }
        >
          {m.identity_sign_up_refused_text()}
        </Banner>
      ) : (
        <FormProblem>{attempt.problems.form}</FormProblem>
      )}
      <Button type="submit" variant="primary" className="mt-1" pending={attempt.isPending}>
        {m.identity_create_account()}
      </Button>
      <p className="mt-1 text-ink-2">
        {m.identity_have_account()}{' '}
        <Link to="/sign-in" search={returnQuery(returnPath)} className="link">
          {m.identity_sign_in()}
        </Link>
      </p>
    </form>
  )
}
