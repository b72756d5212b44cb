import { AppError } from '@tour-ops/contract/errors'
import { Wallet } from 'lucide-react'
import { useState } from 'react'
import { m } from '../../paraglide/messages.js'
import { Button } from '../../ui/button.tsx'
import { currentAccounts, type SignInOutcome } from '../accounts-port.ts'
import { FormProblem } from './identity-card.tsx'
import { identityErrorText } from './identity-errors.ts'
import { connectWallet } from './injected-wallet.ts'

/** Sign-in with a crypto wallet that lives in the browser (EIP-1193); it signs a message of EIP-4361. */
export function WalletSignInButton({ onSignedIn }: { onSignedIn?: ((outcome: SignInOutcome) => void) | undefined }) {
  const [problem, setProblem] = useState<string | null>(null)
  const [isPending, setPending] = useState(false)
  const signIn = async () => {
    setProblem(null)
    setPending(true)
    try {
      onSignedIn?.(await currentAccounts().signInWithWallet(await connectWallet()))
    } catch (error) {
      setProblem(identityErrorText(AppError.from(error)))
    } finally {
      setPending(false)
    }
  }
  return (
    <>
      <Button icon={Wallet} pending={isPending} onClick={() => void signIn()}>
        {m.identity_wallet()}
      </Button>
      <FormProblem>{problem}</FormProblem>
    </>
  )
}
