import { currentIdentity } from '../identity/port.ts'
import { m } from '../paraglide/messages.js'
import { toast } from '../ui/toast.tsx'
import { navigateTo } from './navigate-to.ts'

interface SignOutParts {
  /** Where the installation sends people afterwards. */
  readonly target: string
  /** Stops what reads by itself: a read on its way would be refused as somebody's who is gone. */
  readonly pauseReads: () => void
  /** The person stays: reads begin again. */
  readonly resumeReads: () => void
}

let parts: SignOutParts = { target: '/sign-in', pauseReads: () => undefined, resumeReads: () => undefined }

/** Called once by `main`. */
export function configureSignOut(given: SignOutParts): void {
  parts = given
}

/** Ends the session here and in the other tabs, then goes where the installation says. */
export async function signOut(): Promise<void> {
  parts.pauseReads()
  try {
    await currentIdentity().signOut()
  } catch {
    parts.resumeReads()
    toast(m.app_sign_out_failed())
    return
  }
  // The target comes from the installation's own configuration, not from an address: it may lead elsewhere.
  navigateTo(parts.target, { external: true, replace: true })
}
