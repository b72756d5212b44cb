import { useNavigate } from '@tanstack/react-router'
import { useCallback } from 'react'
import type { SearchOf } from '../addresses/url-state.ts'

/** The address of the present screen with an incident's drawer over it; a departure or booking would cover it. */
export const withIncident =
  (id: string) =>
  ({ tab: _tab, departure: _departure, booking: _booking, ...before }: SearchOf<'/_dashboard'>) => ({
    ...before,
    incident: id,
  })

/** Opens an incident's drawer over the present screen. */
export function useOpenIncident(): (id: string) => void {
  const navigate = useNavigate()
  return useCallback((id) => void navigate({ to: '.', search: withIncident(id), resetScroll: false }), [navigate])
}
