import { Link, useRouterState } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useRef } from 'react'
import { useAccess } from '../../identity/access.ts'
import { m } from '../../paraglide/messages.js'
import { classNames } from '../../ui/class-names.ts'
import { rememberFocus } from '../../ui/focus-return.ts'
import { setDrawerOpen, useDrawer } from './drawer-state.ts'
import { isActive, visibleGroups, type NavigationEntry } from './navigation.ts'

const OpenAlertCount = lazy(() =>
  import('./open-alert-count.tsx').then((loaded) => ({ default: loaded.OpenAlertCount })),
)

/** The drawer of the shell, 280 wide. Below 1280 (or with the navigation in the bar) it opens over the page with a scrim. */
export function NavigationDrawer({ isOverlayOnly }: { isOverlayOnly: boolean }) {
  const isOpen = useDrawer((state) => state.isOpen)
  const pathname = useRouterState({ select: (state) => state.location.pathname })
  const panel = useRef<HTMLElement>(null)
  useEffect(() => {
    if (!isOpen) return
    const giveBack = rememberFocus()
    panel.current?.querySelector('a')?.focus()
    const close = (event: KeyboardEvent) => {
      if (event.key === 'Escape') setDrawerOpen(false)
    }
    document.addEventListener('keydown', close)
    return () => {
      document.removeEventListener('keydown', close)
      giveBack()
    }
  }, [isOpen])
  return (
    <>
      {isOpen && (
        <button
          type="button"
          tabIndex={-1}
          aria-label={m.app_close_menu()}
          className={classNames('fixed inset-0 top-[var(--app-bar)] z-20 bg-scrim', !isOverlayOnly && 'lg:hidden')}
          onClick={() => setDrawerOpen(false)}
        />
      )}
      <aside
        ref={panel}
        id="navigation"
        className={classNames(
          'no-print fixed start-0 top-[var(--app-bar)] bottom-0 z-20 w-[var(--nav-drawer)] overflow-y-auto border-e border-line bg-surface',
          !isOpen && (isOverlayOnly ? 'hidden' : 'max-lg:hidden'),
        )}
      >
        <Navigation pathname={pathname} />
      </aside>
    </>
  )
}

function Navigation({ pathname }: { pathname: string }) {
  const access = useAccess()
  return (
    <nav aria-label={m.app_nav_label()} className="flex flex-col gap-5 px-3 py-4">
      {visibleGroups((permission) => access.can(permission)).map((group) => (
        <div key={group.key} role="group" aria-labelledby={`nav-${group.key}`}>
          <p id={`nav-${group.key}`} className="caption px-3 pb-1">
            {group.label()}
          </p>
          <ul className="flex flex-col gap-0.5">
            {group.entries.map((entry) => (
              <li key={entry.path}>
                <NavigationLink entry={entry} isCurrent={isActive(entry, pathname)} />
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  )
}

function NavigationLink({ entry, isCurrent }: { entry: NavigationEntry; isCurrent: boolean }) {
  const { path, label, icon: Icon, countsAlerts } = entry
  return (
    <Link
      to={path}
      className="nav-item"
      aria-current={isCurrent ? 'page' : undefined}
      onClick={() => setDrawerOpen(false)}
    >
      <Icon size={18} strokeWidth={1.9} aria-hidden />
      {label()}
      {countsAlerts && (
        <Suspense fallback={null}>
          <OpenAlertCount />
        </Suspense>
      )}
    </Link>
  )
}
