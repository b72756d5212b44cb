import type { ReactNode } from 'react'
import { useAuthStore } from '../identity/auth-store.ts'
import { useSession } from '../identity/access.ts'
import { m } from '../paraglide/messages.js'
import { LoadingBar } from '../ui/progress.tsx'
import { Connecting } from './connecting.tsx'
import { ErrorPage } from './errors/error-page.tsx'
import { MainArea } from './main-area.tsx'
import { useStartupPhase } from './loader.ts'
import { retryStartup } from './startup-control.ts'

/**
 * Shows the thin bar until the identity service has loaded and the auth store is initialized, then the page. Source: spec, section 2.
 * What makes the initialization fail is shown by the error page, with a button that tries again; a service that does not answer, by words
 * under the bar after ten seconds.
 */
export function SystemInitializer({ children }: { children: ReactNode }) {
  const { phase, waitedMs } = useStartupPhase()
  const { isLoaded, trouble } = useSession()
  const error = useAuthStore((state) => state.initializationError)
  if (phase === 'done') return children
  if (phase === 'failed' && (isLoaded || trouble === 'failed')) {
    return (
      <Centered>
        <ErrorPage error={error} onRetry={() => void retryStartup()} />
      </Centered>
    )
  }
  return (
    <>
      <StartBar />
      {phase !== 'starting' && (
        <Centered>
          <Connecting waitedMs={waitedMs} />
        </Centered>
      )}
    </>
  )
}

/** The page area of people who are signed in; what is public is open to everybody. Signed out, the guards are on their way to sign-in. */
export function SignedInWrapper({ isPublic, children }: { isPublic: boolean; children: ReactNode }) {
  const { isInitialized, isAuthenticated } = useAuthStore()
  return isPublic || isAuthenticated || !isInitialized ? children : <StartBar />
}

const Centered = ({ children }: { children: ReactNode }) => (
  <MainArea className="grid min-h-[calc(100dvh-var(--app-bar))] place-items-center px-4 py-6">{children}</MainArea>
)

function StartBar() {
  return (
    <div className="fixed inset-x-0 top-[var(--app-bar)] z-20">
      <LoadingBar label={m.app_starting()} />
    </div>
  )
}
