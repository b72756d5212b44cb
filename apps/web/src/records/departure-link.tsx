import { Link, useNavigate } from '@tanstack/react-router'
import { useCallback, type ReactNode } from 'react'
import type { DrawerTab } from './drawer-request.ts'

/** The address of the present screen with a departure's drawer over it. */
const withDeparture =
  (id: string, tab: DrawerTab | undefined) =>
  ({ tab: _tab, ...before }: { tab?: string | undefined }) => ({ ...before, departure: id, ...(tab && { tab }) })

export interface DepartureLinkProps {
  id: string
  children: ReactNode
  className?: string
  'aria-label'?: string
  /** So that a list finds its rows by key. */
  'data-departure'?: string
  /** Tab of the drawer; its first without one. */
  tab?: DrawerTab | undefined
  onClick?: () => void
}

/** Opens the drawer of a departure over the present screen. */
export function DepartureLink({ id, tab, ...rest }: DepartureLinkProps) {
  return <Link {...rest} to="." search={withDeparture(id, tab)} resetScroll={false} />
}

/** The same for presses on rows and keys; the drawer replaces one that is open already. */
export function useOpenDeparture(): (id: string, options?: { tab?: DrawerTab; replace?: boolean }) => void {
  const navigate = useNavigate()
  return useCallback(
    (id, { tab, replace = false } = {}) => {
      void navigate({ to: '.', search: withDeparture(id, tab), replace, resetScroll: false })
    },
    [navigate],
  )
}
