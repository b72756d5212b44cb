import { Link, Navigate } from '@tanstack/react-router'
import { CircleCheck } from 'lucide-react'
import { useState } from 'react'
import { useUrlState } from '../../addresses/url-state.ts'
import { readPageConfig } from '../../backend/page-config.ts'
import { currentAccounts } from '../../identity/accounts-port.ts'
import { serviceWidgets } from '../../identity/service-widgets.ts'
import { SignInButton } from '../../identity/widgets/identity-buttons.tsx'
import { FormProblem, IdentityCard } from '../../identity/widgets/identity-card.tsx'
import { emailProblem, passwordProblem, problemsIn } from '../../identity/widgets/identity-errors.ts'
import { EmailSent } from '../../identity/widgets/email-sent.tsx'
import { useAttempt } from '../../identity/widgets/use-attempt.ts'
import { m } from '../../paraglide/messages.js'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { Field, PasswordInput, TextInput } from '../../ui/field.tsx'

/** Asks for the e-mail; with the token of the e-mail, takes the new password. */
export function ResetPasswordPage() {
  // a hosted identity service does this inside its sign-in
  return serviceWidgets() ? <Navigate to="/sign-in" replace /> : <OwnResetPassword />
}

function OwnResetPassword() {
  const [{ token, email }] = useUrlState('/reset-password')
  return token ? <SetPassword key={token} token={token} /> : <RequestEmail email={email} />
}

function RequestEmail({ email }: { email: string | undefined }) {
  const [sentTo, setSentTo] = useState<string | null>(null)
  const attempt = useAttempt({
    fields: ['email'],
    check: (values) => problemsIn({ email: emailProblem(values.email) }),
    act: async (values) => {
      await currentAccounts().requestPasswordReset(values.email.trim())
      setSentTo(values.email.trim())
    },
  })
  if (sentTo !== null) {
    return (
      <EmailSent
        title={m.identity_check_mail()}
        onResend={() => currentAccounts().requestPasswordReset(sentTo)}
        actions={<BackToSignIn />}
      >
        {m.identity_reset_email_sent({ email: sentTo })}
      </EmailSent>
    )
  }
  return (
    <IdentityCard title={m.identity_reset_title()} lead={m.identity_reset_lead()}>
      <form className="mt-5 flex flex-col gap-4" noValidate onSubmit={attempt.submit}>
        <Field label={m.identity_email()} error={attempt.problems.email}>
          <TextInput
            name="email"
            type="email"
            autoComplete="username"
            placeholder={m.identity_email_example()}
            defaultValue={email}
          />
        </Field>
        <FormProblem>{attempt.problems.form}</FormProblem>
        <Button type="submit" variant="primary" pending={attempt.isPending}>
          {m.identity_send_email()}
        </Button>
        <BackToSignIn />
      </form>
    </IdentityCard>
  )
}

const BackToSignIn = () => (
  <Link to="/sign-in" className="link self-center">
    {m.identity_to_sign_in()}
  </Link>
)

function SetPassword({ token }: { token: string }) {
  const { passwordMinLength } = readPageConfig()
  const [isDone, setDone] = useState(false)
  const attempt = useAttempt({
    fields: ['password'],
    check: (values) => problemsIn({ password: passwordProblem(values.password, passwordMinLength) }),
    act: async (values) => {
      await currentAccounts().resetPassword(token, values.password)
      setDone(true)
    },
  })
  if (isDone) {
    return (
      <IdentityCard
        title={
          <span className="flex items-center gap-2.5">
            <CircleCheck size={22} className="text-ok" aria-hidden />
            {m.identity_password_changed()}
          </span>
        }
        lead={m.identity_password_reset_text()}
      >
        <div className="mt-5">
          <SignInButton mode="redirect" returnPath="/" />
        </div>
      </IdentityCard>
    )
  }
  const isLinkDead = attempt.error?.details.reason === 'invalid_token'
  return (
    <IdentityCard title={m.identity_choose_password()} lead={m.identity_choose_password_lead()}>
      <form className="mt-5 flex flex-col gap-4" noValidate onSubmit={attempt.submit}>
        <Field
          label={m.identity_new_password()}
          hint={m.identity_password_hint({ count: passwordMinLength })}
          error={attempt.problems.password}
        >
          <PasswordInput name="password" autoComplete="new-password" />
        </Field>
        {isLinkDead ? (
          <Banner
            tone="bad"
            role="alert"
            title={m.identity_link_invalid()}
            actions={
              <Link to="/reset-password" className="link">
                {m.identity_ask_new_email()}
              </Link>
            }
          />
        ) : (
          <FormProblem>{attempt.problems.form}</FormProblem>
        )}
        <Button type="submit" variant="primary" pending={attempt.isPending}>
          {m.identity_set_password()}
        </Button>
      </form>
    </IdentityCard>
  )
}
