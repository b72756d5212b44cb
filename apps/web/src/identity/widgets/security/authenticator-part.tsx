import { CircleCheck, CircleDashed } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { m } from '../../../paraglide/messages.js'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { Calm } from '../../../ui/chip.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { toast } from '../../../ui/toast.tsx'
import { currentAccountSecurity, type SecurityOverview } from '../../account-security-port.ts'
import { PasswordQuestion } from './password-question.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'
import { useSecurityRefresh } from './use-security.ts'

const SetUp = lazy(async () => ({ default: (await import('./authenticator-set-up.tsx')).AuthenticatorSetUp }))

type Open = 'set-up' | 'turn-off' | 'renew' | null

/** Authenticator app and recovery codes. */
export function AuthenticatorPart({ overview }: { overview: SecurityOverview }) {
  const { hasPassword, recoveryCodesLeft } = overview
  const isOn = recoveryCodesLeft !== null
  const [open, setOpen] = useState<Open>(null)
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  const refresh = useSecurityRefresh()
  const close = () => setOpen(null)
  const turnOff = async (password: string | undefined) => {
    await currentAccountSecurity().removeAuthenticator(password)
    close()
    toast(m.security_app_turned_off())
    refresh()
  }
  const renew = async (password: string | undefined) => {
    setCodes(await currentAccountSecurity().renewRecoveryCodes(password))
    close()
    refresh()
  }
  return (
    <Card
      padded
      title={m.security_app()}
      actions={
        <Calm icon={isOn ? CircleCheck : CircleDashed} tone={isOn ? 'ok' : 'neutral'}>
          {isOn ? m.security_on() : m.security_off()}
        </Calm>
      }
    >
      <p className="text-ink-2">{hasPassword ? m.security_app_text() : m.security_app_text_no_password()}</p>
      {isOn && <p className="num mt-2">{m.security_codes_left({ count: recoveryCodesLeft })}</p>}
      <div className="mt-3 flex flex-wrap gap-2">
        {isOn ? (
          <>
            <Button onClick={() => setOpen('renew')}>{m.security_codes_renew()}</Button>
            <Button variant="ghost" onClick={() => setOpen('turn-off')}>
              {m.security_app_turn_off()}
            </Button>
          </>
        ) : (
          <Button onClick={() => setOpen('set-up')}>{m.security_app_set_up()}</Button>
        )}
      </div>
      {open === 'set-up' && (
        <Suspense fallback={null}>
          <SetUp hasPassword={hasPassword} onClose={close} />
        </Suspense>
      )}
      {open === 'turn-off' && (
        <PasswordQuestion
          danger
          title={m.security_app_turn_off_title()}
          confirmLabel={m.security_app_turn_off()}
          hasPassword={hasPassword}
          onClose={close}
          onConfirm={turnOff}
        >
          <p>{m.security_app_turn_off_text()}</p>
        </PasswordQuestion>
      )}
      {open === 'renew' && (
        <PasswordQuestion
          title={m.security_codes_renew()}
          confirmLabel={m.security_codes_renew_do()}
          hasPassword={hasPassword}
          onClose={close}
          onConfirm={renew}
        >
          <p>{m.security_codes_renew_text()}</p>
        </PasswordQuestion>
      )}
      {codes && (
        <Dialog
          open
          onClose={() => setCodes(null)}
          title={m.security_codes()}
          actions={
            <Button variant="primary" onClick={() => setCodes(null)}>
              {m.security_done()}
            </Button>
          }
        >
          <RecoveryCodes codes={codes} />
        </Dialog>
      )}
    </Card>
  )
}
