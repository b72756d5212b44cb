import { currentIdentity } from '../identity/port.ts'
import { m } from '../paraglide/messages.js'
import { toast } from '../ui/toast.tsx'
import { navigateTo } from './navigate-to.ts'

let afterSignOut = '/sign-in'

/** Where the installation sends people after sign-out; called once by `main`. */
export function configureSignOut(target: string): void {
  afterSignOut = target
}

/** Ends the session here and in the other tabs, then goes where the installation says. */
export async function signOut(): Promise<void> {
  try {
    await currentIdentity().signOut()
  } catch {
    toast(m.app_sign_out_failed())
    return
  }
  // The target comes from the installation's own configuration, not from an address: it may lead elsewhere.
  navigateTo(afterSignOut, { external: true, replace: true })
}
