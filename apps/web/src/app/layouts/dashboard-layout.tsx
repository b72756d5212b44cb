import { useRouterState } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { MainArea } from '../main-area.tsx'
import { useOrganizationFormats } from '../organization-formats.ts'
import { isNavigationInBar, usePreferences } from '../preferences.ts'
import { NavigationDrawer } from '../shell/navigation-drawer.tsx'
import { OfflineBar } from '../shell/offline-bar.tsx'

/** Whether the present screen has its navigation in the bar: the old dashboard layout of the spec, section 2. */
export function useNavigationInBar(): boolean {
  const pathname = useRouterState({ select: (state) => state.location.pathname })
  return isNavigationInBar(
    usePreferences((state) => state.navigation),
    pathname,
  )
}

/** The dashboard: drawer on the start side from 1280, over the page below; the page beside it. */
export function DashboardLayout({ children }: { children: ReactNode }) {
  useOrganizationFormats()
  const inBar = useNavigationInBar()
  return (
    <div data-layout={inBar ? 'dashboard-old' : 'dashboard'}>
      <NavigationDrawer isOverlayOnly={inBar} />
      <MainArea className={inBar ? undefined : 'lg:ps-[var(--nav-drawer)]'}>
        <OfflineBar />
        {children}
      </MainArea>
    </div>
  )
}
