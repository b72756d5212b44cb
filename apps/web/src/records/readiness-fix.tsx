import { Link } from '@tanstack/react-router'
import type { Permission } from '@tour-ops/contract/identity/access'
import type { ReadinessCheck } from '@tour-ops/contract/departures/departures'
import type { ReactNode } from 'react'
import { useAccess } from '../identity/access.ts'
import { askForDialog, forgetDrawerRequest, type RequestedDialog } from './drawer-request.ts'
import type { DrawerTab } from './drawer-request.ts'
import { DepartureLink } from './departure-link.tsx'

/** The head count is next to the checks while guests board. */
export type FailingCheck = ReadinessCheck | 'headcount'

interface DrawerFix {
  tab: DrawerTab
  /** Opens over the tab for those who may. */
  dialog?: RequestedDialog
  /** Without it there is no such tab. */
  needs?: Permission
}

const crew: DrawerFix = { tab: 'crew', dialog: 'assign' }

/** Where a failing check is fixed. Messages are sent again in the outbox, the rest is done in the departure. */
const fixes: Record<FailingCheck, DrawerFix | 'outbox'> = {
  lead_guide: crew,
  language: crew,
  guide_ratio: crew,
  vehicle_seats: { tab: 'crew', dialog: 'vehicle' },
  services_confirmed: { tab: 'services' },
  documents: { tab: 'manifest', needs: 'travelers:read' },
  weather_note: { tab: 'run-sheet', dialog: 'notes' },
  minimum_pax: { tab: 'bookings', needs: 'bookings:read' },
  messages_delivered: 'outbox',
  suppliers_informed: { tab: 'services' },
  headcount: { tab: 'manifest', dialog: 'count', needs: 'travelers:read' },
}

interface ReadinessFixProps {
  departureId: string
  check: FailingCheck
  className?: string
  /** After the press, to close what the link is in. */
  onLeave?: (() => void) | undefined
  children: ReactNode
}

/** Leads from a failing check to its fix in one press; plain words for those who cannot go there. */
export function ReadinessFix({ departureId, check, className, onLeave, children }: ReadinessFixProps) {
  const { can } = useAccess()
  const fix = fixes[check]
  const needs = fix === 'outbox' ? 'notifications:read' : fix.needs
  if (needs && !can(needs)) return children
  if (fix === 'outbox') {
    return (
      <Link
        to="/tools/notifications"
        search={{ 'f.departureId': departureId, 'f.status': 'failed' }}
        {...(className && { className })}
        {...(onLeave && { onClick: onLeave })}
      >
        {children}
      </Link>
    )
  }
  const leave = () => {
    if (fix.dialog) askForDialog(departureId, fix.dialog)
    else forgetDrawerRequest()
    onLeave?.()
  }
  return (
    <DepartureLink id={departureId} tab={fix.tab} onClick={leave} {...(className && { className })}>
      {children}
    </DepartureLink>
  )
}
