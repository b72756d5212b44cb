import { SignInWithMetamaskButton } from '@clerk/react'
import { Wallet } from 'lucide-react'
import { m } from '../../paraglide/messages.js'
import { Button } from '../../ui/button.tsx'
import { useReturnPath } from '../widgets/redirects.ts'

/** MetaMask, in our own frame; the service's other sign-in methods are in its form. */
export function WalletButton({ afterSignIn }: { afterSignIn: string }) {
  const target = useReturnPath() ?? afterSignIn
  return (
    <SignInWithMetamaskButton mode="redirect" redirectUrl={target}>
      <Button icon={Wallet}>{m.identity_wallet()}</Button>
    </SignInWithMetamaskButton>
  )
}
