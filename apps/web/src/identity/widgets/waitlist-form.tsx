import { m } from '../../paraglide/messages.js'
import { Button } from '../../ui/button.tsx'
import { Field, TextInput } from '../../ui/field.tsx'
import { currentAccounts } from '../accounts-port.ts'
import { FormProblem } from './identity-card.tsx'
import { emailProblem, problemsIn } from './identity-errors.ts'
import { useAttempt } from './use-attempt.ts'

/** Asks to be let in once there is room. */
export function WaitlistForm({ email, onJoined }: { email?: string | undefined; onJoined: (email: string) => void }) {
  const attempt = useAttempt({
    fields: ['email'],
    check: (values) => problemsIn({ email: emailProblem(values.email) }),
    act: async (values) => {
      await currentAccounts().joinWaitlist(values.email.trim())
      onJoined(values.email.trim())
    },
  })
  return (
    <form className="mt-5 flex flex-col gap-4" noValidate onSubmit={attempt.submit}>
      <Field label={m.identity_email()} error={attempt.problems.email}>
        <TextInput
          name="email"
          type="email"
          autoComplete="email"
          placeholder={m.identity_email_example()}
          defaultValue={email}
        />
      </Field>
      <FormProblem>{attempt.problems.form}</FormProblem>
      <Button type="submit" variant="primary" pending={attempt.isPending}>
        {m.identity_join_waitlist()}
      </Button>
    </form>
  )
}
