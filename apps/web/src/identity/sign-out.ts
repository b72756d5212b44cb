import { currentIdentity } from './port.ts'
import { m } from '../paraglide/messages.js'
import { toast } from '../ui/toast.tsx'
import { navigateTo } from '../addresses/navigate-to.ts'

interface SignOutParts {
  /** Where the installation sends people afterwards. */
  readonly target: string
  /** No reads while the session ends: they would be refused, since the person is signed out. */
  readonly pauseReads: () => void
  /** Reads begin again, for the person who stayed or for the one who comes next. */
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
    await Promise.all([forgetDayOfPhone(), endPush()])
  } catch {
    toast(m.app_sign_out_failed())
    return
  } finally {
    parts.resumeReads()
  }
  // The target comes from the installation's own configuration, not from an address: it may lead elsewhere.
  navigateTo(parts.target, { external: true, replace: true })
}

/** Destroys the day that the guide's phone keeps in this browser. Loaded when it is needed: no screen's first load carries it. A code that does not come keeps nobody signed in. */
export const forgetDayOfPhone = (): Promise<void> =>
  import('./phone-day.ts').then(
    ({ forgetPhoneDay }) => forgetPhoneDay(),
    () => undefined,
  )

/** Loaded when it is needed, as the day of the phone is. */
const endPush = (): Promise<void> =>
  import('./push-of-browser.ts').then(
    ({ endPushOfBrowser }) => endPushOfBrowser(),
    () => undefined,
  )
