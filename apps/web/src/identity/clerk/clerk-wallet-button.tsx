import { SignInWithMetamaskButton } from '@clerk/react'
import { Wallet } from 'lucide-react'
import { m } from '../../paraglide/messages.js'
import { Button } from '../../ui/button.tsx'
import { useReturnPath } from '../widgets/redirects.ts'

/** MetaMask, in a frame of ours; the service's other ways in stand in its own form. */
export function WalletButton({ afterSignIn }: { afterSignIn: string }) {
  const target = useReturnPath() ?? afterSignIn
  return (
    <SignInWithMetamaskButton mode="redirect" redirectUrl={target}>
      <Button icon={Wallet}>{m.identity_wallet()}</Button>
    </SignInWithMetamaskButton>
  )
}
