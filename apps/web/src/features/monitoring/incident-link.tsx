import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { withIncident } from '../../records/use-open-incident.ts'

interface IncidentLinkProps {
  id: string
  className?: string | undefined
  children: ReactNode
}

/** Opens an incident's drawer over the present screen. */
export function IncidentLink({ id, ...rest }: IncidentLinkProps) {
  return <Link {...rest} to="." search={withIncident(id)} resetScroll={false} />
}
