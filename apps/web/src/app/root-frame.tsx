import { lazy, Suspense, type ReactNode } from 'react'
import { useLiveQueries } from '../backend/live.ts'
import { useAuthStore } from '../identity/auth-store.ts'
import { m } from '../paraglide/messages.js'
import { useCopyByHand } from '../ui/copy-text.ts'
import { ToastViewport } from '../ui/toast.tsx'
import { useAnalyticsConsent } from './analytics-consent.ts'
import { MainArea } from './main-area.tsx'
import { AppBar } from './shell/app-bar.tsx'
import { NewBookingKey } from './shell/new-booking-key.tsx'
import { PaletteHost } from './shell/palette-state.tsx'
import { SignedInWrapper, SystemInitializer } from './system-initializer.tsx'

const CopyByHand = lazy(async () => ({ default: (await import('../ui/copy-by-hand.tsx')).CopyByHand }))
const ConsentDialog = lazy(async () => ({ default: (await import('./consent-dialog.tsx')).ConsentDialog }))

/** `shell`: the app bar of the dashboard; `bare`: centered; `own`: the page brings a head of its own. */
export type FrameKind = 'shell' | 'bare' | 'own'

export interface RootFrameProps {
  kind: FrameKind
  /** Open to people who are not signed in. */
  isPublic: boolean
  children: ReactNode
}

/**
 * The app root of the spec, section 2: the user-button area at the top, then the page area inside the signed-in wrapper and the system
 * initializer.
 */
export function RootFrame({ kind, isPublic, children }: RootFrameProps) {
  useLiveQueries()
  const isCountingOffered = useAnalyticsConsent((state) => state.isOffered)
  const isCopiedByHand = useCopyByHand((state) => state.text !== null)
  const hasOrganization = useAuthStore((state) => state.organization !== null)
  return (
    <>
      <SkipLink />
      {kind !== 'own' && <AppBar kind={kind} />}
      <div className={kind === 'own' ? undefined : 'pt-[var(--app-bar)]'}>
        <SignedInWrapper isPublic={isPublic}>
          <SystemInitializer>
            {kind === 'shell' ? children : <Page isCentered={kind === 'bare'}>{children}</Page>}
          </SystemInitializer>
        </SignedInWrapper>
      </div>
      {hasOrganization && kind !== 'own' && (
        <>
          <PaletteHost />
          <NewBookingKey />
        </>
      )}
      {isCountingOffered && kind === 'shell' && (
        <Suspense fallback={null}>
          <ConsentDialog />
        </Suspense>
      )}
      {isCopiedByHand && (
        <Suspense fallback={null}>
          <CopyByHand />
        </Suspense>
      )}
      <ToastViewport />
    </>
  )
}

/** A page without the dashboard around it. */
function Page({ isCentered, children }: { isCentered: boolean; children: ReactNode }) {
  return (
    <MainArea
      className={isCentered ? 'grid min-h-[calc(100dvh-var(--app-bar))] place-items-center px-4 py-6' : undefined}
    >
      {children}
    </MainArea>
  )
}

/** First stop of the keyboard: over the navigation, into the page. */
function SkipLink() {
  return (
    <a
      href="#main"
      className="sr-only focus:not-sr-only focus:fixed focus:start-2 focus:top-2 focus:z-50 focus:rounded-lg focus:bg-surface focus:px-4 focus:py-2 focus:font-medium focus:text-ink-strong"
      onClick={(event) => {
        event.preventDefault()
        document.getElementById('main')?.focus()
      }}
    >
      {m.app_skip_to_content()}
    </a>
  )
}
