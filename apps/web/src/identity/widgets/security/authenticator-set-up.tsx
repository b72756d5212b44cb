import { Copy } from 'lucide-react'
import { useState } from 'react'
import { m } from '../../../paraglide/messages.js'
import { Button } from '../../../ui/button.tsx'
import { Checkbox } from '../../../ui/choice.tsx'
import { copyText } from '../../../ui/copy-text.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { Field } from '../../../ui/field.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { toast } from '../../../ui/toast.tsx'
import { currentAccountSecurity, type NewAuthenticator } from '../../account-security-port.ts'
import { FormProblem } from '../identity-card.tsx'
import { problemsIn } from '../identity-errors.ts'
import { useAttempt } from '../use-attempt.ts'
import { CodeInput, codeProblem } from './code-input.tsx'
import { PasswordQuestion } from './password-question.tsx'
import { QrCode } from './qr-code.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'
import { useSecurityRefresh } from './use-security.ts'

export interface AuthenticatorSetUpProps {
  hasPassword: boolean
  onClose: () => void
}

/**
 * Password, then the recovery codes, then the key and a first code. Only the code turns it on: a set-up that is left changes nothing. The
 * codes come before it, since the new session that it begins makes every page start again.
 */
export function AuthenticatorSetUp({ hasPassword, onClose }: AuthenticatorSetUpProps) {
  const [made, setMade] = useState<NewAuthenticator | null>(null)
  const [isStored, setStored] = useState(false)
  if (made === null) {
    return (
      <PasswordQuestion
        title={m.security_app_set_up_title()}
        confirmLabel={m.security_next()}
        hasPassword={hasPassword}
        onClose={onClose}
        onConfirm={async (password) => setMade(await currentAccountSecurity().beginAuthenticator(password))}
      >
        <p>{hasPassword ? m.security_step_password() : m.security_app_text_no_password()}</p>
      </PasswordQuestion>
    )
  }
  return isStored ? (
    <FirstCode uri={made.uri} onClose={onClose} />
  ) : (
    <StoreCodes codes={made.recoveryCodes} onClose={onClose} onStored={() => setStored(true)} />
  )
}

/** In groups of four, as people type it. */
const groupsOf = (key: string): string => key.match(/.{1,4}/g)?.join(' ') ?? key

function FirstCode({ uri, onClose }: { uri: string; onClose: () => void }) {
  const refresh = useSecurityRefresh()
  const key = new URL(uri).searchParams.get('secret') ?? ''
  const attempt = useAttempt({
    fields: ['code'],
    check: ({ code }) => problemsIn({ code: codeProblem(code) }),
    act: async ({ code }) => {
      await currentAccountSecurity().finishAuthenticator(code.replaceAll(/\s/g, ''))
      toast(m.security_app_turned_on())
      onClose()
      refresh()
    },
  })
  const copy = () => void copyText(key, m.security_copied())
  return (
    <Dialog open onClose={onClose} title={m.security_app_set_up_title()} locked={attempt.isPending}>
      <form className="flex flex-col gap-4" noValidate onSubmit={attempt.submit}>
        <p>{m.security_step_scan()}</p>
        <div className="flex flex-wrap items-center gap-4">
          <QrCode label={m.security_qr()} text={uri} />
          <div className="min-w-0 flex-1 basis-44">
            <span className="lbl">{m.security_key()}</span>
            <span className="flex items-start gap-1">
              <code className="num min-w-0 flex-1 break-words text-ink-strong">{groupsOf(key)}</code>
              <IconButton label={m.security_copy_key()} icon={Copy} small onClick={copy} />
            </span>
          </div>
        </div>
        <Field label={m.security_code()} hint={m.security_code_hint()} error={attempt.problems.code}>
          <CodeInput name="code" />
        </Field>
        <FormProblem>{attempt.problems.form}</FormProblem>
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{m.security_cancel()}</Button>
          <Button type="submit" variant="primary" pending={attempt.isPending}>
            {m.security_turn_on()}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

interface StoreCodesProps {
  codes: readonly string[]
  onClose: () => void
  onStored: () => void
}

function StoreCodes({ codes, onClose, onStored }: StoreCodesProps) {
  const [isStored, setStored] = useState(false)
  return (
    <Dialog
      open
      onClose={onClose}
      title={m.security_codes()}
      actions={
        <>
          <Button onClick={onClose}>{m.security_cancel()}</Button>
          <Button
            variant="primary"
            disabledReason={isStored ? undefined : m.security_codes_saved_first()}
            onClick={onStored}
          >
            {m.security_next()}
          </Button>
        </>
      }
    >
      <RecoveryCodes codes={codes} />
      <Checkbox
        className="mt-4"
        label={m.security_codes_saved()}
        checked={isStored}
        onChange={(event) => setStored(event.target.checked)}
      />
    </Dialog>
  )
}
