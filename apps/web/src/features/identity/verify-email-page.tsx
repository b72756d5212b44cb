import { useQuery } from '@tanstack/react-query'
import { Navigate } from '@tanstack/react-router'
import { AppError } from '@tour-ops/contract/errors'
import { CircleCheck } from 'lucide-react'
import { useState } from 'react'
import { internalPath } from '../../addresses/navigate-to.ts'
import { useUrlState } from '../../addresses/url-state.ts'
import { currentAccounts } from '../../identity/accounts-port.ts'
import { serviceWidgets } from '../../identity/service-widgets.ts'
import { SignInButton } from '../../identity/widgets/identity-buttons.tsx'
import { FormProblem, IdentityCard } from '../../identity/widgets/identity-card.tsx'
import { emailProblem, identityErrorText, problemsIn } from '../../identity/widgets/identity-errors.ts'
import { EmailSent } from '../../identity/widgets/email-sent.tsx'
import { useRedirectTargets } from '../../identity/widgets/redirects.ts'
import { useAttempt } from '../../identity/widgets/use-attempt.ts'
import { m } from '../../paraglide/messages.js'
import { Button } from '../../ui/button.tsx'
import { Field, TextInput } from '../../ui/field.tsx'
import { LoadingBar } from '../../ui/progress.tsx'

/** Answers the e-mail of sign-up; without its token, or with a spent one, sends another e-mail. */
export function VerifyEmailPage() {
  // a hosted identity service does this inside its sign-in
  return serviceWidgets() ? <Navigate to="/sign-in" replace /> : <OwnVerifyEmail />
}

function OwnVerifyEmail() {
  const [{ token }] = useUrlState('/verify-email')
  return token ? <Verify token={token} /> : <RequestEmail title={m.app_title_verify_email()} />
}

function Verify({ token }: { token: string }) {
  const { afterSignUp } = useRedirectTargets()
  const { isPending, error } = useQuery({
    queryKey: ['identity-verify-email', token],
    queryFn: async () => {
      await currentAccounts().verifyEmail(token)
      return true
    },
    // A token is used once.
    staleTime: Infinity,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
  if (isPending) return <LoadingBar label={m.identity_verifying()} />
  if (error) return <RequestEmail title={identityErrorText(AppError.from(error))} />
  return (
    <IdentityCard
      title={
        <span className="flex items-center gap-2.5">
          <CircleCheck size={22} className="text-ok" aria-hidden />
          {m.identity_email_verified()}
        </span>
      }
      lead={m.identity_email_verified_text()}
    >
      <div className="mt-5">
        <SignInButton mode="redirect" returnPath={internalPath(afterSignUp) ?? '/'} />
      </div>
    </IdentityCard>
  )
}

function RequestEmail({ title }: { title: string }) {
  const [sentTo, setSentTo] = useState<string | null>(null)
  const attempt = useAttempt({
    fields: ['email'],
    check: (values) => problemsIn({ email: emailProblem(values.email) }),
    act: async (values) => {
      await currentAccounts().sendVerification(values.email.trim())
      setSentTo(values.email.trim())
    },
  })
  if (sentTo !== null) {
    return (
      <EmailSent title={m.identity_check_mail()} onResend={() => currentAccounts().sendVerification(sentTo)}>
        {m.identity_verify_email_maybe({ email: sentTo })}
      </EmailSent>
    )
  }
  return (
    <IdentityCard title={title} lead={m.identity_verify_lead()}>
      <form className="mt-5 flex flex-col gap-4" noValidate onSubmit={attempt.submit}>
        <Field label={m.identity_email()} error={attempt.problems.email}>
          <TextInput name="email" type="email" autoComplete="username" placeholder={m.identity_email_example()} />
        </Field>
        <FormProblem>{attempt.problems.form}</FormProblem>
        <Button type="submit" variant="primary" pending={attempt.isPending}>
          {m.identity_send_email()}
        </Button>
      </form>
    </IdentityCard>
  )
}
