import { useState } from 'react'
import { m } from '../../../paraglide/messages.js'
import { Button } from '../../../ui/button.tsx'
import { Checkbox } from '../../../ui/choice.tsx'
import { Field, TextInput } from '../../../ui/field.tsx'
import { currentAccountSecurity } from '../../account-security-port.ts'
import { FormProblem } from '../identity-card.tsx'
import { problemsIn } from '../identity-errors.ts'
import { leaveForTarget, useRedirectTargets, useReturnPath } from '../redirects.ts'
import { useAttempt } from '../use-attempt.ts'
import { CodeInput, codeProblem } from './code-input.tsx'

export interface SecondStepProps {
  returnPath?: string | undefined
  /** Starts again with the password. */
  onBack: () => void
}

/** After the password: the code of the authenticator app, or a recovery code. What follows a session is up to the guards. */
export function SecondStep({ returnPath: given, onBack }: SecondStepProps) {
  const [method, setMethod] = useState<'code' | 'recovery'>('code')
  const [isRemembered, setRemembered] = useState(false)
  const { afterSignIn } = useRedirectTargets()
  const carried = useReturnPath()
  const attempt = useAttempt({
    fields: ['code', 'recovery'],
    check: (values) =>
      method === 'code'
        ? problemsIn({ code: codeProblem(values.code) })
        : problemsIn({ recovery: values.recovery.trim() === '' ? m.security_step_recovery_empty() : undefined }),
    act: async ({ code, recovery }) => {
      const options = { remember: isRemembered }
      await (method === 'code'
        ? currentAccountSecurity().enterCode(code.replaceAll(/\s/g, ''), options)
        : currentAccountSecurity().enterRecoveryCode(recovery, options))
      leaveForTarget(afterSignIn, given ?? carried)
    },
  })
  return (
    <form className="mt-1 flex flex-col gap-4" noValidate onSubmit={attempt.submit}>
      <p className="text-ink-2">{method === 'code' ? m.security_step_lead() : m.security_step_recovery_lead()}</p>
      {method === 'code' ? (
        <Field label={m.security_code()} error={attempt.problems.code}>
          <CodeInput name="code" />
        </Field>
      ) : (
        <Field label={m.security_step_recovery()} error={attempt.problems.recovery}>
          <TextInput
            name="recovery"
            className="num"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={40}
            // eslint-disable-next-line jsx-a11y/no-autofocus -- the step replaces the one before, which had the focus
            autoFocus
          />
        </Field>
      )}
      <Checkbox
        label={m.security_step_remember()}
        checked={isRemembered}
        onChange={(event) => setRemembered(event.target.checked)}
      />
      <FormProblem>{attempt.problems.form}</FormProblem>
      <Button type="submit" variant="primary" pending={attempt.isPending}>
        {m.identity_sign_in()}
      </Button>
      <div className="flex flex-wrap justify-between gap-2">
        <Button variant="ghost" onClick={() => setMethod(method === 'code' ? 'recovery' : 'code')}>
          {method === 'code' ? m.security_step_use_recovery() : m.security_step_use_app()}
        </Button>
        <Button variant="ghost" onClick={onBack}>
          {m.security_step_again()}
        </Button>
      </div>
    </form>
  )
}
