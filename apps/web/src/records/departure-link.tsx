import { Link, useNavigate } from '@tanstack/react-router'
import { useCallback, type ReactNode } from 'react'

type Search = Record<string, unknown>

/** The address of the present screen with a departure's drawer over it. */
const withDeparture =
  (id: string, tab: string | undefined) =>
  ({ tab: _tab, ...before }: Search): Search => ({ ...before, departure: id, ...(tab && { tab }) })

export interface DepartureLinkProps {
  id: string
  children: ReactNode
  className?: string
  'aria-label'?: string
  /** So that a list finds its rows by key. */
  'data-departure'?: string
  /** Tab of the drawer; its first without one. */
  tab?: string | undefined
  onClick?: () => void
}

/** Opens the drawer of a departure over the present screen. */
export function DepartureLink({ id, tab, ...rest }: DepartureLinkProps) {
  return <Link {...rest} to="." search={withDeparture(id, tab) as never} resetScroll={false} />
}

/** The same for presses on rows and keys; the drawer replaces one that is open already. */
export function useOpenDeparture(): (id: string, options?: { tab?: string; replace?: boolean }) => void {
  const navigate = useNavigate()
  return useCallback(
    (id, { tab, replace = false } = {}) => {
      void navigate({ to: '.', search: withDeparture(id, tab) as never, replace, resetScroll: false })
    },
    [navigate],
  )
}
