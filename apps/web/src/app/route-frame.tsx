import { useRouter, useRouterState, type ErrorComponentProps } from '@tanstack/react-router'
import { useQueryErrorResetBoundary } from '@tanstack/react-query'
import { useEffect, useRef, type ReactNode } from 'react'
import { m } from '../paraglide/messages.js'
import { DashboardLayout } from './layouts/dashboard-layout.tsx'
import { ErrorPage } from './errors/error-page.tsx'
import { loadLater } from '../ui/load-later.tsx'
import { missingPermissionOf } from './page-error.ts'
import { RootFrame, type FrameKind } from './root-frame.tsx'
import type { LayoutName } from './route-data.ts'

const PermissionPage = loadLater(async () => (await import('./errors/permission-page.tsx')).PermissionPage)

const frameKindOf = (layout: LayoutName | undefined): FrameKind =>
  layout === 'own' ? 'own' : layout?.startsWith('dashboard') ? 'shell' : 'bare'

/** The frame of the present route, with title, focus and the page inside. */
export function RouteFrame({ children }: { children: ReactNode }) {
  const { layout, isPublic, title } = useRouterState({
    select: ({ matches }) => matches.at(-1)?.staticData ?? {},
  })
  useDocumentTitle(title?.())
  useFocusOnNavigation()
  return (
    <RootFrame kind={frameKindOf(layout)} isPublic={isPublic ?? false}>
      {children}
    </RootFrame>
  )
}

/** What stops a route: a missing permission inside the shell, everything else on the bare error page. */
export function RouteError({ error, reset }: ErrorComponentProps) {
  const router = useRouter()
  const queries = useQueryErrorResetBoundary()
  const permission = missingPermissionOf(error)
  useFocusOnNavigation()
  const retry = () => {
    queries.reset()
    reset()
    void router.invalidate()
  }
  if (permission) {
    return (
      <RootFrame kind="shell" isPublic={false}>
        <DashboardLayout>
          <PermissionPage permission={permission} />
        </DashboardLayout>
      </RootFrame>
    )
  }
  return (
    <RootFrame kind="bare" isPublic>
      <ErrorPage error={error} onRetry={retry} />
    </RootFrame>
  )
}

function useDocumentTitle(title: string | undefined): void {
  useEffect(() => {
    document.title = title ? `${title} · ${m.app_product_name()}` : m.app_product_name()
  }, [title])
}

/**
 * After a navigation the keyboard and the screen reader begin at the page, not where the old link was; unless somebody has opened a menu
 * or a dialog while the page was on its way, and is in it.
 */
function useFocusOnNavigation(): void {
  const page = useRouterState({
    select: ({ resolvedLocation, matches }) => (resolvedLocation ? pageOf(matches.at(-1)) : undefined),
  })
  const router = useRouter()
  const surfaceBefore = useRef<Element | null>(null)
  useEffect(() => router.subscribe('onBeforeNavigate', () => (surfaceBefore.current = surfaceInUse())), [router])
  useEffect(() => {
    const isFirstPage = !wasShown
    wasShown = true
    if (isFirstPage || page === undefined || page === lastPage) {
      lastPage = page
      return
    }
    lastPage = page
    const surface = surfaceInUse()
    if (surface && surface !== surfaceBefore.current) return
    document.getElementById('main')?.focus({ preventScroll: true })
  }, [page])
}

/** The menu, popover or dialog that the keyboard is in. */
const surfaceInUse = (): Element | null =>
  document.activeElement?.closest('[popover], [role=menu], [role=dialog]') ?? null

// Of the document, not of a component: the error page replaces the frame and must not take itself for a first page.
let wasShown = false
let lastPage: string | undefined

interface ShownMatch {
  readonly pathname: string
  readonly params: Readonly<Record<string, string | undefined>>
}

/** What follows in a splat are steps of one page, such as those of a sign-in: they put the keyboard where they want it themselves. */
const pageOf = (match: ShownMatch | undefined): string | undefined =>
  match?.pathname.slice(0, match.pathname.length - (match.params._splat ?? '').length).replace(/\/$/, '')
