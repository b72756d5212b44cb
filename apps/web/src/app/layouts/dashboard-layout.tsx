import type { ReactNode } from 'react'
import { MainArea } from '../main-area.tsx'
import { useOrganizationSettings } from '../organization-formats.ts'
import { useNavigationInBar } from '../preferences.ts'
import { NavigationDrawer } from '../shell/navigation-drawer.tsx'
import { OfflineBar } from '../shell/offline-bar.tsx'
import { SecondFactorBar } from '../shell/second-factor-bar.tsx'

/** The dashboard: drawer on the start side from 1280, over the page below; the page next to it. */
export function DashboardLayout({ children }: { children: ReactNode }) {
  useOrganizationSettings()
  const inBar = useNavigationInBar()
  return (
    <div data-layout={inBar ? 'dashboard-old' : 'dashboard'}>
      <NavigationDrawer isOverlayOnly={inBar} />
      <MainArea className={inBar ? undefined : 'lg:ps-[var(--nav-drawer)]'}>
        <OfflineBar />
        <SecondFactorBar />
        {children}
      </MainArea>
    </div>
  )
}
