import { AppError } from '@tour-ops/contract/errors'
import { KeyRound } from 'lucide-react'
import { useEffect, useEffectEvent, useState } from 'react'
import { m } from '../../../paraglide/messages.js'
import { Button } from '../../../ui/button.tsx'
import { accountSecurity, currentAccountSecurity } from '../../account-security-port.ts'
import { FormProblem } from '../identity-card.tsx'
import { identityErrorText } from '../identity-errors.ts'
import { canUsePasskeys } from './passkey-support.ts'

/** Sign-in by a passkey alone; absent where the browser or the address knows none. */
export function PasskeySignInButton({ onSignedIn }: { onSignedIn: () => void }) {
  const [problem, setProblem] = useState<string | null>(null)
  const [isPending, setPending] = useState(false)
  if (!accountSecurity() || !canUsePasskeys()) return null
  const signIn = async () => {
    setProblem(null)
    setPending(true)
    try {
      await currentAccountSecurity().signInWithPasskey()
      onSignedIn()
    } catch (error) {
      setProblem(identityErrorText(AppError.from(error)))
    } finally {
      setPending(false)
    }
  }
  return (
    <>
      <Button icon={KeyRound} pending={isPending} onClick={() => void signIn()}>
        {m.security_passkey_sign_in()}
      </Button>
      <FormProblem>{problem}</FormProblem>
    </>
  )
}

/** The browser offers passkeys where it offers addresses, while the form is open. */
export function useSuggestedPasskeys(onSignedIn: () => void): void {
  const finish = useEffectEvent(onSignedIn)
  useEffect(() => {
    const security = canUsePasskeys() ? accountSecurity() : undefined
    if (!security) return undefined
    void security.offerPasskeys().then((isSignedIn) => isSignedIn && finish())
    return () => void security.withdrawPasskeys()
  }, [])
}
